"""Quotes come and go in a note, and no line of the reader's ever does."""

import random
import re

import pytest

from papertrack.documents.note_highlights import NoteUpdate, colour_meaning, set_highlights
from papertrack.importers.html import Annotation, quotes_of

A, B, C, D = "aaaaaaaa", "bbbbbbbb", "cccccccc", "dddddddd"
NOTE = "# Lamps\n\nMy own start.\n"


def quote(page: int, words: str, comment: str = "") -> str:
    return f"*page {page}, highlight, yellow*\n\n> {words}" + (f"\n\n{comment}" if comment else "")


WANTED = {A: quote(1, "Lamps are bright."), B: quote(2, "Drawers are dark.", "Why?")}


def put(text: str, wanted: dict[str, str], known: set[str] | None = None) -> NoteUpdate:
    """Put them, and once more: that changes nothing."""
    update = set_highlights(text, wanted, known or set())
    again = set_highlights(update.text, wanted, {*wanted})
    assert again.text == update.text
    assert again[1:4] == (0, 0, 0)
    return update


def shown(text: str) -> str:
    """What is read of a note: without comments, which are not shown."""
    return re.sub(r" ?<!--.*?-->", "", text)


def test_a_note_without_highlights_gets_them_at_its_end() -> None:
    update = put(NOTE, WANTED)
    assert update.text.startswith(NOTE)
    assert shown(update.text.removeprefix(NOTE)) == (
        "\n## Highlights\n\n\n\n*page 1, highlight, yellow*\n\n> Lamps are bright.\n\n"
        "*page 2, highlight, yellow*\n\n> Drawers are dark.\n\nWhy?\n\n\n"
    )
    assert update.added == 2
    assert put(NOTE, {}).text == NOTE
    assert shown(put("", WANTED).text).startswith("## Highlights\n")
    assert put("No end", WANTED).text.startswith("No end\n\n## Highlights\n")


def test_new_ones_come_where_they_belong_and_changed_ones_are_changed() -> None:
    text = put(NOTE, WANTED).text
    wanted = {C: quote(1, "First."), A: WANTED[A], D: quote(1, "Third."), B: quote(3, "Dark.")}
    update = put(text, wanted, {A, B})
    assert update[1:] == (2, 1, 0, 0, 0)
    assert re.findall(r"> (.*)", update.text) == ["First.", "Lamps are bright.", "Third.", "Dark."]
    assert "Why?" not in update.text


def test_moved_ones_move_and_deleted_ones_go() -> None:
    text = put(NOTE, {**WANTED, C: quote(3, "Third.")}).text
    update = put(text, {C: quote(1, "Third."), A: quote(2, "Lamps are bright.")}, {A, B, C})
    assert update[1:4] == (0, 2, 1)
    assert re.findall(r"page \d|> .*", update.text) == [
        *("page 1", "> Third."),
        *("page 2", "> Lamps are bright."),
    ]
    assert put(update.text, WANTED, {A, C}).text == put(text, WANTED, {A, B, C}).text


@pytest.mark.parametrize(
    "edited",
    [
        ("> Lamps are bright.", "> Lamps are (very) bright."),
        ("> Lamps are bright.", "> Lamps are bright.\nThat is so."),
        ("> Lamps are bright.\n", "> Lamps are bright.\n\nThat is so.\n"),
        ("*page 1, highlight, yellow*", "*page 1, highlight, yellow: mine*"),
        ("*page 2", "## My words\n\n*page 2"),
    ],
)
def test_what_the_reader_wrote_into_or_behind_a_quote_stays(edited: tuple[str, str]) -> None:
    text = put(NOTE, WANTED).text
    mine = text.replace(*edited)
    assert mine != text
    update = put(mine, {B: WANTED[B]}, {A, B})
    assert update.text == mine
    assert update.kept == 1


def test_a_quote_that_changes_leaves_the_words_behind_it() -> None:
    text = put(NOTE, WANTED).text.replace("Why?\n", "Why?\nBecause.\n")
    update = put(text, {**WANTED, B: quote(2, "Drawers are dark.", "Really?")}, {A, B})
    assert "> Drawers are dark.\n\nReally?\n\nBecause.\n" in update.text


def test_a_quote_that_the_reader_deleted_stays_away() -> None:
    text = put(NOTE, WANTED).text
    gone = re.sub(r"\*page 1.*?bright\.\n\n", "", text, flags=re.S)
    update = put(gone, WANTED, {A, B})
    assert (update.text, update.left_out) == (gone, 1)
    assert set_highlights(NOTE, WANTED, {A, B}) == (NOTE, 0, 0, 0, 0, 2)
    assert re.findall(r"> (.*)", put(NOTE, WANTED, {A}).text) == ["Drawers are dark."]


