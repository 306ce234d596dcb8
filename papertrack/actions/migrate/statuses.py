"""What other tools' words about reading mean here: a decision or a number of passes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from papertrack.errors import UsageError
from papertrack.importers.model import Item
from papertrack.records import DECISIONS, PASSES, Decision
from papertrack.text import clean, few, fold


class Meaning(NamedTuple):
    """What a word means here."""

    decision: Decision = "saved"
    passes: int = 0

    def __str__(self) -> str:
        return f"pass {self.passes}" if self.passes else self.decision


_MEANINGS: Mapping[str, Meaning] = {
    **dict.fromkeys(("new", "inbox", "unsorted"), Meaning("inbox")),
    **dict.fromkeys(("to read", "unread", "not read", "want to read", "todo"), Meaning("saved")),
    **dict.fromkeys(("in progress", "reading", "skimmed", "started"), Meaning(passes=1)),
    **dict.fromkeys(("read", "done", "finished", "completed"), Meaning(passes=2)),
    **dict.fromkeys(("not reading", "abandoned", "rejected"), Meaning("discarded")),
}
"""Words in status fields of tools and their plug-ins: being read counts as a first pass, having
been read as a second."""


class Statuses:
    """The table of words and meanings."""

    def __init__(self, told: Sequence[str] = ()) -> None:
        """``told`` are the reader's own meanings: ``to read=saved``. Raises UsageError."""
        self._own = dict(map(_parse, told))

    def of(self, item: Item) -> Meaning | None:
        """Return what an item's words mean: the most passes, or the last decision. Words that the
        reader mapped are also looked up among tags and categories."""
        words = [_word(status) for status in item.statuses]
        named = [*item.tags, *item.automatic_tags, *(path[-1] for path in item.categories)]
        meanings = [
            _MEANINGS[word] for word in words if word in _MEANINGS and word not in self._own
        ]
        meanings += [self._own[w] for w in (*words, *map(_word, named)) if w in self._own]
        return max(meanings, key=lambda meaning: meaning.passes) if meanings else None

    def table(self, items: Iterable[Item]) -> list[tuple[str, int, str]]:
        """Return the words in use, how many items have each, and its meaning."""
        counted: Counter[str] = Counter()
        for item in items:
            named = [*item.tags, *item.automatic_tags, *(path[-1] for path in item.categories)]
            counted.update({_word(status) for status in item.statuses})
            counted.update({_word(one) for one in named} & self._own.keys())
        known = {**_MEANINGS, **self._own}
        return [
            (word, number, str(known[word]) if word in known else "nothing yet: set it with --map")
            for word, number in counted.most_common()
        ]


def _parse(told: str) -> tuple[str, Meaning]:
    word, equals, meaning = told.rpartition("=")
    meaning = _word(meaning).removeprefix("pass ").removeprefix("pass")
    if equals and _word(word):
        for decision in DECISIONS:
            if meaning == decision:
                return _word(word), Meaning(decision)
        if meaning in map(str, PASSES):
            return _word(word), Meaning(passes=int(meaning))
    raise UsageError(
        f"--map {told!r} has no meaning: write WORD=MEANING, such as 'to read=saved', with one of "
        f"{few([*DECISIONS, 'pass 1', 'pass 2', 'pass 3'], shown=6)}."
    )


def _word(text: str) -> str:
    return " ".join(fold(clean(text)).replace("_", " ").replace("-", " ").split()).lower()
