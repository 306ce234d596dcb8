"""Coming over from other tools: what ``importers`` read is imported as one action."""
