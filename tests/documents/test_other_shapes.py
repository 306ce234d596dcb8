"""Shapes beside lists and tables: headings that are titles, links below titles, links within."""

from __future__ import annotations

import pytest

from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.write.edit_types import Remove, SetPasses, SetTitle
from papertrack.documents.markdown.write.edits import apply_edits
from papertrack.documents.recognize import foreign_format
from tests.documents.samples import edited

TITLES = (
    "Attention Is All You Need",
    "Deep Residual Learning for Image Recognition",
    "Adam: A Method for Stochastic Optimization",
    "Auto-Encoding Variational Bayes",
)
IDS = ("1706.03762", "1512.03385", "1412.6980", "1312.6114")
ARXIV = [f"https://arxiv.org/abs/{one}" for one in IDS]
PAGES = [f"https://conf.example/{one}" for one in range(4)]


def written(template: str, urls: list[str]) -> str:
    parts = [
        template.format(n=number + 1, title=title, url=url)
        for number, (title, url) in enumerate(zip(TITLES, urls, strict=True))
    ]
    return "# List\n\n## Papers\n\n" + "\n".join(parts)


def titles_of(text: str) -> list[str]:
    return [entry.fields.title for entry in parse_document(text).entries]


@pytest.mark.parametrize("urls", [ARXIV, PAGES], ids=["works", "pages"])
@pytest.mark.parametrize(
    "template",
    [
        "### [{title}]({url})\n\nProse on it.\n",
        "### [{n}] [{title}]({url})\n\nProse on it.\n\nAnd more.\n",
        "### {n}. [{title}]({url})\n\n- Idea: a model\n- Result: it works\n",
        "#### 📄 ({n}) [**{title}**]({url})\n\n> A quote of it.\n",
        "### {n}、[{title}]({url})\n",
    ],
)
def test_a_heading_that_is_a_link_to_a_work_is_an_entry(template: str, urls: list[str]) -> None:
    document = parse_document(written(template, urls))
    assert [entry.fields.title for entry in document.entries] == list(TITLES)
    assert {entry.shape for entry in document.entries} == {"heading"}
    assert {entry.category for entry in document.entries} == {("Papers",)}


@pytest.mark.parametrize(
    "template",
    [
        "### {title} ([arXiv]({url}), [talk about it](https://a.example/{n}))\n\n- Idea: a model\n",
        "### {n}. {title} [[paper]]({url}) [[code]](https://github.com/a/{n})\n\nProse on it.\n",
        "## {title} [pdf]({url})\n\n> A quote of it.\n",
        "### {title} · [arXiv]({url})\n",
    ],
)
def test_a_heading_with_the_links_of_its_work_behind_it_is_an_entry(template: str) -> None:
    document = parse_document(written(template, ARXIV))
    assert [entry.fields.title for entry in document.entries] == list(TITLES)
    assert [entry.key for entry in document.entries] == [f"arxiv:{one}" for one in IDS]


@pytest.mark.parametrize(
    "below",
    [
        f"[{TITLES[1]}]({ARXIV[1]})\n",
        f"We note it.\n\n**{TITLES[1]}**\n\nAda Low, Ben Roe\n\n[[pdf]]({ARXIV[1]})\n",
    ],
)
@pytest.mark.parametrize("heading", ["[{title}]({url})", "{title} ([arXiv]({url}))"])
def test_another_work_below_a_heading_with_its_own_is_an_entry(heading: str, below: str) -> None:
    text = f"# Papers\n\n### {heading.format(title=TITLES[0], url=ARXIV[0])}\n\n{below}"
    entries = parse_document(text).entries
    assert (entries[-1].fields.title, entries[-1].identifiers[0].value) == (TITLES[1], IDS[1])
    assert {len(entry.fields.links) for entry in entries} == {1}


def test_what_else_is_linked_below_a_heading_with_its_work_is_of_it() -> None:
    text = (
        f"# Papers\n\n### {TITLES[0]} ([arXiv]({ARXIV[0]}))\n\n"
        "[ACM](https://doi.org/10.1145/1618452.1618478) | [code](https://github.com/a/b)\n"
    )
    (entry,) = parse_document(text).entries
    assert len(entry.fields.links) == 3


