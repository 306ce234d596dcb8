"""``python -m papertrack``."""

from papertrack.cli import main

main()
