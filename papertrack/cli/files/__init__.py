"""The commands that help lists under "READMEs and BibTeX"."""
