"""Text formats whose entries are read and rewritten without losing a byte. Pure."""
