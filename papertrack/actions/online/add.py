"""What arXiv can add to adding papers: their records at once, and papers by words of a title."""

from __future__ import annotations

from collections.abc import Sequence

from papertrack.actions.online.fetching import fetch_in_time
from papertrack.identifiers import identify
from papertrack.sources.arxiv_api import BATCH_IDS
from papertrack.sources.arxiv_record import ArxivRecord
from papertrack.sources.transport import Door
from papertrack.store.answers import read_answers
from papertrack.store.lookup import find_papers
from papertrack.store.store import Store


def fetch_for_adding(
    store: Store, door: Door, texts: Sequence[str], *, seconds: float
) -> tuple[dict[str, ArxivRecord], str | None]:
    """arXiv's records of the papers named, by id, as far as they come in time, else why not.

    Papers that arXiv answered about before are not asked for, and of the others never more than
    one request can hold.
    """
    identifiers = [identifier for text in texts if (identifier := identify(text.strip()))]
    owners = find_papers(store, identifiers)
    answered = {
        asked.arxiv_id for asked in read_answers(store, list(owners.values())) if asked.source
    }
    wanted = {i.value for i in identifiers if i.scheme == "arxiv"} - answered
    if not wanted:
        return {}, None
    records, problem = fetch_in_time(door, sorted(wanted)[:BATCH_IDS], seconds)
    if problem is None and len(wanted) > BATCH_IDS:
        problem = f"arXiv is asked about {BATCH_IDS} papers at once."
    return records, problem
