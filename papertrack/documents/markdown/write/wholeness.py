"""Whether a document that was edited still holds all that it should, and what was edited says what
it was to say.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from papertrack.documents.markdown.link_labels import arxiv_work
from papertrack.documents.markdown.model import Document, Entry
from papertrack.documents.markdown.write.edit_types import Add, Edit, Edited, Remove, SetTitle
from papertrack.documents.markdown.write.markup import safe_url
from papertrack.text import clean, split_name

_ESCAPED = re.compile(r"\\.")


class Check:
    """What a document is held against after edits."""

    def __init__(self, document: Document) -> None:
        self.document = document

    @cached_property
    def unclosed(self) -> set[int]:
        """How many round brackets entries leave open beside their titles: none, but for ``1)``."""
        text = self.document.text
        return {0, *(_unclosed_in(text, entry) for entry in self.document.entries)}

    def look_at(self, edits: Sequence[Edit], edited: Edited) -> Found:
        """Return what of these edits is found in the edited text, read again."""
        unmade = [refusal.edit for refusal in edited.refused]
        made = [edit for edit in edits if edit not in unmade]
        after = self.document if edited.text == self.document.text else None
        return Found(self, made, after or self.document.parse_again(edited.text))


@dataclass(frozen=True)
class Found:
    """What is found of some edits in the text that they made."""

    check: Check
    made: Sequence[Edit]
    after: Document

    @cached_property
    def is_whole(self) -> bool:
        """Whether the text holds all entries: the untouched under their own names, the retitled
        ones under their new titles, the others under their identifiers or titles."""
        before, after = self.check.document, self.after
        if after is before:
            return True
        return (
            not any(self._is_missing(edit) for edit in self.made)
            and not self._lost
            and _holds_untouched(before, self.made, after.entries)
        )

    @cached_property
    def missing(self) -> list[Edit]:
        """The edits whose entries, titles or new entries are not there as they are meant: of an
        entry all, since one may have spoilt what the other made."""
        missing = [edit for edit in self.made if self._is_missing(edit)]
        entries = _touched(missing, object)
        new = [edit for edit in missing if isinstance(edit, Add)]
        return [edit for edit in self.made if edit in new or _touched([edit], object) & entries]

    def _is_missing(self, edit: Edit) -> bool:
        if isinstance(edit, Add):
            return not self._is_there(edit)
        if edit.entry_index in self._gone:
            return False
        is_untitled = isinstance(edit, SetTitle) and clean(edit.title) in self._short
        return is_untitled or edit.entry_index in self._lost

    @cached_property
    def _gone(self) -> set[int]:
        """The indexes of the entries that are taken out: what else was made of them is too."""
        return _touched(self.made, Remove)

    @cached_property
    def _short(self) -> set[str]:
        """The new titles that fewer entries have than should: one that is not read under its own
        is not found in another one of the same title."""
        gone = self._gone
        titles = {edit.entry_index: edit.title for edit in self.made if isinstance(edit, SetTitle)}
        wanted = Counter(clean(title) for at, title in titles.items() if at not in gone)
        changed = gone | titles.keys()
        wanted.update(
            entry.fields.title
            for entry in self.check.document.entries
            if entry.fields.title in wanted and entry.index not in changed
        )
        return {title for title, count in wanted.items() if len(self._entitled(title)) < count}

    def _entitled(self, title: str) -> Sequence[Entry]:
        return self._titled.get(title, ())

    @cached_property
    def _lost(self) -> set[int]:
        """The indexes of the edited entries that are not there, or have become something else,
        their own link taken for another one."""
        known: set[object] = {entry.identifiers for entry in self.after.entries}
        before = Counter(entry.fields.title for entry in self.check.document.entries)
        known |= {title for title, entries in self._titled.items() if len(entries) == 1}
        # Of several that nothing but one title names, each is there while as many are.
        known |= {(title,) for title, held in self._titled.items() if len(held) == before[title]}
        kept = _touched(self.made, object) - self._gone - _touched(self.made, SetTitle)
        entries = self.check.document.entries
        own = {
            at: {entries[at].identifiers or (entries[at].fields.title,), entries[at].fields.title}
            for at in kept
        }
        return {at for at, names in own.items() if not known & names}

    @cached_property
    def _titled(self) -> dict[str, list[Entry]]:
        """The entries by their titles."""
        titled: dict[str, list[Entry]] = {}
        for entry in self.after.entries:
            titled.setdefault(entry.fields.title, []).append(entry)
        return titled

    def _is_there(self, edit: Add) -> bool:
        """Return whether an entry that was added is there, read as it is meant."""
        text = self.after.text
        return any(
            _says(text, entry, edit) and _unclosed_in(text, entry) in self.check.unclosed
            for entry in self._entitled(clean(edit.fields.title))
        )


def _says(text: str, entry: Entry, edit: Add) -> bool:
    """Whether an entry has the link that it was written for and no other authors or links, shows
    no names that are not read as such, and no half of a pair of brackets."""
    main = edit.fields.main_link
    wanted = {one for link in edit.fields.links for one in (link.url, safe_url(link.url))}
    # A file beside the document may be written "./notes/a.md".
    wanted |= {f"./{url}" for url in wanted if ":" not in url}
    # The list's own form of arXiv's addresses may lead to the paper's file.
    wanted = set(map(arxiv_work, wanted))
    read = {arxiv_work(link.url) for link in entry.fields.links}
    own = text[slice(*entry.anatomy.own)]
    return (
        _families(entry) <= _families(edit)
        and (main is None or not read or bool(wanted & read))
        and read <= wanted
        and _reads_names(text[slice(*entry.span)], entry, edit)
        and _is_paired(own)
    )


def _reads_names(text: str, entry: Entry, edit: Add) -> bool:
    """Whether names of the authors that an entry shows side by side are read as authors."""
    names = [clean(name) for name in edit.fields.authors[:2]]
    shown = len(names) > 1 and all(split_name(name)[0] in text for name in names)
    return not shown or bool(entry.fields.authors) or _are_words_of(edit, names)


def _are_words_of(edit: Add, names: Sequence[str]) -> bool:
    """Whether the names are words of the title or of the description."""
    said = clean(f"{edit.fields.title} {edit.fields.description or ''}")
    return all(split_name(name)[0] in said for name in names)


def _is_paired(text: str) -> bool:
    """Whether square brackets and the signs of code come in pairs, escaped ones aside."""
    bare = _ESCAPED.sub("", text)
    return bare.count("[") == bare.count("]") and bare.count("`") % 2 == 0


def _unclosed_in(text: str, entry: Entry) -> int:
    """Return how many round brackets an entry leaves open, the words of its fields aside."""
    fields = entry.fields
    told = (fields.title, fields.description or "", fields.venue or "", *fields.authors)
    return _unclosed(text[slice(*entry.anatomy.own)]) - sum(map(_unclosed, told))


def _unclosed(text: str) -> int:
    bare = _ESCAPED.sub("", text)
    return bare.count("(") - bare.count(")")


def _families(one: Entry | Add) -> set[str]:
    """Return the last names of the authors."""
    return {split_name(clean(name))[0].casefold() for name in one.fields.authors}


def _holds_untouched(document: Document, made: Sequence[Edit], after: Sequence[Entry]) -> bool:
    """Whether the other entries are there, and there are as many as there should be."""
    touched = _touched(made, object)
    others = [entry for entry in document.entries if entry.index not in touched]
    names = Counter(map(_name, others))
    # What is left alone in a row must not be taken for what the row is about.
    shared = {entry.fields.title for entry in others if entry.is_shared}
    if not shared <= {entry.fields.title for entry in after}:
        return False
    added = sum(isinstance(edit, Add) for edit in made)
    count = len(document.entries) + added - len(_touched(made, Remove))
    return len(after) == count and names <= Counter(map(_name, after))


def _touched(made: Sequence[Edit], kind: type) -> set[int]:
    """Return the indexes of the entries that edits of this kind are about."""
    return {
        edit.entry_index for edit in made if isinstance(edit, kind) and not isinstance(edit, Add)
    }


def _name(entry: Entry) -> tuple[object, ...]:
    """Return what an entry names, whatever else names it too."""
    return entry.identifiers or (entry.fields.title,)
