"""Whether two descriptions are of one work: for imports, duplicates, proposals, audits. Pure."""
