"""What an edit of one field leaves as the reader wrote it, and what it writes."""

import json
from pathlib import Path

import pytest

from tests.bibtex_actions.conftest import Desk
from tests.cli.commands import Command
from tests.cli.conftest import home, papertrack

__all__ = ["home", "papertrack"]

ENTRY = """@article{bee,
  author  = {%s},
  title   = {%s},
  journal = {J. Gates},
  year    = 2001,
  url     = {https://example.org/a}
}
"""


@pytest.mark.parametrize(
    ("old", "typed", "new"),
    [
        ("On {Bayes} and gates", "On Bayes and doors", "On {Bayes} and doors"),
        ("On {von Neumann} gates", "Of von Neumann doors", "Of {von Neumann} doors"),
        ("{On Bayes and gates}", "On Bayes and doors", "{On Bayes and doors}"),
        ("{On {Bayes} and gates}", "On {Bayes} and doors", "{On Bayes and doors}"),
        (r"On \emph{gates} of Bayes", "Gates of Bayes", "Gates of Bayes"),
        ("{Bayes} and {Gates}", "Bayes", "{Bayes}"),
    ],
)
def test_capitals_in_braces_stay_so_in_a_new_title(
    empty_desk: Desk, old: str, typed: str, new: str
) -> None:
    empty_desk.import_bib(ENTRY % ("Bee, Ann", old))
    empty_desk.edit("bee", f"title={typed}")
    empty_desk.export()
    assert empty_desk.read() == ENTRY % ("Bee, Ann", new)


@pytest.mark.parametrize(
    ("old", "typed", "new"),
    [
        (
            "{The Bayes Team} and Bee, Ann",
            "The Bayes Team; Ann Bee; Carl Dee",
            "{The Bayes Team} and Bee, Ann and Dee, Carl",
        ),
        (
            "Ann {Van Bee} and M{\\'e}, Jo",
            "Carl Dee; Ann Van Bee; Jo Mé",
            "Dee, Carl and Ann {Van Bee} and M{\\'e}, Jo",
        ),
        ("Bee, Ann", "Ann Bee; {The Gate Team}", "Bee, Ann and {The Gate Team}"),
        ("Bee, Ann", "{The Gate Team}", "{The Gate Team}"),
        ("Bee, Ann and others", "Ann Bee; Carl Dee; et al.", "Bee, Ann and Dee, Carl and others"),
        ("Li, Wei and Li, Wei", "Wei Li; Wei Li; Carl Dee", "Li, Wei and Li, Wei and Dee, Carl"),
    ],
)
def test_names_that_stay_are_written_as_they_were(
    empty_desk: Desk, old: str, typed: str, new: str
) -> None:
    empty_desk.import_bib(ENTRY % (old, "Gates"))
    empty_desk.edit("bee", f"authors={typed}")
    empty_desk.export()
    assert empty_desk.read() == ENTRY % (new, "Gates")


def test_another_address_is_written_and_shown(empty_desk: Desk) -> None:
    empty_desk.import_bib(ENTRY % ("Bee, Ann", "Gates"))
    empty_desk.edit("bee", "url=https://example.org/b")
    empty_desk.export()
    text = ENTRY % ("Bee, Ann", "Gates")
    assert empty_desk.read() == text.replace("example.org/a", "example.org/b")
    assert [link.url for link in empty_desk.paper("bee").facts.links] == ["https://example.org/b"]
    empty_desk.edit("bee", "url=")
    empty_desk.export()
    assert "url" not in empty_desk.read()


def test_a_suffix_of_csl_stands_between_commas(papertrack: Command, home: Path) -> None:
    names = [
        {"family": "Neumann", "given": "John", "non-dropping-particle": "von", "suffix": "Jr."},
        {"family": "Bee", "given": "Ann", "suffix": "PhD"},
    ]
    item = {"id": "gate", "type": "article-journal", "title": "Gates", "author": names}
    Path("refs.json").write_text(json.dumps([item]))
    papertrack("init")
    papertrack("import", "refs.json")
    assert (
        "author        = {von Neumann, Jr., John and Bee, PhD, Ann}"
        in papertrack("cite", "gate", "--bibtex").out
    )
