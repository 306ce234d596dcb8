"""What Pandoc and Typst cite of small manuscripts is what is found; new keys are cited then."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from papertrack.actions.cite.manuscripts import read_manuscripts
from papertrack.actions.cite.rekey import Rekeyed, update_files, write_keys
from tests.citations.finding import find_in

MARKDOWN = {
    "citations":
    "[@one; see @two, p. 3] and @three. [-@four] *@five* \"@six\" (@seven) @eight:\n"
    "@a_b_ and @foo:bar:, @k/z. @éé ^[note @nine] [text @ten](https://example.org/@never)\n",
    "what is no citation": "me@mail.org \\@never `@never` ``@never`` $x@never$ <https://x.org/@never>\n\n"
    "```r\n@never\n```\n\n    @never\n\n<!-- @never -->\n\n~~~\n@never\n```\n@never\n~~~\n\n"
    "[link](https://x.org/@never \"@never\") <a href=\"@never\">@one</a>\n\n@two\n",
    "lists and notes":
    "- item\n\n    @one\n\n1. @two\n\n   more @three\n\n[^n]: A note\n\n    @four\n\n"
    "Text[^n].\n\n> @five\n\n| a | b |\n|---|---|\n| @six | `@never` |\n",
    "notes with addresses":
    "A[^1] and[^2], [link].\n\n[^1]: See [@one] at https://x.org/a and @two.\n\n"
    "[^2]: <https://x.org>, @{three}\n\n[link]: https://x.org/@never \"@never\"\n",
    "front matter":
    "---\ntitle: T\nabstract: \"see [@one]\"\nnocite: |\n  @two, @*\n# @never\n---\n\n"
    "[@three]\n",
    "examples": "(@good) An example.\n\nSee (@good) and @one.\n",
    "braces": "[@{one:two.}] and @{https://example.com/a?b=c&d=e}\n",
    "a page of Quarto":
    "---\ntitle: T\nbibliography: [a.bib, b.bib]\nformat:\n  html:\n    toc: true\n---\n\n"
    "::: {.callout-note}\n## By @one\nSee [@two]{.mark} and @fig-never-a.\n:::\n\n"
    "```{python}\n#| label: fig-a\n#| fig-cap: \"By @never\"\nx = '@never'\n```\n\n"
    "![By [@three]](a.png){#fig-b}\n\n: By @four {#tbl-a}\n\n{{< video a.mp4 >}}\n",
    "a page of R Markdown":
    "# A {#sec-a .unnumbered}\n\nInline `r f('@never')` and [see @one, pp. 3--4; also -@two].\n\n"
    "```{r, fig.cap='@never'}\n# @never\n```\n\n(@ex1) By @three.\n\nTerm\n: By @four\n\n"
    "| By @five\n| and [@six]\n\n\\@never and me\\@never.org\n",
}  # fmt: skip
ORG = {
    "citations":
    "#+title: T [cite:@one]\n[cite/t:see @two p. 3;@three] [cite:@four] citep:five,six\n"
    "cite:seven. \\cite{eight} [cite/n:@k:l/m_n]\n",
    "tables, notes and drawers":
    "* By [cite:@one]\n:PROPERTIES:\n:CUSTOM_ID: a\n:END:\n| a [cite:@two] | =[cite:@never]= |\n\n"
    "- item [cite/a:see @three]\n\nText[fn:1] *bold [cite:@four]*\n\n[fn:1] By [cite:@five].\n\n"
    "#+begin_quote\n[cite:@six;@seven]\n#+end_quote\n",
    "comments and blocks":
    "#+begin_comment\n[cite:@never]\n#+end_comment\n[cite:@one]\n# [cite:@never]\n"
    "#+begin_src python\nx = '[cite:@never]'\n#+end_src\n\n- [cite:@two] :: [cite:@three]\n",
    "what is no citation": "# [cite:@never]\n=[cite:@never]= ~[cite:@never]~\n\n: [cite:@never]\n\n"
    "#+begin_src tex\n[cite:@never]\n#+end_src\n\n#+begin_example\n\\cite{never}\n#+end_example\n"
    "me@never.org @never excite:never [cite:@one]\n* COMMENT no\n[cite:@never]\n* yes\n"
    "[cite:@two]\n",
}  # fmt: skip
TYPST = {
    "citations": """#let c(k) = cite(k, form: "prose")
