"""A hundred publications accepted at once, in a library with a README and a .bib file."""

from __future__ import annotations

from pathlib import Path

from papertrack.actions.documents import export_registered, import_file
from papertrack.actions.online.suggestions import (
    answer_suggestions,
    keep_proposal,
    open_suggestions,
)
from papertrack.library import Library
from papertrack.matching.publications import Evidence, Proposal
from papertrack.records import Identifier
from papertrack.store.lookup import find_paper
from papertrack.store.store import Store

MANY = range(1, 101)
WORDS = "Quiet Rivers Ask Seven Lamps About Winter Bread Under Distant Iron Bells".split()
CONFERENCES = (
    ("International Conference on Machine Learning", "ICML"),
    ("Advances in Neural Information Processing Systems", "NeurIPS"),
    ("International Conference on Learning Representations", "ICLR"),
)


def title(n: int) -> str:
    return " ".join((WORDS * 2)[n % 11 : n % 11 + 6]) + f" in {n} Steps"


def row(n: int, venue: str = "arXiv 2023") -> str:
    link = f"[arXiv](https://arxiv.org/abs/2301.{n:05})"
    return f"| {title(n)} | {venue} | {link} | {'✅' if n % 3 else ''} |\n"


def entry(n: int) -> str:
    return (
        f"@misc{{key{n},\n  title = {{{title(n)}}},\n"
        f"  author = {{Quent, Ada and Ostrow, B.}},\n"
        f"  year = 2023,\n  eprint = {{2301.{n:05}}},\n  archivePrefix = {{arXiv}},\n}}\n\n"
    )


def published(n: int) -> Proposal:
    venue, doi = CONFERENCES[n % 3][0], f"10.5555/things.{n}"
    identifiers = (Identifier("doi", doi),)
    pages = (("pages", f"{n}--{n + 9}"),)
    sources = ("crossref",)
    return Proposal(Evidence.LINKED, venue, 2024, doi, "inproceedings", pages, identifiers, sources)


def test_a_hundred_accepted_change_their_lines_alone_and_undo_brings_all_back(
    library: Library, store: Store
) -> None:
    others = "".join(row(n, f"{CONFERENCES[n % 3][1]} 2022") for n in range(600, 620))
    head = "# Papers\n\nSome words.\n\n| Title | Venue | Link | Read |\n|:--|:--|:--|:--|\n"
    readme = head + others + "".join(map(row, MANY)) + "\nMore words.\n"
    bib = "% Mine.\n\n" + "".join(map(entry, MANY)) + "@book{other, title = {Other}}\n"
    files = {library.root / "README.md": readme, library.root / "refs.bib": bib}
    for path, text in files.items():
        path.write_text(text, encoding="utf-8")
        import_file(store, library, path)
    papers = {n: find_paper(store, [Identifier("arxiv", f"2301.{n:05}")]) for n in MANY}
    with store.action("published"):
        for n, paper_id in papers.items():
            assert paper_id is not None
            keep_proposal(store, paper_id, published(n))
    answered = answer_suggestions(
        store, Library(store.path.parent), accept=[one.id for one in open_suggestions(store)]
    )
    assert len(answered.accepted) == len(MANY)

    exported = export(store, library)
    assert [report for report in exported if report.refused or report.conflicts] == []
    rows = "".join(row(n, f"{CONFERENCES[n % 3][1]} 2024") for n in MANY)
    assert read(library, "README.md") == head + others + rows + "\nMore words.\n"
    made = read(library, "refs.bib")
    assert made.startswith("% Mine.\n\n@inproceedings{key1,\n")
    assert made.endswith("\n@book{other, title = {Other}}\n")
    for n, of_one in zip(MANY, made.split("@inproceedings{")[1:], strict=True):
        kept = [one for one in entry(n).splitlines()[1:] if "year" not in one]
        assert set(kept) <= set(of_one.splitlines())
        assert f"booktitle = {{{CONFERENCES[n % 3][0]}}}" in of_one
        assert "year = 2024" in of_one
    assert [bool(report.diff) for report in export(store, library)] == [False, False]

    store.undo()
    export(store, library)
    assert {path: path.read_text(encoding="utf-8") for path in files} == files


def export(store: Store, library: Library) -> list:
    return [
        report
        for kind in ("markdown", "bibtex")
        for report in export_registered(store, library, kind)
    ]


def read(library: Library, name: str) -> str:
    return Path(library.root / name).read_text(encoding="utf-8")
