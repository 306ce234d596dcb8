"""Files of BibTeX, as the engine of syncing sees them."""