#let d = cite.with(form: "prose")
See @one. And @two: also @three.d, #link("mailto:x@never.org")[text @four] `@never` // @never
#cite(<five>) #c(<six>) #d(<seven>) #ref(<eight>) "@nine" https://x.org/@never \\@never
/* /* @never */ @never */ @ten[p. 3] #text("@never") @v_ @w-.
$ x @y $ #{ [@aa]; "@never" } #if true [@cc] (@dd) _@ee _ [@ff] @gg's
#cite(label("h/h"), supplement: [see @ii]) ```never
@never
``` #cite(form: "prose", <jj>) = x <mm>
""",
    "functions and rules": """#set text(lang: "en")
#show ref: it => it
#let note(body) = footnote[#body]
#let both(a, b) = [#cite(a) and #cite(b)]
= By @one <sec>
#note[See @two[p. 3]; @three] #both(<four>, <five>) #figure([x], caption: [By @six])
- item @seven
+ item #cite(<eight>, supplement: [p. 3])
#quote(block: true, attribution: <seven-b>)[x]
/ Term: by @nine
#table(columns: 2, [@ten], [`@never`])
#if 1 > 2 [ ] else [@aa] #for x in (1,) [@bb] // @never
#raw("@never") #link("https://x.org/@never") me\\@never.org
""",
    "parts": """#import "parts/macros.typ": said
#include "parts/one.typ"
#said[@three] #include "parts/two.typ"
""",
}
PARTS = {
    "parts/macros.typ": "#let said(body) = [said: #body]\n",
    "parts/one.typ": "= One\nBy @one. /* @never */\n",
    "parts/two.typ": "#quote(block: true, attribution: [@two])[x]\n",
}


NESTED = (
    "````{admonition} Outer\n```{note}\nInside [@old] here.\n```\n````\n\n"
    "````{note}\n```{tip}\nNever closed [@old]\n````\n"
)
"""Directives of MyST in directives."""


def cited_by_pandoc(text: str, language: str) -> set[str]:
    if not shutil.which("pandoc"):
        pytest.skip("needs pandoc")
    run = subprocess.run(
        ["pandoc", "-f", language, "-t", "json"],
        input=text, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return set(_citations(json.loads(run.stdout)))


def _citations(tree: object) -> Iterator[str]:
    if isinstance(tree, dict):
        if tree.get("t") == "Cite":
            yield from (citation["citationId"] for citation in tree["c"][0])
        if tree.get("t") == "RawInline" and tree["c"][0] in ("latex", "tex"):
            yield from re.findall(r"\\cite\{(\w+)\}", tree["c"][1])  # For LaTeX it cites.
        for part in tree.values():
            yield from _citations(part)
    elif isinstance(tree, list):
        for part in tree:
            yield from _citations(part)


def found_in(text: str, name: str) -> set[str]:
    return {citation.citekey for citation in find_in(text, name).citations}


@pytest.mark.parametrize("name", list(MARKDOWN))
def test_what_pandoc_cites_of_markdown_is_found_and_nothing_else(name: str) -> None:
    assert found_in(MARKDOWN[name], "a.md") == cited_by_pandoc(MARKDOWN[name], "markdown")


@pytest.mark.parametrize("name", list(ORG))
def test_what_pandoc_cites_of_org_is_found_and_nothing_else(name: str) -> None:
    assert found_in(ORG[name], "a.org") == cited_by_pandoc(ORG[name], "org")


@pytest.mark.parametrize("name", list(TYPST))
def test_what_typst_cites_is_found_and_nothing_else(tmp_path: Path, name: str) -> None:
    typst = pytest.importorskip("typst")
    main = tmp_path / "a.typ"
    (tmp_path / "parts").mkdir()
    for path, text in {**PARTS, "a.typ": TYPST[name]}.items():
        (tmp_path / path).write_text(text, encoding="utf-8")
    keys = {one.citekey for file in read_manuscripts([main]) for one in file.citations}
    works = "".join(f'"{key}": {{type: misc, title: T}}\n' for key in sorted({*keys, "never"}))
    (tmp_path / "refs.yml").write_text(works, encoding="utf-8")
    main.write_text(TYPST[name] + '\n#bibliography("refs.yml")\n', encoding="utf-8")
    cited = json.loads(typst.query(str(main), "cite"))
    named = {re.sub(r'^<|>$|^label\("|"\)$', "", one["key"]) for one in cited}
    assert keys == named


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("[[cite:(see) &a]]", ["a"]),
        ("citet:&a;&b [[citep:see &c p. 3;&d]] [[cite:e]] [[cite:f][text]]", list("abcdef")),
        ("[cite:common; see @a p. 3; also @b; tail]", ["a", "b"]),
        ("#+begin_export latex\n\\cite{a}\n#+end_export", ["a"]),
        ("100 % of [cite:@a] and \\cite{b} % \\cite{c}", ["a", "b", "c"]),
    ],
)
def test_org_ref_and_latex_in_org_are_found(text: str, keys: list[str]) -> None:
    assert [one.citekey for one in find_in(text, "a.org").citations] == keys


