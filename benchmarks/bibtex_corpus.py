"""Every entry of a folder of .bib files, counted: `python benchmarks/bibtex_corpus.py [FOLDER]`.

Each file is imported into a library of its own. Told are the entries in it, counted apart from the
parser by what begins a line; the papers they became; the entries that were merged into a paper of
another one; the pieces reported as no entry; and notices and conflicts about those that were read.
The run fails if an entry is missing. Without FOLDER it is $PAPERTRACK_CORPUS/bib.
"""

from __future__ import annotations

import re
import sys
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from corpus import corpus_files

from papertrack.actions.documents import import_file
from papertrack.documents.encoding import decode_bib
from papertrack.library import Library
from papertrack.store.store import Store

_BEGINS = re.compile(r"^[ \t]*@[ \t]*(?!string|comment|preamble)\w+\s*[{(]", re.I | re.M)
_HEAD = ("in", "papers", "merged", "reported", "notices", "conflicts")


def main() -> int:
    _, paths = corpus_files("bib", "*.bib")
    print(f"{'file':<60} {'encoding':<14} {' '.join(f'{name:>9}' for name in _HEAD)}")
    missing = 0
    for path in paths:
        with TemporaryDirectory() as root:
            library = Library(Path(root))
            with Store.create(library.database, now=lambda: datetime.now(UTC)) as store:
                report = import_file(store, library, path)
        begun = len(_BEGINS.findall(decode_bib(path.read_bytes())[0]))
        merged = sum(len(joined.lines) - 1 for joined in report.joined)
        reported = len(report.skipped)
        is_missing = report.papers_new + merged + reported < begun
        missing += is_missing
        counts = (begun, report.papers_new, merged, reported)
        told = (*counts, len(report.notices), len(report.conflicts))
        print(
            f"{path.name[:60]:<60} {report.encoding:<14} {' '.join(f'{n:>9}' for n in told)}"
            f"{'  MISSING' if is_missing else ''}"
        )
    print(f"{len(paths)} files, {missing} with missing entries")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
