import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from papertrack.documents.markdown.read.document import parse_document
from papertrack.exporters.markdown import to_markdown
from papertrack.records import Identifier, Link, PaperFacts
from papertrack.text import clean
from tests.exporters.papers import HOSTILE, make_paper

LEGEND = to_markdown([]).removeprefix("# Papers\n\n").partition("<!--")[0]


def tokens_of(markdown: str) -> list[Token]:
    return MarkdownIt("gfm-like", {"html": True, "linkify": False}).parse(markdown)


def cells_of(markdown: str) -> list[list[Token]]:
    """The inline tokens of each body cell of all tables."""
    tokens = tokens_of(markdown)
    return [
        tokens[at + 1].children or [] for at, token in enumerate(tokens) if token.type == "td_open"
    ]


def text_of(cell: list[Token]) -> str:
    return "".join(token.content for token in cell if token.type == "text")


def test_a_work_without_a_preprint_has_the_year_in_which_it_appeared() -> None:
    paper = make_paper(identifiers=(Identifier("doi", "10.5555/a"),), submitted=None, year=1975)
    assert "| 1975 |" in to_markdown([paper])


def test_a_document_is_in_the_six_column_style() -> None:
    papers = [
        make_paper(
            7,
            "z",
            title="Later",
            identifiers=(Identifier("arxiv", "2401.00001"),),
            submitted="2024-01",
            notes=("notes/z note.md",),
            passes_done=0,
            links=(
                Link("code", "https://github.com/a/one"),
                Link("code", "https://github.com/a/two/", "second"),
                Link("code", "https://gitlab.com/a/three"),
                Link("note", "https://a.org/note"),
            ),
        ),
        make_paper(9),
        make_paper(8, facts=PaperFacts(title="Undated"), categories=(), passes_done=0),
    ]
    assert to_markdown(papers, categories=[("Em | pty",)]).replace(LEGEND, "") == (
        """\
# Papers

## 📖 Em \\| pty

| Title | Date | arXiv | GitHub | Note | Read |
| :---- | :--- | :---- | :----- | :--- | :--- |

## 📖 LLM

### 📖 Serving

| Title | Date | arXiv | GitHub | Note | Read |
| :---- | :--- | :---- | :----- | :--- | :--- |
| [<u>Efficient Memory Management for Large Language Model Serving with PagedAttention</u>][16] \
| 2023/09 | [![arXiv][0]][16] | [<u>vllm</u>][17] | | ✅ ✅ |
| [<u>Later</u>][1] | 2024/01 | [![arXiv][0]][1] | [<u>one</u>][2], [<u>second</u>][3], \
[<u>three</u>][4] | [<u>link</u>][5], [<u>link</u>][6] | |

## 📖 Uncategorised

| Title | Date | arXiv | GitHub | Note | Read |
| :---- | :--- | :---- | :----- | :--- | :--- |
| <u>Undated</u> | | | | | |

<!------------------------------- Links ------------------------------->
[0]: https://img.shields.io/badge/arXiv-b31b1b.svg
<!-- Later -->
[1]: https://arxiv.org/abs/2401.00001
[2]: https://github.com/a/one
[3]: https://github.com/a/two/
[4]: https://gitlab.com/a/three
[5]: notes/z%20note.md
[6]: https://a.org/note
<!-- Efficient Memory Management for Large Language Model Serving with PagedAttention -->
[16]: https://arxiv.org/abs/2309.06180
[17]: https://github.com/vllm-project/vllm
<!------------------------------- Links ------------------------------->
"""
    )


def test_a_paper_in_two_categories_has_two_rows_and_one_set_of_links() -> None:
    markdown = to_markdown([make_paper(categories=(("B",), ("A",)))], categories=[("B",)])
    assert markdown.count("</u>][1]") == 2
    assert markdown.count("\n[1]: ") == 1
    assert markdown.index("📖 B") < markdown.index("📖 A")


def test_parents_stand_before_their_children_in_the_given_order() -> None:
    papers = [make_paper(1, categories=(("B", "y"),)), make_paper(2, "c", categories=(("A",),))]
    markdown = to_markdown(papers, categories=[("B", "z"), ("A",), ("B", "y"), ("B",)])
    headings = [line for line in markdown.splitlines() if line.startswith("#")]
    assert headings == ["# Papers", "## 📖 B", "### 📖 z", "### 📖 y", "## 📖 A"]


def test_the_legend_says_what_the_marks_mean() -> None:
    assert LEGEND.startswith("> [!NOTE]\n")
    assert LEGEND.count("✅") == 6


@pytest.mark.parametrize("title", HOSTILE)
def test_a_hostile_title_shows_as_its_characters_and_as_nothing_else(title: str) -> None:
    links = (Link("code", "https://github.com/a/b", title),)
    markdown = to_markdown([make_paper(title=title, links=links, categories=((title,),))])
    cells = cells_of(markdown)
    assert len(cells) == 6
    assert text_of(cells[0]) == clean(title)
    assert text_of(cells[3]) == clean(title)
    for cell in (cells[0], cells[3]):
        assert [token.type for token in cell if token.type != "text"] == [
            *("link_open", "html_inline", "html_inline", "link_close")
        ]
    assert [cell[0].attrs["href"] for cell in (cells[0], cells[3])] == [
        *("https://arxiv.org/abs/2309.06180", "https://github.com/a/b")
    ]
    blocks = [token.content for token in tokens_of(markdown) if token.type == "html_block"]
    assert all(block.startswith("<!-") for block in blocks)


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "//evil.org", " "]
)
def test_only_web_addresses_are_linked(url: str) -> None:
    facts = PaperFacts(title="T", links=(Link("paper", url), Link("code", url)))
    markdown = to_markdown([make_paper(facts=facts)])
    assert "| <u>T</u> | | | | |" in markdown


def test_a_note_that_looks_like_a_scheme_is_a_path() -> None:
    markdown = to_markdown([make_paper(notes=("javascript:alert(1)", "//x", "a\n[9]: b"))])
    assert "[3]: ./javascript:alert(1)\n" in markdown
    assert "[4]: .///x\n" in markdown
    assert "[5]: a%0A%5B9%5D:%20b\n" in markdown


def test_a_fresh_document_is_read_back_with_the_same_titles_marks_and_categories() -> None:
    papers = [
        make_paper(
            number,
            f"k{number}",
            title=title,
            identifiers=(Identifier("arxiv", f"2309.{number:05}"),),
            submitted=None,
            passes_done=number % 4,
            notes=(f"notes/k{number}.md",),
            categories=(("A", "B") if number % 2 else ("C",),),
        )
        for number, title in enumerate(HOSTILE, start=1)
    ]
    document = parse_document(to_markdown(papers, categories=[("Empty",)]))
    assert document.skipped == ()
    read = {entry.identifiers[0].value: entry for entry in document.entries}
    assert len(document.entries) == len(papers)
    for paper in papers:
        entry = read[paper.facts.identifier("arxiv") or ""]
        assert entry.fields.title == clean(paper.facts.title or "")
        assert entry.fields.passes == paper.passes_done
        assert entry.fields.date == "2023-09"
        assert entry.category == paper.categories[0]
        assert [link.url for link in entry.fields.links] == [
            f"https://arxiv.org/abs/{paper.facts.identifier('arxiv')}",
            "https://github.com/vllm-project/vllm",
            paper.notes[0],
        ]