def test_raw_latex_in_markdown_is_found() -> None:
    text = "50% of \\cite{a}\n\n``` {=latex}\n\\citep[p. 3]{b}\n```\n\n`\\cite{never}`\n"
    assert [one.citekey for one in find_in(text, "a.qmd").citations] == ["a", "b"]


@pytest.mark.parametrize(
    ("name", "text", "key"),
    [
        ("notes", "\\documentclass{x}\\cite{a}", "a"),
        ("notes.txt", "---\ntitle: T\n---\n[@a]", "a"),
        ("notes.txt", "#set page()\n@a", "a"),
        ("notes.txt", "#+title: T\n[cite:@a]", "a"),
    ],
)
def test_the_language_of_a_file_is_told_by_its_content_where_its_name_does_not(
    name: str, text: str, key: str
) -> None:
    assert found_in(text, name) == {key}


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("a.md", "[@old; @{old}] `@old` \\cite{old}", "[@new:1; @{new:1}] `@old` \\cite{new:1}"),
        ("a.md", f"{NESTED}After https://example.org/an-address-of-a-page [@old].\n",
         f"{NESTED.replace('@old', '@new:1')}After https://example.org/an-address-of-a-page "
         "[@new:1].\n"),
        ("a.org", "[cite:see @old] citep:old # x\n# cite:old", "[cite:see @new:1] citep:new:1 # x\n"
         "# cite:old"),
        ("a.typ", "@old #cite(<old>) // @old", "@new:1 #cite(<new:1>) // @old"),
        ("a.tex", "\\newcommand{\\my}[1]{\\cite{#1}}\\my{old} % \\my{old}",
         "\\newcommand{\\my}[1]{\\cite{#1}}\\my{new:1} % \\my{old}"),
    ],
)  # fmt: skip
def test_new_keys_are_written_where_the_old_are_cited(
    tmp_path: Path, name: str, before: str, after: str
) -> None:
    path = tmp_path / name
    path.write_text(before)
    write_keys(update_files([path], [Rekeyed("old", "new:1")]))
    assert path.read_text() == after


def test_a_key_that_cannot_be_written_so_is_left_to_be_changed_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "a.tex"
    path.write_text("\\newcommand{\\rfc}[1]{\\cite{rfc#1}}\\rfc{1} \\cite{o%\n  ld}")
    (followed,) = update_files([path], [Rekeyed("rfc1", "other"), Rekeyed("old", "new")])
    assert [(use.line, use.before, use.by_hand) for use in followed.uses] == [
        (1, "rfc1", True),
        (1, "old", True),
    ]
    assert followed.after == followed.before
    path.write_text("@old")
    odd = path.rename(tmp_path / "a.md")
    write_keys(update_files([odd], [Rekeyed("old", "new.")]))
    assert odd.read_text() == "@{new.}"


def test_macros_of_a_class_are_read_as_the_settings_say_them(tmp_path: Path) -> None:
    main = tmp_path / "main.tex"
    (tmp_path / "sets").mkdir()
    (tmp_path / "sets" / "basics.tex").write_text("\\seealso[p. 3]{one} \\seealso{two}")
    main.write_text("\\olimport[sets]{basics} \\olimport{nowhere}")
    commands = [r"\olimport[folder]{file}", r"\seealso[]{keys}"]
    manuscripts = read_manuscripts([main], commands)
    cited = [one.citekey for file in manuscripts for one in file.citations]
    assert (cited, [one.name for one in manuscripts[0].missing]) == (["one", "two"], ["nowhere"])


def test_what_markdown_and_org_take_in_is_read(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    for number, name in enumerate(("b.md", "c.Rmd", "d.org")):
        (tmp_path / "parts" / name).write_text(f"[@k{number}] [cite:@k{number}]")
    main = tmp_path / "a.qmd"
    main.write_text("{{< include parts/b.md >}}\n\n```{r, child='parts/c.Rmd'}\n```\n")
    org = tmp_path / "a.org"
    org.write_text('#+include: "parts/d.org::*Part" :lines "1-9"\n#+include: "x.py" src python\n')
    knitr = tmp_path / "a.Rnw"
    knitr.write_text('<<part, child="parts/e.Rnw">>=\n@\n\\cite{k3}\n')
    (tmp_path / "parts" / "e.Rnw").write_text("\\cite{k4}")
    manuscripts = read_manuscripts([main, org, knitr])
    cited = {one.citekey for file in manuscripts for one in file.citations}
    assert cited == {"k0", "k1", "k2", "k3", "k4"}
    assert [file.missing for file in manuscripts if file.missing] == []
