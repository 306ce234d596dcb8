"""Completing what the library knows of its papers."""
