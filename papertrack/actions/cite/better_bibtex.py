"""Answer editors' requests from this library, as Better BibTeX for Zotero and JabRef do.

Methods, parameters and answers are those of
https://retorque.re/zotero-better-bibtex/exporting/json-rpc, as far as plug-ins for VS Code,
Obsidian, Vim and Emacs use them. Requests change nothing in the library, except that citation keys
in answers are frozen.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

from papertrack import __version__
from papertrack.actions.cite.citing import bib_entries, own_entries
from papertrack.actions.cite.showing import papers_to_copy
from papertrack.category_paths import format_path
from papertrack.errors import NotFoundError, UsageError
from papertrack.exporters.bibtex import Dialect
from papertrack.exporters.citations import Parameters, cite_picked, format_reference
from papertrack.exporters.csl import csl_item
from papertrack.exporters.references import to_csl_yaml
from papertrack.library.settings import Bibtex
from papertrack.queries.nodes import And, Phrase, Prefix, Term, Text
from papertrack.queries.parser import MAX_TERMS
from papertrack.records import Paper
from papertrack.store.categories import ordered_paths
from papertrack.store.listing import find_ids
from papertrack.store.lookup import find_by_citekey
from papertrack.store.store import Store

LIBRARY_ID = 1
_SAVED = Term("is", Text("saved"))
_TRANSLATORS = {
    "bibtex": ("bibtex", "bib", "ca65189f-8815-4afe-8c8b-8c7c15f0edca"),
    "biblatex": ("biblatex", "f895aa0d-f28e-47fe-b247-2ea77c6ed583"),
    "csl": ("csljson", "json", "f4b52ab0-f878-4556-85a0-c7aeedd09dfc"),
    "yaml": ("cslyaml", "yaml", "0f238e69-043e-4882-93bf-342de007de19"),
    "zotero": ("bibtexjson", "betterbibtexjson", "36a3b0b5-bad0-4a04-b79b-441c7cef77db"),
}
"""Format → the names and the number that Better BibTeX has for its translator."""


class UnknownMethod(UsageError):
    """A method that papertrack does not answer."""


class Answers:
    """Answers to requests about one library."""

    def __init__(self, store: Store, *, name: str, settings: Bibtex) -> None:
        self._store = store
        self._name = name
        self._settings = settings
        self._methods: dict[str, Callable[..., object]] = {
            "api.ready": lambda: {"zotero": __version__, "betterbibtex": __version__},
            "user.groups": lambda includeCollections=False: [{"id": LIBRARY_ID, "name": name}],
            "item.search": self._search,
            "item.citationkey": self._citekeys,
            "item.export": self.export,
            "item.bibliography": self._bibliography,
            "item.collections": self._collections,
            "item.notes": self._notes,
            "item.attachments": self._attachments,
            "item.pandoc_filter": self._pandoc_filter,
        }

    def call(self, method: str, parameters: object) -> object:
        """Return the result of a method; its parameters are a list, or given by name.

        Raises UnknownMethod, UsageError for parameters that do not fit, and NotFoundError.
        """
        answer = self._methods.get(method)
        if answer is None:
            raise UnknownMethod(f"{method} is none of {', '.join(self._methods)}.")
        given = parameters if isinstance(parameters, list) else []
        named = parameters if isinstance(parameters, dict) else {}
        try:
            return answer(*given, **named)
        except (TypeError, AttributeError) as error:
            raise UsageError(f"{method} does not take these parameters: {error}.") from error

    def cite(self, paper_ids: Sequence[int], parameters: Parameters) -> str:
        """Return the text that cites these papers. Raises UsageError for an unknown format."""
        papers = self._copied(paper_ids)
        if parameters.get("format") == "translate":
            return self._written(papers, parameters.get("translator") or "biblatex")
        return cite_picked(papers, parameters)

    def export(
        self,
        citekeys: str | Sequence[str] | None,
        translator: str = "biblatex",
        libraryID: object = None,
        **_: object,
    ) -> str:
        """Return the entries of these keys, or of all saved papers (None), in a translator's
        format.

        Raises NotFoundError for an unknown key, UsageError for an unknown translator.
        """
        if citekeys is not None:
            return self._written(self._papers(citekeys), translator)
        return self._written(self._copied(find_ids(self._store, _SAVED, order="id")), translator)

    def _written(self, papers: Sequence[Paper], translator: str) -> str:
        wanted = translator.lower().replace(" ", "").removeprefix("better").replace("-", "")
        for form, names in _TRANSLATORS.items():
            if wanted in {name.replace("-", "") for name in names} or translator in names:
                return self._write(form, papers)
        known = ", ".join(names[0] for names in _TRANSLATORS.values())
        raise UsageError(f"There is no translator {translator}. Choose from {known}.")

    def _write(self, form: str, papers: Sequence[Paper]) -> str:
        if form == "csl":
            return json.dumps(self._items(papers), ensure_ascii=False, indent=2)
        if form == "yaml":
            return to_csl_yaml(papers, own=own_entries(self._store, papers))
        if form == "zotero":
            return json.dumps({"items": [_zotero_item(paper) for paper in papers]})
        dialect: Dialect = "biblatex" if form == "biblatex" else "bibtex"
        protect, extra = self._settings.protect, self._settings.fields
        return bib_entries(self._store, papers, dialect=dialect, protect=protect, extra=extra)

    def _items(self, papers: Sequence[Paper]) -> list[dict[str, Any]]:
        """Return CSL items, with the key under each name that plug-ins look for."""
        own = own_entries(self._store, papers)
        return [
            {**csl_item(paper, own), "citation-key": paper.citekey, "citekey": paper.citekey}
            for paper in papers
        ]

    def _copied(self, paper_ids: Sequence[int]) -> Sequence[Paper]:
        return papers_to_copy(self._store, paper_ids).papers

    def _papers(self, citekeys: str | Sequence[str]) -> Sequence[Paper]:
        names = [citekeys] if isinstance(citekeys, str) else citekeys
        # As Pandoc writes it, "@key" is the key too.
        found = {n: find_by_citekey(self._store, str(n).removeprefix("@")) for n in names}
        if missing := [name for name, paper_id in found.items() if paper_id is None]:
            raise NotFoundError(f"{', '.join(missing)}: not found in the library.")
        return self._copied(list(dict.fromkeys(filter(None, found.values()))))

    def _search(self, terms: object, library: object = None) -> list[dict[str, Any]]:
        """Search by words, the last of which may be incomplete, or by conditions as in Zotero's
        search. Raises UsageError for too many words."""
        words = terms if isinstance(terms, str) else " ".join(_words_of(terms))
        if (paper_id := find_by_citekey(self._store, words.strip())) is not None:
            ids = [paper_id]
        else:
            *whole, last = words.split() or [""]
            if len(whole) >= MAX_TERMS:
                raise UsageError(f"The search has more than {MAX_TERMS} words.")
            terms_of_words = [Term(None, Phrase(word)) for word in whole]
            asked = And((_SAVED, *terms_of_words, Term(None, Prefix(last)))) if last else _SAVED
            ids = find_ids(self._store, asked, order="citekey")
        place = {"libraryID": LIBRARY_ID, "library": self._name}
        return [{**item, **place} for item in self._items(self._copied(ids))]

    def _citekeys(self, item_keys: str | Sequence[str] = ()) -> dict[str, str | None]:
        """Return citekeys without the library number that may precede them."""
        names = [item_keys] if isinstance(item_keys, str) else item_keys
        found = {}
        for name in names:
            key = str(name).removeprefix(f"{LIBRARY_ID}:")
            paper_id = find_by_citekey(self._store, key)
            papers = self._copied([paper_id]) if paper_id else ()
            found[str(name)] = papers[0].citekey if papers else None
        return found

    def _bibliography(
        self, citekeys: Sequence[str], format: object = None, *_: object, **__: object
    ) -> str:
        references = list(map(format_reference, self._papers(citekeys)))
        if not (isinstance(format, dict) and format.get("contentType") == "html"):
            return "\n".join(references)
        entries = (f'<div class="csl-entry">{escape(one)}</div>' for one in references)
        return f'<div class="csl-bib-body">{"".join(entries)}</div>'

    def _collections(
        self, citekeys: Sequence[str], includeParents: bool = False, *_: object
    ) -> dict[str, list[dict[str, Any]]]:
        return {
            paper.citekey: [
                _collection(path, with_parents=includeParents) for path in paper.categories
            ]
            for paper in self._papers(citekeys)
        }

    def export_category(self, name: str, translator: str) -> str:
        """Return the entries of a category, named by its path or last name, in a translator's
        format.

        Raises NotFoundError if there is no such category, UsageError for an unknown translator.
        """
        paths = [path for path, _ in ordered_paths(self._store)]
        chosen = [path for path in paths if name in ("/".join(path), path[-1])]
        if not chosen:
            raise NotFoundError(f"There is no category {name}.")
        of_category = Term("category", Phrase(format_path(chosen[0])))
        ids = find_ids(self._store, of_category, order="id")
        return self._written(self._copied(ids), translator)

    def _notes(self, citekeys: Sequence[str]) -> dict[str, list[str]]:
        return {
            paper.citekey: [one.takeaway for one in paper.readings if one.takeaway]
            for paper in self._papers(citekeys)
        }

    def _attachments(self, citekey: str, *_: object) -> list[dict[str, object]]:
        return [
            {"open": link.url, "path": link.url, "annotations": []}
            for paper in self._papers(citekey)
            for link in paper.facts.links
            if link.role in ("pdf", "paper")
        ]

    def _pandoc_filter(
        self, citekeys: Sequence[str], *_: object, **__: object
    ) -> dict[str, dict[str, Any]]:
        known = {key: find_by_citekey(self._store, key) for key in citekeys}
        items = {
            key: self._items(self._copied([paper_id]))[0]
            for key, paper_id in known.items()
            if paper_id is not None
        }
        return {"items": items, "errors": {key: 0 for key in citekeys if key not in items}}


def _collection(path: Sequence[str], *, with_parents: bool) -> dict[str, Any]:
    """Return a category as a Zotero collection with its parent."""
    told: dict[str, Any] = {"key": "/".join(path), "name": path[-1]}
    if with_parents and len(path) > 1:
        told["parentCollection"] = _collection(path[:-1], with_parents=True)
    return told


def _zotero_item(paper: Paper) -> dict[str, Any]:
    item = csl_item(paper, {})
    creators = [
        {"creatorType": "author", "lastName": one.get("family"), "firstName": one.get("given")}
        if "family" in one
        else {"creatorType": "author", "name": one["literal"]}
        for one in item.get("author", ())
    ]
    return {
        "itemType": "journalArticle",
        "itemKey": paper.citekey,
        "citationKey": paper.citekey,
        "libraryID": LIBRARY_ID,
        "title": paper.facts.title,
        "creators": creators,
        "date": paper.facts.submitted or paper.facts.year,
        "DOI": item.get("DOI"),
        "url": item.get("URL"),
        "abstractNote": paper.facts.abstract,
        "publicationTitle": paper.facts.venue,
        "tags": [{"tag": tag} for tag in paper.tags],
        "attachments": [],
        "notes": [],
    }


def _words_of(conditions: object) -> list[str]:
    """Return the words of conditions such as ``["title", "contains", "x"]``; conditions on dates
    match everything."""
    rows = conditions if isinstance(conditions, list) else []
    return [
        str(row[2])
        for row in rows
        if isinstance(row, list) and len(row) == 3 and not str(row[0]).startswith("date")
    ]
