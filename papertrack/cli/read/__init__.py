"""The commands that help lists under "Read"."""
