"""The commands that help lists under "Change"."""
