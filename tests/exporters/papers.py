"""Papers for the tests of the exporters."""

from __future__ import annotations

from typing import Any

from papertrack.records import Author, Identifier, Link, Paper, PaperFacts, Reading

HOSTILE = (
    "evil}, note={x}}\n@misc{pwn, title={",
    "a lone { brace",
    "a lone } brace",
    "100% of $5 & #1_x ~ ^ \\",
    "\\input{/etc/passwd} $\\input{x}$ ^^5cinput",
    "=cmd|' /C calc'!A0",
    "<script>alert(1)</script> [x](javascript:x) ![i](http://t)",
    "`code` [a][b] *b* _i_ ~~s~~ | cell \\| &lt; &amp; --> <!--",
    "@user #12 :smile: www.x.org https://x.org",
    "\x1b[31mred\x07 \u202eevil\u200b",
    "$x_1$ & $y_2$ $a^b^c$ $\\mathcal{O}(n)$",
    "\"quoted\" and 'single' ``tex'' a--b ,,c",
)


def make_facts(**overrides: Any) -> PaperFacts:
    facts = PaperFacts(
        title="Efficient Memory Management for Large Language Model Serving with PagedAttention",
        identifiers=(Identifier("arxiv", "2309.06180"),),
        authors=(Author("Woosuk Kwon"), Author("Zhuohan Li")),
        links=(Link("code", "https://github.com/vllm-project/vllm", "vllm"),),
        primary_category="cs.LG",
        arxiv_categories=("cs.LG", "cs.DC"),
        submitted="2023-09-12T17:50:04+00:00",
        version=1,
    )
    return facts._replace(**overrides)


def make_paper(paper_id: int = 1, citekey: str = "kwon2023efficient", **overrides: Any) -> Paper:
    """A paper; overrides that are fields of the facts go there, the others to the paper."""
    of_paper = {name: overrides.pop(name) for name in list(overrides) if name in Paper._fields}
    base = Paper(
        id=paper_id,
        citekey=citekey,
        facts=make_facts(**overrides),
        added="2024-03-01T08:00:00+00:00",
        passes_done=2,
        readings=(Reading(1, "2024-03-02", 30, 1, "Pages for the cache"), Reading(2)),
        categories=(("LLM", "Serving"),),
    )
    return base._replace(**of_paper)
