"""What a .bib file holds: its entries, and what was not understood."""

from __future__ import annotations

from dataclasses import dataclass, field

from papertrack.records import PaperFacts, Skipped


@dataclass(frozen=True, slots=True)
class BibEntry:
    """One entry: what it says as facts, what other tools noted about its reading, and itself."""

    citekey: str | None
    """As written; None where the entry has no key."""
    type: str
    """In small letters: ``inproceedings``."""
    facts: PaperFacts
    raw: str
    """The exact text of the entry, from ``@`` to its closing brace."""
    span: tuple[int, int]
    """Where ``raw`` stands in the text."""
    line: int
    """Counted from 1."""
    whole: str = ""
    """``raw`` as a file of its own: with the @strings, @preambles and entries that it needs."""
    fields: tuple[tuple[str, str], ...] = ()
    """Name in small letters and value, in their order: without delimiters, @string names and ``#``
    resolved, LaTeX as written; nothing inherited."""
    borrowed: tuple[tuple[str, str], ...] = ()
    """Names and values that change with other parts of the file: those with a @string in them, and
    those of a crossref or xdata parent."""
    tags: tuple[str, ...] = ()
    """From ``keywords``, ``mendeley-tags`` and JabRef's ``priority``: ``prio1`` to ``prio3``."""
    categories: tuple[tuple[str, ...], ...] = ()
    """The entry's JabRef groups, as paths in the file's tree of groups."""
    passes: int | None = None
    """From JabRef's ``readstatus``: ``skimmed`` is the first pass, ``read`` the second."""
    rating: int | None = None
    """From JabRef's ``ranking``, 1 to 5."""
    citekey_aliases: tuple[str, ...] = ()
    """From biblatex's ``ids``."""
    problems: tuple[str, ...] = ()
    """What is odd about the entry and was read all the same, such as a key used twice."""


@dataclass(frozen=True, slots=True)
class BibLibrary:
    """A parsed .bib text. Every entry in it is in ``entries`` or reported in ``skipped``."""

    entries: tuple[BibEntry, ...]
    skipped: tuple[Skipped, ...]
    strings: dict[str, str] = field(default_factory=dict)
    """@string name in small letters → its value without delimiters, LaTeX as written."""
    groups: tuple[tuple[str, ...], ...] = ()
    """JabRef's tree of groups, as paths in its order."""
