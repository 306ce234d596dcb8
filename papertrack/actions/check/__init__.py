"""Checking lists: what is wrong, what of it is new, and how a repository has it checked."""
