"""Whether entries leave as they came: `python benchmarks/bibtex_own.py [FOLDER] [--verbose]`.

Each .bib file of the folder is imported into a library of its own and written anew by
`export --bib -o`. Compared are, entry by entry, the bytes, and what bibtex (plain, alpha, plainnat,
IEEEtran) and biber print of them: original and export are to make the same `.bbl`, and no warning
that the original does not make. Files are compared as UTF-8, in which exports are written; of
entries with one key only the first counts, as for these programs. What the original does not print
need not be the same. The run fails below 100 %. Without FOLDER it is $PAPERTRACK_CORPUS/bib.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from corpus import corpus_files
from printing import Printed, printed, programs

from papertrack.documents.bibtex.parse import parse_bibtex
from papertrack.documents.encoding import decode_bib
from papertrack.errors import PapertrackError


@dataclass
class Compared:
    """What of a file is as it was, by what was compared: entries that are, and those that are to
    be."""

    counts: dict[str, tuple[int, int]] = field(default_factory=dict)
    differences: list[str] = field(default_factory=list)

    def add(self, what: str, original: dict[str, str], export: dict[str, str]) -> None:
        other = [key for key, said in original.items() if export.get(key) != said]
        self.counts[what] = len(original) - len(other), len(original)
        for key in other:
            self.differences += [
                f"{what} {key}",
                f"    was {original[key]}",
                f"    is  {export.get(key)}",
            ]


def exported(path: Path) -> str:
    """The text of the file that comes out where this one came in."""
    with TemporaryDirectory() as name:
        output = Path(name, "all.bib")
        for words in (
            ("init", name),
            ("--library", name, "import", str(path)),
            ("--library", name, "export", "--bib", "-o", str(output)),
        ):
            command = sys.executable, "-m", "papertrack", *words
            run = subprocess.run(command, capture_output=True, text=True, check=False)
            if run.returncode not in (0, 5):
                raise PapertrackError(f"{' '.join(words)}: {run.stderr}")
        return output.read_bytes().decode()


def entries_in(text: str) -> dict[str, str]:
    """Key → the text of the first entry with it."""
    raws: dict[str, str] = {}
    for entry in parse_bibtex(text).entries:
        raws.setdefault(entry.citekey or "", entry.raw)
    raws.pop("", None)
    return raws


def compare(path: Path) -> Compared:
    original = decode_bib(path.read_bytes())[0].lstrip("\ufeff")
    export = exported(path)
    compared = Compared()
    raws = entries_in(original)
    compared.add("bytes", raws, entries_in(export))
    keys = [key for key in raws if not set(key) & set(" \t{}%,\\")]
    names = programs()
    with ThreadPoolExecutor(2) as pool:
        before = pool.map(partial(printed, original, keys), names)
        after = pool.map(partial(printed, export, keys), names)
        for name, one, other in zip(names, before, after, strict=True):
            compared.add(name, one.items, other.items)
            new = list(_new_warnings(one, other))
            compared.counts[f"{name} warns"] = -len(new), 0
            compared.differences += [f"{name} warns: {warning}" for warning in new]
    return compared


def _new_warnings(original: Printed, export: Printed) -> Iterator[str]:
    known = Counter(original.warnings)
    yield from (Counter(export.warnings) - known).elements()


def main() -> int:
    is_verbose = "--verbose" in sys.argv
    sys.argv = [word for word in sys.argv if word != "--verbose"]
    _, paths = corpus_files("bib", "*.bib")
    total: dict[str, tuple[int, int]] = {}
    for path in paths:
        try:
            compared = compare(path)
        except PapertrackError as error:
            print(f"{path.name[:60]}: not read: {str(error)[:200]}")
            continue
        for what, (same, all_) in compared.counts.items():
            was = total.get(what, (0, 0))
            total[what] = was[0] + same, was[1] + all_
        told = [f"{what} {s}/{n}" for what, (s, n) in compared.counts.items() if s != n]
        print(f"{path.name[:60]}: {', '.join(told) or 'all the same'}", flush=True)
        for line in compared.differences if is_verbose else ():
            print(f"    {line}")
    print()
    for what, (same, all_) in total.items():
        share = f"{same / all_:8.2%}" if all_ else ""
        print(f"{what:<16} {same:>7} of {all_:>7} {share}")
    return int(any(same != all_ for same, all_ in total.values()))


if __name__ == "__main__":
    sys.exit(main())
