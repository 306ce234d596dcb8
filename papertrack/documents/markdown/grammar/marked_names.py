"""Names that emphasis marks among others, as people mark their own: ``Ann Bee, **Jane Doe**``.

Such a mark says nothing of how an entry is built: its atom stands as those beside it do, with the
mark as a part of its words. A title of a few words in bold beside names looks the same, so only
what stands in several entries, between names, or where the title is another one, is taken for one
more name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from papertrack.documents.markdown.grammar.looks import Looks
from papertrack.documents.markdown.grammar.pieces import Atom, Wrap

_SURE_NAME = 0.55
_FEW_WORDS = 3
"""More are nobody's name: a title."""


def with_names_alike(atoms: Sequence[Atom], looks: Sequence[Looks]) -> Sequence[Atom]:
    """Return an entry's atoms, those that are marked names among names without their marks."""
    marks = [_mark_of_name(atoms, looks, at) for at in range(len(atoms))]
    if not any(marks):
        return atoms
    plain = [_without(mark, atom) for mark, atom in zip(marks, atoms, strict=True)]
    return [
        plain[at] if marks[at] and _is_among_names(atoms, plain, looks, at) else atom
        for at, atom in enumerate(atoms)
    ]


def _mark_of_name(atoms: Sequence[Atom], looks: Sequence[Looks], at: int) -> Wrap | None:
    """Return the emphasis that holds an atom which reads like a name, and nothing else."""
    atom = atoms[at]
    if looks[at].name <= _SURE_NAME or atom.link or not atom.wraps:
        return None
    mark = atom.wraps[-1]
    beside = [*atoms[max(at - 1, 0) : at], *atoms[at + 1 : at + 2]]
    is_whole = not any(mark in other.wraps for other in beside)
    return mark if mark.kind in ("bold", "emph") and is_whole else None


def _without(mark: Wrap | None, atom: Atom) -> Atom:
    """Return an atom whose mark is a part of its words."""
    if mark is None:
        return atom
    return replace(atom, start=mark.start, end=mark.end, wraps=atom.wraps[:-1])


def _is_among_names(
    atoms: Sequence[Atom], plain: Sequence[Atom], looks: Sequence[Looks], at: int
) -> bool:
    """Whether a marked name stands beside others, and is not what these people wrote."""
    beside = [
        plain[max(at, other)].before in (",", "")
        and plain[at].wraps == plain[other].wraps
        and looks[other].name > _SURE_NAME
        for other in (at - 1, at + 1)
        if 0 <= other < len(atoms)
    ]
    is_between = len(beside) > 1 and all(beside)
    return is_between or (any(beside) and (looks[at].common > 0 or _has_title(atoms, looks, at)))


def _has_title(atoms: Sequence[Atom], looks: Sequence[Looks], at: int) -> bool:
    """Whether many words that are set off stand before an atom, or behind it in quotes."""
    words: dict[Wrap, float] = {}
    for place, (atom, look) in enumerate(zip(atoms, looks, strict=True)):
        kinds = ("link", "bold", "emph", "quote") if place < at else ("quote",)
        for wrap in atom.wraps:
            if wrap.kind in kinds:
                words[wrap] = words.get(wrap, 0.0) + look.words
    return max(words.values(), default=0.0) > _FEW_WORDS
