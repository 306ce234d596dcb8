"""The pure parts: TeX, rows, views, kept places, statistics, the five Cs, ASCII."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.color import Color
from textual.content import Content
from textual.theme import BUILTIN_THEMES

from papertrack.errors import UsageError
from papertrack.latex.display import readable
from papertrack.queries.matcher import Hit, describe_hits
from papertrack.store.listing import ListedPaper
from papertrack.store.states import PassCount
from papertrack.store.watch.ranks import Standing
from papertrack.tui import rows
from papertrack.tui.colours import (
    LEAST_CONTRAST,
    MUTED_TEXT,
    TEXT_VARIABLES,
    contrast,
    legible_variables,
)
from papertrack.tui.details import five_cs
from papertrack.tui.filtering import words_in
from papertrack.tui.glyphs import to_ascii
from papertrack.tui.paper_list import Places
from papertrack.tui.progress import InboxProgress
from papertrack.tui.screens.list_screen import merge_in_place
from papertrack.tui.screens.statistics import (
    Numbers,
    _categories,
    _streak,
    _year,
    bar,
    statistics_text,
)
from papertrack.tui.texts import found_terms, highlight
from papertrack.tui.views import VIEWS, Selection, count_of
from tests.corpus import WHOLE
from tests.timing import assert_ratio

from .conftest import Open

Fill = Callable[..., list[int]]


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"$O(n^2 \log n)$ for $\alpha \le 1$", "O(n² log n) for α ≤ 1"),
        (r"Erd\H{o}s, G\"odel and M\"{u}ller", "Erdős, Gödel and Müller"),
        (r"$\mathbb{R}^{d \times k}$, $x_{ij}^{-1}$", "ℝ^(d × k), xᵢⱼ⁻¹"),
        (r"$\frac{a+b}{2}$ and $\mathcal{O}(\sqrt{n})$", "(a+b)/2 and O(√n)"),
        (r"H$_2$O is $2\times$ faster, by 5\%", "H₂O is 2× faster, by 5%"),
        (r"\textbf{bold} and \emph{slanted}", "bold and slanted"),
        ("between $5 and $10", "between $5 and $10"),
        (r"costs \$5", "costs $5"),
        (r"\unknown{y} stays", r"\unknown{y} stays"),
        ("no TeX_here ^ at all {ok}", "no TeX_here ^ at all {ok}"),
        (
            r"\href{https://a.b}{code}, \href{c}{c}, MC\textsuperscript{2}",
            "code (https://a.b), c, MC²",
        ),
        (r"the \LaTeX\ book, by \cite{knuth}", r"the LaTeX book, by \cite{knuth}"),
        (r"\(x^2\) and \ldots", "x² and …"),
    ],
)
def test_common_tex_becomes_unicode(tex: str, text: str) -> None:
    assert readable(tex) == text


@given(st.text(alphabet="\\{}$^_~ab12 fracht\n", max_size=300))
def test_no_tex_breaks_the_reader(text: str) -> None:
    assert isinstance(readable(text), str)


@pytest.mark.parametrize("piece", ["$a", "\\(", "{\\alpha", "$^", "\\frac", "\\hat", "$a$$"])
def test_hostile_tex_is_read_in_linear_time(piece: str) -> None:
    # Eight times the text takes 8 times as long where time is linear, and 64 where it is squared.
    assert_ratio(
        24, lambda: readable(piece * 10_000), lambda: readable(piece * 80_000), floor=0.005
    )


def listed(**others: object) -> ListedPaper:
    values: dict[str, object] = dict.fromkeys(ListedPaper._fields)
    values |= {
        **{"id": 1, "citekey": "a2026b", "title": "A title", "first_author": "Mei Sato"},
        **{"author_count": 2, "added": "2026-01-09", "kind": "paper", "decision": "inbox"},
        "passes_done": 0,
    }
    return ListedPaper(**(values | others))  # type: ignore[arg-type]


@given(title=st.text(max_size=80), width=st.integers(20, 160), mark=st.booleans())
def test_a_row_fills_exactly_the_width(title: str, width: int, mark: bool) -> None:
    row, shape = rows.Row(listed(title=title)), rows.Shape(width, "added")
    lines = [rows.one_line(row, shape, is_marked=mark)]
    lines += rows.two_lines(row, shape, is_marked=mark)
    assert sum(cell_len(char) for char in rows.head_cells(shape, is_reversed=False))
    for cells in lines:
        text = "".join(cell for cell, _ in cells)
        assert abs(cell_len(text) - width) <= (0 if text.isascii() else 80)
        assert not any(unicodedata.category(char) in ("Cc", "Zl", "Zp") for char in text)


def test_no_title_is_cut_where_the_second_line_has_room() -> None:
    title = "A title of many words that needs more than one line of a narrow list to be whole"
    for width in (52, 60, 80, 120):
        row, shape = rows.Row(listed(title=title)), rows.Shape(width, "added")
        lines = rows.two_lines(row, shape, is_marked=False)
        shown = " ".join("".join(cell for cell, look in line if look == "title") for line in lines)
        assert " ".join(shown.split()) == title


def test_a_title_that_would_be_cut_has_the_room_below_the_signs_too() -> None:
    title = "Ring attention without the ring: overlapped exchange of key and value blocks"
    shape = rows.Shape(52, "rank", "inbox", has_rank=True)
    first, second = rows.two_lines(rows.Row(listed(title=title)), shape, is_marked=False)
    (above,) = (cell for cell, look in first if look == "title")
    assert above.strip() == "Ring attention without the ring:"
    text = "".join(cell for cell, _ in second)
    assert text.startswith("    overlapped exchange of key and value blocks · ")
    assert cell_len(text) == 52


@pytest.mark.parametrize(
    ("score", "step"), [(None, 0), (-9.0, 1), (-0.4, 2), (0.0, 2), (0.1, 3), (1.5, 4), (9.0, 5)]
)
def test_a_rank_is_a_bar_of_five_steps_and_three_are_like_what_is_kept(
    score: float | None, step: int
) -> None:
    standing = Standing(score, (), None)
    assert rows.rank_step(standing) == step
    assert rows.rank_bar(standing).count("▰") == step


def test_columns_that_say_the_same_in_all_rows_are_left_out() -> None:
    row = rows.Row(listed(), Standing(1.0, (), None))
    alike = rows.Shape(80, "added", "inbox", has_passes=False, has_rank=False, has_dates=False)
    telling = rows.Shape(80, "added", "", has_passes=True, has_rank=True, has_dates=True)
    shown = [
        "".join(c for line in rows.two_lines(row, shape, is_marked=False) for c, _ in line)
        for shape in (alike, telling)
    ]
    for sign in ("N", "○○○", "▰", "2026-01-09"):
        assert [sign in text for text in shown] == [False, True]


def test_places_of_papers_and_headings_agree_both_ways() -> None:
    places = Places(5, 2, [(0, "one"), (3, "two")])
    assert places.lines == 12
    assert [places.at(line) for line in range(12)] == [
        *[(0, -1), (0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)],
        *[(3, -1), (3, 0), (3, 1), (4, 0), (4, 1)],
    ]
    assert all(places.at(places.line_of(index)) == (index, 0) for index in range(5))
    assert [places.heading(index) for index in range(5)] == ["one", None, None, "two", None]


def test_progress_tells_the_readers_own_pace_and_sums_up() -> None:
    start = datetime(2026, 1, 9, 8, tzinfo=UTC)
    progress = InboxProgress(start)
    assert progress.describe(60) == ""
    for n in range(12):
        decision = "saved" if n < 3 else "discarded"
        progress.record([listed(id=n, decision=decision)], start + timedelta(seconds=6 * (n + 1)))
    assert progress.describe(48) == "12 decided, about 7 minutes left"
    progress.record([listed(id=11, decision="inbox")], start)
    assert progress.describe(49).startswith("11 decided")
    assert progress.describe(0) == "All decided in 1 minute: 3 saved, 8 discarded"


@pytest.mark.parametrize(
    ("facts", "flag"),
    [
        ({}, " "),
        ({"version": 3, "version_read": 1}, "↻"),
        ({"version": 3, "version_read": 3}, " "),
        ({"is_withdrawn": 1}, "†"),
        ({"in_hand_since": "2026-01-09", "is_withdrawn": 1}, "◆"),
    ],
)
def test_the_flag_says_what_is_special(facts: dict[str, object], flag: str) -> None:
    assert rows.flag_glyph(listed(**facts)) == flag


def test_each_paper_is_counted_where_it_is_shown() -> None:
    counts = {
        ("inbox", 0): 1,
        ("inbox", 1): 2,
        ("saved", 0): 4,
        ("saved", 1): 8,
        ("saved", 2): 16,
        ("saved", 3): 32,
        ("discarded", 0): 64,
        ("discarded", 2): 128,
    }
    assert [count_of(view, counts) for view in VIEWS] == [3, 4, 8, 16, 32 + 128, 255]


def test_the_words_of_a_filter_are_known_and_a_fault_has_its_place() -> None:
    assert words_in('moe title:"sparse attention" tag:x (a OR b)') == (
        "moe",
        "sparse attention",
        "a",
        "b",
    )
    assert words_in('"open') == ()
    with pytest.raises(UsageError, match="title"):
        Selection(VIEWS[0], "titel:x").query()


@pytest.mark.parametrize(
    ("old", "new", "kept", "merged"),
    [
        ([1, 2, 3], [1, 3], {2}, [1, 2, 3]),
        ([1, 2, 3], [1, 3], set(), [1, 3]),
        ([1, 2, 3], [9, 2, 3], {1}, [1, 9, 2, 3]),
        ([1, 2, 3, 4], [4, 1], {2, 3}, [1, 2, 3, 4]),
        ([1, 2, 3, 4], [4, 3, 9, 1], {2}, [9, 1, 2, 3, 4]),
        ([1, 2, 3], [3, 2, 1, 8, 9], set(), [1, 2, 3, 8, 9]),
        ([1, 2, 3, 4, 5], [1, 2, 9, 4, 5], {3}, [1, 2, 3, 9, 4, 5]),
        ([1, 2], [], {1, 2}, [1, 2]),
        ([], [1], {5}, [1]),
    ],
)
def test_papers_keep_the_place_where_they_are_shown(
    old: list[int], new: list[int], kept: set[int], merged: list[int]
) -> None:
    assert merge_in_place(old, new, kept) == merged


def test_the_five_cs_are_read_from_the_note() -> None:
    note = """# A paper
