"""Citing: entries for manuscripts, and the keys they stand under."""
