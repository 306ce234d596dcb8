"""Edit a paper's fields as the user types them: ``field=value``, checked.

Sources never overwrite a field that the user edited.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from papertrack.actions.organise import move_papers
from papertrack.actions.results import OfPapers
from papertrack.category_paths import parse_path
from papertrack.documents.bibtex.names import MONTH_NAMES, MONTHS
from papertrack.errors import UsageError
from papertrack.identifiers import identify, parse_arxiv_id, parse_doi, url_of
from papertrack.identifiers.citekeys import is_citekey
from papertrack.latex.decode import decode_latex
from papertrack.records import KINDS, LINK_ROLES, Author, Identifier, Link, LinkRole, Paper
from papertrack.store import papers
from papertrack.store.categories import take_out_of_category
from papertrack.store.citekeys import Citekeys
from papertrack.store.lookup import citekeys_of, get_paper
from papertrack.store.states import rate
from papertrack.store.store import Store
from papertrack.text import clean, clean_block, few, shorten


@dataclass(frozen=True, slots=True)
class Edited:
    """The fields that were set for one paper."""

    citekey: str
    fields: list[str]

    def sentences(self) -> Iterator[str]:
        set_ = f"set {', '.join(self.fields)}" if self.fields else "nothing to do"
        yield f"{self.citekey}: {set_}."


@dataclass(frozen=True, slots=True)
class EditedPapers(OfPapers):
    papers: list[Edited]


@dataclass(frozen=True, slots=True)
class Assignment:
    """One checked assignment ``field=value``."""

    field: str
    value: Any
    """A value of the field's type; None or empty removes the field."""
    typed: str = ""
    """As the user typed it."""


def parse_assignments(texts: Sequence[str]) -> list[Assignment]:
    """Check texts like ``field=value``. Raises UsageError for an unknown field or invalid value."""
    return [_parse_assignment(text) for text in texts]


EDITED = ("title", "authors", "venue", "year", "doi", "arxiv", "citekey")
"""The most frequently edited fields, by name."""


def value_to_edit(paper: Paper, field: str) -> str:
    """Return the current value of a field of EDITED as the user would type it; empty if unset."""
    facts = paper.facts
    match field:
        case "authors":
            return "; ".join(author.name for author in facts.authors)
        case "arxiv" | "doi":
            return facts.identifier(field) or ""
        case "citekey":
            return paper.citekey
    value = getattr(facts, field)
    return "" if value is None else str(value)


def edit_papers(
    store: Store, paper_ids: Sequence[int], assignments: Sequence[Assignment]
) -> EditedPapers:
    """Set these fields of papers. Raises ConflictError if another paper has an identifier."""
    fields = [assignment.field.rstrip("+-") for assignment in assignments]
    summary = f"{', '.join(fields)} of {few(citekeys_of(store, paper_ids))}"
    with store.action("edit", summary) as action:
        for paper_id in paper_ids:
            edit_fields(store, paper_id, assignments)
    done = fields if action.has_changes else []
    return EditedPapers([Edited(citekey, done) for citekey in citekeys_of(store, paper_ids)])


def edit_fields(store: Store, paper_id: int, assignments: Sequence[Assignment]) -> bool:
    """Set these fields of one paper; return whether anything changed.

    Raises ConflictError if another paper has an identifier.
    """
    paper = get_paper(store, paper_id)
    names = ", ".join(assignment.field for assignment in assignments)
    with store.action("edit", f"{names} of {paper.citekey}") as action:
        for assignment in assignments:
            _apply(store, paper_id, assignment)
        Citekeys(store).improve(paper)
    return action.has_changes


def _apply(store: Store, paper_id: int, assignment: Assignment) -> None:
    field, value = assignment.field, assignment.value
    if field.startswith("category"):
        _put_into_category(store, paper_id, field.removeprefix("category"), value)
    elif field in _COLUMNS:
        if field == "venue" and value:
            _forget_preprint_type(store, paper_id)
        if field == "title":  # Its braces say which capitals no style may change.
            typed = assignment.typed if "{" in assignment.typed else None
            _set_publication(store, paper_id, "title", typed)
        papers.edit_paper(store, paper_id, field, value)
    elif field in PUBLICATION_FIELDS:
        _set_publication(store, paper_id, field, value)
    elif field in _IDENTIFIERS:
        _replace_identifier(store, paper_id, field, value)
    elif field in _OWN_WAYS:
        _OWN_WAYS[field](store, paper_id, value)
    else:
        _replace_links(store, paper_id, field, value)  # type: ignore[arg-type]  # A role.


def _put_into_category(store: Store, paper_id: int, sign: str, path: tuple[str, ...]) -> None:
    """Move the paper to a category, add it to one (+), or remove it from one (-)."""
    if sign == "-":
        take_out_of_category(store, paper_id, path)
    else:
        move_papers(store, [paper_id], path, is_added=sign == "+")


def _set_publication(store: Store, paper_id: int, name: str, value: str | None) -> None:
    fields = dict(get_paper(store, paper_id).facts.publication)
    if fields.get(name) != value:
        pairs = tuple((key, field) for key, field in {**fields, name: value}.items() if field)
        papers.edit_paper(store, paper_id, "publication", pairs)


