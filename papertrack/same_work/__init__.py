"""Whether two descriptions are of one work: the one rule of imports, links and duplicates. Pure."""
