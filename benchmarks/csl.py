"""Does CSL carry what pandoc's carries? ``benchmarks/csl.py [FOLDER] [--show VARIABLE]``

Every entry of the .bib files of FOLDER (else of $PAPERTRACK_CORPUS) is made an item and compared,
variable by variable, with what pandoc's readers of biblatex and of BibTeX make of it; equal to one
of them is equal. Letters and digits count, their case and markup do not: pandoc writes titles as
sentences. Needs pandoc; files that it refuses are named and left out.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from corpus import corpus_files

from papertrack.documents.bibtex.parse import parse_bibtex
from papertrack.documents.encoding import decode_bib
from papertrack.errors import PapertrackError
from papertrack.exporters.csl import item_of

NAMES = ("author", "editor", "translator", "container-author")
OURS = ("keyword",)
"""What comes from the library, not from an entry."""
Items = dict[str, dict[str, Any]]


def items_of_pandoc(path: Path, form: str) -> Items:
    """Return the items by their ids; none where pandoc refuses the file."""
    ran = subprocess.run(
        ["pandoc", "-f", form, "-t", "csljson", str(path)], capture_output=True, check=False
    )
    return {one["id"]: one for one in json.loads(ran.stdout)} if ran.returncode == 0 else {}


def bare(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: bare(part) for name, part in value.items()}
    if isinstance(value, list):
        return list(map(bare, value))
    if isinstance(value, str):
        return re.sub(r"\W+", "", re.sub(r"</?[a-z]+[^>]*>", "", value).casefold())
    return value


def bare_name(name: dict[str, str]) -> str:
    """Return a name's letters: where particles and literal names stand does not count."""
    order = ("given", "dropping-particle", "non-dropping-particle", "family", "suffix", "literal")
    return str(bare("".join(name.get(part, "") for part in order)))


def compared(variable: str, value: Any) -> Any:
    return list(map(bare_name, value or ())) if variable in NAMES else bare(value)


def main() -> int:
    shown = sys.argv.pop() if "--show" in sys.argv else None
    if shown:
        sys.argv.pop()
    if not shutil.which("pandoc"):
        sys.exit("Not measured: pandoc is not installed.")
    _, paths = corpus_files(".", "*.bib")
    total, unlike, examples = Counter[str](), Counter[str](), defaultdict(list)
    for path in paths:
        wanted = items_of_pandoc(path, "biblatex")
        also = items_of_pandoc(path, "bibtex")
        try:
            entries = parse_bibtex(decode_bib(path.read_bytes())[0]).entries if wanted else ()
        except PapertrackError:
            entries = ()
        if not entries:
            print(f"left out: {path.name}")
        by_key = {entry.citekey or "": entry for entry in reversed(entries)}
        for key in wanted.keys() & by_key.keys():
            entry = by_key[key]
            item = item_of(entry.type, dict(reversed((*entry.fields, *entry.borrowed))))
            for variable in {*item, *wanted[key]} - {"id", *OURS}:
                own = item.get(variable)
                theirs = [one[key].get(variable) for one in (wanted, also) if key in one]
                total[variable] += 1
                if compared(variable, own) not in [compared(variable, one) for one in theirs]:
                    unlike[variable] += 1
                    examples[variable].append((path.name, key, own, theirs[0]))
    for variable, count in total.most_common():
        print(f"{variable:<26} {count:>6} {unlike[variable]:>6} unlike")
    for example in examples[shown or ""]:
        print(*example, sep=" | ")
    print(f"{sum(unlike.values())} of {sum(total.values())} variables unlike")
    return 0


if __name__ == "__main__":
    sys.exit(main())
