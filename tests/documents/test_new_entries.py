"""New entries of many shapes: written as the list writes its own, at the place its order asks."""

from __future__ import annotations

from dataclasses import replace
from textwrap import TextWrapper, fill

import pytest

from papertrack.documents.markdown.model import EntryFields
from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.write.edit_types import Add
from papertrack.records import Link
from tests.documents.samples import added_lines, edited, paper

ARXIV = "https://arxiv.org/abs/"
NEW = EntryFields(
    title="A New Thing",
    authors=("Ada Lovelace", "Alan Turing", "Grace Hopper"),
    venue="ICML",
    date="2024-03-05",
    links=(Link("paper", f"{ARXIV}2403.00001"), Link("code", "https://github.com/new/thing")),
    tags=("Somewhere",),
)
DAYS = ("2401", "2402", "2403", "2404", "2405", "2406")


def listed(*lines: str) -> str:
    """Return a list of several entries written alike: ``{n}`` counts them, ``{id}`` is an id."""
    shown = (
        line.format(n=n, id=f"{day}.0000{n}", a=f"Own{n}/repo{n}")
        for line in lines
        for n, day in enumerate(DAYS, 1)
    )
    return "# L\n\n## C\n\n" + "\n".join(shown) + "\n"


@pytest.mark.parametrize(
    ("line", "new"),
    [
        (
            f"- **[Paper Number {{n}}]({ARXIV}{{id}})** ([code](https://github.com/{{a}}))",
            f"- **[A New Thing]({ARXIV}2403.00001)** ([code](https://github.com/new/thing))",
        ),
        (
            f"* Paper Number {{n}} [[PDF]]({ARXIV}{{id}}) [[GitHub]](https://github.com/{{a}})",
            f"* A New Thing [[PDF]]({ARXIV}2403.00001) [[GitHub]](https://github.com/new/thing)",
        ),
        (
            f"- Paper Number {{n}} [[paper]({ARXIV}{{id}})] [[code](https://github.com/{{a}})]",
            f"- A New Thing [[paper]({ARXIV}2403.00001)] [[code](https://github.com/new/thing)]",
        ),
        (
            f"- [Paper Number {{n}}]({ARXIV}{{id}}) [![stars](https://img.shields.io/github/stars/"
            "{a}?style=social)](https://github.com/{a})",
            f"- [A New Thing]({ARXIV}2403.00001) [![stars](https://img.shields.io/github/stars/"
            "new/thing?style=social)](https://github.com/new/thing)",
        ),
        (
            f'- <a href="{ARXIV}{{id}}">Paper Number {{n}}</a> <i>x</i>',
            f'- <a href="{ARXIV}2403.00001">A New Thing</a> <i>x</i>',
        ),
    ],
)
def test_a_new_item_has_the_links_of_its_list_in_their_shape(line: str, new: str) -> None:
    text = listed(line)
    assert added_lines(text, edited(parse_document(text), Add(("C",), NEW))) == [new]


def test_a_part_that_is_not_known_leaves_its_neighbours_as_they_are_without_it() -> None:
    text = listed(
        f"- [Paper Number {{n}}]({ARXIV}{{id}}), [code](https://github.com/{{a}})",
        f"- [Another Paper {{n}}]({ARXIV}1{{id}})",
    ).replace("/124", "/224")
    new = paper("A New Thing", f"{ARXIV}2403.00001")
    lines = added_lines(text, edited(parse_document(text), Add(("C",), new)))
    assert lines == [f"- [A New Thing]({ARXIV}2403.00001)"]


def test_a_new_row_has_the_parts_of_each_cell() -> None:
    rows = "".join(
        f"| [Paper Number {n}]({ARXIV}{day}.0000{n}) | [Repo](https://github.com/a/r{n}) |\n"
        for n, day in enumerate(DAYS, 1)
    )
    text = f"## C\n\n| Title | Code |\n|---|---|\n{rows}"
    lines = added_lines(text, edited(parse_document(text), Add(("C",), NEW)))
    row = f"| [A New Thing]({ARXIV}2403.00001) | [Repo](https://github.com/new/thing) |"
    assert lines == [row]


