"""The entries that an export adds to a .bib file, and the papers that they are of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from papertrack.documents.bibtex.add import NewEntry, new_entries
from papertrack.documents.bibtex.fresh import Dialect, entry_of, safe_key
from papertrack.documents.bibtex.hand import Hand
from papertrack.documents.bibtex.own import Own, own_under
from papertrack.store.lookup import get_papers
from papertrack.store.store import Store
from papertrack.sync.items import Add

Addition = tuple[Add | None, NewEntry]
"""An entry that is added; the paper is None where the library has none of it."""


@dataclass(frozen=True, slots=True)
class Adding:
    """Adds to one file."""

    store: Store
    name: str
    dialect: Dialect
    protect: Sequence[str]
    extra: Sequence[str]
    hand: Hand
    """How new entries are written."""

    def additions(
        self, text: str, added: Sequence[Add], own: Mapping[int, Sequence[Own]]
    ) -> list[Addition]:
        """The entries of the papers added, in the order of the file that has this text, with those
        that they name.

        A paper has its ``own`` where .bib files brought it, else a new one.
        """
        chosen = {self._entry(one, own.get(one.paper.id, ())): one for one in added}
        ids = {one.paper.id for one in added}
        others = {
            one: paper_id
            for paper_id, several in own.items()
            if paper_id not in ids
            for one in several
        }
        papers = {one.id: one for one in get_papers(self.store, list(set(others.values())))}
        adds: dict[Own, Add] = {
            **{one: Add(papers[paper_id], ()) for one, paper_id in others.items()},
            **chosen,
        }
        new = new_entries(text, self.name, chosen, others)
        return [(adds.get(one.own) if one.own else None, one) for one in new]

    def _entry(self, add: Add, several: Sequence[Own]) -> Own:
        if several:
            return own_under(add.paper.citekey, several, is_biblatex=self.dialect == "biblatex")
        text = entry_of(
            add.paper,
            dialect=self.dialect,
            protect=self.protect,
            extra=self.extra,
            hand=self.hand,
        )
        return Own(safe_key(add.paper.citekey), text)