def test_a_heading_above_entries_is_their_category_also_with_a_link_to_a_survey() -> None:
    text = (
        f"# List\n\n## Models of Many Kinds [[paper]]({ARXIV[0]})\n\n- [{TITLES[1]}]({ARXIV[1]})\n"
    )
    (entry,) = parse_document(text).entries
    assert (entry.fields.title, entry.category) == (TITLES[1], ("Models of Many Kinds",))


@pytest.mark.parametrize("label", ["Authors: {}", "**Authors:** {}", "Author: {}", "作者：{}"])
def test_an_author_alone_below_a_title_is_known_by_the_label(label: str) -> None:
    text = (
        f"# List\n\n### [{TITLES[0]}]({ARXIV[0]})\n\n- {label.format('Ada Low')}\n- Idea: a model\n"
    )
    (entry,) = parse_document(text).entries
    assert entry.fields.authors == ("Ada Low",)


@pytest.mark.parametrize(
    "template",
    [
        "### Paper {n}: {title}\n\nLink: {url}\n",
        "### 论文{n}：{title}\n\n[pdf]({url})\n",
        "- Paper {n}: {title} [pdf]({url})",
        "- **Paper #{n}**: [{title}]({url})",
    ],
)
def test_the_words_that_number_a_paper_are_no_part_of_its_title(template: str) -> None:
    assert titles_of(written(template, ARXIV)) == list(TITLES)


def test_items_whose_lines_are_labelled_are_a_list_in_a_readme_and_no_yaml() -> None:
    text = written("- Title: {title}\n  Link: {url}\n  Venue: A Conference", ARXIV)
    assert titles_of(text) == list(TITLES)
    assert foreign_format(text, ".md") is None
    assert foreign_format(text) == "YAML"


def test_what_stands_below_a_heading_goes_with_it() -> None:
    text = written("### [{n}] [{title}]({url})\n\nProse on it.\n\n- Idea: one\n", ARXIV)
    document = parse_document(text)
    made = apply_edits(document, [Remove(1)])
    assert not made.refused
    assert titles_of(made.text) == [TITLES[0], *TITLES[2:]]
    assert made.text.count("Prose on it.") == made.text.count("Idea") == 3


def test_the_number_of_a_heading_is_no_part_of_its_title() -> None:
    document = parse_document(written("### [{n}] [{title}]({url})\n", ARXIV))
    made = apply_edits(document, [SetTitle(0, "Another Title")])
    assert not made.refused
    assert f"### [1] [Another Title]({ARXIV[0]})" in made.text
    numbers = [part for part in document.entries[2].anatomy.parts if part.role == "number"]
    assert [document.text[slice(*part.span)] for part in numbers] == ["3"]


@pytest.mark.parametrize(
    "text",
    [
        "## [NeurIPS 2023](https://neurips.cc)\n\n## [ICML 2023](https://icml.cc)\n\n"
        "## [ICLR 2023](https://iclr.cc)\n",
        "## [Vision](https://a.example)\n\n## [Speech](https://b.example)\n\n"
        "## [Robots](https://c.example)\n",
        "## Serving Large Models on Small Machines\n\n## Training\n\n## [Data](https://d.example)\n",
    ],
)
def test_a_heading_that_names_a_category_is_no_entry(text: str) -> None:
    assert titles_of(f"# List\n\n{text}") == []


@pytest.mark.parametrize(
    "template",
    [
        "- **{title}**\n  > A. One, B. Two · [arXiv]({url})\n",
        "- {title}\n\n  A. One and B. Two, [[pdf]]({url})\n",
        "* {title}\n\n  > Some words.\n  >\n  > [Paper]({url}) | [Code](https://github.com/a/{n})\n",
        "{n}. {title}\n   > [[paper]({url})]\n",
    ],
)
def test_a_title_whose_links_stand_below_it_is_an_entry(template: str) -> None:
    document = parse_document(written(template, ARXIV))
    assert [entry.fields.title for entry in document.entries] == list(TITLES)
    assert [entry.key for entry in document.entries] == [f"arxiv:{one}" for one in IDS]
    assert {entry.category for entry in document.entries} == {("Papers",)}


