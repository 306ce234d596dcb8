"""Addresses: one normal form for one page, and a strongest identifier for every address."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from papertrack.identifiers import addresses, identify, parse_doi, url_of
from papertrack.identifiers.addresses import is_loopback, normalise_url
from papertrack.records import Identifier
from tests.timing import assert_seconds


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://www.Example.com:80/", "https://example.com"),
        ("HTTPS://example.com:443/A/b/", "https://example.com/A/b"),
        ("https://example.com:8080/a", "https://example.com:8080/a"),
        ("https://example.com/a#part", "https://example.com/a"),
        ("https://example.com/#/paper/7", "https://example.com#/paper/7"),
        ("https://example.com/a?utm_source=x&b=2&a=1&fbclid=y", "https://example.com/a?b=2&a=1"),
        ("https://example.com/a/?share_code=x", "https://example.com/a"),
        ("https://example.com/a/./b/../c", "https://example.com/a/c"),
        ("https://example.com/%7euser/%c3%a9", "https://example.com/~user/%C3%A9"),
        ("https://example.com/é", "https://example.com/%C3%A9"),
        ("https://bücher.example/", "https://xn--bcher-kva.example"),
        ("https://web.example/2020/http://a.b/", "https://web.example/2020/http://a.b"),
        ("https://github.com/Owner/Repo.git", "https://github.com/owner/repo"),
        ("https://github.com/Owner/Repo/tree/main/", "https://github.com/owner/repo"),
        ("https://github.com/Owner/Repo?tab=readme-ov-file#x", "https://github.com/owner/repo"),
        ("https://github.com/o/r/tree/main/Sub", "https://github.com/o/r/tree/main/Sub"),
        ("https://www.youtube.com/watch?v=a1&t=30s", "https://youtube.com/watch?v=a1"),
    ],
)
def test_a_page_has_one_normal_address(url: str, expected: str) -> None:
    assert normalise_url(url) == expected


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.com/a",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "ftp://example.com/a",
        "https://",
        "https:///a",
        "https://user:secret@example.com/a",
        "https://arxiv.org@evil.example",
        "https://example.com/a b",
        "https://example.com/a\nb",
        "https://example.com\\@evil.example/",
        "https://example.com/a\\b",
        "https://example.com:99999/",
        "https://exa mple.com/",
        "https://[::1",
        "https://example.com/\u202egnp.exe",
        "https://" + "a" * 5000 + ".com",
    ],
)
def test_what_is_no_safe_web_address_has_no_normal_form(url: str) -> None:
    assert normalise_url(url) is None


hosts = st.sampled_from(["example.com", "WWW.Example.org", "github.com", "www.www.a.b", "a.b.:80"])
pieces = st.text(alphabet="aZ0/.%25eE&=?#!~+é@:_-g it", max_size=25)


@given(st.builds("https://{}/{}".format, hosts, pieces))
@example("https://github.com/a/b.git.git/")
@example("https://github.com//tree/main")
@example("https://example.com/%%34%31?%25=%")
@example("https://example.com/a//.#!/x//")
def test_normalising_twice_is_normalising_once(url: str) -> None:
    once = normalise_url(url)
    if once is not None:
        assert normalise_url(once) == once


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10.1145/3600006.3613165", "10.1145/3600006.3613165"),
        ("doi:10.1109/ICDMW.2009.35", "10.1109/icdmw.2009.35"),
        ("DOI 10.1007/s00779-005-0347-6.", "10.1007/s00779-005-0347-6"),
        ("10.1016/S0021-9258(18)12345-6", "10.1016/s0021-9258(18)12345-6"),
        ("10.1016/0003-2697(76).", "10.1016/0003-2697(76)"),
        ("10.1016/0003-2697(76))", "10.1016/0003-2697(76)"),
        ("10.1145/1073001.1073004),", "10.1145/1073001.1073004"),
        (
            "10.1002/(SICI)1097(1999)50:1<2::AID2>3.0.CO;2-Z",
            "10.1002/(sici)1097(1999)50:1<2::aid2>3.0.co;2-z",
        ),
        ("https://doi.org/10.1098/rsta.1998.0216", "10.1098/rsta.1998.0216"),
        ("http://dx.doi.org/10.1016%2FS0021-9258(18)1", "10.1016/s0021-9258(18)1"),
        ("http://doi.acm.org/10.1145/820127.820136", "10.1145/820127.820136"),
        ("https://dl.acm.org/doi/pdf/10.1145/3600006.3613165", "10.1145/3600006.3613165"),
        ("http://link.aps.org/doi/10.1103/PhysRevB.37.785", "10.1103/physrevb.37.785"),
        ("https://dl.acm.org/doi/fullHtml/10.1145/3297714", "10.1145/3297714"),
        ("https://dl.acm.org/doi/10.1145/3600006.3613165?cid=1", "10.1145/3600006.3613165"),
        ("https://link.springer.com/content/pdf/10.1007/11957959_18.pdf", "10.1007/11957959_18"),
        ("https://x.onlinelibrary.wiley.com/doi/10.1002/spe.3169/full", "10.1002/spe.3169"),
        (
            "https://www.biorxiv.org/content/10.1101/2020.01.123456v2.full.pdf",
            "10.1101/2020.01.123456",
        ),
    ],
)
def test_every_spelling_of_a_doi_gives_one(text: str, expected: str) -> None:
    assert parse_doi(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "10.1145",
        "10.1145/",
        "10.14/x",
        "1０.1145/x",
        "10.1145/a b",
        "see 10.1145/1",
        "https://evilscience.org/doi/10.1145/1",
        "https://doi.org/",
        "10.1145/" + ")" * 4000,
    ],
)
def test_what_is_no_doi_gives_none(text: str) -> None:
    assert parse_doi(text) is None


@pytest.mark.parametrize(
    ("text", "scheme", "value"),
    [
        ("https://arxiv.org/pdf/2309.06180v2", "arxiv", "2309.06180"),
        ("10.48550/arXiv.2309.06180", "arxiv", "2309.06180"),
        ("https://dl.acm.org/doi/10.1145/3600006.3613165", "doi", "10.1145/3600006.3613165"),
        ("https://openreview.net/forum?id=aB_c-12&noteId=x", "openreview", "aB_c-12"),
        ("https://openreview.net/pdf?id=aB_c-12", "openreview", "aB_c-12"),
        ("https://aclanthology.org/N19-1423.pdf", "acl", "N19-1423"),
        ("https://www.aclweb.org/anthology/I13-1190/", "acl", "I13-1190"),
        ("http://aclweb.org/anthology/P/P02/P02-1040.pdf", "acl", "P02-1040"),
        ("https://aclanthology.org/2020.acl-main.184v2.pdf", "acl", "2020.acl-main.184"),
        ("https://dblp.org/rec/conf/nips/LinKSG20.html", "dblp", "conf/nips/LinKSG20"),
        ("http://dblp.uni-trier.de/rec/bib/conf/wicsa/2015", "dblp", "conf/wicsa/2015"),
        ("https://dblp.org/db/conf/icdm/icdmw2009.html#Hu09", "dblp", "conf/icdm/Hu09"),
        (
            "https://openreview.net/group?id=ICLR.cc",
            "url",
            "https://openreview.net/group?id=ICLR.cc",
        ),
        ("https://GitHub.com/vllm-project/vLLM", "url", "https://github.com/vllm-project/vllm"),
    ],
)
def test_an_address_stands_for_its_strongest_identifier(text: str, scheme: str, value: str) -> None:
    assert identify(text) == Identifier(scheme, value)


@pytest.mark.parametrize("text", ["", "Attention Is All You Need", "kwon2023efficient", "a/b", "#"])
def test_text_that_is_no_identifier_is_none(text: str) -> None:
    assert identify(text) is None


@pytest.mark.parametrize(
    "identifier",
    [
        Identifier("arxiv", "hep-th/9901001"),
        Identifier("doi", "10.1002/(sici)1097-4571(1999)50:1<2::aid-asi2>3.0.co;2-z"),
        Identifier("doi", "10.1000/a#b?c%d"),
        Identifier("openreview", "aB_c-12"),
        Identifier("acl", "2020.acl-main.184"),
        Identifier("dblp", "conf/nips/LinKSG20"),
        Identifier("url", "https://example.com/a?b=1"),
    ],
)
def test_the_address_of_an_identifier_identifies_it(identifier: Identifier) -> None:
    assert identify(url_of(identifier)) == identifier


def test_an_unknown_scheme_has_no_address() -> None:
    with pytest.raises(ValueError, match="not a scheme"):
        url_of(Identifier("isbn", "1"))


@pytest.mark.parametrize("parse", [identify, parse_doi, normalise_url])
@pytest.mark.parametrize("unit", ["a", "10.1/", "https://", "(", "%", "../", "&utm_", " "])
def test_hostile_text_of_a_megabyte_is_refused_at_once(
    parse: Callable[[str], object], unit: str
) -> None:
    megabyte = unit * (1_000_000 // len(unit))
    address = "https://a.b/" + unit * (4000 // len(unit))
    assert parse(megabyte) is None
    assert_seconds(0.01, lambda: parse(megabyte))
    assert_seconds(0.05, lambda: parse(address))


@pytest.mark.corpus
def test_real_addresses_are_identified_and_stay_normal() -> None:
    corpus = os.environ.get("PAPERTRACK_CORPUS")
    if not corpus:
        pytest.skip("PAPERTRACK_CORPUS names no collection")
    text = "".join(
        path.read_text(encoding="utf-8", errors="replace")
        for path in sorted(Path(corpus, "readmes").glob("*.md"))
    )
    addresses = set(re.findall(r"https?://[^\s)<>\"'|\]}]+", text))
    assert len(addresses) > 1000
    for address in addresses:
        identifier = identify(address)
        if identifier is not None:
            assert identify(url_of(identifier)) == identifier
        if re.match(r"https?://(www\.)?arxiv\.org/(abs|pdf)/[0-9]{4}\.[0-9]{4,5}", address):
            assert identifier is not None
            assert identifier.scheme == "arxiv"


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("localhost", True),
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("127.0.0.1.example.org", False),
        ("localhost.example.org", False),
        ("10.0.0.1", False),
        ("0.0.0.0", False),
        ("", False),
        (None, False),
    ],
)
def test_only_this_machine_is_this_machine(host: str | None, expected: bool) -> None:
    assert is_loopback(host) is expected


_PARTS = st.sampled_from(
    [
        *(
            "http://",
            "https://",
            "HTTPS://",
            "www.",
            "arxiv.org",
            "github.com",
            "a",
            ".",
            "..",
            "é",
        ),
        *(
            "/",
            "//",
            "/abs/2309.06180v2",
            "%20",
            "?q=a/b",
            "#",
            ":80",
            ":x",
            "@",
            "\\",
            " ",
            "[",
            "]",
        ),
        *("-", "_", "~", ";", "&", '"', "a" * 260, "\n"),
    ]
)


@given(st.tuples(st.sampled_from(["https://", "http://", ""]), st.lists(_PARTS, max_size=8)))
def test_usual_addresses_are_split_as_all_are(parts: tuple[str, list[str]]) -> None:
    text = parts[0] + "".join(parts[1])
    quickly = addresses.split_address.__wrapped__(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(addresses, "_USUAL", "(?!)")
        assert addresses.split_address.__wrapped__(text) == quickly
