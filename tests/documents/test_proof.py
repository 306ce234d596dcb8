"""Entries held out of learning are written again from what they say."""

from __future__ import annotations

import pytest

from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.write.summary import find_doubt, prove, summarise

NAMES = ("Ada Lovelace", "Alan Turing", "Grace Hopper", "Edsger Dijkstra", "Barbara Liskov")


def listed(line: str, count: int = 12) -> str:
    """Return a list of entries written by one template."""
    lines = (
        line.format(n=n, id=f"2301.{10000 + n}", author=NAMES[n % 5], year=2015 + n % 8)
        for n in range(count)
    )
    return "# Papers\n\n" + "\n".join(lines) + "\n"


def test_a_list_written_by_one_template_is_proved_whole() -> None:
    text = listed(
        "- **[Paper Number {n}](https://arxiv.org/abs/{id})** ([code](https://github.com/a/r{n}))"
    )
    proof = prove(parse_document(text))
    assert (proof.entries, proof.regenerated, proof.is_low) == (12, 12, False)


def test_badges_follow_their_repositories() -> None:
    badge = "![stars](https://img.shields.io/github/stars/owner{n}/repo{n}?style=social)"
    link = f"[{badge}](https://github.com/owner{{n}}/repo{{n}})"
    text = listed(f"- [Paper Number {{n}}](https://arxiv.org/abs/{{id}}) {link}")
    assert prove(parse_document(text)).confidence == 1


def test_remarks_are_taken_as_they_stand() -> None:
    text = listed("- [Paper Number {n}](https://arxiv.org/abs/{id}): liked by {author} and {n}")
    summary = summarise(parse_document(text))
    assert summary.confidence == 1
    titles = next(part for part in summary.lists[0].parts if part.role == "title")
    assert titles.examples == ("Paper Number 0", "Paper Number 1", "Paper Number 2")


@pytest.mark.parametrize("authors", ["{author} et al.", "{author}, Jane Doe et al."])
def test_lists_that_name_the_first_authors_follow_a_rule(authors: str) -> None:
    text = listed(f"- [Paper Number {{n}}](https://arxiv.org/abs/{{id}}), {authors}, ICLR 2020")
    assert prove(parse_document(text)).confidence == 1


def test_a_list_without_a_rule_has_low_confidence() -> None:
    lines = [
        "- [Paper One](https://arxiv.org/abs/2301.10001)",
        "- **Paper Two** <https://arxiv.org/abs/2301.10002>",
        "- _Paper Three_; [pdf](https://arxiv.org/pdf/2301.10003)",
        "- Paper Four :: [link](https://arxiv.org/abs/2301.10004) !",
        "- Paper *Five* / [[arXiv]](https://arxiv.org/abs/2301.10005)",
        '- "Paper Six" => https://arxiv.org/abs/2301.10006',
    ]
    proof = prove(parse_document("\n".join(lines) + "\n"))
    assert proof.is_low
    assert len(proof.failed) == proof.entries - proof.regenerated > 2


def test_a_list_without_a_rule_is_doubted_once_it_is_long_enough() -> None:
    lines = [
        f"- Paper Number {n} {sign} [pdf](https://arxiv.org/abs/2301.1000{n})"
        for n, sign in enumerate("~!@%^&=+;/")
    ]
    (doubt,) = find_doubt(parse_document("\n".join(lines) + "\n"))
    assert "of 10 entries follow a pattern" in doubt.reason
    assert not find_doubt(parse_document("\n".join(lines[:4]) + "\n"))
    text = listed("- [Paper Number {n}](https://arxiv.org/abs/{id})")
    assert not find_doubt(parse_document(text))


def test_a_document_without_entries_is_not_doubted() -> None:
    assert not prove(parse_document("# Nothing\n")).is_low


