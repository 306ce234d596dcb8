"""Read a Markdown list: from text to entries with exact spans."""