@pytest.mark.parametrize("anchor", ["#one", "./#one", "README.md#one", "./README_EN.md#one"])
def test_a_title_that_leads_within_the_page_is_an_entry_if_it_is_marked(anchor: str) -> None:
    marks = ("[x]", "[ ]", "[x]", "[ ]")
    lines = [f"- {mark} [{title}]({anchor})\n" for mark, title in zip(marks, TITLES, strict=True)]
    entries = parse_document("# List\n\n" + "".join(lines)).entries
    assert [entry.fields.title for entry in entries] == list(TITLES)
    assert [entry.fields.passes for entry in entries] == [1, 0, 1, 0]


@pytest.mark.parametrize("anchor", ["#one", "./#one", "README.md#one", "./readme.zh.md#one"])
def test_a_table_of_contents_holds_no_entries(anchor: str) -> None:
    lines = [f"- [{title}]({anchor})\n  - [Part]({anchor})\n" for title in TITLES]
    document = parse_document("# List\n\n## Contents\n\n" + "".join(lines))
    assert document.entries == ()
    assert document.categories == ()


@pytest.mark.parametrize(
    "prose",
    [
        "[^1]: Vaswani et al. Attention Is All You Need. [arXiv]({url}), 2017.",
        "This list began when we read [a paper on attention]({url}) and could not stop reading "
        "what others had written on it since.",
        "# About arXiv:1706.03762",
    ],
)
def test_a_work_named_in_passing_is_mentioned_and_no_entry(prose: str) -> None:
    entry = f"- [{TITLES[1]}]({ARXIV[1]})"
    document = parse_document(f"# List\n\n{entry}\n\n{prose.format(url=ARXIV[0])}\n")
    assert [one.fields.title for one in document.entries] == [TITLES[1]]
    assert [(one.identifier.value, one.line) for one in document.mentioned] == [(IDS[0], 5)]
    assert document.skipped == ()


@pytest.mark.parametrize(
    "paragraph",
    [
        "**{title}**, by A. One and B. Two, who worked on it for years and then some more of them: "
        "[paper]({url})",
        "[{title}]({url}) shows that much can be done with less, which surprised nearly everyone "
        "who had worked on it before.",
        "A. One, B. Two. {title}. In the proceedings of a conference of many people at some place "
        "by the sea. [[pdf]]({url})",
    ],
)
def test_a_paragraph_about_a_work_stays_an_entry(paragraph: str) -> None:
    text = "\n\n".join(
        paragraph.format(title=title, url=url) for title, url in zip(TITLES, ARXIV, strict=True)
    )
    document = parse_document(f"# List\n\n{text}\n")
    assert len(document.entries) == 4
    assert document.mentioned == ()


@pytest.mark.parametrize(
    "cells",
    [
        '<td>{n}</td><td><a href="{url}">{title}</a></td><td>ICLR 2015</td>',
        '<td><a href="https://a.example/{n}">No. {n}</a></td><td><a href="{url}">{title}</a></td>'
        "<td>ICLR 2015</td><td>2015-03-01</td>",
        '<td>ICLR 2015</td><td>\n<a href="{url}"><b>{title}</b></a>\n</td><td></td>',
    ],
)
def test_a_row_of_html_is_named_by_the_cell_that_reads_like_a_title(cells: str) -> None:
    rows = written(f"<tr>{cells}</tr>", ARXIV).replace("# List\n\n## Papers\n\n", "")
    document = parse_document(f"# List\n\n<table>\n{rows}\n</table>\n")
    assert [entry.fields.title for entry in document.entries] == list(TITLES)
    assert {entry.fields.venue for entry in document.entries} == {"ICLR 2015"}


HTML_ROW = '<tr><td><a href="https://arxiv.org/abs/2301.0000{0}">{1}</a></td><td>{2}</td></tr>\n'


