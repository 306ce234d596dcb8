"""Find the citation keys in manuscripts: one module per language, behind one registry."""
