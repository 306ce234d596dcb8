"""The commands that help lists under "Look"."""
