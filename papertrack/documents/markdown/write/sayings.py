"""What the slots of a new entry say: the values of its fields, as its siblings write theirs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from papertrack.documents.markdown.grammar.cuts import DETAILS, LINKED_TITLE, TITLE, role_of_key
from papertrack.documents.markdown.grammar.template import Sketch
from papertrack.documents.markdown.marks.registry import cell_text, kind_of
from papertrack.documents.markdown.model import Document, EntryFields
from papertrack.documents.markdown.roles import role_word
from papertrack.documents.markdown.write.grammars import Grammar
from papertrack.documents.markdown.write.markup import (
    escape_text,
    light_escape,
    repository_name,
    safe_url,
)
from papertrack.identifiers import parse_arxiv_id
from papertrack.records import Link

_SEEN = 0.2
"""What every paper has (authors, a date) is a part of entries if so large a share shows it."""
_FEW, _SEVERAL, _MANY = 0.05, 4, 12
"""What not all papers have is no part of entries if only a few of many entries show it."""
_LINKS = ("target", "reference")


@dataclass
class Saying:
    """What is left to say of one new entry while its slots are filled one after the other."""

    document: Document
    grammar: Grammar
    fields: EntryFields
    shape: str
    numbers: Mapping[str, str] = field(default_factory=dict)
    """What counts it by slots, as others are counted: ``12``, ``#12``."""
    is_plain: bool = False
    """Whether only what it cannot do without is said."""
    references: Mapping[str, str] = field(default_factory=dict)
    """The labels of definitions by address."""
    said: list[Link] = field(default_factory=list)
    """The links that it shows so far."""
    referred: list[str] = field(default_factory=list)
    """The addresses for which definitions are needed, in their order."""

    @property
    def main(self) -> Link | None:
        """The link that its title leads to: without one to the work or its code, to a note."""
        notes = (link for link in self.fields.links if link.role == "note")
        return self.fields.main_link or next(notes, None)

    def texts(self, like: Sketch) -> dict[str, str]:
        """Return what each slot of a place says; those that are not known are left out."""
        template = self.grammar.template
        keys = template.all_ordered(like)
        texts = self._title(like)
        for key in keys:
            role = role_of_key(key)
            if role in _LINKS:
                texts |= self._link(like, key, texts)
            elif role != "label" and (text := self._text(like, key, role)):
                texts[key] = text
        texts = {key: one for key, one in texts.items() if not self._lacks_link(like, key, texts)}
        return texts | self._instead_of_venue(like, texts)

    def _instead_of_venue(self, like: Sketch, texts: Mapping[str, str]) -> dict[str, str]:
        """Return what the label of a link says that is the venue elsewhere, which is not known."""
        template, main = self.grammar.template, self.main
        targets = [key for key in texts if role_of_key(key) in _LINKS]
        if "venue" in texts or main is None:
            return {}
        if not any(template.follows(one, "venue", like.where) for one in targets):
            return {}
        is_preprint = parse_arxiv_id(main.url) is not None
        return {"venue": "arXiv" if is_preprint else "Paper"}

    def _lacks_link(self, like: Sketch, key: str, texts: Mapping[str, str]) -> bool:
        """Whether what a slot says is the label of a link that leads nowhere."""
        if role_of_key(key) in (TITLE, "label", *_LINKS):
            return False
        template = self.grammar.template
        targets = (one for one in template.keys.seen((like.where,)) if role_of_key(one) in _LINKS)
        missing = [one for one in targets if one not in texts]
        return any(template.follows(one, key, like.where) for one in missing)

    def _title(self, like: Sketch) -> dict[str, str]:
        """Return the title, linked as most are; nothing where no title stands."""
        linked, bare = (
            self.grammar.template.share(key, like.where, like.group)
            for key in (LINKED_TITLE, TITLE)
        )
        if not linked and not bare:
            return {}
        is_linked = self.main is not None and linked >= bare
        key = LINKED_TITLE if is_linked else TITLE
        title = self.fields.title
        return {key: escape_text(title) if self.is_plain else light_escape(title, self.shape)}

    def _text(self, like: Sketch, key: str, role: str) -> str | None:
        """Return what a slot that is neither title nor link says."""
        if role == "number":
            return self.numbers.get(key)
        if role in _WRITERS and (not self.is_plain or role in _NEEDED):
            return _WRITERS[role](self, like, key)
        return None

    def _is_shown(self, like: Sketch, key: str) -> bool:
        """Whether enough entries have a slot."""
        return self.grammar.template.share(key, like.where, like.group) >= _SEEN

    def date(self, like: Sketch, key: str) -> str | None:
        """Return the date."""
        iso = self.fields.date if key == "date" and self._is_shown(like, key) else None
        if iso is None or self._lacks_venue(like, key):
            return None
        return self.grammar.formats.date(like, key, iso)

    def _lacks_venue(self, like: Sketch, key: str) -> bool:
        """Whether a slot stands only where a venue does, which is not known."""
        return not self.fields.venue and self.grammar.template.needs(key, "venue", like.where)

    def authors(self, like: Sketch, key: str) -> str | None:
        """Return the names of the authors."""
        names = self.fields.authors
        if key != "authors" or not names or not self._is_shown(like, key):
            return None
        written = self.grammar.formats.authors(like, names)
        return escape_names(written or ", ".join(names))

    def venue(self, like: Sketch, key: str) -> str | None:
        """Return where it was published."""
        venue, year = self.fields.venue, (self.fields.date or "")[:4]
        if key != "venue" or not venue or not self._is_usual(like, key):
            return None
        pictured = self.grammar.formats.pictured(like, "venue", venue)
        if pictured is not None:
            return pictured or None
        return light_escape(self.grammar.formats.venue(like, venue, year), self.shape)

    def _is_usual(self, like: Sketch, key: str) -> bool:
        """Whether a slot of what only some papers have is no whim of one or two entries."""
        template = self.grammar.template
        total, count = template.sizes[(like.where,)], template.keys.seen((like.where,))[key]
        if total < _MANY or count < 2:
            return count > 1 or total < _SEVERAL
        return count >= _FEW * total or self._is_shown(like, key)

    def tag(self, like: Sketch, key: str) -> str | None:
        """Return the tag whose turn it is."""
        number = int(key.partition("#")[2] or 1) - 1
        left = [tag for tag in self.fields.tags if tag != self.fields.venue]
        return next((self._tag(like, tag) for tag in left[number : number + 1]), None)

    def _tag(self, like: Sketch, tag: str) -> str | None:
        pictured = self.grammar.formats.pictured(like, "tag", tag)
        if pictured is not None:
            return pictured or None
        return light_escape(self.grammar.formats.tag(tag), self.shape)

    def rating(self, like: Sketch, key: str) -> str | None:
        """Return the rating."""
        rating = self.fields.rating
        return self.grammar.formats.rating(like, key, rating) if rating else None

    def mark(self, like: Sketch, key: str) -> str | None:
        """Return the reading mark; for unread only where all entries have a place to fill."""
        style, passes = self.document.marks_of(like.group), self.fields.passes or 0
        if self.shape == "row":
            return cell_text(style, passes) or None
        if not passes and self.grammar.template.share(key, like.where, like.group) < _MOSTLY:
            return None
        return kind_of(style).write(style, passes, None) or None

    def sign(self, like: Sketch, key: str) -> str | None:
        """Return a sign that all entries have."""
        share = self.grammar.template.share(key, like.where, like.group)
        return self.grammar.formats.constant(like, key) if share >= _MOSTLY else None

    def details(self, like: Sketch, key: str) -> str | None:
        """Return the description, where others have theirs on the line of the title."""
        description = self.fields.description or ""
        is_shown = key == DETAILS and self._is_shown(like, key) and self._is_on_line(like, key)
        is_mixed = any(link.label and link.label in description for link in self.fields.links)
        is_mixed = is_mixed or _GAP.search(description) is not None
        if not description or not is_shown or is_mixed:
            return None
        stop = "." if description[-1:].isalnum() and self.grammar.formats.ends_details(like) else ""
        return light_escape(description, self.shape) + stop

    def _is_on_line(self, like: Sketch, key: str) -> bool:
        """Whether a slot mostly stands in the paragraph of what is before it."""
        gaps = self.grammar.template.gaps.seen((like.where, "*", key))
        on_line = sum(count for gap, count in gaps.items() if not NEW_ITEM.search(gap))
        return on_line * 2 >= gaps.total()

    def _link(self, like: Sketch, key: str, texts: Mapping[str, str]) -> dict[str, str]:
        """Return what the slots of a link say."""
        role, _, rest = key.partition(":")
        if self._is_other_form(like, role, rest):
            return {}
        link = self._taken(like, key, rest.partition("#")[0], texts)
        if link is None:
            return {}
        self.said.append(link)
        link = link._replace(url=self.grammar.formats.address(like, key, link.url))
        is_relative = link.role == "note" and ":" not in link.url and link.url[:1] not in "./#"
        prefix = "./" if is_relative and self.grammar.formats.has_dots(like) else ""
        target = prefix + target_of(link.url)
        if role == "reference":
            self.referred.append(link.url)
            target = self.references.get(link.url, "")
        label = self._label(like, f"label:{rest}", link)
        return {key: target} if label is None else {f"label:{rest}": label, key: target}

    def _is_other_form(self, like: Sketch, role: str, rest: str) -> bool:
        """Whether most links like this one are of the other form: inline, or by reference."""
        template = self.grammar.template
        own = template.share(f"{role}:{rest}", like.where, like.group)
        other = next(form for form in _LINKS if form != role)
        shares = template.share(f"{other}:{rest}", like.where, like.group)
        return shares > own or (shares == own > 0 and role == "reference")

    def _taken(self, like: Sketch, key: str, purpose: str, texts: Mapping[str, str]) -> Link | None:
        """Return the link that a slot shows: one of its purpose that was not shown yet."""
        main = self.main
        if purpose == "title":
            return main if LINKED_TITLE in texts else None
        if main in self.said and self.grammar.formats.repeated(like, key):
            is_usual = self.grammar.template.share(key, like.where, like.group) >= _MOSTLY
            # Once more than all others have it would be a badge too many.
            is_again = self.said.count(main) < 2 or is_usual
            return main if is_again and _is_for(main, purpose) else None
        found = self._left_for(purpose, takes_other=self._stands_for_other(like, key, purpose))
        return found if found is None or self._has_label(like, key, found) else None

    def _left_for(self, purpose: str, *, takes_other: bool) -> Link | None:
        """Return the first link of a purpose that was not shown yet; one to a paper's file may
        take the place of one to its page, and the other way about."""
        left = [link for link in self._links() if link not in self.said]
        exact = [link for link in left if self._purpose(link) == purpose]
        others = [link for link in left if takes_other and _is_for(link, purpose)]
        return next(iter([*exact, *others]), None)

    def _stands_for_other(self, like: Sketch, key: str, purpose: str) -> bool:
        """Whether a slot shows the paper's page in place of its file, or its file for its page."""
        template = self.grammar.template
        other = {"paper": "pdf", "pdf": "paper"}.get(purpose, purpose)
        own, others = (
            template.share(f"{key.partition(':')[0]}:{one}", like.where, like.group)
            for one in (purpose, other)
        )
        return own > others

    def _purpose(self, link: Link) -> str:
        """Return what a link is for, as its label says where it says something else."""
        by_label = role_word(link.label or "")
        return link.role if by_label in (None, "pdf") or link.role != "paper" else by_label or ""

    def _links(self) -> Sequence[Link]:
        main = self.main
        return [link for link in self.fields.links if not self.is_plain or link == main]

    def _has_label(self, like: Sketch, key: str, link: Link) -> bool:
        """Whether it is known what a link of no certain purpose is called."""
        if link.role not in ("other", "related", "author"):
            return True
        label = f"label:{key.partition(':')[2]}"
        return self.grammar.formats.is_called(like, label, link.url, link.label)

    def _label(self, like: Sketch, key: str, link: Link) -> str | None:
        """Return the label of a link; None where links have none."""
        template = self.grammar.template
        target = key.replace("label:", "target:", 1)
        base = key.partition("#")[0]
        shares = [template.share(one, like.where, like.group) for one in (key, target)]
        if not template.keys.seen((like.where,))[base] or shares[0] * 2 < shares[1]:
            return None
        is_own = link.label not in (None, self.fields.title, link.url)
        own = escape_text(link.label) if is_own and link.label else None
        known = self.grammar.formats.label(like, key, link.url, own)
        return known or self._name(like, key, link.url, own)

    def _name(self, like: Sketch, key: str, url: str, own: str | None) -> str:
        """Return a link's own name, else what it is for if links to papers are called so, else the
        last part of its address."""
        word = key.partition(":")[2].partition("#")[0]
        name = own or self.grammar.formats.role_name(like, word)
        return self.grammar.formats.dressed(
            like, key, url, name or escape_text(repository_name(url))
        )