def test_remarks_end_as_their_own_words_do_and_excuse_nothing_else() -> None:
    lines = [
        f"- [Paper Number {n}](https://arxiv.org/abs/2301.1000{n}) - Words of {name}{end}"
        for n, (name, end) in enumerate(zip(NAMES * 2, (".", "", "!", ".", "") * 2, strict=True))
    ]
    assert prove(parse_document("\n".join(lines) + "\n")).confidence == 1
    lines[4] = "- **[Paper Number 4](https://arxiv.org/abs/2301.10004)** - Words of Barbara"
    assert prove(parse_document("\n".join(lines) + "\n")).failed == (5,)


def test_a_title_that_ends_with_a_question_mark_gets_no_full_stop() -> None:
    line = (
        "- **[Paper Number {n}.](https://arxiv.org/abs/{id})** [[code](https://github.com/a/r{n})]"
    )
    text = listed(line) + "- **[Is Paper Number 12 Right?](https://arxiv.org/abs/2301.10012)**"
    text += " [[code](https://github.com/a/r12)]\n"
    assert prove(parse_document(text)).confidence == 1


def test_a_sign_that_some_cells_hold_is_their_own() -> None:
    rows = "".join(
        f"| {'✅' * (n % 3 == 0)} | [Paper Number {n}](https://arxiv.org/abs/2301.{10000 + n}) |\n"
        for n in range(12)
    )
    text = "# Papers\n\n| Recorded | Title |\n| --- | --- |\n" + rows
    assert prove(parse_document(text, {"checks": "ignored"})).confidence == 1


def test_days_below_ten_have_a_zero_only_where_others_show_it() -> None:
    for day, other in (("9/2/22", "9/11/22"), ("09/02/22", "09/11/22")):
        rows = "".join(
            f"| {day if n % 3 == 1 else other} | [Paper Number {n}](https://a.example/{n}) |\n"
            for n in range(12)
        )
        text = "# Papers\n\n| Date | Title |\n| --- | --- |\n" + rows
        assert prove(parse_document(text)).confidence == 1


def test_links_of_one_kind_are_called_as_on_their_site() -> None:
    rows = ""
    for n in range(12):
        name, start = (
            f"a{n}Bcd",
            ("https://youtu.be/", "https://www.youtube.com/watch?v=")[n % 3 == 0],
        )
        badge = f"![](https://img.shields.io/youtube/views/{name}?style=social)"
        talk = f"[talk](https://www.bilibili.com/video/BV{n}xyz)"
        rows += (
            f"| [Paper {n} of Ours](https://a.example/{n}) | {talk} [{badge}]({start}{name}) |\n"
        )
    text = "# Papers\n\n| Title | Video |\n| --- | --- |\n" + rows
    assert prove(parse_document(text)).confidence == 1


def test_a_line_says_what_its_links_are_for() -> None:
    text = "# Papers\n\n" + "".join(
        f"- [Paper Number {n}](https://arxiv.org/abs/2301.1000{n})\n"
        "  - Ada Lovelace, Alan Turing\n"
        + f"  - Code: [official](https://github.com/a/r{n})\n" * (n % 3 > 0)
        + f"  - Dataset: [Corpus](https://github.com/b/d{n}), [Data {n}](https://b.example/{n})\n"
        for n in range(10)
    )
    document = parse_document(text)
    roles = [link.role for link in document.entries[1].fields.links]
    assert roles == ["paper", "code", "data", "data"]
    assert prove(document).confidence == 1


def test_the_bracket_of_a_link_is_no_word_of_the_remark_before_it() -> None:
    text = "# Papers\n\n" + "".join(
        f"- [A Study of Paper Number {n}](https://arxiv.org/abs/2301.{10000 + n}): in words of "
        f"{NAMES[n % 5].lower()}{', told at' * (n % 3 == 1)}[Zhihu](https://zhuanlan.zhihu.com/p/{n}).\n"
        for n in range(12)
    )
    assert prove(parse_document(text)).confidence == 1
