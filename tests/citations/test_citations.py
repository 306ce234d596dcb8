import pytest
from hypothesis import given
from hypothesis import strategies as st

from papertrack.documents.manuscripts.model import Citation
from tests.citations.finding import find_in
from tests.timing import assert_seconds


def keys(text: str, name: str) -> list[str]:
    return [citation.citekey for citation in find_in(text, name).citations]


@pytest.mark.parametrize(
    ("latex", "found"),
    [
        (r"\cite{a}", ["a"]),
        (r"\cite{a,b , c}", ["a", "b", "c"]),
        (r"\citep*[see][p.~3]{a}", ["a"]),
        (r"\parencite[p. 3]{a} \Citeauthor{b}", ["a", "b"]),
        (r"\textcites(pre)(post)[1]{a}[2][3]{b}", ["a", "b"]),
        (r"\cite{a}{not a key}", ["a"]),
        ("\\cite\n  {a,\n   b}", ["a", "b"]),
        (r"\nocite{*}", ["*"]),
        (r"\mycite{a} \fullcite{DBLP:conf/x/Y20}", ["a", "DBLP:conf/x/Y20"]),
        (r"% \cite{a}", []),
        (r"50\% \cite{a} \\% \cite{b}", ["a"]),
        (r"\begin{verbatim}\cite{a}\end{verbatim}\cite{b}", ["b"]),
        (r"\verb|\cite{a}| \lstinline!\cite{b}! \cite{c} \verbatiminput{\cite{d}}", ["c", "d"]),
        (r"\citestyle{plain} \cite", []),
        (r"\cite{}", []),
        (r"\newcommand{\mine}[1]{\cite{#1}} \cite{a}", ["a"]),
        (r"\cite{a}\end{document}\cite{b} \end{document}", ["a"]),
        (r"\cite{a} % \end{document}" + "\n" + r"\cite{b}", ["a", "b"]),
        (r"\textcquote[see][3]{a}[.]{text} \foreignblockcquote{french}{b}{text}", ["a", "b"]),
        (r"\begin{displaycquote}[45]{a}Text\end{displaycquote}", ["a"]),
        (r"\begin{foreigndisplaycquote}{german}[45]{a}Text\end{foreigndisplaycquote}", ["a"]),
        (r"\begin{citedtext}{a}Text\end{citedtext}", []),
        (r"\apudonline[p. 3]{a}{b} \Idem[p. 2]{c} \opcit{d} \footciteref{e}", list("abcde")),
    ],
)
def test_latex_citations_are_found(latex: str, found: list[str]) -> None:
    assert keys(latex, "paper.tex") == found


def test_a_citation_has_the_line_of_its_key() -> None:
    text = "a % \\cite{x}\n\n\\cite{a,\n  b}\n\\cite{a}"
    found = find_in(text, "p.tex").citations
    assert found == (Citation("a", 3), Citation("b", 4), Citation("a", 5))


def test_an_aux_file_of_bibtex_or_biblatex_is_read() -> None:
    text = "\\relax\n\\citation{a,b}\n\\abx@aux@cite{0}{c}\n\\abx@aux@cite{d}\n\\bibcite{a}{1}\n"
    assert keys(text, "paper.aux") == ["a", "b", "c", "d"]


def test_a_set_of_the_document_stands_for_its_members_in_a_bcf_file() -> None:
    bcf = '<bcf:controlfile><bcf:citekey type="set" members="a,b">both</bcf:citekey>'
    bcf += '<bcf:citekey order="1">c</bcf:citekey>'
    assert keys(bcf, "paper.bcf") == ["a", "b", "c"]


def test_a_bcf_file_is_read() -> None:
    text = '<bcf:section number="0">\n<bcf:citekey order="1">a</bcf:citekey>\n</bcf:section>'
    assert find_in(text, "paper.bcf").citations == (Citation("a", 2),)


