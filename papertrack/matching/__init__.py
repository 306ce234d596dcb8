"""Decide whether two descriptions are of the same work. Pure functions."""
