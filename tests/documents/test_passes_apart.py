"""A column for each pass, scores, and what headers and states say in the languages of our users."""

from __future__ import annotations

import pytest

from papertrack.documents.markdown.marks.kinds import pass_named
from papertrack.documents.markdown.model import Document, EntryFields
from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.write.edit_types import Add, SetPasses, SetRating
from papertrack.documents.markdown.write.edits import apply_edits
from papertrack.records import Link
from tests.corpus import ROOT, needs_corpus
from tests.documents.samples import edited


def table(header: str, *rows: str) -> Document:
    """Return a table of works of which each row names the rest of its cells."""
    titles = ("Kites over Salt Lakes", "Paper Boats in Winter", "The Weight of Rain")
    width = header.count("|") + 2
    lines = [f"| Paper | {header} |", "|" + "---|" * width]
    lines += [
        f"| [{title}](https://arxiv.org/abs/2301.0{n:04d}) | {row} |"
        for n, (title, row) in enumerate(zip(titles, rows, strict=False))
    ]
    return parse_document("\n".join(["# Papers", "", *lines, ""]))


def passes(document: Document) -> list[int | None]:
    return [entry.fields.passes for entry in document.entries]


@pytest.mark.parametrize(
    "header",
    [
        "1st pass | 2nd pass | 3rd pass",
        "First Pass | Second Pass | Third Pass",
        "1st | 2nd | 3rd",
        "P1 | P2 | P3",
        "Pass 1 | Pass 2 | Pass 3",
        "第一遍 | 第二遍 | 第三遍",
        "1回目 | 2回目 | 3回目",
        "1회독 | 2회독 | 3회독",
        "1ª lectura | 2ª lectura | 3ª lectura",
        "première lecture | deuxième lecture | troisième lecture",
        "Erster Durchgang | Zweiter Durchgang | Dritter Durchgang",
        "prima lettura | seconda lettura | terza lettura",
        "1ª leitura | 2ª leitura | 3ª leitura",
        "первый проход | второй проход | третий проход",
        "Skimmed | Read | Reproduced",
    ],
)
def test_a_column_for_each_pass_is_read_and_gets_its_own(header: str) -> None:
    document = table(header, "✅ | ✅ | ✅", "✅ | ✅ | ", "✅ | | ")
    assert passes(document) == [3, 2, 1]
    text = edited(document, SetPasses(2, 2))
    assert [cell.strip() for cell in text.splitlines()[-1].split("|")[2:-1]] == ["✅", "✅", ""]
    again = parse_document(text)
    assert passes(again) == [3, 2, 2]
    assert edited(again, SetPasses(2, 1)) == document.text


@pytest.mark.parametrize(
    ("cells", "wanted"),
    [
        (("[x] | [x]", "[x] | [ ]", "[ ] | [ ]"), "[x] | [ ]"),
        (("done | done", "done | todo", "todo | todo"), "done | todo"),
        (("x | x", "x | ", " | "), "x | "),
        (("✔ | ✔", "✔ | ", " | "), "✔ | "),
    ],
)
def test_a_pass_is_written_as_the_columns_write_passes(cells: tuple[str, ...], wanted: str) -> None:
    document = table("P1 | P2", *cells)
    assert passes(document) == [2, 1, 0]
    text = edited(document, SetPasses(2, 1))
    assert text.splitlines()[-1].split("|")[2].strip() == wanted.split("|")[0].strip()
    assert passes(parse_document(text)) == [2, 1, 1]
    assert edited(parse_document(text), SetPasses(2, 0)) == document.text


def test_days_in_the_columns_are_the_days_of_the_passes() -> None:
    document = table("1st pass | 2nd pass", "2024-03-01 | 2024-04-02", "2024-03-05 | ")
    assert passes(document) == [2, 1]
    assert [entry.fields.read_at for entry in document.entries] == ["2024-04-02", "2024-03-05"]
    text = edited(document, SetPasses(1, 2, "2024-05-06"))
    assert "| 2024-03-05 | 2024-05-06 " in text
    unknown = apply_edits(document, [SetPasses(1, 2)])
    assert [one.edit for one in unknown.refused] == [SetPasses(1, 2)]


@pytest.mark.parametrize(
    ("template", "rows"),
    [
        ("- {mark} {link}", ("[ ] [ ] [ ]", "[x] [ ] [ ]", "[x] [x] [ ]", "[x] [x] [x]")),
        ("- {mark} {link}", ("[ ][ ]", "[x][ ]", "[x][x]")),
        ("- {link} {mark}", ("[ ] [ ] [ ]", "[x] [ ] [ ]", "[x] [x] [ ]", "[x] [x] [x]")),
        ("- {mark} {link}", ("☐☐☐", "☑☐☐", "☑☑☐", "☑☑☑")),
        ("- {link} {mark}", ("⬜ ⬜ ⬜", "✅ ⬜ ⬜", "✅ ✅ ⬜", "✅ ✅ ✅")),
    ],
)
def test_a_row_of_boxes_has_one_for_each_pass(template: str, rows: tuple[str, ...]) -> None:
    def listed(marks: tuple[str, ...]) -> str:
        links = (f"[Kites over Salt Lakes {n}](https://arxiv.org/abs/2301.0000{n})" for n in (1, 2))
        lines = (
            template.format(mark=mark, link=link) for mark, link in zip(marks, links, strict=True)
        )
        return "# Papers\n\n" + "\n".join(lines) + "\n"

    for passes_done, row in enumerate(rows):
        document = parse_document(listed((row, rows[1])))
        assert passes(document) == [passes_done, 1]
        assert {entry.fields.tags for entry in document.entries} == {()}
        assert {entry.fields.description for entry in document.entries} == {None}
        for wanted, other in enumerate(rows[:-1]):
            assert edited(document, SetPasses(0, wanted)) == listed((other, rows[1]))


