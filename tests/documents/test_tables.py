"""Tables are read by what their columns hold: headers are one hint, in any language."""

from __future__ import annotations

import pytest

from papertrack.documents.markdown.model import Document, Entry
from papertrack.documents.markdown.read.document import parse_document

TITLES = (
    "Attention Is All You Need",
    "Deep Residual Learning for Image Recognition",
    "Adam: A Method for Stochastic Optimization",
    "Auto-Encoding Variational Bayes",
)
IDS = ("1706.03762", "1512.03385", "1412.6980", "1312.6114")
NAMES = ("Transformer", "ResNet", "Adam", "VAE")
AUTHORS = (
    ("Ashish Vaswani", "Noam Shazeer"),
    ("Kaiming He", "Xiangyu Zhang"),
    ("Diederik P. Kingma", "Jimmy Ba"),
    ("Diederik P. Kingma", "Max Welling"),
)
VENUES = ("NeurIPS 2017", "CVPR 2016", "ICLR 2015", "ICLR 2014")


def table(header: str, row: str) -> Document:
    """A table with a row for each work, whose fields stand for themselves: ``{title}``."""
    rows = [
        row.format(
            n=number + 1,
            title=TITLES[number],
            name=NAMES[number],
            id=IDS[number],
            url=f"https://arxiv.org/abs/{IDS[number]}",
            code=f"https://github.com/someone/{NAMES[number].lower()}",
            authors=", ".join(AUTHORS[number]),
            venue=VENUES[number],
            year=VENUES[number][-4:],
            remark=("strong", "old", "strong", "old")[number],
            sentence=f"shows how {NAMES[number]} is trained on few examples with less memory.",
        )
        for number in range(len(TITLES))
    ]
    columns = header.count("|") - 1
    return parse_document("\n".join(["# List", "", header, "|--" * columns + "|", *rows, ""]))


def columns_of(document: Document) -> dict[str, str]:
    return {column.header: column.role for column in document.tables[0].columns}


def part(document: Document, entry: Entry, role: str) -> list[str]:
    spans = [part.span for part in entry.anatomy.parts if part.role == role]
    return [document.text[slice(*span)] for span in spans]


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("| Work | Where |", "| [{title}]({url}) | {venue} |"),
        ("| Was | Ort |", "| {title} | [pdf]({url}) |"),
        ("| Titre | Lien |", "| **{title}** | [lien]({url}) |"),
        ("| 이름 | 제목 | 링크 |", "| {name} | {title} | [paper]({url}) |"),
        ("| Name | Venue | Title | Link |", "| {name} | {venue} | {title} | [Paper]({url}) |"),
        ("| Model | Paper | Key idea |", "| **{name}** | [{title}]({url}) | {sentence} |"),
        ("| | | |", "| {n} | [{title}]({url}) | {authors} |"),
        (
            "| Paper & Authors | Links |",
            "| [**{title}**]({url}) <br> *{authors}* | [Code]({code}) |",
        ),
        ("| Title & Authors | Intro |", "| [{title}]({url}) <br> {authors} <br> > {venue} | |"),
        ("| Title and Authors | Links |", "| **{title}** — {authors} | [Paper]({url}) |"),
        ("| Publication | Links |", '| **"{title}"**<br/><sub>{authors}</sub> | [PDF]({url}) |'),
        ("| Title | Links |", "| {authors}, *{title}*, {venue} | [Paper]({url}) |"),
        ("| Paper | Code |", "| 🔥🔥[{name}] {title} (@Some Lab etc) | [code]({url}) |"),
        ("| Paper | Code |", "| [![Star](https://x.io/s.svg)]({code}) <br> [{title}]({url}) | |"),
        ("| Highlights | Title | Link |", "| {remark} | {title} | [x]({url}) |"),
        ("| Idea | Reference |", "| {sentence} | [{title}]({url}) |"),
        ("| Date | Title | Paper | Recom |", "| 2024.01 | {title} | [[pdf]]({url}) | ⭐️⭐️ |"),
    ],
)
def test_the_title_is_what_varies_and_reads_like_one(header: str, row: str) -> None:
    document = table(header, row)
    assert [entry.fields.title for entry in document.entries] == list(TITLES)
    assert [entry.key for entry in document.entries] == [f"arxiv:{one}" for one in IDS]


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("| Model | Paper |", "| **{name}** | [{venue}]({url}) |"),
        ("| Model | Paper |", "| {name} | [Paper]({url}) |"),
        ("| Method | Year | arXiv |", "| {name} | {year} | [`{id}`]({url}) |"),
        ("| 模型 | 论文 | 备注 |", "| [{name}]({url}) | [链接]({url}) | {remark} |"),
        ("| Name | Description | Link |", "| {name} | {sentence} | [link]({url}) |"),
    ],
)
def test_short_names_are_the_titles_where_nothing_else_reads_like_one(
    header: str, row: str
) -> None:
    assert [entry.fields.title for entry in table(header, row).entries] == list(NAMES)


