"""New list items and paragraphs, written as one that the document has."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from papertrack.documents.markdown.marks.registry import unmarked
from papertrack.documents.markdown.model import Document, Entry, EntryFields, PlacedLink
from papertrack.documents.markdown.read.dates import date_like
from papertrack.documents.markdown.roles import role_word
from papertrack.documents.markdown.values import Span, medal_tags
from papertrack.documents.markdown.write import markup
from papertrack.documents.markdown.write.edit_types import NoPlaceError
from papertrack.documents.markdown.write.numbering import Block, Numbering
from papertrack.documents.markdown.write.patches import Patch
from papertrack.records import Link, LinkRole

_EDGE = re.compile(r"^[\])）】*_~\"'”’.,;:]*")
_START = re.compile(r"[\[(（【*_\s|-]*$")
_SIGN = re.compile(r":[a-z0-9_+-]+:|<[a-z]+>")
_OPENING = re.compile(r"[\[(（【*_`]*$")
_CLOSING = re.compile(r"^[\])）】*_`,;:.]*\s*")
_MEDAL = re.compile(r":[a-z0-9_+-]*(?:medal|fire|trophy|crown)[a-z_]*:[ ]?|[🥇🥈🥉🔥🏆👑][ ]?")


def new_item(
    document: Document, numbering: Numbering, neighbours: Sequence[Entry], fields: EntryFields
) -> tuple[str, list[Patch]]:
    """Return the line of a new entry, without its line end, and the patches that define its links.

    It is written like one of its neighbours, or of the document's other items.
    """
    model = _model_for(document, neighbours)
    block: Block = {}, []
    if any(link.form == "reference" for link in model.anatomy.links[:1]):
        like = [entry for entry in document.entries if entry.shape == model.shape]
        block = numbering.block(fields.title, [link.url for link in fields.links[:1]], like)
    line = _NewItem(document, model, fields, block[0]).line()
    return _marked(document, line, neighbours), block[1]


def _model_for(document: Document, neighbours: Sequence[Entry]) -> Entry:
    """Return the entry that a new item is written like: one that links to its paper if there is
    one, rather beside the new one than elsewhere."""
    model = _choose_model(document, neighbours)
    if model is None or not _shows_main_link(model):
        shapes = {entry.shape for entry in neighbours[:1]} | {"item", "numbered"}
        others = [entry for entry in document.entries if entry.shape in shapes]
        other = _choose_model(document, others)
        if model is None or (other and _shows_main_link(other)):
            model = other
    if model is None or model.shape in ("row", "html_row", "details", "heading"):
        raise NoPlaceError("The category holds nothing that a new entry could be written like.")
    return model


@dataclass(frozen=True, slots=True)
class _NewItem:
    """What the parts of a new entry are made from."""

    document: Document
    model: Entry
    fields: EntryFields
    references: Mapping[str, str]
    """The labels of the definitions of its links by address."""

    def line(self) -> str:
        """Return the first line of a new entry written as the model is, without its line end.

        Date, title and main link are replaced, links of roles that the new one has too; other
        words and links of the model are left out.
        """
        text, pieces = self.document.text, self._pieces()
        shown = self._prefix(pieces[0].span[0]) + pieces[0].text
        for before, after in pairwise(pieces):
            shown += _glue(text[before.span[1] : after.span[0]]) + after.text
        tail = text[pieces[-1].span[1] : self.model.anatomy.own[1]]
        return shown + _matched(_EDGE, tail).rstrip(",;: ")

    def _prefix(self, end: int) -> str:
        """Return what stands before the first piece, without the model's date, marks and medals."""
        text, start, date = self.document.text, self.model.span[0], self.model.anatomy.date
        prefix = text[start:end]
        if date and date[1] <= end:
            prefix = _OPENING.sub("", text[start : date[0]])
            prefix += _CLOSING.sub("", text[date[1] : end])
        prefix = unmarked(prefix)
        return _MEDAL.sub("", prefix) if medal_tags(prefix) else prefix

    def _pieces(self) -> list[Patch]:
        """Return the parts of the model that the new entry has too, with their new texts."""
        main = self.fields.main_link
        wanted = [link for link in self.fields.links if link is not main]
        linked = self.model.anatomy.title_link
        if linked is not None:
            title = self._linked_title(linked, main)
        elif main is None or _shows_paper(self.model):
            escaped = markup.escape_title(self.document.text, self.fields.title, self.model)
            title = Patch(self.title, escaped)
            wanted = [*self.fields.links]
        else:
            shown = f"[{markup.escape_text(self.fields.title)}]({markup.safe_url(main.url)})"
            title = Patch(self.title, shown)
        pieces = [*self._date(), title, *self._links(wanted)]
        return sorted(pieces, key=lambda piece: piece.span)

    @property
    def title(self) -> Span:
        """Where the model's title stands."""
        assert self.model.anatomy.title is not None, "a model has a title"
        return self.model.anatomy.title

    def _date(self) -> list[Patch]:
        """Return the date, where the model has one before its title."""
        span, document = self.model.anatomy.date, self.document
        if span is None or span[0] >= self.title[0] or not self.fields.date:
            return []
        written = date_like(document, self.model, self.fields.date)
        return [Patch(span, written)] if written else []

    def _linked_title(self, linked: PlacedLink, main: Link | None) -> Patch:
        """Return the title as a link, with the emphasis that the model's has."""
        url = main.url if main else ""
        reference = self.references.get(url) if linked.form == "reference" else None
        text = markup.linked_title(
            self.document.text, self.model, self.fields.title, url, reference
        )
        return Patch(linked.span, text)

    def _links(self, wanted: list[Link]) -> list[Patch]:
        """Return each link of the model behind its title that the new entry has one for."""
        pieces = []
        for sample in self._samples():
            link = next((link for link in wanted if _same_role(link.role, sample)), None)
            if link is not None:
                wanted.remove(link)
                label = markup.shown_label(sample, link)
                reference = self.references.get(link.url)
                text = markup.like(self.document.text, sample, link.url, label, reference)
                pieces.append(Patch(sample.span, text))
        return pieces

    def _samples(self) -> list[PlacedLink]:
        anatomy = self.model.anatomy
        first, end = self.title[1], anatomy.own[1]
        behind = [link for link in anatomy.links if first <= link.span[0] < end]
        linked = anatomy.title_link
        return [link for link in behind if link is not linked and link.form != "text"]