def html_table(*marks: str, head: str = "Read") -> str:
    rows = (
        HTML_ROW.format(number, title, mark)
        for number, (title, mark) in enumerate(zip(TITLES, marks, strict=False), start=1)
    )
    return f"<table>\n<tr><th>Paper</th><th>{head}</th></tr>\n{''.join(rows)}</table>\n"


@pytest.mark.parametrize(
    "marks", [("", "✅", "✅ ✅"), ("0/3", "1/3", "2/3"), ("unread", "skimmed", "read")]
)
def test_the_marks_in_a_column_of_an_html_table_are_read_and_written(
    marks: tuple[str, ...],
) -> None:
    text = html_table(*marks)
    document = parse_document(text)
    assert [entry.fields.passes for entry in document.entries] == [0, 1, 2]
    for passes, mark in enumerate(marks):
        for row in range(3):
            wanted = html_table(*marks[:row], mark, *marks[row + 1 :])
            assert edited(document, SetPasses(row, passes)) == wanted


def test_signs_in_other_columns_of_an_html_table_are_no_marks() -> None:
    document = parse_document(html_table("", "✅", "✅", head="Open source"))
    assert [entry.fields.passes for entry in document.entries] == [None, None, None]


def test_an_html_table_whose_first_row_is_empty_is_read() -> None:
    text = html_table("", "✅", "✅ ✅").replace("<table>\n", "<table>\n<tr></tr>\n")
    assert len(parse_document(text).entries) == 3


def test_a_row_of_an_html_table_with_fewer_cells_has_no_mark() -> None:
    short = HTML_ROW.format(9, "Short of a Cell", "✅").replace("<td>✅</td>", "")
    text = html_table("", "✅", "✅ ✅").replace("</table>", short + "</table>")
    assert [e.fields.passes for e in parse_document(text).entries] == [0, 1, 2, None]


def test_links_with_labels_in_sub_items_are_those_of_the_title_above() -> None:
    text = "".join(
        f"- {title}\n  - 👥 Ada Low, Ben Roe\n  - 📄 Paper: [arXiv](https://arxiv.org/abs/{number})\n"
        f"  - 💻 [Code](https://github.com/low/{number})\n"
        for number, title in (
            ("2301.00001", "Pruning Trees of Thoughts"),
            ("2301.00002", "A Cache That Forgets Slowly"),
            ("2301.00003", "Reading Lists as Grammars"),
        )
    )
    entries = parse_document(f"## Papers\n\n{text}").entries
    assert [entry.fields.title for entry in entries] == [
        "Pruning Trees of Thoughts",
        "A Cache That Forgets Slowly",
        "Reading Lists as Grammars",
    ]
    assert [len(entry.fields.links) for entry in entries] == [2, 2, 2]


def test_links_behind_the_same_label_below_each_title_are_those_of_the_titles() -> None:
    text = "".join(
        f"- **{title}**\n  - Link: {page}\n  - About: a talk\n"
        for title, page in zip(TITLES, PAGES, strict=True)
    )
    entries = parse_document(f"## Talks\n\n{text}").entries
    assert [entry.fields.title for entry in entries] == list(TITLES)
    assert [[link.url for link in entry.fields.links] for entry in entries] == [[p] for p in PAGES]


def test_sub_items_with_words_before_their_labels_are_entries_of_a_group() -> None:
    text = (
        "- Transformers\n"
        "  - Pruning Trees of Thoughts [[pdf]](https://arxiv.org/abs/2301.00001)\n"
        "  - A Cache That Forgets Slowly [[pdf]](https://arxiv.org/abs/2301.00002)\n"
    )
    entries = parse_document(text).entries
    assert [entry.fields.title for entry in entries] == [
        "Pruning Trees of Thoughts",
        "A Cache That Forgets Slowly",
    ]


