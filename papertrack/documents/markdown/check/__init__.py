"""Checking a Markdown list for what is likely a mistake."""