def test_the_tags_of_a_single_entry_are_no_words_of_it() -> None:
    text = (
        "# L\n\n## C\n\n| Title | Date |\n| --- | --- |\n"
        f"| [<u>Page Tables</u>]({ARXIV}2501.00001) | 2025/01 |\n"
    )
    (row,) = added_lines(text, edited(parse_document(text), Add(("C",), NEW)))
    assert row == f"| [<u>A New Thing</u>]({ARXIV}2403.00001) | 2024/03 |"


def test_an_empty_cell_never_copies_what_others_say() -> None:
    rows = "".join(
        f"| [Paper Number {n}]({ARXIV}{day}.0000{n}) | {'✅' if n % 2 else ''} |\n"
        for n, day in enumerate(DAYS, 1)
    )
    text = f"✅ = has slides\n\n## C\n\n| Title | Kind |\n|---|---|\n{rows}"
    (row,) = added_lines(text, edited(parse_document(text), Add(("C",), NEW)))
    assert "✅" not in row


def test_titles_in_order_of_the_alphabet_stay_so() -> None:
    names = ("Apples", "Bread", "Cheese", "Dates", "Eggs", "Figs")
    lines = [f"- [{name} and More]({ARXIV}2401.0000{n})" for n, name in enumerate(names)]
    text = "## C\n\n" + "\n".join(lines) + "\n"
    new = paper("Corn and More", f"{ARXIV}2501.00001")
    written = edited(parse_document(text), Add(("C",), new)).splitlines()
    assert [line[3:6] for line in written[4:7]] == ["Che", "Cor", "Dat"]


def test_a_list_with_the_newest_first_gets_the_newest_first() -> None:
    days = ("2409", "2407", "2408", "2405", "2404", "2402", "2401")
    lines = [f"- [Paper Number {9 - n % 3}]({ARXIV}{day}.00001)" for n, day in enumerate(days)]
    text = "## C\n\n" + "\n".join(lines) + "\n"
    new = paper("The Newest", f"{ARXIV}2501.00001")
    written = edited(parse_document(text), Add(("C",), new)).splitlines()
    assert written[2] == f"- [The Newest]({ARXIV}2501.00001)"


def test_a_list_that_counts_down_gets_the_next_number_on_top() -> None:
    lines = [f"- [{n}] **Paper Number {n}** [pdf]({ARXIV}2401.0000{n})" for n in range(6, 0, -1)]
    text = "## C\n\n" + "\n".join(lines) + "\n"
    new = paper("The Newest", f"{ARXIV}2501.00001")
    written = edited(parse_document(text), Add(("C",), new)).splitlines()
    assert "The Newest" in written[2]


def several(*titles: str) -> list[Add]:
    new = (paper(title, f"{ARXIV}2501.0000{n}") for n, title in enumerate(titles, 1))
    return [Add(("C",), one) for one in new]


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("{n}. **{t}** [[pdf]({u})]\n", 7, (7, 8, 9)),
        ("- [{n}] **{t}** [pdf]({u})\n", 7, (7, 8, 9)),
        ("| {n:02} | [{t}]({u}) |\n", 7, (7, 8, 9)),
    ],
)
def test_several_new_entries_of_a_list_that_counts_get_a_number_each(
    old: str, new: int, wanted: tuple[int, ...]
) -> None:
    def shown(number: int, title: str, url: str) -> str:
        return old.format(n=number, t=title, u=url)

    rows = [shown(n, f"Paper Number {n}", f"{ARXIV}2401.0000{n}") for n in range(1, new)]
    head = "| # | Title |\n|---|---|\n" if old.startswith("|") else ""
    text = f"## C\n\n{head}{''.join(rows)}\n## D\n\n{head}{rows[0].replace('2401', '2307')}"
    titles = "The Seventh", "The Eighth", "The Ninth"
    lines = added_lines(text, edited(parse_document(text), *several(*titles)))
    assert lines == [
        shown(n, title, f"{ARXIV}2501.0000{at}").rstrip("\n")
        for at, (n, title) in enumerate(zip(wanted, titles, strict=True), 1)
    ]


def test_of_several_new_entries_of_a_list_that_counts_down_the_last_is_on_top() -> None:
    lines = [f"- [{n}] **Paper Number {n}** [pdf]({ARXIV}2401.0000{n})" for n in range(6, 0, -1)]
    text = "## C\n\n" + "\n".join(lines) + "\n"
    written = edited(parse_document(text), *several("The Seventh", "The Eighth")).splitlines()
    assert [line[:20] for line in written[2:5]] == [
        *("- [8] **The Eighth**", "- [7] **The Seventh*", "- [6] **Paper Number")
    ]