def test_numbered_headings_above_names_and_one_work_each_are_titles() -> None:
    titles = ["Pruning Trees of Thoughts", "A Cache That Forgets Slowly", "Lists as Grammars Today"]
    text = "## Papers\n\n" + "".join(
        f"#### {number}. {title}\n\n*Ada Low and Ben Roe*, 2023 "
        f"[[pdf]](https://arxiv.org/pdf/2301.0000{number})\n\nA remark.\n\n"
        for number, title in enumerate(titles, start=1)
    )
    document = parse_document(text)
    assert [entry.fields.title for entry in document.entries] == titles
    assert {entry.category for entry in document.entries} == {("Papers",)}


def test_a_folded_abstract_below_a_heading_is_part_of_its_work() -> None:
    text = "## Papers\n\n" + "".join(
        f"### {number}. {title}\n**Authors**: Ada Low, Ben Roe\n\n<details span>\n"
        "<summary><b>Abstract</b></summary>\nWe present it.\n</details>\n\n"
        f"[📄 Paper]({url}) | [🌐 Project Page](https://e.org/{number})"
        f" | [🎥 Short Presentation](https://youtu.be/{number})\n\n"
        for number, (title, url) in enumerate(zip(TITLES, ARXIV, strict=True), start=1)
    )
    document = parse_document(text)
    assert [entry.fields.title for entry in document.entries] == [*TITLES]
    assert {entry.fields.authors for entry in document.entries} == {("Ada Low", "Ben Roe")}
    assert {entry.fields.description for entry in document.entries} == {None}
    roles = [[link.role for link in entry.fields.links] for entry in document.entries]
    assert roles == [["paper", "project", "video"]] * 4
    own = text[slice(*document.entries[1].span)]
    assert edited(document, Remove(1)) == text.replace(f"{own}\n", "")


def test_a_folded_list_below_a_heading_stays_a_list() -> None:
    text = "".join(
        f"## {name}\n\n<details>\n<summary>Older</summary>\n\n- [{title}]({url})\n\n</details>\n\n"
        for name, title, url in zip(("Pruning", "Caches"), TITLES, ARXIV, strict=False)
    )
    assert titles_of(text) == [*TITLES[:2]]


def test_categories_with_a_survey_below_their_heading_stay_categories() -> None:
    text = "".join(
        f"## {name}\n\nStart here: [[paper]](https://arxiv.org/abs/2301.0000{number})\n\n"
        f"- [A Cache That Forgets Slowly {number}](https://arxiv.org/abs/2302.0000{number})\n\n"
        for number, name in enumerate(("Pruning", "Quantization", "Caches", "Agents"), start=1)
    )
    document = parse_document(text)
    assert {("Pruning",), ("Agents",)} <= {entry.category for entry in document.entries}


def _folded(name: str, number: int) -> str:
    link = f'<a href="https://arxiv.org/abs/2301.0000{number}">pdf</a>'
    return f"<details>\n<summary>{name}</summary>\n{link}\n</details>\n"


def test_what_is_labelled_within_a_folded_work_is_known_of_it() -> None:
    text = _folded("<b>[ICML 2023] First Paper on Things</b>", 1).replace(
        "</details>", "\n- **Authors:** Ada Low, Ben Roe\n- **Rating:** ⭐⭐⭐\n\n</details>"
    )
    (entry,) = parse_document(text).entries
    assert entry.fields.authors == ("Ada Low", "Ben Roe")
    assert (entry.fields.venue, entry.fields.rating) == ("ICML 2023", 3)


def test_folded_works_without_blank_lines_between_them_are_each_one() -> None:
    names = ["First Paper on Things", "Second Paper on Stuff", "Third Paper on Matter"]
    text = "## S\n\n" + "".join(_folded(name, n) for n, name in enumerate(names, 1))
    document = parse_document(text)
    assert [entry.fields.title for entry in document.entries] == names
    assert [len(entry.fields.links) for entry in document.entries] == [1, 1, 1]
    edited = apply_edits(document, [Remove(document.entries[1].index)]).text
    assert edited == "## S\n\n" + _folded(names[0], 1) + _folded(names[2], 3)


