"""Write the facts of a paper in the style of sibling entries."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from papertrack.documents.markdown import link_labels
from papertrack.documents.markdown.marks.style import mark_text
from papertrack.documents.markdown.model import Document, EntryFields
from papertrack.documents.markdown.syntax import plain
from papertrack.documents.markdown.values import find_date, medal_tags, most_common, write_date
from papertrack.documents.markdown.write import explain, markup
from papertrack.documents.markdown.write.fields import rating_text
from papertrack.identifiers import arxiv_month, parse_arxiv_id
from papertrack.matching.venues import (
    add_year,
    is_server,
    is_short_for,
    parsed_venue,
    short_name,
    venue_year,
)
from papertrack.records import Link
from papertrack.text import clean

_VERSION_IN = re.compile(r"(?<=[0-9])v[0-9]+(?=\.pdf\Z|\Z)")
_HOLE = re.compile(
    r"(?:\s|\A)[,;，。；、](?:\s|\w|\Z)|(?<=[\u3040-\u9fff])[ \t]+(?=[\u3040-\u9fff])"
)
"""A sign that is left where a link was, or a blank in a language without blanks."""
_LONG = 2
"""A venue with at least this many blanks is a full name."""
_NEAR = 3
"""How many months a paper's date is from its first version, at most."""
_SHARED = 0.25
"""The least share of siblings with a label; a rarer one is a remark: ``Paper(Oral)``."""
_NAME = re.compile(r"(\*\*|\*|__|_|`)(?=[^\s*_`])[^*_`:]*\1: ")
_ACRONYM = re.compile(r"\S*[A-Z]\S*[A-Z]\S*")
_UNCERTAIN = ("other", "related", "author")
"""Roles of links that do not say what the link is for."""