def test_of_two_halves_in_two_languages_the_one_of_the_title_gets_it() -> None:
    half = "# L\n\n## C\n\n- [{}]({}{})\n\n"
    text = half.format("第一篇论文", ARXIV, "2401.00001")
    text += half.format("The First Paper", ARXIV, "2401.00002")
    new = paper("The Newest", f"{ARXIV}2501.00001")
    written = edited(parse_document(text), Add(("L", "C"), new))
    assert written.index("The Newest") > written.index("The First Paper")


def test_brackets_and_underscores_in_titles_are_escaped_only_where_they_must_be() -> None:
    text = listed(f"- [Paper Number {{n}}]({ARXIV}{{id}})")
    for title, shown in (
        ("Snake_case [sic] is | fine", "Snake_case [sic] is | fine"),
        ("Stars *are* not", r"Stars \*are\* not"),
    ):
        new = paper(title, f"{ARXIV}2403.00001")
        lines = added_lines(text, edited(parse_document(text), Add(("C",), new)))
        assert lines == [f"- [{shown}]({ARXIV}2403.00001)"]


def test_names_that_are_links_elsewhere_are_left_out_where_theirs_is_not_known() -> None:
    rows = "".join(
        f"| [Paper Number {n}]({ARXIV}{day}.0000{n}) | [Ada Lovelace](https://ada.example/{n}) |\n"
        for n, day in enumerate(DAYS, 1)
    )
    text = f"## C\n\n| Title | Author |\n|---|---|\n{rows}"
    (row,) = added_lines(text, edited(parse_document(text), Add(("C",), NEW)))
    assert row == f"| [A New Thing]({ARXIV}2403.00001) | |"


def test_a_description_ends_as_the_others_do() -> None:
    text = listed(f"- [Paper Number {{n}}]({ARXIV}{{id}}) - {{n}} remarks, the last by {{a}}.")
    new = EntryFields(
        title="A New Thing",
        links=(Link("paper", f"{ARXIV}2403.00001"),),
        description="Says something else",
    )
    lines = added_lines(text, edited(parse_document(text), Add(("C",), new)))
    assert lines == [f"- [A New Thing]({ARXIV}2403.00001) - Says something else."]


def test_authors_are_cut_off_as_the_others_are() -> None:
    names = ("Ada Lovelace", "Alan Turing", "Grace Hopper", "Edith Clarke", "Kurt Goedel", "Emmy X")
    lines = [
        f"- **Paper Number {n}**, {name} et al., Paper: [pdf]({ARXIV}{day}.0000{n})"
        for n, (name, day) in enumerate(zip(names, DAYS, strict=True))
    ]
    text = "## C\n\n" + "\n".join(lines) + "\n"
    (line,) = added_lines(text, edited(parse_document(text), Add(("C",), NEW)))
    assert line == f"- **A New Thing**, Ada Lovelace et al., Paper: [pdf]({ARXIV}2403.00001)"


@pytest.mark.parametrize(
    ("venue", "shown"),
    [("ICML 2024", "ICML'24"), ("ICML'23", "ICML'23"), ("ICML", "ICML'24"), ("ICML24", "ICML24")],
)
def test_a_venue_ends_with_the_year_as_those_around_it_do(venue: str, shown: str) -> None:
    text = listed(f"- Paper Number {{n}}, **ICLR'2{{n}}** [[Paper]({ARXIV}{{id}})]")
    fields = EntryFields(NEW.title, venue=venue, date=NEW.date, links=NEW.links[:1])
    after = edited(parse_document(text), Add(("C",), fields))
    assert added_lines(text, after) == [f"- A New Thing, **{shown}** [[Paper]({ARXIV}2403.00001)]"]