def test_a_folded_work_may_follow_the_end_of_another_right_away() -> None:
    names = ["First Paper on Things", "Second Paper on Stuff", "Third Paper on Matter"]
    folded = [
        f"<details>\n<summary>{name}</summary>\n\n[pdf](https://arxiv.org/abs/2301.0000{number})"
        " by Ann Quist\n\n</details>\n"
        for number, name in enumerate(names, 1)
    ]
    document = parse_document("## S\n\n" + "".join(folded))
    assert [entry.fields.title for entry in document.entries] == names


def test_what_stands_behind_a_folded_text_is_not_part_of_it() -> None:
    fold = "<details><summary>Abstract</summary>Words.</details>\n"
    lines = [f"- [Paper Number {n}](https://arxiv.org/abs/2301.0000{n})\n" for n in (1, 2, 3)]
    document = parse_document("## S\n\n" + fold.join(lines))
    assert [len(entry.fields.links) for entry in document.entries] == [1, 1, 1]
    assert [entry.fields.title for entry in document.entries] == [
        f"Paper Number {n}" for n in (1, 2, 3)
    ]


def test_a_row_of_html_that_holds_a_folded_text_stays_one() -> None:
    link = '<a href="https://arxiv.org/abs/2301.00001">A Paper on Things</a>'
    row = f"<tr><td>{link}\n<details>\n<summary>Abstract</summary>Words.\n</details>\n</td></tr>\n"
    document = parse_document(f"## S\n\n<table>\n{row}</table>\n")
    assert [document.text[slice(*entry.span)].strip() for entry in document.entries] == [
        row.strip()
    ]


def _linked(number: int) -> str:
    return f"[{TITLES[number]}]({ARXIV[number]})"


@pytest.mark.parametrize("between", [", ", " and ", "; it builds on ", " (see also ", " vs. "])
@pytest.mark.parametrize("first", [0, 1, 2])
def test_of_two_works_in_an_item_the_first_is_its_entry_and_the_other_is_told(
    between: str, first: int
) -> None:
    items = [_linked(first) + between + _linked((first + 1) % 3), _linked(3)]
    document = parse_document("# List\n\n" + "".join(f"- {item}\n" for item in items))
    assert [one.fields.title for one in document.entries] == [TITLES[first], TITLES[3]]
    (told,) = document.skipped
    assert told.line == 3
    assert f"“{TITLES[(first + 1) % 3][:20]}" in told.reason.partition("the entry of this line")[2]


@pytest.mark.parametrize(
    "item",
    [
        f"{_linked(0)} [[PDF]]({ARXIV[1]})",
        f"{_linked(0)}, after [ResNet]({ARXIV[1]})",
        f"{_linked(0)}, read after {_linked(2)}",
    ],
)
def test_a_link_beside_an_entry_that_is_no_second_work_is_not_told(item: str) -> None:
    document = parse_document(f"# List\n\n- {item}\n- {_linked(2)}\n")
    assert document.skipped == ()


WORKS = (
    ("Attention Is All You Need", "Transformer", "Ashish Vaswani"),
    ("Deep Residual Learning for Image Recognition", "ResNet", "Kaiming He"),
    ("Layer Normalization", "LayerNorm", "Jimmy Lei Ba"),
    ("Neural Ordinary Differential Equations", "Neural ODE", "Ricky T. Q. Chen"),
)
"""Titles of which several have the form of a name, and names of people and things."""


@pytest.mark.parametrize(
    "template",
    [
        "- [{name}]({url}) {title}, {person} et al., ICML 2018",
        "- [{name}]({url}) - {title}",
        "- ICML 2018 | {title} | {person} et al. | [link]({url})",
        "- {title} - {person} et al. [[pdf]]({url})",
    ],
)
def test_titles_that_might_be_names_are_titles_beside_surer_names(template: str) -> None:
    items = [
        template.format(title=title, name=name, person=person, url=url)
        for (title, name, person), url in zip(WORKS, ARXIV, strict=True)
    ]
    document = parse_document("# List\n\n## Papers\n\n" + "\n".join(items) + "\n")
    assert [one.fields.title for one in document.entries] == [title for title, *_ in WORKS]


