"""Edit a Markdown list by the smallest changes of its text."""
