"""What a library weighs on disk: ``python benchmarks/disk.py [PAPERS]``.

Bytes of the whole database file per paper, once after an import of a .bib file without abstracts
once with them, and once of papers added with what a source says. Then what a pass, an edit of one
word, and the first export of a .bib file add: what the tables' rows take, not whole pages of them.
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from limits import exit_code
from made_up import made_up_papers

from papertrack.library import Library, create_library
from papertrack.records import Author, Identifier, PaperFacts
from papertrack.store.papers import add_papers
from papertrack.store.store import Store

PAPERS = 10_000
ACTS = 200
BIB, BIB_WITH_ABSTRACTS, TOLD = "import of a .bib", "the same with abstracts", "told by a source"
MOST = {BIB: 3.0, BIB_WITH_ABSTRACTS: 6.5, TOLD: 4.0, "pass": 0.2, "edit": 0.3}
"""KB of each. An imported .bib is kept word for word too, its abstracts among the rest."""


def papers(count: int) -> Iterator[PaperFacts]:
    """Made-up papers as arXiv tells of them, with abstracts of its length: 1,300 letters."""
    for one in made_up_papers(count):
        yield PaperFacts(
            title=one.title,
            # Its ids begin before arXiv's did.
            identifiers=(Identifier("doi", f"10.48550/x.{one.arxiv_id}"),),
            authors=tuple(map(Author, one.authors)),
            abstract=one.abstract[: len(one.abstract) * 4 // 5],
            submitted=one.submitted,
            updated=one.submitted,
            version=1,
            primary_category="cs.LG",
            arxiv_categories=("cs.LG", "cs.CL"),
        )


def bibtex_of(facts: PaperFacts, number: int, *, has_abstract: bool) -> str:
    """The entry that a reader's .bib file would have of the paper."""
    authors = " and ".join(author.name for author in facts.authors)
    abstract = f"  abstract = {{{facts.abstract}}},\n" if has_abstract else ""
    return (
        f"@misc{{key{number},\n  title = {{{facts.title}}},\n  author = {{{authors}}},\n"
        f"  year = {{{str(facts.submitted)[:4]}}},\n  doi = {{{facts.identifiers[0].value}}},\n"
        f"{abstract}}}\n\n"
    )


@dataclass(frozen=True, slots=True)
class Weighed:
    """One library, in KB."""

    paper: float
    edit: float
    passed: float
    exported: float
    """For each paper, by the first export of a .bib file."""


def weigh(library: Library, count: int) -> Weighed:
    """Weigh a library, then what is done in it."""
    whole = library.database.stat().st_size / 1024
    keys = keys_of(library)
    at = used(library)
    edit_words(library, keys[:ACTS])
    edit = (used(library) - at) / ACTS
    at = used(library)
    for key in keys[ACTS : 2 * ACTS]:
        mark(library, key)
    passed = (used(library) - at) / ACTS
    at = used(library)
    run(library, "export", "--bib", "-o", str(library.root / "new.bib"))
    return Weighed(whole / count, edit, passed, (used(library) - at) / count)


def keys_of(library: Library) -> list[str]:
    with closing(sqlite3.connect(library.database)) as connection:
        rows = connection.execute("SELECT citekey FROM papers ORDER BY id LIMIT ?", (2 * ACTS,))
        return [key for (key,) in rows]


def edit_words(library: Library, keys: list[str]) -> None:
    """Give papers a venue of one word, as `edit` does."""
    from papertrack.actions.edit import edit_fields, parse_assignments

    for key in keys:
        with opened(library) as store:
            paper_id = store.select_value("SELECT id FROM papers WHERE citekey = ?", (key,))
            edit_fields(store, paper_id, parse_assignments(["venue=NeurIPS"]))


def mark(library: Library, key: str) -> None:
    from papertrack.actions.reading import mark_pass

    with opened(library) as store:
        paper_id = store.select_value("SELECT id FROM papers WHERE citekey = ?", (key,))
        mark_pass(store, [paper_id], 1)


def opened(library: Library, *, is_new: bool = False) -> Store:
    return (Store.create if is_new else Store.open)(
        library.database, now=lambda: datetime(2026, 11, 22, tzinfo=UTC)
    )


def used(library: Library) -> float:
    """KB of the database that are in use: what the tables' rows take, not whole pages of them."""
    with closing(sqlite3.connect(library.database)) as connection:
        (size,) = connection.execute("SELECT sum(pgsize - unused) FROM dbstat").fetchone()
    return float(size) / 1024


def run(library: Library, *arguments: str) -> None:
    command = [sys.executable, "-m", "papertrack", "-q", *arguments]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=library.root)


def tables(library: Library, count: int) -> Iterator[tuple[str, float]]:
    """KB per paper of the heaviest tables."""
    sql = "SELECT name, sum(pgsize) s FROM dbstat GROUP BY 1 ORDER BY 2 DESC LIMIT 12"
    with closing(sqlite3.connect(library.database)) as connection:
        for name, size in connection.execute(sql):
            yield name, size / 1024 / count


def libraries(count: int, folder: Path) -> Iterator[tuple[str, Library]]:
    facts = list(papers(count))
    for name, has_abstract in ((BIB, False), (BIB_WITH_ABSTRACTS, True)):
        library, _ = create_library(folder / name.replace(" ", "-"))
        opened(library, is_new=True).close()
        bib = library.root / "main.bib"
        bib.write_text(
            "".join(
                bibtex_of(one, number, has_abstract=has_abstract)
                for number, one in enumerate(facts)
            )
        )
        run(library, "import", str(bib))
        yield name, library
    library, _ = create_library(folder / "told")
    with opened(library, is_new=True) as store, store.action("add"):
        add_papers(store, facts, source="arxiv", decision="saved")
    yield TOLD, library


def main(count: int) -> int:
    os.environ["PAPERTRACK_ARXIV_OFFLINE"] = "true"
    limits: list[tuple[str, float, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, library in libraries(count, Path(folder)):
            heaviest = [f"{table} {size:.2f}" for table, size in tables(library, count)]
            found = weigh(library, count)
            print(
                f"{name}: {found.paper:.2f} KB a paper; an edit {found.edit:.2f}, a pass "
                f"{found.passed:.2f}, the first export {found.exported:.3f} KB\n  "
                + ", ".join(heaviest)
            )
            limits += [
                (f"{name}, KB a paper", found.paper, MOST[name]),
                (f"{name}, KB an edit", found.edit, MOST["edit"]),
                (f"{name}, KB a pass", found.passed, MOST["pass"]),
            ]
    return exit_code(*limits)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else PAPERS))