def _forget_preprint_type(store: Store, paper_id: int) -> None:
    """Forget the BibTeX type of a preprint once it has a venue."""
    facts = get_paper(store, paper_id).facts
    if facts.venue is None and facts.identifier("arxiv") and facts.published_type == "article":
        papers.edit_paper(store, paper_id, "published_type", None, source="bibtex")


def _replace_identifier(
    store: Store, paper_id: int, scheme: str, identifier: Identifier | None
) -> None:
    wanted = scheme if identifier is None else identifier.scheme
    facts = get_paper(store, paper_id).facts
    old = [other for other in facts.identifiers if other.scheme == wanted]
    papers.remove_identifiers(store, paper_id, old)
    for link in facts.links:
        if wanted == "url" and link.role == "paper" and identify(link.url) in old:
            papers.remove_link(store, paper_id, "paper", link.url)
    if identifier is not None:
        papers.add_identifiers(store, paper_id, [identifier])
        if wanted in ("arxiv", "url"):
            papers.add_links(store, paper_id, [Link("paper", url_of(identifier))])


def _replace_links(store: Store, paper_id: int, role: LinkRole, urls: tuple[str, ...]) -> None:
    """Set the links of a role.

    If there are several links and one new address, it replaces the link that it is another address
    of; otherwise it is added.
    """
    present = [link.url for link in get_paper(store, paper_id).facts.links if link.role == role]
    removed = [url for url in present if url not in urls]
    if len(urls) == 1 and len(removed) == len(present) > 1:
        same = [url for url in present if _is_same_place(url, urls[0])]
        removed = same if len(same) == 1 else []
    for url in removed:
        papers.remove_link(store, paper_id, role, url)
    papers.add_links(store, paper_id, [Link(role, url) for url in urls])


def _is_same_place(url: str, other: str) -> bool:
    """Return whether two addresses end in the same name: a repository with another owner or
    host."""
    try:
        names = [PurePosixPath(urlsplit(address).path).name.casefold() for address in (url, other)]
    except ValueError:
        return False  # A README may have an invalid address.
    return names[0] == names[1] != ""


def _replace_notes(store: Store, paper_id: int, paths: tuple[str, ...]) -> None:
    for path in get_paper(store, paper_id).notes:
        if path not in paths:
            papers.remove_note(store, paper_id, path)
    for path in paths:
        papers.add_note(store, paper_id, path)


_OWN_WAYS: dict[str, Callable[[Store, int, Any], object]] = {
    "kind": papers.set_kind,
    "rating": rate,
    "note": _replace_notes,
    "citekey": lambda store, paper_id, key: Citekeys(store).rename(paper_id, key),
}


def _parse_assignment(text: str) -> Assignment:
    if into := re.fullmatch(r"\s*category\s*([+-]?)=(.*)", text, re.IGNORECASE | re.DOTALL):
        return Assignment(f"category{into[1]}", parse_path(into[2]), into[2])
    field, equals, value = text.partition("=")
    field = field.strip().lower().replace("-", "_")
    if not equals:
        raise UsageError(f"{shorten(text, 60)!r} is not an assignment: write field=value.")
    if field not in FIELDS:
        # Imported here because only a mistake needs it.
        import difflib

        near = difflib.get_close_matches(field, FIELDS, n=1, cutoff=0.5)
        hint = f"Did you mean {near[0]}?" if near else f"Fields are {', '.join(FIELDS)}."
        raise UsageError(f"A paper has no field {shorten(field, 40)!r} to edit. {hint}")
    return Assignment(field, FIELDS[field](value), value)


_TEX = re.compile(r"\\[A-Za-z]+\s*\{|\\[`'^\"~=.]|\{[^{}]*\}")


def _parse_title(text: str) -> str | None:
    """Parse a title or venue, which may be written as in ``.bib`` files: ``On {GPU}s,
    \\emph{anew}``."""
    is_balanced = text.count("{") == text.count("}")
    return (decode_latex(text) if is_balanced and _TEX.search(text) else clean(text)) or None


_PERSON = re.compile(r"[^\W\d_a-z][\w.'’-]*(?: [^\s,]+)* [^\W\d_a-z][\w'’-]+")


def _parse_authors(text: str) -> tuple[Author, ...]:
    """Split names at semicolons; names in braces are kept as in BibTeX.

    Raises UsageError for several persons separated by commas: a comma separates family and given
    names.
    """
    from papertrack.documents.bibtex.names import parse_names  # It reads bibtexparser.

    if ";" not in text:
        if re.search(r"\sand\s", text):
            return parse_names(text)  # As BibTeX has them: "Bee, Ann and Dee, Cy".
        parts = [part.strip() for part in text.split(",")]
        if len(parts) > 1 and all(map(_PERSON.fullmatch, parts)):
            raise UsageError(
                f"authors is {shorten(text, 60)!r}: separate names by semicolons. Write "
                f"{shorten('; '.join(parts), 60)!r}, or end with a semicolon if it is one name."
            )
    return tuple(
        author
        for part in text.split(";")
        for author in (parse_names(part) if "{" in part else (Author(clean(part)),))
        if author.name
    )


