import re

from papertrack.exporters.references import to_ris
from papertrack.records import Author, Identifier
from tests.exporters.papers import HOSTILE, make_paper


def test_a_published_paper_is_written_as_documented() -> None:
    paper = make_paper(
        title="T",
        authors=(Author("Gabriel García Márquez", family="García Márquez"), Author("OpenAI")),
        venue="Proceedings of SOSP",
        year=2024,
        identifiers=(Identifier("doi", "10.1/x"), Identifier("arxiv", "2309.06180")),
        publication=(("pages", "1–10"), ("publisher", "ACM")),
        tags=("serving",),
    )
    assert to_ris([paper]).split("\r\n") == [
        "TY  - CPAPER",
        "ID  - kwon2023efficient",
        "TI  - T",
        "AU  - García Márquez, Gabriel",
        "AU  - OpenAI",
        "PY  - 2024",
        "T2  - Proceedings of SOSP",
        "PB  - ACM",
        "SP  - 1",
        "EP  - 10",
        "DO  - 10.1/x",
        "UR  - https://arxiv.org/abs/2309.06180",
        "M1  - arXiv:2309.06180",
        "KW  - serving",
        "ER  - ",
        "",
    ]


def test_a_hostile_text_never_begins_a_line_of_its_own() -> None:
    titles = [*HOSTILE, "x\r\nER  - \r\nTY  - BOOK"]
    papers = [
        make_paper(number, f"k{number}", title=title, abstract=title, venue=title)
        for number, title in enumerate(titles)
    ]
    lines = to_ris(papers).split("\r\n")
    assert sum(line.startswith("TY  - ") for line in lines) == len(titles)
    assert all(re.match(r"[A-Z][A-Z0-9]  - ", line) for line in lines if line)
    assert to_ris([]) == ""
