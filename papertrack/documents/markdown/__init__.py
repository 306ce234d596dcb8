"""READMEs and other Markdown lists: reading, writing, checking."""
