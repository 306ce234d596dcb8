"""How much of each README is understood: ``python benchmarks/documents_coverage.py [FOLDER]
[--each N]``.

For every Markdown file: entries, papers, the distinct arXiv ids that a reader of the rendered page
sees (in links and in the text, code blocks aside), and those of them that belong to no entry. The
page is rendered by markdown-it-py, so that what is seen does not depend on our own reading. Then
the share of entries that are written again byte for byte by what the others teach (see
``grammar/proof.py``), which is the confidence; the entries that tell their work's title as it is
known from elsewhere (``known_titles.py``), and how many of these are read right. Then entries that
are deleted and written anew from their facts alone, ``--each`` (5) of a file, and how many of these
differ from what they were in nothing but their place and words that no library knows
(``documents_again.py`` shows them all). Without FOLDER it is $PAPERTRACK_CORPUS/readmes.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lxml import html
from markdown_it import MarkdownIt

from papertrack.documents.encoding import decode_document
from papertrack.documents.markdown.model import Document, Entry
from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.write.summary import prove
from papertrack.identifiers import find_arxiv_ids, parse_arxiv_id
from papertrack.text import is_same_title, title_key

SEEN_GOAL, TITLES_GOAL, WRITTEN_GOAL = 0.98, 0.98, 0.9
EACH = 5
"""Entries of a file that are written anew."""
AS_OTHERS = frozenset({"same", "place", "knows"})
"""The ways in which a new entry may differ from the list's own."""


def seen_ids(text: str) -> set[str]:
    """Return the arXiv ids that the rendered page shows."""
    page = MarkdownIt("commonmark").enable("table").render(text)
    if not page.strip():
        return set()
    root = html.fromstring(f"<div>{page}</div>")
    for hidden in root.xpath("//pre | //comment()"):
        hidden.drop_tree()
    found = {paper.id for link in root.xpath("//a/@href") if (paper := parse_arxiv_id(link))}
    return found | {paper.id for paper in find_arxiv_ids(root.text_content())}


def held_ids(document: Document) -> set[str]:
    """Return the arXiv ids that entries have as their own or mention."""
    return {
        identifier.value
        for entry in document.entries
        for identifier in (*entry.identifiers, *entry.fields.related)
        if identifier.scheme == "arxiv"
    }


def own_id(entry: Entry) -> str | None:
    """Return the arXiv id that names an entry."""
    return next((own.value for own in entry.identifiers if own.scheme == "arxiv"), None)


@dataclass
class Row:
    """What was measured of one file, or of all."""

    entries: int = 0
    papers: int = 0
    seen: int = 0
    missed: int = 0
    known: int = 0
    """Entries that tell their work's title, which is known from elsewhere."""
    right: int = 0
    written: int = 0
    """Entries that are written again as they are by what is learnt from others."""
    new: int = 0
    """Entries that were deleted and written anew from their facts."""
    alike: int = 0
    """Those of them that differ only in what no library can know."""
    told: list[str] = field(default_factory=list)
    """What is to be seen of what is wrong."""

    def __iadd__(self, other: Row) -> Row:
        for name in COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        return self

    @property
    def held(self) -> float:
        return 1 - self.missed / self.seen if self.seen else 1.0

    @property
    def titled(self) -> float:
        return self.right / self.known if self.known else 1.0

    @property
    def made_alike(self) -> float:
        return self.alike / self.new if self.new else 1.0

    @property
    def rewritten(self) -> float:
        return self.written / self.entries if self.entries else 1.0

    def __str__(self) -> str:
        counts = f"{self.entries:7} {self.papers:6} {self.seen:5} {self.missed:6} {self.held:6.1%}"
        written = f"{self.written:7} {self.rewritten:7.1%}"
        titles = f"{self.known:6} {self.right:6} {self.titled:6.1%}" if self.known else " " * 20
        return f"{counts} {written} {titles} {self.new:5} {self.alike:5} {self.made_alike:6.1%}"


COUNTS = "entries papers seen missed known right written new alike".split()
COLUMNS = "entries papers  seen missed   held written          known  right          new alike"


def measured(document: Document, known: Mapping[str, str]) -> Row:
    """Return what is understood of a document."""
    seen = seen_ids(document.text)
    missed = seen - held_ids(document)
    papers = sum(entry.fields.kind == "paper" for entry in document.entries)
    row = Row(len(document.entries), papers, len(seen), len(missed))
    row.told.extend(missed_lines(document.text, missed))
    row.written = prove(document).regenerated
    for entry in document.entries:
        true = known.get(own_id(entry) or "", "")
        if not true or title_key(true) not in title_key(document.text[slice(*entry.span)]):
            continue  # Nicknames and titles of earlier versions are what the list says.
        row.known += 1
        row.right += is_same_title(entry.fields.title, true)
        if not is_same_title(entry.fields.title, true):
            row.told.append(f"    line {entry.line}: {entry.fields.title!r} is {true!r}")
    return row


def missed_lines(text: str, missed: set[str]) -> Iterator[str]:
    """Yield where each missed id stands."""
    for number, line in enumerate(text.splitlines(), 1):
        for identifier in sorted(missed):
            if identifier in line:
                yield f"    {identifier} in line {number}"


def write_anew(row: Row, document: Document, each: int) -> None:
    """Count how entries of a document are written from their facts alone."""
    from documents_again import added_again, chosen

    for entry in chosen(document, each):
        kind, text = added_again(document, entry)
        row.new += 1
        row.alike += kind in AS_OTHERS
        if kind not in AS_OTHERS:
            row.told.append(f"    line {entry.line}, new: {kind}: {text.strip()[:100]!r}")


def main() -> int:
    # Imported here because tests use the functions above, from where this file is a package's.
    from corpus import corpus_files
    from known_titles import known_titles, titles_beside

    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--each", type=int, default=EACH)
    options = parser.parse_args()
    sys.argv[1:] = [options.folder] if options.folder else []
    folder, paths = corpus_files("readmes", "*.md")
    documents = {path: parse_document(decode_document(path.read_bytes())[0]) for path in paths}
    ids = {own_id(entry) for document in documents.values() for entry in document.entries}
    corpus = Path(os.environ.get("PAPERTRACK_CORPUS", folder))
    known = known_titles(corpus, {each for each in ids if each})
    print(f"{'file':50} {COLUMNS}")
    total, worst = Row(), 1.0
    for path, document in documents.items():
        row = measured(document, known | titles_beside(path))
        write_anew(row, document, options.each)
        name = str(path.relative_to(folder))[:50]
        print(f"{name:50} {row}", *row.told, sep="\n", flush=True)
        total += row
        worst = min(worst, row.held)
    print(f"{'all':50} {total}")
    print(f"held, worst file: {worst:.1%} (goal {SEEN_GOAL:.0%})")
    print(f"titles right: {total.titled:.1%} of {total.known} known (goal {TITLES_GOAL:.0%})")
    print(f"new entries like the list's own: {total.made_alike:.1%} of {total.new}")
    print(f"written again: {total.rewritten:.1%} of the entries (goal {WRITTEN_GOAL:.0%})")
    is_met = worst >= SEEN_GOAL and total.titled >= TITLES_GOAL and total.rewritten >= WRITTEN_GOAL
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