def _matching(
    field: str, pattern: str, complaint: str, make: Callable[[str], object] = int
) -> Callable[[str], object]:
    """Return a parser of texts that match a pattern; it returns None for "" and zero.

    Its errors end with ``complaint``.
    """

    def parse(text: str) -> object:
        written = text.strip()
        if not re.fullmatch(pattern, written):
            raise UsageError(f"{field} is {shorten(text, 40)!r}, {complaint}.")
        return make(written) if written.strip("0") else None

    return parse


def _parse_date(text: str) -> str | None:
    """Parse ``2024``, ``2024-03`` or ``2024-03-01``; slashes count as dashes."""
    written = text.strip().replace("/", "-")
    if not written:
        return None
    match = re.fullmatch("([0-9]{4})(?:-([0-9]{1,2})(?:-([0-9]{1,2}))?)?", written)
    try:
        if match is None:
            raise ValueError
        year, month, day = match.groups()
        full = date(int(year), int(month or 1), int(day or 1)).isoformat()
    except ValueError:
        raise UsageError(
            f"submitted is {shorten(text, 40)!r}, which is not a date: write it like 2024-03 "
            "or 2024-03-01."
        ) from None
    return full[: 10 if day else 7 if month else 4]


def _parse_month(text: str) -> str | None:
    """Return ``may``, ``May`` or ``5`` as BibTeX's ``may``."""
    written = text.strip().casefold()
    numbers = dict(enumerate(MONTHS, 1))
    names = {name.casefold(): short for short, name in MONTH_NAMES.items()}
    month = numbers.get(int(written)) if written.isdecimal() else names.get(written, written)
    if written and month not in MONTHS:
        raise UsageError(
            f"month is {shorten(text, 40)!r}, which is not a month: write it like may or 5."
        )
    return month or None


def _parse_citekey(text: str) -> str:
    if not is_citekey(text.strip()):
        raise UsageError(
            f"{shorten(text, 60)!r} is not a citekey: use ASCII letters, digits and : . _ - / +."
        )
    return text.strip()


def _identifier(find: Callable[[str], Identifier | None], expected: str) -> Callable[[str], object]:
    """Return a parser for an identifier; ``expected`` is how errors describe what is expected."""

    def parse(text: str) -> Identifier | None:
        identifier = find(text.strip())
        if identifier is None and text.strip():
            raise UsageError(f"{shorten(text, 60)!r} is not {expected}.")
        return identifier

    return parse


def _parse_urls(text: str) -> tuple[str, ...]:
    urls = tuple(dict.fromkeys(text.split()))
    for url in urls:
        if identify(url) is None or not url.lower().startswith(("http://", "https://")):
            raise UsageError(f"{shorten(url, 60)!r} is not an http(s) address.")
    return urls


_COLUMNS: dict[str, Callable[[str], object]] = {
    "title": _parse_title,
    "authors": _parse_authors,
    "abstract": lambda text: clean_block(text).strip() or None,
    "description": lambda text: clean(text) or None,
    "submitted": _parse_date,
    "venue": _parse_title,
    "year": _matching("year", "([0-9]{4})?", "which is not a year: write it like 2024"),
    "comment": lambda text: clean(text) or None,
    "journal_ref": lambda text: clean(text) or None,
}
PUBLICATION_FIELDS: dict[str, Callable[[str], object]] = {
    **dict.fromkeys(
        "volume number issue pages publisher address location series editor edition chapter "
        "organization institution school howpublished isbn issn".split(),
        _parse_title,
    ),
    "month": _parse_month,
}
"""BibTeX fields about the publication, by their BibTeX names."""
_IDENTIFIERS: dict[str, Callable[[str], object]] = {
    "arxiv": _identifier(
        lambda text: Identifier("arxiv", parsed.id) if (parsed := parse_arxiv_id(text)) else None,
        "an arXiv id: write it like 2309.06180",
    ),
    "doi": _identifier(
        lambda text: Identifier("doi", parsed) if (parsed := parse_doi(text)) else None,
        "a DOI: write it like 10.1145/3600006.3613165",
    ),
    # An address, or a stronger identifier that it stands for.
    "url": _identifier(identify, "an http(s) address"),
}
FIELDS: dict[str, Callable[[str], object]] = {
    **_COLUMNS,
    **_IDENTIFIERS,
    **PUBLICATION_FIELDS,
    "kind": _matching("kind", "|".join(KINDS), f"but must be one of {', '.join(KINDS)}", str),
    "rating": _matching("rating", "[0-5]?", "but must be 1 to 5, or empty"),
    "citekey": _parse_citekey,
    # Paths relative to the library, separated by ``;``.
    "note": lambda text: tuple(path for part in text.split(";") if (path := clean(part))),
    **{role: _parse_urls for role in LINK_ROLES if role not in ("paper", "note", "related")},
}
"""The fields that can be edited, each with the function that checks its value."""