def _same_role(role: LinkRole, link: PlacedLink) -> bool:
    return role == link.role or (role == "paper" and link.role == "pdf")


def _matched(pattern: re.Pattern[str], text: str) -> str:
    """Return what of a text a pattern finds."""
    match = pattern.search(text)
    return match.group() if match else ""


def _glue(gap: str) -> str:
    """Return what stands between two pieces, without the model's own words."""
    labelled = markup.LABELLED.search(gap)
    if labelled and role_word(labelled["word"]):
        head = gap[: labelled.start()]
        kept = _matched(_EDGE, head) if markup.LETTERS.search(head) else head
        return kept.rstrip(",; ") + (labelled.group() if head else gap)
    if markup.LETTERS.search(gap) is None:
        return gap
    return _matched(_EDGE, gap) + _matched(_START, gap) or " "


def _choose_model(document: Document, entries: Sequence[Entry]) -> Entry | None:
    """Return the entry that a new one is best written after: the one with the least of its own."""

    def burden(entry: Entry) -> tuple[int, int]:
        anatomy = entry.anatomy
        links = sum(link.role not in ("paper", "pdf") for link in anatomy.links)
        words = len(document.text[slice(*anatomy.own)]) - len(entry.fields.title)
        foreign = 4 * (not _shows_main_link(entry)) + 8 * _starts_with_words(document, entry)
        return (links + foreign + 2 * len(entry.fields.tags), words)

    usable = [e for e in entries if e.anatomy.title is not None and _is_one_line(document, e)]
    return min(usable, key=burden, default=None)


def _shows_main_link(entry: Entry) -> bool:
    """Return whether an entry links to its paper, or is a title that is a link."""
    return entry.anatomy.title_link is not None or _shows_paper(entry)


def _shows_paper(entry: Entry) -> bool:
    return any(link.role in ("paper", "pdf") for link in entry.anatomy.links)


def _starts_with_words(document: Document, entry: Entry) -> bool:
    """Whether words that are no date or sign stand before the title."""
    anatomy = entry.anatomy
    assert anatomy.title is not None, "a model has a title"
    before = document.text[entry.span[0] : anatomy.title[0]]
    if anatomy.date and anatomy.date[1] <= anatomy.title[0]:
        before = before.replace(document.text[slice(*anatomy.date)], "")
    return (
        markup.LETTERS.search(_SIGN.sub("", markup.MARKER.sub("", unmarked(before), 1))) is not None
    )


def _is_one_line(document: Document, entry: Entry) -> bool:
    start, end = entry.anatomy.own
    return not any(c in document.text[start:end] for c in "\r\n")


def _marked(document: Document, text: str, neighbours: Sequence[Entry]) -> str:
    """Return an item with the indentation and bullet of its neighbours."""
    marker = markup.MARKER.match(document.text, neighbours[0].span[0]) if neighbours else None
    return text if marker is None else markup.MARKER.sub(marker.group(), text, count=1)