@dataclass
class NewPaper:
    """The facts of a paper, which are used up while its entry is written."""

    document: Document
    fields: EntryFields
    shape: str
    numbers: Mapping[str, str] = field(default_factory=dict)
    """The numbers of the new entry, by kind of piece."""
    references: dict[str, str] = field(default_factory=dict)
    """The labels of link definitions by address."""
    is_escaped: bool = False
    """Whether to escape everything that Markdown could misread."""
    replaced: dict[str, Link] = field(default_factory=dict)
    """Maps the address of a sample's link (for arXiv, its id) to the link that replaces it."""
    tags: int = 0
    """How many tags are used up."""
    has_more_authors: bool = False
    """Whether the known authors are only the first ones."""
    keeps_labels: bool = False
    """Whether links keep the sample's labels even if no other sibling has them."""

    @cached_property
    def main(self) -> Link | None:
        """The link to its page, or else to its PDF, its code or a note; None without links."""
        roles = ("paper", "pdf", "code", "note")
        links = (link for role in roles for link in self.fields.links if link.role == role)
        return next(links, None)

    @cached_property
    def arxiv(self) -> str | None:
        return next(iter(self.fields.arxiv_ids), None)

    @cached_property
    def code(self) -> str | None:
        """``owner/name`` of its repository, or None."""
        urls = (link.url for link in self.fields.links if link.role == "code")
        return next(filter(None, map(explain.repository_path, urls)), None)

    @cached_property
    def year(self) -> int | None:
        date = self.fields.date
        return self.fields.year or (int(date[:4]) if date else None)

    @cached_property
    def known(self) -> set[str]:
        """The needs of pieces (see ``Piece.need``) that this paper can fulfil."""
        fields, tags = self.fields, self.fields.tags
        precisions = ("year", "month", "day")[: fields.date.count("-") + 1] if fields.date else ()
        needs = {
            **{"title": True, "a link": self.main, "mark": fields.passes, "arxiv": self.arxiv},
            **{name: getattr(fields, name) for name in ("authors", "description", "rating")},
            **dict.fromkeys(("tag", "tags", *(f"medal {tag}" for tag in tags)), tags),
            **{"date of year": self.year, **{f"date of {name}": True for name in precisions}},
            "venue": self.is_published,
            "preprint": not self.is_published and (self.arxiv or fields.venue),
        }
        links = ("paper" if x == self.main and x.role == "pdf" else x.role for x in fields.links)
        return {need for need, value in needs.items() if value} | {*links}

    @cached_property
    def is_published(self) -> bool:
        """Whether it has a venue other than a preprint server."""
        venue = self.fields.venue
        return bool(venue) and not is_server(venue or "")

    def escaped(self, text: str) -> str:
        """Return text escaped for an entry of this shape."""
        if self.is_escaped:
            is_html = self.shape in markup.HTML
            return markup.as_entities(clean(text)) if is_html else markup.escape_text(text)
        return markup.light_escape(text, self.shape, has_math=self.document.has_formulas)

    def text_for(self, piece: explain.Piece, siblings: explain.Siblings) -> str | None:
        """Return the text that replaces a sibling's piece; None if the fact is unknown."""
        writer = _WRITERS.get(piece.kind.partition(":")[0])
        return writer(self, piece, siblings) if writer else None

    def _title(self, piece: explain.Piece, siblings: explain.Siblings) -> str:
        """Return the title. A name before a colon is emphasized if most siblings do so."""
        name, colon, rest = self.fields.title.partition(": ")
        titles = (title for _, title in siblings.shown("title") if ": " in title)
        emphasised = map(_NAME.match, titles)
        sign = most_common([match[1] if match else "" for match in emphasised]) if colon else ""
        shown = f"{sign}{self.escaped(name)}{sign}: {self.escaped(rest)}"
        return shown if sign else self.escaped(self.fields.title)

    def _name(self, piece: explain.Piece, siblings: explain.Siblings) -> str | None:
        """Return the name before a colon in the title, if the siblings' names are such names."""
        name, colon, _ = self.fields.title.partition(": ")
        pairs = ((entry.fields.title, text) for entry, text in siblings.shown("name"))
        shown = [title.startswith(f"{text}: ") for title, text in pairs if ": " in title]
        return self.escaped(name) if colon and 2 * sum(shown) > len(shown) else None

    def _authors(self, piece: explain.Piece, siblings: explain.Siblings) -> str | None:
        if not self.fields.authors:
            return None
        return siblings.names.write(self.fields.authors, self.escaped, is_cut=self.has_more_authors)

    def _date(self, piece: explain.Piece, siblings: explain.Siblings) -> str | None:
        without_zeros = piece.form.replace("%d", "%-d").replace("%m", "%-m")
        pattern = without_zeros if without_zeros in siblings.forms["date"] else piece.form
        pattern = self.document.style.chosen_date_format or pattern
        if explain.precision_of(pattern) == "day" and not _are_of_papers(siblings):
            return None
        if explain.precision_of(pattern) == "year":
            return write_date(str(self.year), pattern) if self.year else None
        return write_date(self.fields.date, pattern) if self.fields.date else None

    def _venue(self, piece: explain.Piece, siblings: explain.Siblings) -> str | None:
        """Return the venue; for a preprint, the word that siblings use for that."""
        name = piece.form.partition("\0")[2]
        form = piece.shared_form and next(filter(None, siblings.forms["venue"].ranked))
        text = siblings.text[slice(*piece.span)]
        pieces = (item for stretch in siblings.stretches for item in stretch.pieces)
        venues = Counter(item.form.partition("\0")[2] for item in pieces if item.kind == "venue")
        is_picture = text.startswith(("![", "<img"))
        if is_picture and (picture := _picture_of(siblings, "venue", self.fields.venue or "")):
            return picture
        year = venue_year(self.fields.venue or "") or self.year
        if self.is_published:
            name = venue_name(self.fields.venue or "", venues)
        elif self.arxiv or self.fields.venue:
            servers = (item for item, _ in venues.most_common() if is_server(item))
            name = parsed_venue(self.fields.venue or "")[0] or next(servers, "arXiv")
        else:
            return None
        has_year = name[-1:].isdigit()
        name = markup.safe_url(name) if is_picture else name
        if year and all((form, not has_year)):
            name = add_year(name, form, year)
        if is_picture:  # A picture with a description would name two venues.
            return (
                explain.VENUE_BADGE.sub(lambda _: name, text) if text.startswith("![](") else None
            )
        return self.escaped(name)

    def _tag(self, piece: explain.Piece, siblings: explain.Siblings) -> str | None:
        left = [tag for tag in self.fields.tags if tag != self.fields.venue][self.tags :]
        self.tags += 1
        if not left:
            return None
        text = siblings.text[slice(*piece.span)]
        if medal_tags(text) or text.startswith(("![", "<img")):
            return _picture_of(siblings, "tag", left[0])
        return self.escaped(left[0])

    def _medal(self, piece: explain.Piece, siblings: explain.Siblings) -> str | None:
        is_own = {*piece.form.split(",")} <= {*self.fields.tags}
        return siblings.text[slice(*piece.span)] if is_own else None

    def _tags(self, piece: explain.Piece, siblings: explain.Siblings) -> str | None:
        tags = list(map(self.escaped, self.fields.tags))
        parts = piece.form.split("{}")
        if not tags or len(parts) < 2:
            return None
        between = parts[1] if len(parts) > 2 else f"{parts[-1]}, {parts[0]}"
        return parts[0] + between.join(tags) + parts[-1]

    def _description(self, piece: explain.Piece, siblings: explain.Siblings) -> str | None:
        words = self.fields.description or ""
        links = self.fields.links
        is_named = any(link.label and link.label in words for link in links)
        return None if any((not words, _HOLE.search(words), is_named)) else self.escaped(words)

    def _rating(self, piece: explain.Piece, siblings: explain.Siblings) -> str | None:
        shown = (words for _, words in siblings.shown("rating"))
        samples, rating = [siblings.text[slice(*piece.span)], *shown], self.fields.rating
        return rating_text(self.document, rating, samples) if rating else None

    def _mark(self, piece: explain.Piece, siblings: explain.Siblings) -> str | None:
        style = self.document.marks_of(siblings.stretches[0].entry.group)
        return mark_text(style, self.fields.passes or 0) or None

    def _number(self, piece: explain.Piece, siblings: explain.Siblings) -> str | None:
        return self.numbers.get(piece.kind)

    def _target(self, piece: explain.Piece, siblings: explain.Siblings) -> str | None:
        """Return the address that replaces that of a sibling's link."""
        link = self._link_for(piece, siblings)
        if link is None or piece.link is None:
            return None
        url = self._address(piece, link.url, siblings)
        if piece.link.form == "reference":
            return self.references.setdefault(url, url)
        return markup.target_of(url)

    def _link_for(self, piece: explain.Piece, siblings: explain.Siblings) -> Link | None:
        """Return the link that replaces a sibling's link, or None.

        If a sibling links to one work several times, so does the new entry. Other links are
        replaced by links that are not used yet.
        """
        assert piece.link is not None, "it is the piece of a link"
        work, role = link_labels.arxiv_work(piece.link.url), piece.role
        if work in self.replaced:
            return self.replaced[work]
        left = [link for link in self.fields.links if link not in self.replaced.values()]
        link = next((link for link in left if link.role == role), None)
        if role == "title":
            link = self.main
        elif role in ("paper", "pdf"):
            is_main = self.main in left and self.main is not None and self.main.role != "code"
            link = self.main if is_main and (role == "paper" or piece.form) else link
        elif role in _UNCERTAIN and not (link and _is_usual_label(link, role, siblings)):
            return None
        if link is not None:
            self.replaced[work] = link
        return link

    def _address(self, piece: explain.Piece, url: str, siblings: explain.Siblings) -> str:
        """Return the address of an arXiv paper or a file in the form of the siblings.

        It is http only if all siblings' addresses are.
        """
        is_relative = ":" not in url and url[:1] not in "./#"
        if is_relative and piece.link and piece.link.url.startswith("./"):
            return f"./{url}"
        arxiv = parse_arxiv_id(url) if link_labels.arxiv_form(url) else None
        if arxiv is None:
            return url
        forms = siblings.forms[piece.kind]
        usual = next((form for form in forms.ranked if "{id}" in form), "")
        form = piece.form if forms.share(piece.shared_form) >= _SHARED else usual
        secure = form.replace("http:", "https:")
        form = secure if secure in forms else form
        return form.replace("{id}", arxiv.id + _version_like(piece, url)) if form else url

    def _label(self, piece: explain.Piece, siblings: explain.Siblings) -> str | None:
        """Return the label for the link that replaces a sibling's link."""
        link = self.replaced.get(link_labels.arxiv_work(piece.link.url)) if piece.link else None
        if link is None:
            return None
        own_label = link.label if link.label not in (self.fields.title, link.url) else None
        telling = own_label if own_label and link_labels.is_telling(own_label, link.url) else None
        forms = siblings.forms[piece.kind]
        for form in (piece.form, *forms.ranked):
            label = self.label_in(form, link.url)
            if label is None or (telling and _bare(label) != _bare(telling)):
                continue
            is_own = form == piece.form and not link_labels.is_telling(form)
            is_shared = forms[form] > 1 and forms.share(form) >= _SHARED
            if is_shared or is_own or self.keeps_labels:
                site = link_labels.site_named(label, piece.link.url if piece.link else "")
                if site and not link_labels.site_named(site, link.url):
                    return link_labels.of_other_site(label, site, link.url)
                return label
        return _wrapped(own_label or markup.repository_name(link.url), piece.form)

    def label_in(self, form: str, url: str) -> str | None:
        """Return the label that a form gives to an address, escaped; None if the address does not
        fit."""
        is_address = any(sign in form for sign in ("](", "<img", "{url}"))
        return link_labels.label_of(form, url, markup.safe_url if is_address else self.escaped)

    def _id(self, piece: explain.Piece, siblings: explain.Siblings) -> str | None:
        return self.arxiv if piece.role == "arxiv" else self.code


