"""The terminal user interface over the same actions as the command line."""
