"""docs/coming-from.md says what is so."""

import re

from papertrack.actions.migrate.item_import import Statuses
from papertrack.importers.model import Item
from papertrack.records import PaperFacts
from tests.cli.commands import ROOT

TEXT = (ROOT / "docs/coming-from.md").read_text(encoding="utf-8")
MEANINGS = {
    "in the inbox": ("inbox", 0),
    "saved": ("saved", 0),
    "saved, pass 1 done": ("saved", 1),
    "saved, pass 2 done": ("saved", 2),
    "discarded": ("discarded", 0),
}


def test_words_mean_what_the_table_says() -> None:
    table = TEXT.partition("| Word there | Here |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| ([^|-]+) \| ([^|]+) \|$", table, re.M)
    assert len(rows) == len(MEANINGS)
    for words, meaning in rows:
        for word in words.split(", "):
            item = Item("x", "misc", PaperFacts(), statuses=(word.title(),))
            assert Statuses().of(item) == MEANINGS[meaning]
