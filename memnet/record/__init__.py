"""The record: what made a result, and which results are there."""