_Writer = Callable[[NewPaper, explain.Piece, explain.Siblings], str | None]
_KINDS = "title name authors date venue tag medal tags description rating mark number label id"
_WRITERS: dict[str, _Writer] = {
    **{name: getattr(NewPaper, f"_{name}") for name in _KINDS.split()},
    **{"marker": NewPaper._number, "to": NewPaper._target},
}


def venue_name(venue: str, called: Counter[str], elsewhere: Iterable[str] = ()) -> str:
    """Return a venue's name as the list writes it.

    This is the short name that other entries use (``called``, or elsewhere in the list), or its own
    short name if most venues are acronyms.
    """
    name = parsed_venue(venue)[0] or venue
    if name.count(" ") < _LONG:
        return name
    names = (*(name_there for name_there, _ in called.most_common()), *elsewhere)
    known_name = next((name_there for name_there in names if is_short_for(name_there, name)), None)
    acronyms = sum(times for name_there, times in called.items() if _ACRONYM.fullmatch(name_there))
    return known_name or (acronyms * 2 > called.total() and short_name(name)) or name


def _wrapped(name: str, form: str, depth: int = 0) -> str:
    """Return a name in the brackets and emphasis that are around a label, at most ten of them."""
    for opening, closing in markup.WRAPPERS if depth < 10 else ():
        if len(form) > 2 and form.startswith(opening) and form.endswith(closing):
            inner = _wrapped(name, form[len(opening) : -len(closing)], depth + 1)
            return opening + inner + closing
    return markup.escape_text(name)


