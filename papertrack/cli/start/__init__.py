"""The commands that help lists under "Start"."""
