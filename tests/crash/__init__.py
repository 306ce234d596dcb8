"""What is left of a library when a command is killed, the power fails or the disk is full.

``python -m tests.crash`` tries every call of every command; the tests here try a few of each.
"""
