"""Answers composed word by word, with words copied from the memories: what a dialog's bot says next."""
