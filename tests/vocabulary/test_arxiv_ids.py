"""arXiv ids: every spelling that people paste, and nothing that only looks like one."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from papertrack.identifiers import (
    ArxivId,
    arxiv_abs_url,
    arxiv_doi,
    arxiv_month,
    arxiv_pdf_url,
    find_arxiv_ids,
    parse_arxiv_id,
)
from tests.timing import assert_seconds

months = st.builds("{:02}{:02}".format, st.integers(min_value=15, max_value=40), st.integers(1, 12))
arxiv_ids = st.one_of(
    st.builds("{}.{:05}".format, months, st.integers(1, 99999)),
    st.builds(
        "{}/{:02}{:02}{:03}".format,
        st.sampled_from(["hep-th", "math", "solv-int", "cs", "cond-mat"]),
        st.integers(92, 99),
        st.integers(1, 12),
        st.integers(1, 999),
    ),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2309.06180", ArxivId("2309.06180", None)),
        ("  2309.06180v2\n", ArxivId("2309.06180", 2)),
        ("0704.0001", ArxivId("0704.0001", None)),
        ("1412.9999V12", ArxivId("1412.9999", 12)),
        ("1501.00001", ArxivId("1501.00001", None)),
        ("2309.06180v2.pdf", ArxivId("2309.06180", 2)),
        ("arXiv:2309.06180", ArxivId("2309.06180", None)),
        ("arxiv: 2309.06180v1 [cs.LG]", ArxivId("2309.06180", 1)),
        ("arXiv 2309.06180", ArxivId("2309.06180", None)),
        ("oai:arXiv.org:2611.01002v1", ArxivId("2611.01002", 1)),
        ("hep-th/9901001", ArxivId("hep-th/9901001", None)),
        ("hepth/9901001", ArxivId("hep-th/9901001", None)),
        ("Math.GT/0309136v3", ArxivId("math/0309136", 3)),
        ("cond-mat.str-el/0703001", ArxivId("cond-mat/0703001", None)),
        ("solv-int/9701001v2", ArxivId("solv-int/9701001", 2)),
        ("10.48550/arXiv.2309.06180", ArxivId("2309.06180", None)),
        ("DOI: 10.48550/ARXIV.hep-th/9901001", ArxivId("hep-th/9901001", None)),
        ("https://doi.org/10.48550/arXiv.2309.06180", ArxivId("2309.06180", None)),
        ("arxiv.org/abs/2309.06180", ArxivId("2309.06180", None)),
        ("http://www.arxiv.org/abs/2309.06180v3", ArxivId("2309.06180", 3)),
        ("https://arxiv.org/pdf/2309.06180v2.pdf#page=3", ArxivId("2309.06180", 2)),
        ("https://arxiv.org/html/2510.26275v2#bib", ArxivId("2510.26275", 2)),
        ("https://arxiv.org/html/2510.26275v2/x1.png", ArxivId("2510.26275", 2)),
        ("https://arxiv.org/abs/2309.06180?context=cs", ArxivId("2309.06180", None)),
        ("https://arxiv.org//abs//hep-th%2F9901001", ArxivId("hep-th/9901001", None)),
        ("https://arxiv.org/e-print/math.GT/0309136", ArxivId("math/0309136", None)),
        ("https://arxiv.org/ftp/arxiv/papers/2205/2205.01234.pdf", ArxivId("2205.01234", None)),
        ("https://export.arxiv.org/abs/2309.06180", ArxivId("2309.06180", None)),
        ("https://browse.arxiv.org/html/2309.06180v1", ArxivId("2309.06180", 1)),
        ("http://xxx.lanl.gov/abs/hep-th/9901001", ArxivId("hep-th/9901001", None)),
        ("https://huggingface.co/papers/2309.06180.md", ArxivId("2309.06180", None)),
        ("https://www.alphaxiv.org/overview/2309.06180v1", ArxivId("2309.06180", 1)),
        ("https://ar5iv.labs.arxiv.org/html/2309.06180", ArxivId("2309.06180", None)),
        ("https://www.arxiv-vanity.com/papers/2309.06180/", ArxivId("2309.06180", None)),
        ("https://www.semanticscholar.org/arxiv/2309.06180", ArxivId("2309.06180", None)),
        ("https://api.semanticscholar.org/arXiv:2309.06180", ArxivId("2309.06180", None)),
        ("https://papers.cool/arxiv/2309.06180", ArxivId("2309.06180", None)),
        ("https://scirate.com/arxiv/2309.06180", ArxivId("2309.06180", None)),
        ("https://dblp.org/rec/journals/corr/abs-2309-06180.html", ArxivId("2309.06180", None)),
        ("https://dblp.org/rec/journals/corr/abs-cs-0309136", ArxivId("cs/0309136", None)),
    ],
)
def test_every_spelling_gives_the_canonical_id_and_its_version(
    text: str, expected: ArxivId
) -> None:
    assert parse_arxiv_id(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "v2",
        "2413.00001",  # no month 13
        "2400.00001",
        "0703.0001",  # before the new ids
        "9912.00001",
        "2309.00000",  # numbers begin with 1
        "1412.12345",  # five digits only since 2015
        "2401.0001",
        "2401.000001",
        "2401.00001v0",
        "2401.00001v01",
        "２４０１.00001",  # full-width digits
        "2401.0000١",
        "2401.00001 and more",
        "12401.00001",
        "hep-th/0704001",  # after the old ids
        "hep-th/9106001",
        "hep-th/9913001",
        "hep-th/9901000",
        "notes/9901001",  # no such archive
        "q-fin/0701001",
        "10.1103/PhysRevD.2011.12345",
        "10.48550/2309.06180",
        "https://asdf.org/abs/0706.0001v1",
        "https://arxiv.org.evil.example/abs/2309.06180",
        "https://arxiv.org@evil.example/abs/2309.06180",
        "https://evil.example/https://arxiv.org/abs/2309.06180",
        "https://arxiv.org\\@evil.example/abs/2309.06180",
        "ftp://arxiv.org/abs/2309.06180",
        "https://arxiv.org/list/cs.LG/2309",
        "https://arxiv.org/abs/2309.06180\n.evil",
        "https://huggingface.co/2309.06180",
    ],
)
def test_what_only_looks_like_an_id_is_none(text: str) -> None:
    assert parse_arxiv_id(text) is None


@given(arxiv_ids, st.none() | st.integers(1, 99))
@example("solv-int/9701001", 1)
def test_every_address_we_make_is_read_back(arxiv_id: str, version: int | None) -> None:
    expected = ArxivId(arxiv_id, version)
    assert parse_arxiv_id(arxiv_abs_url(arxiv_id)) == ArxivId(arxiv_id, None)
    assert parse_arxiv_id(arxiv_pdf_url(arxiv_id, version)) == expected
    assert parse_arxiv_id(arxiv_doi(arxiv_id)) == ArxivId(arxiv_id, None)
    assert find_arxiv_ids(f"see ({arxiv_pdf_url(arxiv_id, version)}).") == [expected]


@given(st.text(alphabet="0123456789./v:-arxivhept \u0661", max_size=40))
def test_a_canonical_id_is_its_own_canonical_form(text: str) -> None:
    paper = parse_arxiv_id(text)
    if paper is not None:
        assert paper.id.isascii()
        assert parse_arxiv_id(paper.id) == ArxivId(paper.id, None)


@pytest.mark.parametrize(
    ("arxiv_id", "month"),
    [
        ("2309.06180", "2023-09"),
        ("0704.0001", "2007-04"),
        ("hep-th/9901001", "1999-01"),
        ("math/0309136", "2003-09"),
    ],
)
def test_the_month_is_read_from_the_id(arxiv_id: str, month: str) -> None:
    assert arxiv_month(arxiv_id) == month


def test_the_month_of_no_id_is_refused() -> None:
    with pytest.raises(ValueError, match="is not an arXiv id"):
        arxiv_month("2413.00001")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("as in 2309.06180.", ["2309.06180"]),
        ("arXiv:2309.06180v2, arXiv:hep-th/9901001", ["2309.06180v2", "hep-th/9901001"]),
        ("[a](https://arxiv.org/abs/hep-th/9901001) 2401.00001", ["hep-th/9901001", "2401.00001"]),
        ("math.GT/0309136; cs/0309136", ["math/0309136", "cs/0309136"]),
        ("doi:10.48550/arXiv.2309.06180.", ["2309.06180"]),
        ("2309.06180 and 2309.06180 again", ["2309.06180"]),
        ("arxiv.org/pdf/2309.06180.pdf", ["2309.06180"]),
        ("10.1103/PhysRevD.2011.12345", []),
        ("10.1145/2401.00001", []),
        ("on 2024.12345 and 1.2309.06180", []),
        ("https://evil.example/2309.06180", []),
        ("foo2309.06180 2309.06180bar x-2309.06180", []),
        ("2309.061801 2309.06180.1", []),
        ("papers/9901001 and notes/9901001", []),
    ],
)
def test_ids_are_found_in_free_text_only_where_they_stand_as_ids(
    text: str, expected: list[str]
) -> None:
    assert find_arxiv_ids(text) == [parse_arxiv_id(spelling) for spelling in expected]


@pytest.mark.parametrize(
    "unit", ["2309.06180 ", "1", "2309.", "/9901001", "a/", "https://arxiv.org/abs/", "arxiv:"]
)
def test_hostile_text_of_a_megabyte_is_read_in_linear_time(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    assert parse_arxiv_id(text) is None
    assert_seconds(0.01, lambda: parse_arxiv_id(text))
    assert_seconds(1, lambda: find_arxiv_ids(text[:100_000]))
