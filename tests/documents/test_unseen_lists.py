"""Shapes of lists that nobody of us had seen: what each says of its works is read."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import pytest

from papertrack.documents.markdown.model import Document
from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.write.edit_types import Add, SetPasses
from tests.documents.samples import added_lines, edited, line_pairs, paper


class Work(NamedTuple):
    """A work to list."""

    title: str
    id: str
    authors: tuple[str, ...]
    venue: str
    year: int


WORKS = (
    Work("Attention Is All You Need", "1706.03762", ("Ashish Vaswani", "Noam Shazeer"), "ICLR", 17),
    Work("Deep Residual Learning for Images", "1512.03385", ("Kaiming He", "Jian Sun"), "CVPR", 16),
    Work("Segment Anything in Images", "2304.02643", ("Eric Mintun", "Nikhila Ravi"), "ICCV", 23),
    Work("Visual Instruction Tuning", "2304.08485", ("Haotian Liu", "Chunyuan Li"), "NeurIPS", 23),
    Work(
        "Language Models are Few-Shot Learners", "2005.14165", ("Tom Brown", "Ben Mann"), "ACL", 20
    ),
)
URL = "https://arxiv.org/abs/"
ROWS = "| Paper | Link |\n|---|---|\n"


def listed(form: str, *, head: str = "", joint: str = "\n") -> str:
    """Return a list of the works, each written in this form."""
    shown = (
        form.format(
            n=number,
            t=work.title,
            u=URL + work.id,
            a=", ".join(work.authors),
            f=work.authors[0],
            s=work.authors[0].split()[-1],
            v=work.venue,
            y=work.year,
        )
        for number, work in enumerate(WORKS, 1)
    )
    return f"# L\n\n## C\n\n{head}{joint.join(shown)}\n"


def read(form: str, *, head: str = "", joint: str = "\n") -> Document:
    return parse_document(listed(form, head=head, joint=joint))


def said(document: Document) -> list[tuple[str, str]]:
    """Return the title and id of each entry."""
    return [(e.fields.title, e.identifiers[0].value) for e in document.entries if e.identifiers]


IN_CELLS = (
    "{t} / {a}",
    "{t} - {f} et al.",
    "{t}. {a}. {v} 20{y}",
    '{a}. "{t}." In {v}, 20{y}.',
    "{f} et al. {t}",
    "{a}: {t}",
    "{t} ({f} et al., 20{y})",
    "{t}. {a}. [slides](https://a.example/{n})",
)


@pytest.mark.parametrize("form", IN_CELLS)
def test_a_cell_with_a_title_and_its_authors_is_read_like_a_line(form: str) -> None:
    document = read(f"| {form} | [pdf]({{u}}) |", head=ROWS)
    assert said(document) == [(work.title, work.id) for work in WORKS]
    firsts = [entry.fields.authors[0] for entry in document.entries]
    assert firsts == [work.authors[0] for work in WORKS]


@pytest.mark.parametrize(
    ("form", "joint"),
    [
        (
            "**{n}、{t}**\n\n- 论文地址：{u}\n- 代码地址：https://github.com/a/b{n}\n- 作者：{a}\n",
            "\n",
        ),
        ("**{t}**\n\n- Paper Link: {u}\n- Source Code: https://github.com/a/b{n}\n", "\n"),
        ('<a id="w{n}"></a>\n#### {t} [↗]({u})', "\n\n"),
        ("#### {t} [🔗]({u})", "\n\n"),
        ("- {t} @ {v}20{y} [[pdf]({u})]", "\n"),
        ("- {t} @{v}20{y} [[pdf]({u})]", "\n"),
        ("- [ ] {t} #paper #computer-vision [arxiv]({u})", "\n"),
    ],
)
def test_a_label_a_sign_or_a_tag_is_no_title(form: str, joint: str) -> None:
    document = read(form, joint=joint)
    assert said(document) == [(work.title, work.id) for work in WORKS]


@pytest.mark.parametrize("form", ["- {t} ({v} 20{y})", '{n}. {a}. "{t}." {v} 20{y}.'])
def test_works_without_links_are_entries_where_venues_are_dated(form: str) -> None:
    document = read(form)
    assert [entry.fields.title for entry in document.entries] == [work.title for work in WORKS]


def test_a_long_list_of_titles_needs_no_word_about_papers() -> None:
    topics = [
        f"### Area {n}\n\n" + "".join(f"- {work.title} {n}\n" for work in WORKS) for n in range(4)
    ]
    # One title with a few short words, in a section of two, is no reason to leave both out.
    text = (
        "# L\n\n" + "\n".join(topics) + "\n### Others\n\n- Sparse Nets\n- A Long Title of Words\n"
    )
    assert len(parse_document(text).entries) == 4 * len(WORKS) + 2
    few = "# L\n\n" + "\n".join(topics[:2])
    document = parse_document(few)
    assert (len(document.entries), len(document.skipped)) == (0, 2 * len(WORKS))
    plan = "".join(f"- Buy milk {n}\n- Call the dean about room {n}\n" for n in range(20))
    assert not parse_document(f"# L\n\n{plan}\n{topics[0]}").entries


@pytest.mark.parametrize(
    ("label", "title"),
    [
        ("{t} (PPT)", "{t}"),
        ("{t}(slides)", "{t}"),
        ("**{t} (Code)**", "{t}"),
        ("{t} ({s}Net)", "{t} ({s}Net)"),
    ],
)
def test_a_label_in_brackets_behind_a_title_is_no_part_of_it(label: str, title: str) -> None:
    document = read(f"- [{label}]({{u}})")
    expected = [title.format(t=work.title, s=work.authors[0].split()[-1]) for work in WORKS]
    assert [entry.fields.title for entry in document.entries] == expected


def test_keywords_that_name_their_works_are_no_tags() -> None:
    rows = "".join(
        f"| {name}Net | [{name}Net: {work.title}]({URL}{work.id}) |\n"
        for name, work in zip("ABCDE", WORKS, strict=True)
    )
    head = "# L\n\n| Keywords | Paper |\n|---|---|\n"
    assert [entry.fields.tags for entry in parse_document(head + rows).entries] == [()] * len(WORKS)
    sorting = "".join(
        f"| {tag} | [{work.title}]({URL}{work.id}) |\n"
        for tag, work in zip(("Text", "Nets", "Masks", "Talk", "Prompts"), WORKS, strict=True)
    )
    entries = parse_document(head + sorting).entries
    assert [entry.fields.tags for entry in entries][2:4] == [("Masks",), ("Talk",)]


def test_plans_without_venues_are_no_works() -> None:
    text = (
        "# L\n\n## C\n\n- Write the Report for Spring\n- Order New Cables\n- Call the Dean Today\n"
    )
    assert not parse_document(text).entries


@pytest.mark.parametrize(
    ("form", "venue"),
    [
        ("- {t} [[arXiv 20{y}]]({u})", "arXiv 20{}"),
        ("- [{s}20{y}] {t}. {a}. {v} 20{y}. [[pdf]({u})]", None),
        ("- **[NEW]** [{t}]({u}), {v} 20{y}", None),
    ],
)
def test_a_venue_is_neither_a_key_nor_a_flag(form: str, venue: str | None) -> None:
    wanted = [(venue or f"{work.venue} 20{{}}").format(work.year) for work in WORKS]
    assert [entry.fields.venue for entry in read(form).entries] == wanted


@pytest.mark.parametrize(
    ("form", "venue"),
    [
        ("- {t}. J. Inf. Sci. Eng.({y}). [pdf]({u})", "J. Inf. Sci. Eng"),
        ("- {a}. {t}. Nat. Mach. Intell. 20{y}. [pdf]({u})", "Nat. Mach. Intell. 20{}"),
        ("- [{t}]({u}), {a}, *J. Mach. Learn. Res.*, 20{y}", "J. Mach. Learn. Res"),
        ("- {a}. {t}. Proc. Natl. Acad. Sci. USA, 20{y}. {u}", "Proc. Natl. Acad. Sci. USA"),
    ],
)
def test_a_journal_in_short_words_is_one_venue_and_nobody(form: str, venue: str) -> None:
    entries = read(form).entries
    assert [entry.fields.title for entry in entries] == [work.title for work in WORKS]
    assert [entry.fields.venue for entry in entries] == [venue.format(w.year) for w in WORKS]
    named = "{a}" in form
    assert [entry.fields.authors for entry in entries] == [w.authors * named for w in WORKS]


JOURNALS = ("Neural Computation", "Nature", "Neural Networks", "Machine Learning", "Cell Systems")


@pytest.mark.parametrize(
    "form",
    [
        '- {a}. "{t}." *{j}* 12.3 (20{y}): 1-10. [link]({u})',
        '- {a}, "{t}," in *{j}*, vol. 12, no. 3, pp. 1-10, 20{y}. [pdf]({u})',
        "- {a} (20{y}). {t}. *{j}*, *12*(3), 1–10. {u}",
        "- {a}. 20{y}. {t}. In *{j}*. 1–10. {u}",
        "- {a}, [{t}]({u}), {j}, 20{y}.",
        "- {a}: [{t}]({u}). {j} 12: 1-10 (20{y})",
    ],
)
def test_what_stands_between_a_title_and_a_volume_or_year_is_the_venue(form: str) -> None:
    lines = (
        form.format(t=w.title, a=", ".join(w.authors), u=URL + w.id, y=w.year, j=journal)
        for w, journal in zip(WORKS, JOURNALS, strict=True)
    )
    entries = parse_document("# L\n\n## C\n\n" + "\n".join(lines) + "\n").entries
    assert [entry.fields.title for entry in entries] == [work.title for work in WORKS]
    assert [entry.fields.authors for entry in entries] == [work.authors for work in WORKS]
    venues = [(entry.fields.venue or "").removesuffix(" 12") for entry in entries]
    assert venues == list(JOURNALS)


def test_others_in_japanese_may_stand_apart_from_the_name() -> None:
    document = read(
        "| {t} | {f} ら | [pdf]({u}) |", head="| 題名 | 著者 | リンク |\n|---|---|---|\n"
    )
    assert [entry.fields.authors for entry in document.entries] == [
        (work.authors[0],) for work in WORKS
    ]


@pytest.mark.parametrize("header", ["Code Link", "代码链接", "코드 링크", "Source Code"])
def test_a_header_may_say_that_its_cells_are_links(header: str) -> None:
    head = f"| Title | Paper | {header} |\n|---|---|---|\n"
    document = read("| {t} | [x{n}]({u}) | [y{n}](https://a.example/{n}) |", head=head)
    roles = {link.role for entry in document.entries for link in entry.fields.links}
    assert roles == {"paper", "code"}


@pytest.mark.parametrize("form", ["- {m} [{t}]({u})", "- [{t}]({u}) {m}"])
def test_green_squares_are_passes(form: str) -> None:
    text = "# L\n\n## C\n\n" + "".join(
        form.format(m="🟩" * n + "⬜" * (3 - n), t=work.title, u=URL + work.id) + "\n"
        for n, work in enumerate(WORKS[:4])
    )
    document = parse_document(text)
    assert [entry.fields.passes for entry in document.entries] == [0, 1, 2, 3]
    ((_, new),) = line_pairs(text, edited(document, SetPasses(0, 2)))
    assert "🟩🟩⬜" in new


def test_rows_of_circles_before_titles_are_named() -> None:
    text = "# L\n\n## C\n\n" + "".join(
        f"- {'●' * n}{'○' * (3 - n)} [{work.title}]({URL}{work.id})\n"
        for n, work in enumerate(WORKS[:4])
    )
    document = parse_document(text)
    assert [entry.fields.passes for entry in document.entries] == [None] * 4
    assert ["●" in one.reason or "○" in one.reason for one in document.skipped] == [True, True]


def test_a_link_that_runs_into_a_word_is_running_text() -> None:
    document = parse_document("# L\n\n## 참여\n\n[노션](https://a.example/study)을 참고하세요.\n")
    assert not document.entries
    assert [one.line for one in document.skipped] == [5]


def test_a_badge_of_a_venue_is_made_for_the_new_one() -> None:
    badge = "![](https://img.shields.io/badge/{}-20{}-blue)"
    text = listed("- [{t}]({u}) " + badge.format("{v}", "{y}"))
    new = paper("A New Thing of Words", f"{URL}2403.00001", venue="ICML", year=2024)
    lines = added_lines(text, edited(parse_document(text), Add(("C",), new)))
    assert lines == [f"- [A New Thing of Words]({URL}2403.00001) {badge.format('ICML', '24')}"]
    preprint = added_lines(
        text, edited(parse_document(text), Add(("C",), replace(new, venue=None)))
    )
    assert "badge/arXiv-2024-blue" in preprint[0]


def test_marks_of_passes_in_columns_are_no_remarks() -> None:
    head = "| Title | 1st pass | 2nd pass | Link |\n|---|---|---|---|\n"
    text = listed("| {t} | ✅ | ✅ | [pdf]({u}) |", head=head)
    new = paper("A New Thing of Words", f"{URL}2403.00001")
    lines = added_lines(text, edited(parse_document(text), Add(("C",), new)))
    assert lines == [f"| A New Thing of Words | | | [pdf]({URL}2403.00001) |"]


CARD = (
    "| {} | {} |\n|---|---|\n| Authors | {{a}} |\n| **Venue** | {{v}} 20{{y}} |\n| Link | {{u}} |\n"
)


@pytest.mark.parametrize(
    ("form", "shape"),
    [
        (CARD.format("**Title**", "{t}"), "paragraph"),
        ("### {t}\n\n" + CARD.format("Field", "Value"), "heading"),
        ("### {t}\n\n" + CARD.format(" ", " "), "heading"),
    ],
)
def test_a_table_with_a_field_in_each_row_is_one_work(form: str, shape: str) -> None:
    text = listed(form)
    document = parse_document(text)
    shown = [(e.shape, e.fields.title, e.fields.authors, e.fields.venue) for e in document.entries]
    assert shown == [(shape, w.title, w.authors, f"{w.venue} 20{w.year}") for w in WORKS]
    new = paper(
        "A New Thing of Words",
        f"{URL}2403.00001",
        authors=("Ann Bee", "Cy Dee"),
        venue="ICML",
        year=2024,
    )
    lines = added_lines(text, edited(document, Add(("C",), new)))
    assert [line for line in lines if "Bee" in line] == ["| Authors | Ann Bee, Cy Dee |"]
    assert "A New Thing of Words" in lines[0] + lines[1]


def test_fields_without_a_title_above_them_are_named() -> None:
    text = f"# L\n\n## C\n\nSee this.\n\n| Field | Value |\n|---|---|\n| Link | {URL}1706.03762 |\n"
    text += "| Venue | ICLR 2024 |\n| Year | 2024 |\n"
    document = parse_document(text)
    assert not document.entries
    assert [one.line for one in document.skipped] == [7]


def test_the_day_of_a_task_is_no_date_of_its_work() -> None:
    text = listed("- [x] {t} [arxiv]({u}) ✅ 2024-03-0{n}")
    document = parse_document(text)
    shown = [(e.fields.date, e.fields.read_at, e.fields.passes) for e in document.entries]
    assert shown == [(None, f"2024-03-0{n}", 1) for n in range(1, 6)]
    new = paper("A New Thing of Words", f"{URL}2403.00001", date="2024-03-09")
    assert added_lines(text, edited(document, Add(("C",), new))) == [
        f"- [ ] A New Thing of Words [arxiv]({URL}2403.00001)"
    ]


NEW = paper(
    "A New Thing of Words",
    f"{URL}2403.00001",
    authors=("Ann Bee", "Cy Dee"),
    venue="ICML",
    year=2024,
    date="2024-03-05",
)


@pytest.mark.parametrize(
    ("form", "head", "new"),
    [
        (
            "- [20{y}-{v}] [{t}]({u})",
            "",
            [f"- [2024-ICML] [{NEW.title}]({URL}2403.00001)"],
        ),
        (
            "- [{t}]({u})<br><sub>{a}</sub> <kbd>{v} 20{y}</kbd>",
            "",
            [
                f"- [{NEW.title}]({URL}2403.00001)<br><sub>Ann Bee, Cy Dee</sub> "
                "<kbd>ICML 2024</kbd>"
            ],
        ),
        (
            '- <font color="red">{v} 20{y}</font> [{t}]({u})',
            "",
            [f'- <font color="red">ICML 2024</font> [{NEW.title}]({URL}2403.00001)'],
        ),
        (
            "- [{t}]({u}) by [{f}](https://a.example/{n}) et al., {v} 20{y}",
            "",
            [f"- [{NEW.title}]({URL}2403.00001), ICML 2024"],
        ),
        (
            "- 2026/01/1{n}: {t} ([paper]({u}))",
            "",
            [f"- {NEW.title} ([paper]({URL}2403.00001))"],
        ),
        (
            "{t} | {v} 20{y} | [paper]({u})",
            "Title | Venue | Paper\n---|---|---\n",
            [f"{NEW.title} | ICML 2024 | [paper]({URL}2403.00001)"],
        ),
        (
            "| {t} | {v} 20{y} | [paper]({u}) |",
            "| Title | | |\n|---|---|---|\n",
            [f"| {NEW.title} | ICML 2024 | [paper]({URL}2403.00001) |"],
        ),
        (
            "<details>\n<summary><b>{t}</b> <a href='{u}'>[paper]</a></summary>\n\n"
            "Of {n} and {n}.\n\n</details>\n",
            "",
            [
                "<details>",
                f"<summary><b>{NEW.title}</b> <a href='{URL}2403.00001'>[paper]</a></summary>",
                "",
                "</details>",
                "",
            ],
        ),
    ],
)
def test_a_new_entry_is_whole_and_takes_nothing_of_another(
    form: str, head: str, new: list[str]
) -> None:
    text = listed(form, head=head)
    assert added_lines(text, edited(parse_document(text), Add(("C",), NEW))) == new


def test_a_word_that_most_rows_share_is_no_constant_of_a_cell() -> None:
    status = ("gezien", "gezien", "gezien", "gezien", "wachtend", "gezien", "gezien")
    rows = "".join(
        f"| Paper Number {n} of Them | {word} | [pdf]({URL}2401.0000{n}) |\n"
        for n, word in enumerate(status, 1)
    )
    text = f"# L\n\n## C\n\n| Title | Stand | Link |\n|---|---|---|\n{rows}"
    (line,) = added_lines(text, edited(parse_document(text), Add(("C",), NEW)))
    assert line == f"| {NEW.title} | | [pdf]({URL}2403.00001) |"
