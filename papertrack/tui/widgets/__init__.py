"""The widgets of the UI's own."""
