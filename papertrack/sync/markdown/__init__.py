"""READMEs, as the engine of syncing sees them."""
