"""Coming over from other tools: what ``migration`` read is taken in as one action."""
