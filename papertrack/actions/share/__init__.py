"""Sharing a library through git: its records, and the repository that carries them."""