def target_of(url: str) -> str:
    """Return an address as it can stand in ``(…)``: brackets that are pairs as they are."""
    safe = safe_url(url)
    return url if safe.replace("%28", "(").replace("%29", ")") == url and _PAIRS(url) else safe


def _is_for(link: Link | None, purpose: str) -> bool:
    """Whether a link is of a purpose; a paper's page and its file are the same."""
    papers = ("paper", "pdf")
    return link is not None and (
        link.role == purpose or (link.role in papers and purpose in papers)
    )


def escape_names(names: str) -> str:
    """Return names, whose signs are no markup, as they can stand in Markdown."""
    return names.replace("*", "\\*").replace("_", "\\_").replace("|", "\\|")


NEW_ITEM = re.compile(r"[\r\n][ \t>]*(?:[-+*]|[0-9]{1,9}[.)])[ \t]")
"""The start of another item in a gap."""
_GAP = re.compile(
    r"(?:\s|\A)[,;，。；、](?:\s|\w|\Z)|(?<=[\u3040-\u9fff])[ \t]+(?=[\u3040-\u9fff])"
)
"""A sign that hangs where a link was, or a blank in a language that has none."""
_PAIRS = re.compile(r"[^()]*(?:\([^()]*\)[^()]*)*").fullmatch
_MOSTLY = 0.6
_NEEDED = ("date", "mark", "sign")
_WRITERS = {
    "date": Saying.date,
    "authors": Saying.authors,
    "venue": Saying.venue,
    "tag": Saying.tag,
    "rating": Saying.rating,
    "mark": Saying.mark,
    "sign": Saying.sign,
    DETAILS: Saying.details,
}
