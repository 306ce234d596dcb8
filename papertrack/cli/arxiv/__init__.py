"""The commands that help lists under "arXiv"."""