def test_a_line_below_starts_on_its_own_though_the_one_before_it_is_left_out() -> None:
    names = ("Ada Lovelace", "Alan Turing", "Grace Hopper", "Edith Clarke", "Kurt Goedel", "Emmy X")
    lines = [
        f"- [Paper Number {n}]({ARXIV}{day}.0000{n})\n  - {name}, Mary Jones\n"
        f"  - About the {n * n} remarks\n  - Code: [official](https://github.com/own{n}/repo{n})"
        for n, (name, day) in enumerate(zip(names, DAYS, strict=True))
    ]
    text = "## C\n\n" + "\n".join(lines) + "\n"
    assert added_lines(text, edited(parse_document(text), Add(("C",), NEW))) == [
        f"- [A New Thing]({ARXIV}2403.00001)",
        "  - Ada Lovelace, Alan Turing, Grace Hopper",
        "  - Code: [official](https://github.com/new/thing)",
    ]


def test_code_that_fills_a_link_is_its_label() -> None:
    text = listed(f"- Paper Number {{n}} | *Ada Low, Ben Roe* | [`link`]({ARXIV}{{id}})")
    fields = EntryFields(NEW.title, authors=("Cy Poe",), links=NEW.links[:1])
    after = edited(parse_document(text), Add(("C",), fields))
    assert added_lines(text, after) == [f"- A New Thing | *Cy Poe* | [`link`]({ARXIV}2403.00001)"]


def test_a_new_item_of_which_only_a_note_is_known_leads_to_it_as_the_others_do() -> None:
    line = "- [A Walk Through Thing {n}](./notes/n{n}.md) and [a post](https://example.org/{n})"
    document = parse_document(listed(line))
    links = (Link("note", "notes/n7.md"),)
    text = edited(document, Add(("C",), EntryFields("A Walk Through Thing 7", links=links)))
    assert added_lines(document.text, text) == ["- [A Walk Through Thing 7](./notes/n7.md)"]


@pytest.mark.parametrize(
    ("description", "shown"),
    [("源码赏析", " - 源码赏析"), ("源码赏析，同样刊载于 和", "")],
)
def test_a_description_with_a_hole_where_a_link_was_is_left_out(
    description: str, shown: str
) -> None:
    said = ("缓存怎样节省内存", "调度让请求少等", "并行的三种办法", "量化的路", "编译器", "通信")
    lines = (
        f"- [System {n}]({ARXIV}{day}.0000{n}) - {words}\n"
        for n, (day, words) in enumerate(zip(DAYS, said, strict=True), 1)
    )
    document = parse_document(f"# L\n\n## C\n\n{''.join(lines)}")
    new = paper("New System", f"{ARXIV}2407.00001", description=description)
    text = edited(document, Add(("C",), new))
    assert added_lines(document.text, text) == [f"- [New System]({ARXIV}2407.00001){shown}"]


NUMBERED_TWICE = f"""\
# L

## A

1. **Sorting Without Comparing.** Noether, E. *ICML 2021*. [[paper]]({ARXIV}2101.00001)
2. **Symmetry of Learned Filters.** Noether, E. *ICML 2022*. [[paper]]({ARXIV}2202.00002)

## B

1. **Machines that Compile Themselves.** Hopper, G. *OSDI 2023*. [[paper]]({ARXIV}2303.00003)
"""


def test_a_bold_title_with_its_stop_is_closed_where_authors_are_missing() -> None:
    fields = EntryFields(title="Plain Words", links=(Link("paper", f"{ARXIV}2406.00006"),))
    text = edited(parse_document(NUMBERED_TWICE), Add(("A",), fields))
    assert added_lines(NUMBERED_TWICE, text) == [
        f"3. **Plain Words.** *arXiv 2024*. [[paper]]({ARXIV}2406.00006)"
    ]


def test_lists_that_each_begin_with_one_go_on_counting() -> None:
    fields = EntryFields(title="Plain Words", links=(Link("paper", f"{ARXIV}2406.00006"),))
    assert "\n2. **Plain Words" in edited(parse_document(NUMBERED_TWICE), Add(("B",), fields))
    constant = NUMBERED_TWICE.replace("\n2. ", "\n1. ")
    assert "\n1. **Plain Words" in edited(parse_document(constant), Add(("A",), fields))