@pytest.mark.parametrize(
    ("markdown", "found"),
    [
        ("[@a; see @b, p. 3] and @c.", ["a", "b", "c"]),
        ("[-@a] @{we/ird.}", ["a", "we/ird."]),
        ("me@mail.org, twitter.com/@x, \\@y", []),
        ("`@a` ``@b` `` @c", ["c"]),
        ("```\n@a\n```\n@b", ["b"]),
        ("<!-- @a --> @b", ["b"]),
        ("@DBLP:conf/x/Y20", ["DBLP:conf/x/Y20"]),
        # The roles of MyST, as in Jupyter Book.
        ("{cite}`a` {cite:p}`b,c` {footcite:t}`d` {cite:ps}`{see}e{p. 3}`", list("abcde")),
        ("`{cite}` is a role: ``{cite}`x` ``, {math}`x`\n\n```{note}\n{cite:t}`a`\n```", ["a"]),
    ],
)
def test_markdown_citations_are_found(markdown: str, found: list[str]) -> None:
    assert keys(markdown, "paper.md") == found


@pytest.mark.parametrize(
    ("typst", "found"),
    [
        ("@a and @b-c[p. 3]. @d.", ["a", "b-c", "d"]),
        ('#cite(<a>) #cite(label("b/c"), form: "prose")', ["a", "b/c"]),
        ("// @a\n/* @b */ `@c` @d", ["d"]),
        # Typst itself takes what follows the @ of an e-mail for a key.
        ("me\\@mail.org me@mail.org", ["mail.org"]),
        ("https://example.org @a", ["a"]),
    ],
)
def test_typst_citations_are_found(typst: str, found: list[str]) -> None:
    assert keys(typst, "paper.typ") == found


@pytest.mark.parametrize("name", ["a.tex", "a.aux", "a.bcf", "a.md", "a.typ", "a.org"])
@pytest.mark.parametrize(
    "part",
    [
        "\\cite[",
        "\\cite{",
        "`",
        "` ",
        "@",
        "<!--",
        "/*",
        "a@{",
        "%",
        "{",
        "```\n",
        "\\citecite",
        "\\input{ ",
        "\\iffalse",
        "\\newcommand{\\x}",
        "\\def\\a#1{\\a{",
        "[cite:@a",
        "[[cite:&",
        "<script>",
        "#cite(",
    ],
)
def test_long_hostile_text_takes_linear_time(part: str, name: str) -> None:
    assert_seconds(1, lambda: find_in(part * 3_000, name))
    assert_seconds(1, lambda: find_in("\\input{" + part * 3_000, name))


@pytest.mark.parametrize("uses", ["{{{0}{{#1}}}}", "{{{0}{{x#1}}{0}{{y#1}}}}"])
def test_macros_in_macros_without_end_are_given_up(uses: str) -> None:
    names = [f"\\{'a' * length}" for length in range(1, 600)]
    chain = "".join(
        f"\\newcommand{{{name}}}[1]{uses.format(inner)}\n"
        for name, inner in zip(names, [*names[1:], "\\cite"], strict=True)
    )
    text = chain + f"{names[-9]}{{k}} {names[0]}{{k}}"
    assert_seconds(5, lambda: find_in(text, "a.tex"))
    assert len(find_in(text, "a.tex").citations) < 50


WORDS = (
    r"\cite { } [ ] ( ) a b,c % @ # ` ``` $ \iffalse \fi \else \newcommand \x #1 \url{ \def"
    r" \begin{verbatim} \end{verbatim} [cite: @k cite: & * /* */ // < > #cite( \verb| | \cites \\"
    r" \input \end{document} \let\y\cite ~~~ <!-- --> #+begin_src :END: {=latex}"
).split()
BLANKS = (" ", "\n", "\r\n", "\0", "    ", "- ", "---\n", "é", "#let f(k) = cite(k)")
PIECES = st.sampled_from((*WORDS, *BLANKS))


@given(st.lists(PIECES, max_size=40).map("".join))
def test_a_key_is_what_stands_at_its_place(text: str) -> None:
    for name in ("a.tex", "a.md", "a.org", "a.typ", "a.aux"):
        for citation in find_in(text, name).citations:
            written = text[citation.start : citation.end]
            assert citation.line == text.count("\n", 0, citation.start) + 1
            # A comment may stand in the middle of it, and a macro may add to it.
            if "%" not in written and citation.affixes == ("", ""):
                assert " ".join(written.split()) == citation.citekey
