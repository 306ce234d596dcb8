"""Write to a Markdown list: from edits to the smallest changes of its text."""
