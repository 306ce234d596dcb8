"""The real files that some benchmarks read: not part of the project, and not everywhere at hand."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def corpus_files(name: str, pattern: str) -> tuple[Path, list[Path]]:
    """The folder of the command line, else this one of $PAPERTRACK_CORPUS, and its files.

    Ends the program: with 0 where no folder is named, so that `make bench` goes on to what can be
    measured; with 1 where the folder named has no such file.
    """
    corpus = os.environ.get("PAPERTRACK_CORPUS")
    if len(sys.argv) < 2 and not corpus:
        how = f"its argument, or PAPERTRACK_CORPUS (with a folder {name!r} in it)"
        print(f"Not measured: no real files. Name a folder of {pattern} files by {how}.")
        sys.exit(0)
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(corpus or "", name)
    paths = sorted(folder.rglob(pattern))
    if not paths:
        sys.exit(f"There are no {pattern} files in {folder}. Check the folder.")
    return folder, paths
