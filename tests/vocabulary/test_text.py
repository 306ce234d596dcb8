"""Foreign text: harmless when shown, equal when it means the same, measured in cells."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papertrack.text import (
    clean,
    clean_block,
    display_width,
    fold,
    pad,
    shorten,
    spaced_cjk,
    strip_markup,
    title_key,
    to_ascii,
    truncate,
)
from tests.timing import assert_seconds

anything = st.text(alphabet=st.characters(), max_size=60)  # surrogates too
HARMFUL = {*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)}
HARMFUL |= {0x200E, 0x200F, 0x061C, 0x200B, 0x2060, 0xFEFF, 0x2028, 0x2029}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Attention Is All You Need", "Attention Is All You Need"),
        ("  two\n lines\t and  blanks ", "two lines and blanks"),
        ("\x1b]52;c;aGk=\x07x\x9b31mred", "]52;c;aGk=x31mred"),
        ("a\u202egnp\u2066b\u200fc\u061c", "agnpbc"),
        ("zero\u200bwidth\ufeff\u2060 soft\u00adhyphen", "zerowidth softhyphen"),
        ("lone \ud800 surrogate", "lone surrogate"),
        ("tag\U000e0041\U000e007f", "tag"),
        ("e\u0301", "é"),
        ("no\u00a0break\u3000wide", "no break wide"),
        ("first\u2028second\x85third", "first second third"),
        ("👩\u200d💻 ❤\ufe0f\u200d🔥", "👩\u200d💻 ❤\ufe0f\u200d🔥"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("pa\u200dy\u200cpal", "paypal"),
        ("a\u200cخ خ\u200ca", "aخ خa"),
        ("\u200d", ""),
        ("关于 MoE 的研究", "关于 MoE 的研究"),
    ],
)
def test_a_line_is_cleaned_of_what_cannot_be_seen(text: str, expected: str) -> None:
    assert clean(text) == expected


@given(anything)
def test_clean_text_is_harmless_and_stays_as_it_is(text: str) -> None:
    line = clean(text)
    assert not HARMFUL & set(map(ord, line))
    assert clean(line) == line
    line.encode("utf-8")
    block = clean_block(text)
    assert not (HARMFUL - {0x0A}) & set(map(ord, block))
    assert clean_block(block) == block
    assert clean(block) == line


def test_a_block_keeps_its_paragraphs() -> None:
    text = "\n\nOne \r\ntwo\x1b.\r\r\n\n\n  Three\u2028four\n"
    assert clean_block(text) == "One\ntwo.\n\nThree\nfour"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Pré‑Training – of BERT", "pre training of bert"),
        ("Straße ÆØŁ", "strasse aeol"),
        ("ＦｕｌｌＷｉｄｔｈ ﬁ", "fullwidth fi"),
        ("İstanbul", "istanbul"),
        ("한국어 가각", "한국어 가각"),
        ("が デ", "が デ"),
        ("“It’s”", '"it\'s"'),
    ],
)
def test_folding_forgets_case_accents_width_and_hyphens(text: str, expected: str) -> None:
    assert fold(text) == expected


@given(anything)
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(anything)
def test_ascii_is_ascii(text: str) -> None:
    assert to_ascii(text).isascii()


@pytest.mark.parametrize(
    "written",
    [
        "BERT: Pre-training with α-divergence",
        "{BERT}: Pretraining with $\\alpha$-Divergence",
        "<b>BERT</b> – **Pre-Training** with Α Divergence.",
        "\\textbf{BERT}: Pre\u2010training `with` &alpha;-divergence",
    ],
)
def test_one_title_written_differently_has_one_key(written: str) -> None:
    assert title_key(written) == "bertpretrainingwithalphadivergence"


def test_different_titles_have_different_keys() -> None:
    titles = [
        "Llama 2",
        "Llama 3",
        "关于研究",
        "关于学习",
        "C++",
        "Deep Learning",
        "Deeper Learning",
    ]
    assert len({title_key(title) for title in titles}) == len(titles)


@given(st.text(st.characters(max_codepoint=0x7F)))
def test_the_key_of_a_plain_title_is_what_is_left_of_it_folded(title: str) -> None:
    left = fold(strip_markup(title.replace("\\", "")))
    assert title_key(title.replace("\\", "")) == "".join(filter(str.isalnum, left))


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("Attention Is All You Need", "Attention Is All You Need"),
        ("<u>Attention</u> <sup>3</sup>", "Attention 3"),
        ("**A** *b* ***c*** ~~d~~ __e__ _f_", "A b c d e f"),
        ("`code|span` ``a ` b``", "code|span a ` b"),
        (r"a \| b \* c\_d \\", r"a | b * c_d " + "\\"),
        (r"\*not emphasis\*", "*not emphasis*"),
        ("`**kept**`", "**kept**"),
        ("[Title](https://a.b/c_(d)) and [T][86]", "Title and T"),
        ("[<u>Title</u>][86] ![alt](x.png)", "Title alt"),
        ("<https://a.b> &lt;script&gt; &amp; &eacute;", "https://a.b <script> & é"),
        ("one<br>two <!-- hidden --> three <!-- open", "one two  three <!-- open"),
        ("<CLS> tokens and <think> tags", "<CLS> tokens and <think> tags"),
        ("A* and B* search, 2 * 3 * 4", "A* and B* search, 2 * 3 * 4"),
        ("snake_case_name and _a_b", "snake_case_name and _a_b"),
        ("[Pending Review] Title", "[Pending Review] Title"),
        ("a < b > c", "a < b > c"),
        ("unclosed ` tick and ** stars", "unclosed ` tick and ** stars"),
        ("$\\alpha$ stays", "$\\alpha$ stays"),
        ("\x000\x00 `x` &#0;", "0 x \ufffd"),
    ],
)
def test_markup_becomes_the_text_that_its_reader_sees(markup: str, expected: str) -> None:
    assert strip_markup(markup) == expected


@given(st.text(alphabet="\\`*_~<>b/[]()&lt;! -a\0" + "1", max_size=60))
def test_stripping_any_markup_leaves_no_trace_of_its_working(text: str) -> None:
    assert "\0" not in strip_markup(text) or "\0" in text
    assert len(strip_markup(text)) <= len(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("关于MoE的研究", "关 于 MoE 的 研 究"),
        ("カタカナ ひらがな", "カ タ カ ナ ひ ら が な"),
        ("한국어 paper", "한 국 어 paper"),
        ("Überblick", "Überblick"),
    ],
)
def test_each_cjk_character_becomes_a_word(text: str, expected: str) -> None:
    assert spaced_cjk(text) == expected
    assert spaced_cjk(expected) == expected


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("abc", 3),
        ("é", 1),
        ("e\u0301", 1),
        ("关于", 4),
        ("한국", 4),
        ("ＡＢ", 4),
        ("✅", 2),
        ("❤\ufe0f", 2),
        ("👩\u200d💻", 2),
        ("👍🏽", 2),
        ("🇨🇳", 2),
        ("", 0),
    ],
)
def test_width_is_counted_in_terminal_cells(text: str, cells: int) -> None:
    assert display_width(text) == cells


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdef", 5, "abcd…"),
        ("关于研究", 8, "关于研究"),
        ("关于研究", 7, "关于研…"),
        ("关于研究", 6, "关于…"),
        ("e\u0301e\u0301e\u0301", 2, "e\u0301…"),
        ("👩\u200d💻ab", 3, "👩\u200d💻…"),
        ("abc", 1, "…"),
        ("abc", 0, ""),
        ("", 0, ""),
    ],
)
def test_a_cut_text_ends_in_an_ellipsis_within_its_width(
    text: str, width: int, expected: str
) -> None:
    assert truncate(text, width) == expected


@given(st.text(alphabet="ab关é\u0301\u200d💻\ufe0f ", max_size=20), st.integers(0, 25))
def test_a_cut_text_is_never_too_wide_and_a_padded_one_never_too_narrow(
    text: str, width: int
) -> None:
    cut = truncate(clean(text), width)
    assert display_width(cut) <= width
    assert display_width(pad(cut, width)) == width


def test_wider_text_is_not_padded() -> None:
    assert pad("关于", 3) == "关于"


def test_a_shortened_text_is_clean_and_within_its_limit() -> None:
    assert shorten("short\x1b") == "short"
    assert shorten("word " * 100, 12) == "word word w…"
    assert len(shorten("x" * 10_000_000)) == 200


@pytest.mark.parametrize("tool", [clean, clean_block, fold, title_key, strip_markup, spaced_cjk])
@pytest.mark.parametrize("unit", ["\x1b[", "é\u200d", "`a``", "*a _", "<!--", "[a](", "<b ", "\\`"])
def test_time_grows_with_the_text_and_not_faster(tool: Callable[[str], str], unit: str) -> None:
    text = unit * (100_000 // len(unit))
    assert_seconds(0.5, lambda: tool(text))