@pytest.mark.parametrize("header", ["Name", "Model", "Method", "缩写", "Wie es heißt"])
def test_short_names_beside_titles_are_other_names(header: str) -> None:
    document = table(f"| {header} | Title | arXiv |", "| {name} | {title} | [{id}]({url}) |")
    assert columns_of(document)[header] == "name"
    assert [part(document, entry, "name") for entry in document.entries] == [[n] for n in NAMES]


@pytest.mark.parametrize(
    ("cell", "role"),
    [
        ("{authors}", "author"),
        ("{venue}", "venue"),
        ("2024-0{n}", "date"),
        ("⭐️⭐️", "rating"),
        ("[link]({code})", "code"),
        ("[x](https://youtu.be/a{n})", "video"),
        ("{n}", "number"),
        ("{remark}", "other"),
        ("Some Institute", "other"),
    ],
)
def test_a_column_under_an_unknown_header_is_what_its_cells_are(cell: str, role: str) -> None:
    document = table("| Title | Wat |", f"| [{{title}}]({{url}}) | {cell} |")
    assert columns_of(document)["Wat"] == role


def test_a_known_header_over_other_cells_gives_way() -> None:
    document = table("| Title | Published |", "| [{title}]({url}) | {venue} |")
    assert columns_of(document)["Published"] == "venue"
    assert [entry.fields.venue for entry in document.entries] == list(VENUES)


@pytest.mark.parametrize(
    "cell",
    [
        "[{title}]({url}) <br> {authors} <br> > {venue}",
        "[**{title}**]({url})<br>*{authors}*<br>**{venue}**",
        "**{title}** — {authors} ({venue}) [pdf]({url})",
        "**{title}** {authors}. {venue} [[pdf]({url})]",
        "**{title}**<br/><sub>{authors}</sub><br/>*{venue}* [PDF]({url})",
        "{authors}, *{title}*, {venue} [link]({url})",
    ],
)
def test_a_cell_that_says_several_things_is_cut_into_its_parts(cell: str) -> None:
    document = table("| Title & Authors | Links |", f"| {cell} | [Code]({{code}}) |")
    for number, entry in enumerate(document.entries):
        assert entry.fields.title == TITLES[number]
        assert entry.fields.authors == AUTHORS[number]
        assert entry.fields.venue == VENUES[number]
        assert part(document, entry, "title") == [TITLES[number]]
        assert part(document, entry, "authors") == [", ".join(AUTHORS[number])]
        assert part(document, entry, "venue") == [VENUES[number]]


def test_parts_stand_in_order_within_the_row_and_do_not_overlap() -> None:
    document = table(
        "| # | Title | Authors | Venue | Tags | Notes | Code |",
        "| {n} | [{title}]({url}) | {authors} | {venue} | a, b | {sentence} | [x]({code}) |",
    )
    for entry in document.entries:
        roles = [part.role for part in entry.anatomy.parts]
        assert roles == ["number", "title", "authors", "venue", "tag", "details", "link"]
        edges = [edge for part in entry.anatomy.parts for edge in part.span]
        assert edges == sorted(edges)


def test_tables_with_the_same_headers_are_read_alike_however_few_rows_they_have() -> None:
    head = "| What | Kind of thing |\n|---|---|\n"
    rows = [
        f"| [{title}](https://arxiv.org/abs/{one}) | {venue} |\n"
        for title, one, venue in zip(TITLES, IDS, VENUES, strict=True)
    ]
    text = f"## A\n\n{head}{''.join(rows[:3])}\n## B\n\n{head}{rows[3]}\n## C\n\n{head}"
    document = parse_document(text)
    assert {tuple(c.role for c in one.columns) for one in document.tables} == {("title", "venue")}
    assert [entry.fields.venue for entry in document.entries] == list(VENUES)


@pytest.mark.parametrize(
    ("written", "people"),
    [
        ("Ashish Vaswani et al.", ("Ashish Vaswani",)),
        ("Vaswani et al.", ("Vaswani",)),
        ("OpenAI", ()),
        ("Google Research", ()),
        ("vLLM Team", ()),
        ("Meta AI, Yann LeCun", ("Yann LeCun",)),
        ("李沐、张潼", ("李沐", "张潼")),
        ("Xiang Lisa Li*, Percy Liang†", ("Xiang Lisa Li", "Percy Liang")),
    ],
)
def test_organisations_and_projects_are_no_authors(written: str, people: tuple[str]) -> None:
    row = f"| [{TITLES[0]}](https://arxiv.org/abs/{IDS[0]}) | {written} |"
    document = parse_document(f"| Title | Authors |\n|---|---|\n{row}\n")
    assert document.entries[0].fields.authors == people


