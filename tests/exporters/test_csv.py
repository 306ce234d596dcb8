import csv
import io

import pytest

from papertrack.exporters.csv import COLUMNS, to_csv
from papertrack.records import Author
from papertrack.text import clean
from tests.exporters.papers import HOSTILE, make_paper


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_every_paper_is_one_line_under_the_documented_columns() -> None:
    text = to_csv([make_paper(), make_paper(2, "li2024", title='a\nb, "c"')])
    assert len(text.splitlines()) == 3
    first, second = rows_of(text)
    assert tuple(first) == COLUMNS
    assert first["authors"] == "Woosuk Kwon; Zhuohan Li"
    assert first["categories"] == "LLM/Serving"
    assert first["year"] == "2023"
    assert first["doi"] == ""
    assert second["title"] == 'a b, "c"'


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@SUM(1)", " =1", '"=1', "'=1", "\t=1", "\r=1", "＝1", "\u200b=1"]
)
def test_a_text_that_a_spreadsheet_would_run_is_quoted_as_text(text: str) -> None:
    row = rows_of(to_csv([make_paper(title=text, authors=(Author(text),))]))[0]
    assert row["title"].startswith("'")
    assert row["authors"].startswith("'")


def test_hostile_titles_come_back_as_they_are_but_for_the_quote_before_formulas() -> None:
    papers = [make_paper(number, title=title) for number, title in enumerate(HOSTILE)]
    for title, row in zip(HOSTILE, rows_of(to_csv(papers)), strict=True):
        assert row["title"].removeprefix("'") == clean(title)