@pytest.mark.parametrize("label", ["arXiv", "ICML", "NeurIPS 2015"])
@pytest.mark.parametrize(
    "form", ["| *{title}* ([{label}]({url})) | 2015 |\n", "- **{title}**. [{label}]({url})\n"]
)
def test_a_link_called_by_a_venue_that_is_not_known_is_called_by_what_it_leads_to(
    form: str, label: str
) -> None:
    head = "| Title | Year |\n|--|--|\n" if form.startswith("|") else ""
    titles = ("Attention Is All You Need", "Deep Residual Learning", "Networks of Adversaries")
    rows = "".join(
        form.format(title=title, label=label, url=f"{ARXIV}{day}.00001")
        for title, day in zip(titles, DAYS, strict=False)
    )
    new = EntryFields(
        title="A New Thing", date="2015", links=(Link("paper", f"{ARXIV}1503.00009"),)
    )
    text = edited(parse_document(f"# L\n\n## C\n\n{head}{rows}"), Add(("C",), new))
    label = "arXiv 2015" if "2015" in label else "arXiv"
    assert form.format(title="A New Thing", label=label, url=f"{ARXIV}1503.00009") in text


def test_the_label_arxiv_beside_a_title_in_a_table_is_no_venue() -> None:
    rows = "".join(
        f"| *A Title of Work {n}* ([arXiv]({ARXIV}2401.1000{n})) | 2024 |\n" for n in "123"
    )
    entries = parse_document(f"| Title | Year |\n|--|--|\n{rows}").entries
    assert [entry.fields.venue for entry in entries] == [None] * 3


def test_a_label_that_stands_before_all_titles_stands_before_a_new_one() -> None:
    form = "* Title: {0}\n  Authors: {1}\n  Link: {2}\n"
    titles = ("Attention Is All You Need", "Deep Residual Learning", "Networks of Adversaries")
    rows = "\n".join(
        form.format(title, "Ada Lovelace, Alan Turing", f"{ARXIV}{day}.00001")
        for title, day in zip(titles, DAYS, strict=False)
    )
    new = EntryFields(
        title="A New Thing",
        authors=("Grace Hopper", "Jean Bartik"),
        links=(Link("paper", f"{ARXIV}2403.00009"),),
    )
    text = edited(parse_document(f"# L\n\n## C\n\n{rows}"), Add(("C",), new))
    assert form.format("A New Thing", "Grace Hopper, Jean Bartik", f"{ARXIV}2403.00009") in text


def test_names_before_a_comma_are_shortened_as_all_others_of_the_list() -> None:
    names = ("He, K.; Ren, S.", "Low, A.; Roe, B.; Poe, C.", "Day, D.; Fay, E.", "Gay, F.; Hay, G.")
    titles = (
        "Attention Is All You Need",
        "Deep Residual Learning",
        "Networks of Adversaries",
        "Bert",
    )
    rows = [
        f"| *{title}* ([arXiv]({ARXIV}{day}.00001)) | {one} | 12.0{n}.2024 |\n"
        for n, (title, one, day) in enumerate(zip(titles, names, DAYS, strict=False), 1)
    ]
    head = "| Artículo | Autores | Fecha |\n|--|--|--|\n"
    text = (
        f"# L\n\n**Total: 5**\n\n## C\n\n{head}{rows[0]}{rows[1]}\n## D\n\n{head}{rows[2]}{rows[3]}"
    )
    new = EntryFields(
        title="A New Thing",
        authors=("Aixin Liu", "Bei Feng"),
        date="2024-05-07",
        links=(Link("paper", f"{ARXIV}2405.00009"),),
    )
    after = edited(parse_document(text), Add(("D",), new))
    wanted = f"| *A New Thing* ([arXiv]({ARXIV}2405.00009)) | Liu, A.; Feng, B. | 07.05.2024 |"
    assert wanted in after


def test_a_badge_that_single_entries_have_twice_is_shown_once() -> None:
    badge = "[![arXiv](https://img.shields.io/badge/arXiv-red)]"
    pdf = "[![PDF](https://img.shields.io/badge/PDF-red)]"
    text = listed(f"- [Paper Number {{n}}]({ARXIV}{{id}})\n  {badge}({ARXIV}{{id}})")
    for day, more in (("2407", badge), ("2408", badge), ("2409", pdf), ("2410", pdf)):
        link = f"({ARXIV}{day}.00001)"
        text += f"- [Paper of {day}]{link}\n  {badge}{link}\n  {more}{link}\n"
    added = added_lines(text, edited(parse_document(text), Add(("C",), NEW)))
    assert [line for line in added if "badge" in line] == [f"  {badge}({ARXIV}2403.00001)"]


