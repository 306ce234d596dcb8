"""Publish a site: choose the papers and write the files into a folder.

Only changed files are written. Nothing that papertrack did not make is replaced or removed: its
pages carry a mark in their head, and a folder with other people's files of the same names is
refused.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from papertrack.actions.outputs import check_link
from papertrack.errors import ConflictError, PapertrackError
from papertrack.exporters.site.pages import Site, make_site
from papertrack.library import Library
from papertrack.library.files import read_file, remove_leftovers, temporary_name, write_new
from papertrack.queries import nodes
from papertrack.records import Paper
from papertrack.store.index import note_text
from papertrack.store.listing import find_ids
from papertrack.store.lookup import field_sources, get_papers
from papertrack.store.store import Store
from papertrack.sync.bibtex.reading import SOURCE as BIBTEX
from papertrack.sync.in_step import index_note
from papertrack.text import clean

_MARK = b'<meta name="generator" content="papertrack">'
_HEAD = 1000
"""The number of bytes at the start of a page in which the mark is searched."""
_SUBFOLDERS = ("papers", "pages")


@dataclass(frozen=True, slots=True)
class SiteChange:
    """What was, or in a dry run would be, changed in the folder of a site."""

    folder: str
    papers: int
    written: list[str]
    """File names relative to the folder."""
    removed: list[str]
    unchanged: int


def papers_of_site(store: Store, query: nodes.Query) -> list[int]:
    """Return the papers that a site shows: the saved papers that match a query.

    A query that itself asks for decisions gets all its matches; each part of an OR must ask.
    """
    return find_ids(store, _of_saved(query), order="id")


def _of_saved(query: nodes.Query) -> nodes.Query:
    if not _asks_for_decisions(query):
        return nodes.And((query, nodes.Term("is", nodes.Text("saved"))))
    match query:
        case nodes.Or(parts):
            return nodes.Or(tuple(map(_of_saved, parts)))
        case nodes.And(parts):
            return nodes.And(tuple(_of_saved(p) if _asks_for_decisions(p) else p for p in parts))
    return query


def _asks_for_decisions(query: nodes.Query) -> bool:
    match query:
        case nodes.And(parts) | nodes.Or(parts):
            return any(map(_asks_for_decisions, parts))
        case nodes.Not(_):
            return False  # The query only excludes decisions.
        case nodes.Term(field, nodes.Text(text)):
            states = ("inbox", "discarded")
            return field == "decision" or (field == "is" and text.casefold().rstrip("s") in states)
    return False


def make_pages(
    store: Store,
    library: Library,
    paper_ids: Sequence[int],
    *,
    title: str | None = None,
    address: str | None = None,
    shows: Iterable[str] = (),
) -> dict[str, bytes]:
    """Return the files of a site by name. The default ``title`` is the library's folder name."""

    def notes_of(paper: Paper) -> list[str]:
        for name in paper.notes:
            index_note(store, library, name)  # It may have been edited since.
        return [text for name in paper.notes if (text := note_text(store, name))]

    papers = [_public(store, paper, "notes" in shows) for paper in get_papers(store, paper_ids)]
    site = Site(
        clean(title or library.root.name) or "Papers", papers, address, frozenset(shows), notes_of
    )
    return dict(make_site(site))


def _public(store: Store, paper: Paper, has_notes: bool) -> Paper:
    """Return the paper without the addresses of local files.

    Unless notes are shown, also without ``annote``, ``review``, ``comment`` and ``note`` from a
    .bib file, where programs such as Zotero put private remarks.
    """
    facts = paper.facts
    if not has_notes and field_sources(store, paper.id).get("description") == BIBTEX:
        facts = facts._replace(description=None)
    fields = (
        (name, text)
        for name, text in facts.publication
        if "file:/" not in text.lower() and (has_notes or name != "note")
    )
    return paper._replace(facts=facts._replace(publication=tuple(fields)))


def write_site(
    library: Library, folder: Path, pages: dict[str, bytes], papers: int, *, is_trial: bool = False
) -> SiteChange:
    """Write a site into a folder, leaving everything else in it alone.

    Raises ConflictError, before anything is written, for a file of the same name that papertrack
    did not make and for links that lead elsewhere; PapertrackError when a file cannot be written.
    """
    _refuse_links(library, folder)
    is_ours = _is_our_page(folder / "index.html")
    changed = [name for name, data in pages.items() if _differs(folder / name, data, is_ours)]
    stale = [name for name in _own_pages(folder) if name not in pages]
    if not is_trial and (changed or stale):
        try:
            _write(folder, {name: pages[name] for name in changed}, stale)
        except OSError as error:
            raise PapertrackError(
                f"{error.filename or folder} could not be written: {error.strerror or error}. "
                "Make room or check the permissions, and run the same command again."
            ) from error
    return SiteChange(str(folder), papers, changed, stale, len(pages) - len(changed))


def _write(folder: Path, pages: dict[str, bytes], stale: Iterable[str]) -> None:
    """Write files and remove others, without syncing to disk: after a power cut the next run
    repairs them. Raises OSError."""
    for part in ("", *_SUBFOLDERS):
        (folder / part).mkdir(parents=True, exist_ok=True)
        remove_leftovers(folder / part)
    # If the run is killed, the next one recognises the folder by its first page.
    for name in sorted(pages, key=lambda name: name != "index.html"):
        path = folder / name
        write_new(temporary := path.with_name(temporary_name(path)), pages[name])
        temporary.replace(path)
    for name in stale:
        (folder / name).unlink(missing_ok=True)


def _refuse_links(library: Library, folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise ConflictError(f"{folder} is a file. Nothing was written: name a folder for the site.")
    check_link(library, folder / "index.html")
    real = Path(os.path.realpath(folder))
    for name in _SUBFOLDERS:
        if Path(os.path.realpath(folder / name)) != real / name:
            raise ConflictError(
                f"{folder / name} is a symbolic link. Nothing was written: remove it, or name "
                "another folder."
            )


def _own_pages(folder: Path) -> list[str]:
    """Return the pages of works and of the list that papertrack wrote there."""
    return [
        f"{part}/{path.name}"
        for part in _SUBFOLDERS
        for path in sorted((folder / part).glob("*.html"))
        if _is_our_page(path)
    ]


def _is_our_page(path: Path) -> bool:
    return path.is_file() and not path.is_symlink() and _MARK in read_file(path)[:_HEAD]


def _differs(path: Path, data: bytes, is_ours: bool) -> bool:
    """Return whether the file must be written. Raises ConflictError if papertrack did not make
    it."""
    if not path.is_symlink() and not path.exists():
        return True
    old = b"" if path.is_symlink() else read_file(path)
    if old == data:
        return False
    if path.is_symlink() or not is_ours or (path.suffix == ".html" and _MARK not in old[:_HEAD]):
        raise ConflictError(
            f"{path} was not written by papertrack. Nothing was written: move it away, or name "
            "another folder for the site."
        )
    return True