def test_a_row_that_names_a_group_is_no_entry() -> None:
    head = "| Paper | Code |\n|---|---|\n"
    rows = [
        f"| [{title}](https://arxiv.org/abs/{one}) | |\n"
        for title, one in zip(TITLES, IDS, strict=True)
    ]
    text = f"{head}| **Pruning** | |\n{rows[0]}{rows[1]}| *Quantization* | |\n{rows[2]}"
    assert [entry.fields.title for entry in parse_document(text).entries] == list(TITLES[:3])


def test_a_planned_row_without_links_stays_an_entry() -> None:
    head = "| Paper | Code |\n|---|---|\n"
    row = f"| [{TITLES[0]}](https://arxiv.org/abs/{IDS[0]}) | |\n"
    text = f"{head}{row}| **{TITLES[1]}** | |\n| Something planned | |\n"
    assert len(parse_document(text).entries) == 3


@pytest.mark.parametrize(
    "text",
    [
        "| Metric | Value |\n|---|---|\n| Accuracy | 91.3 |\n| Latency | 12 ms |\n",
        "| Model | Paper | Ours |\n|---|--:|--:|\n| ResNet | 76 | 77 |\n| ViT | 81 | 82 |\n",
        "| Option | Meaning |\n|---|---|\n| `--fast` | Uses less time and more memory |\n",
        "| Section | Papers |\n|---|---|\n| [Serving](#serving) | 12 |\n| [Data](#data) | 3 |\n",
    ],
)
def test_tables_of_other_things_hold_no_entries(text: str) -> None:
    document = parse_document(text)
    assert document.entries == ()
    assert document.categories == ()


def test_what_the_reader_says_of_a_column_goes_before_all() -> None:
    text = f"| A | B |\n|---|---|\n| [{TITLES[0]}](https://arxiv.org/abs/{IDS[0]}) | {NAMES[0]} |\n"
    document = parse_document(text, {"column.B": "title", "column.A": "paper"})
    assert [column.role for column in document.tables[0].columns] == ["paper", "title"]
    assert document.entries[0].fields.title == NAMES[0]


@pytest.mark.parametrize("quoted", ['"{}"', "“{}”", "«{}»", "《{}》"])
def test_quotes_around_a_title_in_a_cell_are_none_of_it(quoted: str) -> None:
    titles = ["Fast Attention on Small Chips", "On “Emergence” in Large Models"]
    rows = [
        f"| {quoted.format(title)} | [pdf](https://arxiv.org/abs/2401.0000{n}) |"
        for n, title in enumerate(titles)
    ]
    linked = [f"| [{quoted.format(titles[0])}](https://arxiv.org/abs/2401.00009) | |"]
    text = "| Title | Link |\n|---|---|\n" + "\n".join(rows + linked) + "\n"
    found = [entry.fields.title for entry in parse_document(text).entries]
    assert found == [*titles, titles[0]]


IDEAS = (
    "Weighs Every Word against Every Other",
    "Learning What Is Left over with Shortcuts",
    "Steps of Their Own for Every Weight",
    "A Lower Bound for What Cannot Be Seen",
)


@pytest.mark.parametrize("idea", ["Key Features", "Main idea", "Contributions", "核心思想", "亮点"])
@pytest.mark.parametrize("name", ["Method", "System", "模型"])
def test_what_is_new_in_a_work_is_no_title_beside_its_name(name: str, idea: str) -> None:
    rows = [
        f"| {own} | {new} | [Paper](https://arxiv.org/abs/{arxiv_id}) |\n"
        for own, new, arxiv_id in zip(NAMES, IDEAS, IDS, strict=True)
    ]
    document = parse_document(f"| {name} | {idea} | Link |\n|---|---|---|\n" + "".join(rows))
    assert [entry.fields.title for entry in document.entries] == list(NAMES)
    assert [entry.fields.description for entry in document.entries] == list(IDEAS)


def test_a_badge_beside_a_venue_is_no_part_of_it() -> None:
    badge = "![Dynamic JSON Badge](https://img.shields.io/badge/dynamic/json?label=citation)"
    document = table("| Paper | Publication |", f"| [{{title}}]({{url}}) | {{venue}}<br> {badge} |")
    assert [entry.fields.venue for entry in document.entries] == [*VENUES]
