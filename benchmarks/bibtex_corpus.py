"""Every entry of a folder of .bib files, counted: `python benchmarks/bibtex_corpus.py FOLDER`.

For each file: the entries in it, counted apart from the parser by what begins a line; those that
were read; those that were reported; those read with a problem. The run fails if one is missing.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from papertrack.sources.bibtex import decode_bib, parse_bibtex

_BEGINS = re.compile(r"^[ \t]*@[ \t]*(?!string|comment|preamble)\w+\s*[{(]", re.I | re.M)


def main(folder: Path) -> int:
    paths = sorted(folder.glob("*.bib"))
    print(f"{'file':<64} {'encoding':<14} {'in':>5} {'read':>5} {'reported':>8} {'odd':>4}")
    missing = 0
    for path in paths:
        text, encoding = decode_bib(path.read_bytes())
        library = parse_bibtex(text, file=path.name)
        begun = len(_BEGINS.findall(text))
        read, reported = len(library.entries), len(library.skipped)
        odd = sum(bool(entry.problems) for entry in library.entries)
        note = "  MISSING" if read + reported < begun else ""
        missing += bool(note)
        print(
            f"{path.name[:64]:<64} {encoding:<14} {begun:>5} {read:>5} {reported:>8} {odd:>4}{note}"
        )
    print(f"{len(paths)} files, {missing} with missing entries")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