## First pass
- Category: what type of paper is this?
  a system
- Context: which papers is it related to?

- Correctness: do they hold? plausible
- **Clarity:** good
## Second pass
Category is not answered here."""
    assert five_cs(note) == {"Category": "a system", "Correctness": "plausible", "Clarity": "good"}


def test_statistics_fit_80_columns_and_count_the_streak() -> None:
    numbers = Numbers(
        states={("saved", 0): 1_234_567, ("inbox", 0): 3},
        weeks=[PassCount("2026-01-05", 120, 30, 7, 9_999)],
        backlog=[("2020-01", 5), ("2025-11", 7), ("2026-01", 1)],
        days={"2026-01-05": 1, "2026-01-07": 4, "2026-01-08": 2},
        minutes={1: 12.5, 3: 180},
        categories=[(f"Category {'x' * 90} {n}", (1, 2, 3, 4)) for n in range(30)],
        in_hand=["T" * 200],
    )
    text = statistics_text(numbers, date(2026, 1, 9)).plain
    assert max(map(cell_len, text.splitlines())) <= 80
    assert "2 days in a row" in text
    assert _streak(["2026-01-09"], date(2026, 1, 9)) == "1 day in a row; 1 day with a pass in all"
    assert "and 15 more" in text
    assert "third pass         180" in text


@pytest.mark.parametrize("width", [34, 74, 194])
def test_categories_keep_to_a_line_each_with_their_numbers(width: int) -> None:
    names = ["计算机视觉/物体检测", "Systems/Serving", "Category " + "x" * 200]
    lines = _categories([(name, (1_234, 20, 3, 4)) for name in names], width)
    assert lines[0].split() == ["○○○", "●○○", "●●○", "●●●"]
    assert [line.split()[-4:] for line in lines[1:]] == [["1,234", "20", "3", "4"]] * 3
    assert {cell_len(line) for line in lines} == {cell_len(lines[0])}
    assert cell_len(lines[0]) <= width


@pytest.mark.parametrize("width", [20, 74, 106])
def test_the_year_is_shaded_by_passes_and_ends_with_this_week(width: int) -> None:
    lines = _year({"2026-01-05": 1, "2026-01-07": 4}, date(2026, 1, 9), width)
    monday, wednesday, friday, saturday = (lines[n] for n in (1, 3, 5, 6))
    assert max(map(len, lines)) <= width + 3
    assert (monday[-1], wednesday[-1], friday[-1]) == ("░", "█", "·")
    assert len(saturday) < len(friday)
    assert "Dec" in lines[0]


def test_the_days_of_the_year_are_squares_in_steps_of_one_colour() -> None:
    days = {f"2026-01-{day:02}": day for day in range(1, 9)}
    numbers = Numbers({("saved", 1): 8}, [], [], days, {}, [], [])
    text = statistics_text(numbers, date(2026, 1, 9))
    squares = [text.plain[span.start] for span in text.spans if "text-success" in str(span.style)]
    assert squares.count("■") == 8 + 4
    assert len({str(span.style) for span in text.spans if "%" in str(span.style)}) == 4
    assert "less · ■ ■ ■ ■ more" in text.plain
    assert "Backlog" not in text.plain


@pytest.mark.parametrize("theme", [name for name in BUILTIN_THEMES if "ansi" not in name])
def test_every_colour_of_a_text_stands_out_from_what_is_behind_it(theme: str) -> None:
    variables = legible_variables(BUILTIN_THEMES[theme].to_color_system().generate())
    for name in (*TEXT_VARIABLES, MUTED_TEXT):
        text = Color.parse(variables[name])
        for behind in ("background", "surface", "panel"):
            found = contrast(text, Color.parse(variables[behind]))
            assert found >= LEAST_CONTRAST, (name, behind)


THEMES = [name for name in BUILTIN_THEMES if "ansi" not in name]


@pytest.mark.parametrize(
    ("keys", "themes"),
    [
        (keys, THEMES if WHOLE else THEMES[number::6])
        for number, keys in enumerate(["s", "enter", "question_mark", "1", "t", "w"])
    ],
)
async def test_every_word_of_a_screen_stands_out_in_all_themes(
    open_tui: Open, fill: Fill, keys: str, themes: list[str]
) -> None:
    fill(2)
    async with open_tui(size=(112, 24)) as tui:
        await tui.press(keys)
        for theme in themes:
            tui.app.theme = theme
            await tui.settle()
            # What is behind a window is dimmed.
            window = next(iter(tui.app.screen.query("#window")), tui.app.screen).region
            strips = tui.app.screen._compositor.render_strips()
            for strip in strips[window.y : window.bottom]:
                for text, style, _ in strip.crop(window.x, window.right):
                    if any(map(str.isalnum, text)):
                        assert style is not None
                        color, behind = map(Color.from_rich_color, (style.color, style.bgcolor))
                        assert contrast(color, behind) >= LEAST_CONTRAST, (theme, text)


@given(st.integers(0, 1_000), st.integers(0, 1_000))
def test_a_bar_is_never_longer_than_the_longest(number: int, most: int) -> None:
    drawn = bar(min(number, most), most)
    assert len(drawn) <= 30
    assert bool(drawn) == bool(min(number, most))


@given(st.text(alphabet=st.characters(categories=("L", "P", "S", "N", "Zs")), max_size=40))
def test_ascii_takes_as_many_cells(text: str) -> None:
    replaced = to_ascii(text)
    assert replaced.isascii()


def test_the_terms_to_be_seen_are_read_from_what_a_topic_gave_as_its_reason() -> None:
    hits = [
        Hit("speculative decoding", ("title", "abstract")),
        Hit("Tri Dao", ("author",)),
        Hit("cs.LG", ("arxiv_category",)),
    ]
    assert found_terms(describe_hits(hits)) == ["speculative decoding", "Tri Dao"]
    assert found_terms(describe_hits([])) == []
    assert found_terms("(((; (title; a)") == []


@pytest.mark.parametrize(
    ("terms", "seen"),
    [
        (["draft"], ["draft"]),
        (["draft*"], ["draft", "Draft"]),
        (["speculative decoding"], ["Speculative-decoding"]),
        (["decoding", "speculative decoding"], ["Speculative-decoding"]),
        (["C++"], ["C++"]),
        ([], []),
    ],
)
def test_what_was_looked_for_is_highlighted(terms: list[str], seen: list[str]) -> None:
    text = "Speculative-decoding without a draft. Drafts in C++ are undrafted."
    shown = highlight(Content(text), terms)
    assert [text[span.start : span.end] for span in shown.spans] == seen