def test_a_venue_of_the_last_century_keeps_its_year() -> None:
    text = listed(f"- [Paper Number {{n}}]({ARXIV}{{id}}), SOSP 199{{n}}")
    new = EntryFields(
        title="A New Thing", venue="SOSP'95", links=(Link("paper", f"{ARXIV}2403.00001"),)
    )
    after = edited(parse_document(text), Add(("C",), new))
    assert added_lines(text, after) == [f"- [A New Thing]({ARXIV}2403.00001), SOSP 1995"]


def in_rows(head: str, row: str) -> str:
    """Return a table of several entries written alike; ``{name}`` is the name of each."""
    names = ("Alpha", "Bravo", "Carol", "Delta", "Echos", "Foxes")
    shown = (
        row.format(n=n, id=f"{day}.0000{n}", a=f"Own{n}/repo{n}", name=name)
        for n, (day, name) in enumerate(zip(DAYS, names, strict=True), 1)
    )
    rule = "|".join(["---"] * head.count("|"))[:-3]
    return f"# L\n\n## C\n\n{head}\n|{rule}\n" + "\n".join(shown) + "\n"


BADGE = "[![Star](https://img.shields.io/github/stars/{a}.svg)](https://github.com/{a})"


@pytest.mark.parametrize(
    ("head", "row", "new"),
    [
        (
            "| Preview | Paper |",
            f'| <img src="a/{{name}}.png" width="200"/> | [Paper Number {{n}}]({ARXIV}{{id}}) |',
            f"| | [A New Thing]({ARXIV}2403.00001) |",
        ),
        (
            "| Paper | Links |",
            f"| {BADGE}<br>**Paper Number {{n}}** | [Paper]({ARXIV}{{id}}) |",
            f"| {BADGE.format(a='new/thing')}<br>**A New Thing** | [Paper]({ARXIV}2403.00001) |",
        ),
        (
            "| Name | Paper |",
            f"| **[{{name}}](https://github.com/{{a}})** | [Paper Number {{n}}]({ARXIV}{{id}}) |",
            f"| **[thing](https://github.com/new/thing)** | [A New Thing]({ARXIV}2403.00001) |",
        ),
        (
            "| Name | Title | Paper |",
            f"| [{{name}}]({ARXIV}{{id}}) | Paper Number {{n}} | [pdf]({ARXIV}{{id}}) |",
            f"| | A New Thing | [pdf]({ARXIV}2403.00001) |",
        ),
        (
            "| Title | Rating |",
            f"| [Paper Number {{n}}]({ARXIV}{{id}}) | ★★★☆☆ |",
            f"| [A New Thing]({ARXIV}2403.00001) | ★★★★☆ |",
        ),
    ],
)
def test_a_new_row_takes_no_picture_and_no_name_of_another(head: str, row: str, new: str) -> None:
    text = in_rows(head, row)
    fields = replace(NEW, rating=4) if "★" in row else NEW
    assert added_lines(text, edited(parse_document(text), Add(("C",), fields))) == [new]


def test_a_name_before_the_title_is_what_stands_before_its_colon() -> None:
    titles = ("Transformer: Attention Is All You Need", "ResNet: Deep Residual Learning of Images")
    titles += ("DQN: Playing Atari with Deep Reinforcement Learning", "VAE: Learning of Encoders")
    lines = [
        f"- [{title.partition(':')[0]}]({ARXIV}{day}.00001): {title}. ICLR 2024."
        for title, day in zip(titles, DAYS, strict=False)
    ]
    text = "# L\n\n## C\n\n" + "\n".join(lines) + "\n"
    new = replace(NEW, title="BERT: Training of Deep Transformers", date="2024")
    assert added_lines(text, edited(parse_document(text), Add(("C",), new))) == [
        f"- [BERT]({ARXIV}2403.00001): BERT: Training of Deep Transformers. ICML 2024."
    ]