def test_a_quote_that_the_reader_copied_or_took_elsewhere_is_theirs() -> None:
    text = put(NOTE, WANTED).text
    own = text[text.index("*page 1") : text.index("*page 2")]
    elsewhere = own + text.replace(own, "")
    assert put(elsewhere, {B: WANTED[B]}, {A, B}).text == elsewhere
    twice = text.replace(own, own + own)
    assert put(twice, WANTED, {A, B}).text == twice


def test_quotes_of_another_paper_in_the_same_note_stay() -> None:
    text = put(NOTE, WANTED).text
    update = set_highlights(text, {C: quote(1, "Other.")}, set())
    assert update[1:] == (1, 0, 0, 0, 0)
    assert [line for line in text.split("\n") if line not in update.text.split("\n")] == []


@pytest.mark.parametrize("marker", [r"<!-- highlights.*?-->\n", r"<!-- end.*?-->\n"])
def test_markers_that_the_reader_deleted_are_not_missed(marker: str) -> None:
    text = re.sub(marker, "", put(NOTE, WANTED).text) + "\nMy end.\n"
    update = put(text, {A: WANTED[A], C: quote(1, "Second."), B: WANTED[B]}, {A, B})
    assert re.findall(r"> (.*)", update.text)[1] == "Second."
    assert update.text.endswith("\nMy end.\n")


def test_line_ends_are_kept() -> None:
    text = put(NOTE.replace("\n", "\r\n"), WANTED).text
    assert text.count("\n") == text.count("\r\n")
    update = put(text, {**WANTED, C: quote(5, "New.")}, {A, B})
    assert update.text.count("\n") == update.text.count("\r\n")
    mixed = put(text + "Unix.\n", {A: WANTED[A]}, {A, B}).text
    assert mixed.endswith("-->\r\nUnix.\n")


@pytest.mark.parametrize("seed", range(10))
def test_no_word_is_lost_in_random_edits_and_reads(seed: int) -> None:
    """Thirty edits by the reader and thirty changes of the PDF, which follow each other."""
    rng = random.Random(seed)
    text, highlights, known, number = NOTE, {}, set[str](), 0
    mine: list[str] = []
    for _ in range(30):
        for _ in range(rng.randint(0, 3)):
            number += 1
            page = rng.randint(1, 9)
            highlights[f"{number:08x}"] = (page, f"quoted{number} and more", "")
        for id in rng.sample(sorted(highlights), min(len(highlights), rng.randint(0, 2))):
            page, words, _ = highlights[id]
            if rng.random() < 0.5:
                del highlights[id]
            else:
                comment = rng.choice(["", f"comment{rng.randint(1, 99)}\nin lines"])
                highlights[id] = (rng.choice([page, rng.randint(1, 9)]), words, comment)
        order = sorted(highlights, key=lambda id: (highlights[id][0], id))
        wanted = {id: quote(*highlights[id]) for id in order}
        text = put(text, wanted, known).text
        known = {*wanted}
        assert re.findall(r"mine\d+x", text) == mine
        text = _edited(rng, text)
        mine = re.findall(r"mine\d+x", text)


def _edited(rng: random.Random, text: str) -> str:
    """The reader writes a word somewhere: in a line, also amidst a quote or a marker, or on one of
    its own; or takes a line away."""
    word = f"mine{rng.randrange(10**9)}x"
    at = rng.randrange(len(text) + 1)
    lines = text.split("\n")
    match rng.randrange(4):
        case 0:
            while any(m.start() < at < m.end() for m in re.finditer(r"mine\d+x", text)):
                at -= 1
            return f"{text[:at]} {word} {text[at:]}"
        case 1:
            lines.insert(rng.randrange(len(lines) + 1), word)
        case 2:
            lines.insert(rng.randrange(len(lines) + 1), f"\n{word}\n")
        case _:
            del lines[rng.randrange(len(lines))]
    return "\n".join(lines)


def test_a_colour_means_the_same_whoever_used_it() -> None:
    by_others = Annotation("3", "highlight", "#ffd400", "Lamps.", "", "Duke of York, Ama of Bath")
    quotes = quotes_of({"0123abcd": by_others}, {"yellow": "the claim, so far"})
    lines = set_highlights("", quotes, frozenset()).text.splitlines()
    meanings = [colour_meaning(line, ()) for line in lines]
    assert [one for one in meanings if one is not None] == ["the claim, so far", ""]
