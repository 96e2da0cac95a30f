"""A question about a table as a query: many are made of its words, a network says how likely each is (docs/long-memory.md)."""
