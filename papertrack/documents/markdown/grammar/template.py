"""How the entries of a document are written: learnt from all of their cuts, and written again.

What stands between two slots is what mostly stands there: in entries of the same group and with
the same parts above all, then in the whole document. A part that an entry lacks leaves its
neighbours side by side, as they are in the entries that lack it too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cmp_to_key
from itertools import pairwise

from papertrack.documents.markdown.grammar.cuts import Cut, role_of_key
from papertrack.documents.markdown.grammar.tally import Context, Tally
from papertrack.documents.markdown.model import Group

START, END = "<", ">"
"""What is before the first slot, and behind the last."""
_ANY = "*"
_SENTENCE_ENDS = ("?", "!", ".", "。", "？", "！")
_ENOUGH = 4
"""Entries of a group that show which parts it has."""
_MOST = 0.6


class Template:
    """What was learnt of the cuts of a document."""

    def __init__(self, text: str, cuts: Iterable[Cut] = ()) -> None:
        self.text = text
        self.gaps: Tally[str] = Tally()
        """What stands between two slots."""
        self.keys: Tally[str] = Tally()
        """By place, and by place and group: how many entries have each slot."""
        self.sizes: Counter[Context] = Counter()
        self.orders: Counter[tuple[str, str, str]] = Counter()
        """How often a slot stands before another one."""
        for cut in cuts:
            self.learn(cut)

    def learn(self, cut: Cut) -> None:
        """Learn how one more cut is written."""
        keys, where = cut.keys, cut.where
        before = ["", *(self.text[slice(*slot.span)] for slot in cut.slots)]
        pairs = pairwise((START, *keys, END))
        for pair, shown, gap in zip(pairs, before, cut.gaps(self.text), strict=True):
            contexts = [context for context, _ in _near(cut, pair, shown)]
            self.gaps.add(gap, (*contexts, *_wide(where, pair)))
        places: list[Context] = [(where,), (where, cut.group)]
        self.sizes.update(places)
        for key in keys:
            self.keys.add(key, places)
        for number, key in enumerate(keys):
            self.orders.update((where, key, behind) for behind in keys[number + 1 :])

    def share(self, key: str, where: str, group: Group) -> float:
        """Return the share of entries that have a slot: of the group, if it has enough of them."""
        context: Context = (where, group)
        if self.sizes[context] < _ENOUGH:
            context = (where,)
        return self.keys.seen(context)[key] / max(self.sizes[context], 1)

    def write(
        self,
        like: Cut | Sketch,
        texts: Mapping[str, str],
        order: Sequence[str] = (),
        gaps: Mapping[str, str] | None = None,
    ) -> str:
        """Return slots with these texts in this order, by default the usual one, with what is
        between them: before some slots the ``gaps`` that are given.

        ``like`` is what they are written like: its place and its group count.
        """
        keys = tuple(order) or self.ordered(like.where, texts)
        sketch = Sketch(like.where, like.group, like.near, keys)
        shown = ["", *(texts[key] for key in keys)]
        written = ""
        for pair, before in zip(pairwise((START, *keys, END)), shown, strict=True):
            gap = (gaps or {}).get(pair[1])
            written += before + (self.gap(sketch, pair, before) if gap is None else gap)
        return written

    def ordered(self, where: str, keys: Iterable[str]) -> tuple[str, ...]:
        """Return slots in the order that they mostly have."""

        def compare(first: str, second: str) -> int:
            before = self.orders[(where, first, second)]
            return self.orders[(where, second, first)] - before

        given = sorted(keys, key=lambda key: self._rank(where, key))
        return tuple(sorted(given, key=cmp_to_key(compare)))

    def _rank(self, where: str, key: str) -> float:
        """Return how far behind a slot stands among the others, from 0 to 1."""
        known = self.keys.seen((where,))
        before = sum(self.orders[(where, other, key)] for other in known)
        behind = sum(self.orders[(where, key, other)] for other in known)
        return before / (before + behind) if before + behind else 0.5

    def gap(self, sketch: Sketch, pair: tuple[str, str], before: str) -> str:
        """Return what stands between two slots of an entry with these."""
        gap = self.gaps.best(_near(sketch, pair, before))
        likes = (context for context in _wide(sketch.where, pair) if _ANY not in context)
        for context in likes if gap is None else ():
            gap = self.gaps.best([(context, 1)]) if gap is None else gap
        return self._joined(sketch.where, pair) if gap is None else gap

    def _joined(self, where: str, pair: tuple[str, str]) -> str:
        """Return a gap that was never seen: what closes the one slot, a blank, what opens the
        other."""
        behind = self.gaps.seen((where, pair[0], _ANY))
        before = self.gaps.seen((where, _ANY, pair[1]))
        closing = _usual_start(behind)
        opening = _usual_start(Counter({gap[::-1]: n for gap, n in before.items()}))[::-1]
        if START in pair or END in pair:
            return opening or closing
        return f"{closing.rstrip()} {opening.lstrip()}"


@dataclass(frozen=True, slots=True)
class Sketch:
    """What is to be written: where, among which entries, and which slots."""

    where: str
    group: Group
    near: int
    """As of a cut."""
    keys: tuple[str, ...] = ()


def _near(cut: Cut | Sketch, pair: tuple[str, str], before: str) -> Iterator[tuple[Context, int]]:
    """Yield what a gap may depend on, with its weight: the nearer, the weightier."""
    exact = (cut.where, *pair)
    yield exact, 1
    yield (*exact, cut.group), 6
    yield (*exact, "near", cut.near), 6
    yield (*exact, cut.keys), 4
    yield (*exact, cut.keys, cut.group), 12
    if before.endswith(_SENTENCE_ENDS):
        yield (*exact, "ended"), 20


def _wide(where: str, pair: tuple[str, str]) -> Iterator[Context]:
    """Yield what a gap like one that was never seen may depend on, the narrowest first."""
    first, second = pair
    roles = role_of_key(first), role_of_key(second)
    yield "like", where, first, roles[1]
    yield "like", where, roles[0], second
    yield "like", where, *roles
    yield where, first, _ANY
    yield where, _ANY, second


def _usual_start(gaps: Counter[str]) -> str:
    """Return what most of these texts start with."""
    total, start = gaps.total(), ""
    while True:
        following: Counter[str] = Counter()
        for gap, count in gaps.items():
            if gap.startswith(start) and len(gap) > len(start):
                following[gap[len(start)]] += count
        sign, count = next(iter(following.most_common(1)), ("", 0))
        if count <= _MOST * total:
            return start
        start += sign