def test_the_number_of_an_item_keeps_its_stop_where_the_name_behind_it_is_unknown() -> None:
    titles = {
        "BERT": "BERT: Pre-training of Deep Transformers",
        "GPT-3": "Language Models are Few-Shot Learners",
        "LoRA": "LoRA: Low-Rank Adaptation of Large Language Models",
        "PPO": "Proximal Policy Optimization Algorithms",
        "RAG": "Retrieval-Augmented Generation for Knowledge-Intensive Tasks",
    }
    lines = [
        f"{n}. **{name}**: {title} [[ICLR 2024]]({ARXIV}{day}.00001)"
        for n, ((name, title), day) in enumerate(zip(titles.items(), DAYS, strict=False), 1)
    ]
    text = "# L\n\n## C\n\n" + "\n".join(lines) + "\n"
    new = replace(NEW, title="Dense Passage Retrieval for Answers", links=NEW.links[:1])
    assert added_lines(text, edited(parse_document(text), Add(("C",), new))) == [
        f"6. Dense Passage Retrieval for Answers [[ICML 2024]]({ARXIV}2403.00001)"
    ]


def test_a_colon_in_a_new_row_of_html_is_written_as_a_colon() -> None:
    rows = "".join(
        f'<tr>\n<td>2024</td>\n<td><a href="{ARXIV}{day}.00001">Paper Number {n}</a></td>\n</tr>\n'
        for n, day in enumerate(DAYS, 1)
    )
    text = f"## C\n\n<table>\n<tr><th>Year</th><th>Title</th></tr>\n{rows}</table>\n"
    new = replace(NEW, title="Thing: <Small> & Good", links=NEW.links[:1])
    after = edited(parse_document(text), Add(("C",), new))
    assert ">Thing: &lt;Small> & Good</a>" in after


@pytest.mark.parametrize("width", [56, 59, 62, 65, 66, 68, 74, 77])
def test_a_new_entry_is_wrapped_as_its_neighbours_are(width: int) -> None:
    def entry(title: str, year: int, number: str) -> str:
        whole = (
            f"- {title}. Ada Lovelace, Alan Turing, Grace Hopper. ICML {year}. "
            f"[pdf](https://arxiv.org/pdf/{number})"
        )
        layout = TextWrapper(width, break_long_words=False, break_on_hyphens=False)
        layout.subsequent_indent = "  "
        return layout.fill(whole)

    items = [
        entry(f"A Paper about Some {'Very ' * n}Deep Networks", 2010 + n, f"{day}.0000{n}")
        for n, day in enumerate(DAYS, 1)
    ]
    text = "# L\n\n## C\n\n" + "\n".join(items) + "\n"
    title = "A Way to Write Long Titles That No Line of a List Can Hold Whole"
    links = (Link("pdf", "https://arxiv.org/pdf/2403.00001"),)
    fields = replace(NEW, title=title, date="2024", links=links, tags=())
    new = added_lines(text, edited(parse_document(text), Add(("C",), fields)))
    assert "\n".join(new) == entry(title, 2024, "2403.00001")


def test_an_address_on_a_line_of_its_own_is_not_wrapped() -> None:
    items = [
        f"- {title}\n"
        f"  https://openaccess.thecvf.com/content_cvpr_2016/papers/Lovelace_Networks_{n}_paper.pdf\n"
        for n, title in enumerate(
            ("Deep Residual Learning", "Attention Is All You Need", "GANs") * 2
        )
    ]
    text = "# L\n\n## C\n\n" + "".join(items)
    fields = replace(NEW, links=(Link("pdf", "https://arxiv.org/pdf/2403.00001"),), tags=())
    new = added_lines(text, edited(parse_document(text), Add(("C",), fields)))
    assert new == [f"- {NEW.title}", "  https://arxiv.org/pdf/2403.00001"]


def test_where_neighbours_wrap_their_authors_a_new_entry_need_not() -> None:
    names = "Ada Lovelace, Alan Turing, Grace Hopper"
    items = [
        fill(
            f"- **A Paper about {'Very ' * n}Deep Networks**. {names}. "
            f"[pdf](https://arxiv.org/pdf/{day}.0000{n})",
            width=50,
            subsequent_indent="  ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        for n, day in enumerate(DAYS, 1)
    ]
    text = "# L\n\n## C\n\n" + "\n".join(items) + "\n"
    links = (Link("pdf", "https://arxiv.org/pdf/2403.00001"),)
    fields = replace(NEW, title="Short", authors=("Ann Bee", "Carl Dee"), links=links, tags=())
    new = added_lines(text, edited(parse_document(text), Add(("C",), fields)))
    assert new[0] == "- **Short**. Ann Bee, Carl Dee."
