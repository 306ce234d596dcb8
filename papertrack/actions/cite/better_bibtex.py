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
"""Format → names and id of the translator in Better BibTeX."""


class UnknownMethod(UsageError):
    """Raised for a method that papertrack does not support."""


class Answers:
    """Answers JSON-RPC requests about one library."""

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
        """Call a method with a list or a mapping of parameters, and return its result.

        Raises UnknownMethod, UsageError for wrong parameters, and NotFoundError.
        """
        answer = self._methods.get(method)
        if answer is None:
            raise UnknownMethod(f"There is no method {method}. Use {', '.join(self._methods)}.")
        positional = parameters if isinstance(parameters, list) else []
        keywords = parameters if isinstance(parameters, dict) else {}
        try:
            return answer(*positional, **keywords)
        except (TypeError, AttributeError) as error:
            raise UsageError(f"{method} does not take these parameters: {error}.") from error

    def cite(self, paper_ids: Sequence[int], parameters: Parameters) -> str:
        """Return the text that cites these papers. Raises UsageError for an unknown format."""
        papers = self._get_papers(paper_ids)
        if parameters.get("format") == "translate":
            return self._convert(papers, parameters.get("translator") or "biblatex")
        return cite_picked(papers, parameters)

    def export(
        self,
        citekeys: str | Sequence[str] | None,
        translator: str = "biblatex",
        libraryID: object = None,
        **_: object,
    ) -> str:
        """Return the entries of these keys, or of all saved papers (None), in one format.

        Raises NotFoundError for an unknown key, UsageError for an unknown translator.
        """
        if citekeys is not None:
            return self._convert(self._find_papers(citekeys), translator)
        saved = find_ids(self._store, _SAVED, order="id")
        return self._convert(self._get_papers(saved), translator)

    def _convert(self, papers: Sequence[Paper], translator: str) -> str:
        simplified = translator.lower().replace(" ", "").removeprefix("better").replace("-", "")
        for form, names in _TRANSLATORS.items():
            if simplified in {name.replace("-", "") for name in names} or translator in names:
                return self._format(form, papers)
        choices = ", ".join(names[0] for names in _TRANSLATORS.values())
        raise UsageError(f"There is no translator {translator}. Choose from {choices}.")

    def _format(self, form: str, papers: Sequence[Paper]) -> str:
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
        """Return CSL items with the key under both names that plug-ins read."""
        entries = own_entries(self._store, papers)
        return [
            {**csl_item(paper, entries), "citation-key": paper.citekey, "citekey": paper.citekey}
            for paper in papers
        ]

    def _get_papers(self, paper_ids: Sequence[int]) -> Sequence[Paper]:
        return papers_to_copy(self._store, paper_ids).papers

    def _find_papers(self, citekeys: str | Sequence[str]) -> Sequence[Paper]:
        names = [citekeys] if isinstance(citekeys, str) else citekeys
        # Pandoc writes a key as "@key".
        ids = {name: find_by_citekey(self._store, str(name).removeprefix("@")) for name in names}
        if missing := [name for name, paper_id in ids.items() if paper_id is None]:
            raise NotFoundError(f"{', '.join(missing)}: not found in the library.")
        return self._get_papers(list(dict.fromkeys(filter(None, ids.values()))))

    def _search(self, terms: object, library: object = None) -> list[dict[str, Any]]:
        """Search by words or by conditions as in Zotero's search.

        The last word may be incomplete. Raises UsageError for too many words.
        """
        words = terms if isinstance(terms, str) else " ".join(_words_of(terms))
        if (paper_id := find_by_citekey(self._store, words.strip())) is not None:
            ids = [paper_id]
        else:
            *complete, last = words.split() or [""]
            if len(complete) >= MAX_TERMS:
                raise UsageError(f"The search has more than {MAX_TERMS} words.")
            terms_of_words = [Term(None, Phrase(word)) for word in complete]
            query = And((_SAVED, *terms_of_words, Term(None, Prefix(last)))) if last else _SAVED
            ids = find_ids(self._store, query, order="citekey")
        place = {"libraryID": LIBRARY_ID, "library": self._name}
        return [{**item, **place} for item in self._items(self._get_papers(ids))]

    def _citekeys(self, item_keys: str | Sequence[str] = ()) -> dict[str, str | None]:
        """Map item keys, which may begin with the library's number, to citekeys."""
        names = [item_keys] if isinstance(item_keys, str) else item_keys
        citekeys = {}
        for name in names:
            key = str(name).removeprefix(f"{LIBRARY_ID}:")
            paper_id = find_by_citekey(self._store, key)
            papers = self._get_papers([paper_id]) if paper_id else ()
            citekeys[str(name)] = papers[0].citekey if papers else None
        return citekeys

    def _bibliography(
        self, citekeys: Sequence[str], format: object = None, *_: object, **__: object
    ) -> str:
        references = list(map(format_reference, self._find_papers(citekeys)))
        if not (isinstance(format, dict) and format.get("contentType") == "html"):
            return "\n".join(references)
        entries = (f'<div class="csl-entry">{escape(reference)}</div>' for reference in references)
        return f'<div class="csl-bib-body">{"".join(entries)}</div>'

    def _collections(
        self, citekeys: Sequence[str], includeParents: bool = False, *_: object
    ) -> dict[str, list[dict[str, Any]]]:
        return {
            paper.citekey: [
                _collection(path, with_parents=includeParents) for path in paper.categories
            ]
            for paper in self._find_papers(citekeys)
        }

    def export_category(self, name: str, translator: str) -> str:
        """Return the entries of a category, given by path or last name, in one format.

        Raises NotFoundError if there is no such category, UsageError for an unknown translator.
        """
        paths = [path for path, _ in ordered_paths(self._store)]
        matches = [path for path in paths if name in ("/".join(path), path[-1])]
        if not matches:
            raise NotFoundError(f"There is no category {name}.")
        query = Term("category", Phrase(format_path(matches[0])))
        ids = find_ids(self._store, query, order="id")
        return self._convert(self._get_papers(ids), translator)

    def _notes(self, citekeys: Sequence[str]) -> dict[str, list[str]]:
        return {
            paper.citekey: [reading.takeaway for reading in paper.readings if reading.takeaway]
            for paper in self._find_papers(citekeys)
        }

    def _attachments(self, citekey: str, *_: object) -> list[dict[str, object]]:
        return [
            {"open": link.url, "path": link.url, "annotations": []}
            for paper in self._find_papers(citekey)
            for link in paper.facts.links
            if link.role in ("pdf", "paper")
        ]

    def _pandoc_filter(
        self, citekeys: Sequence[str], *_: object, **__: object
    ) -> dict[str, dict[str, Any]]:
        paper_ids = {key: find_by_citekey(self._store, key) for key in citekeys}
        items = {
            key: self._items(self._get_papers([paper_id]))[0]
            for key, paper_id in paper_ids.items()
            if paper_id is not None
        }
        return {"items": items, "errors": {key: 0 for key in citekeys if key not in items}}


def _collection(path: Sequence[str], *, with_parents: bool) -> dict[str, Any]:
    """Return a category as a Zotero collection with its parent."""
    collection: dict[str, Any] = {"key": "/".join(path), "name": path[-1]}
    if with_parents and len(path) > 1:
        collection["parentCollection"] = _collection(path[:-1], with_parents=True)
    return collection


def _zotero_item(paper: Paper) -> dict[str, Any]:
    item = csl_item(paper, {})
    creators = [
        {"creatorType": "author", "lastName": name.get("family"), "firstName": name.get("given")}
        if "family" in name
        else {"creatorType": "author", "name": name["literal"]}
        for name in item.get("author", ())
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
    """Return the words of conditions such as ``["title", "contains", "x"]``.

    Ignores conditions on dates.
    """
    rows = conditions if isinstance(conditions, list) else []
    return [
        str(row[2])
        for row in rows
        if isinstance(row, list) and len(row) == 3 and not str(row[0]).startswith("date")
    ]
