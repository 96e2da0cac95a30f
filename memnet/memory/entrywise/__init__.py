"""Logs read an entry at a time: which entries tell what a question asks, what each says, and what that makes together."""
