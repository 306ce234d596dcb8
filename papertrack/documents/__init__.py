"""Markdown text to entries to edited Markdown text, without losing a byte. Pure."""
