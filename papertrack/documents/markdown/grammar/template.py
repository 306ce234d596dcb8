"""How the entries of a document are written: learnt from all of their cuts, and written again.

What stands between two slots is what mostly stands there: in entries of the same group and with
the same parts above all, then in the whole document. A part that an entry lacks leaves its
neighbours side by side, as they are in the entries that lack it too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cmp_to_key
from itertools import chain, combinations, pairwise

from papertrack.documents.markdown.grammar.balance import closed_choice, is_balanced
from papertrack.documents.markdown.grammar.cuts import LINKED_TITLE, Cut, role_of_key, unit_of_key
from papertrack.documents.markdown.grammar.tally import Context, Tally
from papertrack.documents.markdown.model import Group

START, END = "<", ">"
"""What is before the first slot, and behind the last."""
_ANY = "*"
_SENTENCE_ENDS = ("?", "!", ".", "。", "？", "！")
_ENOUGH = 4
"""Entries of a group that show which parts it has."""
_MOST, _NEARLY_ALL = 0.6, 0.8
_CHOICES = 4
"""So many of the gaps that were seen may stand between two slots."""
_STOPS = (".", "。")
_CLOSERS = ")]}>）】」』》,.;:"
_CLOSER = r"(?:[)\]}）】」』》\"”’*_~`]|</[a-z]+>)"
_CLOSING = re.compile(rf"(?:[.。](?={_CLOSER}))?{_CLOSER}*")
_LABEL = re.compile(r"[^\W\d_]{2,}\W{0,3}[:：]\W*$")
_LETTERS = re.compile(r"[^\W\d_]")
_LAST_LINE = re.compile(r"[\r\n]+[^\r\n]*$")
_LINE_START = re.compile(r"[ \t>]*(?:[-+*][ \t]+)?")


class Template:
    """What was learnt of the cuts of a document."""

    def __init__(self, text: str, cuts: Iterable[Cut] = ()) -> None:
        self.text = text
        self.gaps: Tally[str] = Tally()
        """What stands between two slots."""
        self.keys: Tally[str] = Tally()
        """By place, and by place and group: how many entries have each slot."""
        self.sequences: Tally[tuple[str, ...]] = Tally()
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
        self.sequences.add(keys, places)
        self.orders.update((where, *pair) for pair in combinations(keys, 2))

    def share(self, key: str, where: str, group: Group) -> float:
        """Return the share of entries that have a slot: of the group, if it has enough of them."""
        context: Context = (where, group)
        if self.sizes[context] < _ENOUGH:
            context = (where,)
        return self.keys.seen(context)[key] / max(self.sizes[context], 1)

    def follows(self, other: str, key: str, where: str) -> bool:
        """Return whether behind a slot nearly always the other one comes next."""
        count = self.gaps.seen((where, key, other)).total()
        return count > 0 and count >= _NEARLY_ALL * self.keys.seen((where,))[key]

    def needs(self, key: str, other: str, where: str) -> bool:
        """Return whether nearly all entries that have a slot have the other one too."""
        known = self.sequences.seen((where,)).items()
        having = [(keys, count) for keys, count in known if key in keys]
        both = sum(count for keys, count in having if other in keys)
        return both > 0 and both >= _NEARLY_ALL * sum(count for _, count in having)

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
        keys = tuple(order) or self.ordered(like, texts)
        shown = ["", *(texts[key] for key in keys)]
        joints = self.joints(like, keys, shown, gaps or {})
        return "".join(chain.from_iterable(zip(shown, joints, strict=True)))

    def joints(
        self,
        like: Cut | Sketch,
        keys: tuple[str, ...],
        shown: Sequence[str],
        given: Mapping[str, str],
    ) -> list[str]:
        """Return what stands behind each of the texts shown, the first of which is empty: before
        some slots the gaps that are given."""
        sketch = Sketch(like.where, like.group, like.near, keys)
        pairs = pairwise((START, *keys, END))
        choices = [
            [given[pair[1]]] if pair[1] in given else self._choices(sketch, pair, before)
            for pair, before in zip(pairs, shown, strict=True)
        ]
        usual = [gaps[0] for gaps in choices]
        return usual if is_balanced(usual) else closed_choice(choices) or usual

    def _choices(self, sketch: Sketch, pair: tuple[str, str], before: str) -> list[str]:
        """Return what may stand between two slots, the likeliest first."""
        scores = self.gaps.scores(_near(sketch, pair, before))
        near = sorted(scores, key=scores.__getitem__, reverse=True)[:_CHOICES]
        likes = (self.gaps.seen(c) for c in _wide(sketch.where, pair) if _ANY not in c)
        wide = map(_best_without_words, likes)
        found = [*near, *filter(None, wide)] or [self._joined(sketch.where, pair)]
        ended = before.endswith(_SENTENCE_ENDS)
        return [*dict.fromkeys(_after_end(gap) if ended else gap for gap in found)]

    def empty(self, like: Sketch, default: str) -> str:
        """Return what stands where nothing is said: blanks, or what nearly always stands there."""
        scores = self.gaps.scores(_near(like, (START, END), ""))
        gap, count = next(iter(scores.most_common(1)), (default, 0))
        if gap.strip() and count < _NEARLY_ALL * scores.total():
            return next((gap for gap, _ in scores.most_common() if not gap.strip()), default)
        return gap

    def ordered(self, like: Cut | Sketch, keys: Iterable[str]) -> tuple[str, ...]:
        """Return slots in the order that they have in an entry with all of them; where there is
        none, in the order that most have."""
        wanted: frozenset[str] = frozenset(keys)
        best: tuple[float, tuple[str, ...]] = (0, ())
        for place, weight in (((like.where,), 1), ((like.where, like.group), 8)):
            for known, count in self.sequences.seen(place).items():
                if wanted <= frozenset(known):
                    score = weight * count / (1 + len(known) - len(wanted))
                    best = max(best, (score, known))
        found = tuple(key for key in best[1] if key in wanted)
        return found or self._sorted(like.where, wanted)

    def all_ordered(self, like: Sketch) -> tuple[str, ...]:
        """Return all slots that a place has, in the order that most entries have."""
        return self._sorted(like.where, frozenset(self.keys.seen((like.where,))))

    def _sorted(self, where: str, keys: frozenset[str]) -> tuple[str, ...]:
        """Return slots in the order that most entries have, what a link says side by side."""
        ranks = {key: self._rank(where, key) for key in sorted(keys)}
        units: dict[str, list[str]] = {}
        for key in ranks:
            units.setdefault(unit_of_key(key), []).append(key)

        def compare(first: str, second: str) -> int:
            before = self.orders[(where, first, second)]
            return self.orders[(where, second, first)] - before

        first = {unit: _least(held, ranks) for unit, held in units.items()}
        place = cmp_to_key(compare)
        by_rank: list[str] = sorted(units, key=lambda unit: ranks[first[unit]])
        ordered = sorted(by_rank, key=lambda unit: place(first[unit]))
        for held in units.values():
            held.sort(key=place)
        return tuple(key for unit in ordered for key in units[unit])

    def _rank(self, where: str, key: str) -> float:
        """Return how far behind a slot stands among the others, from 0 to 1."""
        known = self.keys.seen((where,))
        before = sum(self.orders[(where, other, key)] for other in known)
        behind = sum(self.orders[(where, key, other)] for other in known)
        return before / (before + behind) if before + behind else 0.5

    def gap(self, sketch: Sketch, pair: tuple[str, str], before: str) -> str:
        """Return what stands between two slots of an entry with these."""
        return self._choices(sketch, pair, before)[0]

    def _joined(self, where: str, pair: tuple[str, str]) -> str:
        """Return a gap that was never seen: what closes the one slot, a blank, what opens the
        other."""
        first, second = pair
        if first == START:
            behind = _usual_start(self.gaps.seen((where, START, _ANY)))
            marker = _LINE_START.match(behind)
            opening = _LINE_START.sub("", self._opening(where, second).lstrip("\r\n"), count=1)
            return (marker.group() if marker else "") + opening
        closing = _closed(_usual_start(self.gaps.seen((where, first, _ANY))))
        if second == END:
            return closing + self._blank_end(where)
        opening = self._opening(where, second)
        is_apart = not opening.startswith(("\r", "\n"))
        return f"{closing} {opening}" if is_apart else closing + opening

    def _blank_end(self, where: str) -> str:
        """Return the blanks that most end with, as cells do."""
        last = self.gaps.seen((where, _ANY, END))
        end = _usual_start(Counter({gap[::-1]: n for gap, n in last.items()}))
        return end[: len(end) - len(end.lstrip(" \t"))]

    def _opening(self, where: str, key: str) -> str:
        """Return what opens a slot, with the word that is its label, or the start of its line."""
        before = self.gaps.seen((where, _ANY, key))
        gap = _usual_start(Counter({gap[::-1]: n for gap, n in before.items()}))[::-1]
        words = _LAST_LINE.search(gap) or _LABEL.search(gap)
        return words.group() if words else gap.rpartition(" ")[2].lstrip(_CLOSERS)


def _best_without_words(gaps: Counter[str]) -> str | None:
    """Return the most usual gap that is signs, or a label: words that lead from one thing to the
    next need not fit two others."""
    usual = (gap for gap, _ in gaps.most_common() if not _LETTERS.search(_LABEL.sub("", gap)))
    return next(usual, None)


def _least(keys: Iterable[str], ranks: Mapping[str, float]) -> str:
    return min(keys, key=lambda key: ranks[key])


def _closed(gap: str) -> str:
    """Return what of a gap closes the slot before it."""
    signs = _CLOSING.match(gap)
    return signs.group() if signs else ""


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
    roles = tuple(map(_kind, pair))
    yield "like", where, first, roles[1]
    yield "like", where, roles[0], second
    yield "like", where, *roles
    yield where, first, _ANY
    yield where, _ANY, second


def _kind(key: str) -> str:
    """Return what kind of thing a slot says: a title's link is no link behind it."""
    return key if key == LINKED_TITLE or key.endswith(":title") else role_of_key(key)


def _after_end(gap: str) -> str:
    """Return what stands behind the end of a sentence: no full stop."""
    return gap[1:] if gap[:1] in _STOPS else gap


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
