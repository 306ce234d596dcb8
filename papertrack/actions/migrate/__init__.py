"""Coming over from other tools: what ``importers`` read is taken in as one action."""
