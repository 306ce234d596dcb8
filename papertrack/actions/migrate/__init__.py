"""Migrate from other tools: import what ``importers`` read, as one action."""
