"""A memory for real text: what people have is taken in, kept on disk, and asked."""
