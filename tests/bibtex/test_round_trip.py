"""What is exported is read again as it was: for any text, and for the entries of the collection."""

from pathlib import Path

import bibtexparser
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papertrack.documents.bibtex.facts import BibEntry
from papertrack.documents.bibtex.fresh import Dialect, safe_key
from papertrack.documents.bibtex.parse import parse_bibtex
from papertrack.documents.encoding import decode_bib
from papertrack.exporters.bibtex import to_bibtex
from papertrack.latex.tables import SPECIALS
from papertrack.records import Author, Paper, PaperFacts
from papertrack.text import clean, split_name
from tests.corpus import files, some

DIALECTS: tuple[Dialect, ...] = ("bibtex", "biblatex")
TEXTS = st.text(max_size=30) | st.text(alphabet="{}\\$%&#_^~-'`\"@,=ab A\n", max_size=30)


@pytest.mark.parametrize("dialect", DIALECTS)
@given(title=TEXTS, name=TEXTS, venue=TEXTS)
def test_any_title_name_and_venue_survive_and_make_no_second_entry(
    dialect: Dialect, title: str, name: str, venue: str
) -> None:
    facts = PaperFacts(
        title=title, authors=(Author("Ada Lovelace"), Author(name)), venue=venue or None
    )
    paper = Paper(1, "key", facts, "2024-01-01", decision="saved")
    other = Paper(2, "other", PaperFacts(title="Other"), "2024-01-01")
    library = parse_bibtex(to_bibtex([paper, other], dialect=dialect))
    assert library.skipped == ()
    read, after = library.entries
    assert (read.citekey, after.citekey, after.facts.title) == ("key", "other", "Other")
    assert (read.facts.title or "") == clean(title)
    if clean(venue) and not clean(venue).casefold().startswith(("arxiv", "corr")):
        assert read.facts.venue == clean(venue)
    assert [author.name for author in read.facts.authors] == [
        "Ada Lovelace",
        *([printed(name)] if clean(name) else []),
    ]


def printed(name: str) -> str:
    """As a name is printed: "Family, First" the other way round, a suffix without its comma."""
    name = clean(name)
    if name.casefold() in ("others", "et al", "et al.", "and others"):
        return "et al."
    family, first, suffix = split_name(name)
    if "," in first + family or not first or set(name) & set(SPECIALS):
        return name
    whole = " ".join(part for part in (first, family, suffix) if part)
    return name if name.count(",") > 1 or " and " in f" {name.casefold()} " else whole


each_file = pytest.mark.parametrize(
    "path", some(files("bib/*.bib"), "round trip", 50), ids=lambda path: path.name
)


def entries_with_keys(path: Path) -> list[BibEntry]:
    text, _ = decode_bib(path.read_bytes())
    by_key = {entry.citekey: entry for entry in reversed(parse_bibtex(text).entries)}
    return [entry for key, entry in by_key.items() if key is not None]


@pytest.mark.corpus
@each_file
def test_a_collections_file_comes_back_with_the_same_facts(path: Path) -> None:
    entries = entries_with_keys(path)
    papers = [
        Paper(number, entry.citekey or "", entry.facts, "2024-01-01")
        for number, entry in enumerate(entries)
    ]
    text = to_bibtex(papers, dialect="biblatex")
    assert not bibtexparser.parse_string(text).failed_blocks
    library = parse_bibtex(text)
    assert library.skipped == ()
    again = {entry.citekey: entry.facts for entry in library.entries}
    assert len(again) == len(papers)
    for paper in papers:
        old, new = paper.facts, again[safe_key(paper.citekey)]
        assert new.title == old.title
        assert new.year == old.year
        assert new.published_type == old.published_type or old.published_type == "misc"
        assert [author.name for author in new.authors] == [author.name for author in old.authors]
        assert set(new.identifiers) == set(old.identifiers)
        if old.published_type != "misc":
            assert new.venue == old.venue
    assert to_bibtex(reversed(papers), dialect="biblatex") == text


@pytest.mark.corpus
@each_file
def test_every_entry_of_a_collections_file_is_read_or_reported(path: Path) -> None:
    data = path.read_bytes()
    text, _ = decode_bib(data)
    library = parse_bibtex(text)
    for entry in library.entries:
        assert text[slice(*entry.span)] == entry.raw
    parsed = bibtexparser.parse_string(text)
    broken = [block for block in parsed.failed_blocks if not hasattr(block, "ignore_error_block")]
    repeated = len(parsed.failed_blocks) - len(broken)
    assert len(library.entries) + len(library.skipped) >= len(parsed.entries) + repeated