@pytest.mark.parametrize(
    ("template", "around"),
    [
        ("- {name} → {title} [[pdf]]({url})", "{}"),
        ("- **{name}** => {title} [[pdf]]({url})", "{}"),
        ("- {person} u. a.: „{title}“, ICML 2018 ([PDF]({url}))", "{}"),
        ("<dt><a href='{url}'>{title}</a></dt><dd>{person} et al.</dd>", "<dl>\n{}\n</dl>"),
    ],
)
def test_arrows_definition_lists_and_german_citations_are_read(template: str, around: str) -> None:
    items = [
        template.format(title=title, name=name, person=person, url=url)
        for (title, name, person), url in zip(WORKS, ARXIV, strict=True)
    ]
    document = parse_document("# List\n\n" + around.format("\n".join(items)) + "\n")
    assert [one.fields.title for one in document.entries] == [title for title, *_ in WORKS]
    assert [one.identifiers[0].value for one in document.entries] == list(IDS)


def test_an_entry_of_a_definition_list_is_removed_with_its_definition() -> None:
    items = [
        f"<dt><a href='{url}'>{t}</a></dt>\n<dd>On it.</dd>\n"
        for t, url in zip(TITLES, ARXIV, strict=True)
    ]
    text = "# List\n\n<dl>\n" + "".join(items) + "</dl>\n"
    document = parse_document(text)
    assert edited(document, Remove(1)) == text.replace(items[1], "")


@pytest.mark.parametrize(
    ("template", "authors"),
    [
        ("- ~~[{title}]({url}), Low et al., 2017~~ read", ("Low",)),
        ("- ~~{title}~~ [pdf]({url}) moved to week 3", ()),
        ("- ~~{title} [pdf]({url})~~", ()),
    ],
)
def test_what_is_struck_out_is_read_as_it_stands(template: str, authors: tuple[str, ...]) -> None:
    entries = parse_document(written(template, ARXIV)).entries
    assert [entry.fields.title for entry in entries] == list(TITLES)
    assert {entry.fields.authors for entry in entries} == {authors}


@pytest.mark.parametrize(
    "template",
    [
        '- {{ pub.authors }}, *{{ pub.title }}*, {{ pub.year }} <a href="{{ pub.pdf }}">PDF</a>',
        "- [{{paper.title | escape}}]({{ paper.url }})",
        "| {{ paper.title }} | [pdf]({{ paper.pdf }}) |",
        "### [{{ p.title }}]({{ p.url }})",
        "- {% if paper.title %}Untitled{% endif %} [pdf](https://a.example/paper.pdf)",
    ],
)
def test_a_template_in_a_page_is_no_work(template: str) -> None:
    head = "| Title | Link |\n|---|---|\n" if template.startswith("|") else ""
    text = f"# Papers\n\n{{% for p in papers %}}\n\n{head}{template}\n\n{{% endfor %}}\n"
    assert titles_of(text) == []


def test_a_work_with_an_identifier_is_one_though_its_title_reads_like_a_template() -> None:
    text = f"# Papers\n\n- [Filling {{{{ x }}}} In: Learning from Templates]({ARXIV[0]})\n"
    assert titles_of(text) == ["Filling {{ x }} In: Learning from Templates"]


def test_a_title_with_the_braces_of_bibtex_is_one() -> None:
    text = f"# Papers\n\n- [{{{{BERT}}}}: Deep Networks of Words]({ARXIV[0]})\n"
    assert titles_of(text) == ["{{BERT}}: Deep Networks of Words"]


def test_titles_without_links_beside_works_are_named_with_their_lines() -> None:
    text = (
        "# Notes\n\n### Workshop\n\n"
        f"- [Attention Is All You Need]({ARXIV[0]})\n"
        "- Deep Residual Learning for Image Recognition\n"
        "- Auto-Encoding Variational Bayes for Everyone\n"
        "- we met in the afternoon and had tea\n"
    )
    document = parse_document(text)
    assert [entry.line for entry in document.entries] == [5]
    assert [one.line for one in document.skipped] == [6, 7]