def _version_like(piece: explain.Piece, url: str) -> str:
    """Return the version in an arXiv address, if the sibling's address has one too; else ""."""
    both = [_VERSION_IN.search(link) for link in (piece.link.url if piece.link else "", url)]
    return both[1].group() if both[0] and both[1] else ""


def _is_usual_label(link: Link, role: str, siblings: explain.Siblings) -> bool:
    """Return whether siblings label links of this role like this link, or it has no label."""
    forms = siblings.forms.get(f"label:{role}")
    return link.label is None or _bare(link.label) in map(_bare, forms.ranked if forms else ())


def _bare(label: str) -> str:
    """Return a label without markup and brackets, in lower case."""
    return plain(label).strip("[]() ").casefold()


def _are_of_papers(siblings: explain.Siblings) -> bool:
    """Return whether the siblings' dates are those of the papers rather than of talks.

    They are if most are near the months of the papers' arXiv ids.
    """
    apart = [
        abs(_month_of(date.iso) - _month_of(month))
        for entry, text in siblings.shown("date")
        for date in filter(None, [find_date(text)])
        for month in [arxiv_month(x.value) for x in entry.identifiers if x.scheme == "arxiv"]
    ]
    return not apart or sum(months < _NEAR for months in apart) * 3 >= len(apart)


def _month_of(iso: str) -> int:
    """Number the month of a date."""
    year, month, *_ = map(int, f"{iso}-01".split("-"))
    return 12 * year + month


def _picture_of(siblings: explain.Siblings, kind: str, words: str) -> str | None:
    """Return the picture or sign in a sibling that stands for these words, or None."""
    shown = (source for _, source in siblings.shown(kind))
    alike = (text for text in shown if plain(text) == words or words in medal_tags(text))
    return next(alike, None) if words else None
