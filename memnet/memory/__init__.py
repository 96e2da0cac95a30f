"""A memory for real text."""
