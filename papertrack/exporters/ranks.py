"""Papers as JSON with how likely the reader saves them: what ``list`` and ``show`` print."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from papertrack.exporters.json import paper_to_json
from papertrack.records import Paper


def reasons_to_json(
    words: Sequence[str], authors: Sequence[str], topics: Iterable[tuple[str, str]]
) -> Iterator[dict[str, str | None]]:
    """What speaks for a paper: words that carry its score, authors, topics with their reasons."""
    for kind, names in (("words", words), ("authors", authors)):
        if names:
            yield {"kind": kind, "text": ", ".join(names), "citekey": None}
    for name, reason in topics:
        yield {"kind": "topic", "text": f"{name}: {reason}", "citekey": None}


def ranks_to_json(
    ranks: Iterable[tuple[int, float, Sequence[str], Sequence[str]]],
    topics: Mapping[int, Sequence[tuple[str, str]]],
) -> dict[int, dict[str, object]]:
    """Ranks as JSON values, by paper: of its number, score, words and authors, and of the names
    and reasons of its topics."""
    return {
        number: {
            "score": score,
            "reasons": [*reasons_to_json(words, authors, topics.get(number, ()))],
        }
        for number, score, words, authors in ranks
    }


def ranked_to_json(paper: Paper, rank: dict[str, object] | None) -> dict[str, object]:
    """One paper as JSON values, with its rank; None where it has none."""
    shape = paper_to_json(paper)
    shape["rank"] = rank
    return shape
