"""Which keys manuscripts cite, and where: a module per language, behind one registry."""