@pytest.mark.parametrize("header", ["1st pass | 2nd pass", "1st | 2nd"])
def test_works_without_links_beside_columns_of_passes_are_a_list(header: str) -> None:
    rows = "Kites over Salt Lakes | 2024-03-01 | \nPaper Boats in Winter | ✅ | 2024-04-02\n"
    document = parse_document(f"Title | {header}\n---|:-:|:-:\n{rows}")
    assert passes(document) == [1, 2]


@pytest.mark.parametrize("header", ["P1 | P2", "1st | 2nd"])
def test_columns_that_hold_something_else_are_no_passes(header: str) -> None:
    document = table(header, "a remark on it | other words", "| ")
    assert passes(document) == [None, None]


@pytest.mark.parametrize(
    ("words", "number"),
    [("1st pass", 1), ("Pass #2", 2), ("第三遍", 3), ("P4", None), ("Passau", None), ("1", None)],
)
def test_what_names_a_pass(words: str, number: int | None) -> None:
    assert pass_named(words) == number


@pytest.mark.parametrize(
    ("header", "read", "unread"),
    [
        ("Estado", "Leído", "Pendiente"),
        ("Statut", "Lu", "À lire"),
        ("Status", "gelesen", "ungelesen"),
        ("Stato", "letto", "da leggere"),
        ("Leitura", "lido", "não lido"),
        ("Статус", "прочитано", "не прочитано"),
        ("Durum", "okundu", "okunmadı"),
        ("状態", "既読", "未読"),
        ("상태", "읽음", "안 읽음"),
        ("状态", "已读", "未读"),
        ("状态", "已精读", "待读"),
        ("既読", "○", "×"),
    ],
)
def test_a_status_is_read_and_written_in_its_own_words(header: str, read: str, unread: str) -> None:
    document = table(header, read, unread, unread)
    assert passes(document) == [1, 0, 0]
    text = edited(document, SetPasses(1, 1))
    assert text.splitlines()[-2].endswith(f"| {read} |")
    assert edited(parse_document(text), SetPasses(1, 0)) == document.text


def test_stars_of_repositories_are_no_ratings() -> None:
    document = table("Code | Stars", "[code](https://github.com/a/b) | 5578", "| 4", "| 3")
    assert [entry.fields.rating for entry in document.entries] == [None] * 3
    assert apply_edits(document, [SetRating(1, 5)]).refused


def test_scores_of_ten_are_halved_and_written_as_they_are() -> None:
    document = table("Score", "8/10", "6/10", "3")
    assert [entry.fields.rating for entry in document.entries] == [4, 3, None]
    assert edited(document, SetRating(1, 5)).splitlines()[-2].endswith("| 10/10 |")
    bare = table("Rating", "10", "4", "")
    assert [entry.fields.rating for entry in bare.entries] == [5, 2, None]
    assert edited(bare, SetRating(2, 3)).splitlines()[-1].rstrip(" |").endswith("| 6")


@pytest.mark.parametrize(
    ("scores", "shown"),
    [
        (("8/10", "6/10"), "8/10"),
        (("8", "10"), "8"),
        (("4", "3"), "4"),
        (("⭐", "⭐⭐"), "⭐⭐⭐⭐"),
    ],
)
def test_a_new_row_is_rated_as_the_others_are(scores: tuple[str, ...], shown: str) -> None:
    document = table("Score", *scores)
    link = Link("paper", "https://arxiv.org/abs/2301.00009")
    new = EntryFields(title="New Boats", rating=4, links=(link,))
    text = apply_edits(document, [Add(document.entries[0].category, new)]).text
    assert text.splitlines()[-1].rstrip(" |").endswith(f"| {shown}")


def test_who_presents_a_work_has_not_written_it() -> None:
    document = table("Speaker | Venue", "Ann Quist | SOSP 2023", "Bo Odell | -")
    assert [entry.fields.authors for entry in document.entries] == [(), ()]
    assert [entry.fields.venue for entry in document.entries] == ["SOSP 2023", None]


def test_a_column_of_authors_names_them_in_any_language() -> None:
    links = [f"[arXiv](https://arxiv.org/abs/2101.0{n:04d})" for n in range(3)]
    names = ["Quist und Odell", "Tuure", "Müller & Söhne"]
    document = table("Autoren | Quelle", *map(" | ".join, zip(names, links, strict=True)))
    assert [entry.fields.authors for entry in document.entries] == [
        ("Quist", "Odell"),
        ("Tuure",),
        ("Müller", "Söhne"),
    ]


REPORTED: dict[str, tuple[str, list[object]]] = {
    "04-github-stars": ("rating", [None] * 4),
    "15-schedule": ("authors", [()] * 3),
    "16-spanish": ("passes", [1, 0, 0, 0, 1]),
    "18-japanese": ("passes", [1, 0, 0]),
    "34-three-pass-columns": ("passes", [3, 2, 1]),
    "37-skim-read-reproduce": ("passes", [3, 2, 1]),
    "42-status-header-languages": ("passes", [1, 0, 1, 0, 1, 0, 1, 0]),
    "48-score-of-ten": ("rating", [4, 3, None]),
}


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize("name", REPORTED)
def test_the_tables_that_were_reported_are_read(name: str) -> None:
    field, wanted = REPORTED[name]
    assert ROOT is not None
    text = (ROOT / "reported" / "lists" / f"{name}.md").read_text("utf-8")
    assert [getattr(entry.fields, field) for entry in parse_document(text).entries] == wanted
