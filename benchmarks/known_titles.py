"""What the titles of arXiv ids are, told by others than the list that is read.

From records of arXiv (``arxiv-metadata`` and ``ranking`` in $PAPERTRACK_CORPUS), read once and only
for the ids asked for; from ``.bib`` files with arXiv ids; and from a JSON file beside the list, as
the lists in the tests' ``fixtures/golden`` have one.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

RECORDS = ("arxiv-metadata/*.jsonl", "arxiv-metadata/*.jsonl.gz", "ranking/announced*.jsonl.gz")
_ID = re.compile(r'\{"id": "([^"]+)"')
_BIB_TITLE = re.compile(r'^\s*title\s*=\s*[{"]+(.+?)[}"]+,?\s*$', re.IGNORECASE | re.MULTILINE)
_BIB_EPRINT = re.compile(r'(?:eprint\s*=\s*[{"]|arXiv:)(\d{4}\.\d{4,5})', re.IGNORECASE)


def known_titles(corpus: Path, wanted: set[str]) -> dict[str, str]:
    """Return the titles that records and ``.bib`` files tell of these arXiv ids."""
    known = {}
    for path in sorted(path for pattern in RECORDS for path in corpus.glob(pattern)):
        for line in _lines(path):
            match = _ID.match(line)
            if match and match[1] in wanted:
                record = json.loads(line)
                known[match[1]] = " ".join(str(record.get("title") or record.get("t")).split())
    for arxiv_id, title in _bib_titles(corpus.glob("bib/*.bib")):
        if arxiv_id in wanted:
            known.setdefault(arxiv_id, title)
    return known


def _lines(path: Path) -> Iterator[str]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        yield from file


def _bib_titles(paths: Iterable[Path]) -> Iterator[tuple[str, str]]:
    for path in sorted(paths):
        text = path.read_bytes().decode("utf-8", "replace")
        for entry in re.split(r"^@", text, flags=re.MULTILINE):
            arxiv_id, title = _BIB_EPRINT.search(entry), _BIB_TITLE.search(entry)
            if arxiv_id and title:
                yield arxiv_id[1], title[1].replace("{", "").replace("}", "")


def titles_beside(path: Path) -> dict[str, str]:
    """Return what a JSON file beside a list tells: its entries with their titles and ids."""
    beside = path.with_suffix(".json")
    if not beside.is_file():
        return {}
    entries = json.loads(beside.read_text("utf-8"))
    return {own.removeprefix("arxiv:"): entry["title"] for entry in entries for own in entry["ids"]}
