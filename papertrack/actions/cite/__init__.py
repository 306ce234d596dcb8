"""Citing: entries for manuscripts, and their citation keys."""
