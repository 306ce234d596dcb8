"""A paper as styled text: the preview beside the list, and the parts of the paper screen.

All text is cleaned here, and becomes Content, never markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import cycle

from textual.content import Content

from papertrack.category_paths import format_path
from papertrack.latex.display import readable
from papertrack.records import Paper, PaperFacts, Reading
from papertrack.store.journal import LoggedAction
from papertrack.text import clean, clean_block, fold, moment_shown
from papertrack.tui import glyphs

_MAX_TITLE = 1_000
_MAX_BLOCK = 20_000
"""The most characters of a text; the rest is cut first."""
_SHOWN_AUTHORS = 8
_REASON = re.compile(r"(.+) \(([a-z ,]+)\)")
"""One part of the output of ``queries.matcher.describe_hits``: a term and its fields."""
_VISIBLE = frozenset({"title", "abstract", "author"})
PASS_NAMES = ("first", "second", "third")


def preview(
    paper: Paper,
    *,
    words: Sequence[str] = (),
    reasons: Sequence[tuple[str, str]] = (),
    is_tex: bool = False,
) -> tuple[Content, Content]:
    """Return title, authors and venue, the reasons why it is here, and the abstract.

    Words that begin with the filter's ``words``, and the topics' terms, are highlighted.
    """
    terms = _terms_to_highlight(words, reasons)
    head = [_title(paper, is_tex), about(paper)]
    blocks = [
        *(highlight(part, terms) for part in head),
        *reason_lines(reasons),
        *notices(paper),
        Content(""),
        highlight(abstract(paper, is_tex=is_tex), terms),
    ]
    return Content("\n").join(blocks), Content("")


def reading(
    paper: Paper,
    *,
    words: Sequence[str] = (),
    reasons: Sequence[tuple[str, str]] = (),
    is_tex: bool = False,
) -> tuple[Content, Content]:
    """Return the same as ``preview`` in two parts: title and abstract, then the rest."""
    terms = _terms_to_highlight(words, reasons)
    text = [_title(paper, is_tex), *notices(paper), abstract(paper, is_tex=is_tex)]
    rest = [Content(""), *reason_lines(reasons), highlight(about(paper), terms)]
    return Content("\n").join(highlight(part, terms) for part in text), Content("\n").join(rest)


def _terms_to_highlight(words: Sequence[str], reasons: Sequence[tuple[str, str]]) -> list[str]:
    """Return the terms of the filter and of the topics."""
    terms = [f"{word}*" for word in words if word.strip()]
    return terms + [term for _, why in reasons for term in found_terms(why)]


def _title(paper: Paper, is_tex: bool) -> Content:
    return Content.styled(line(paper.facts.title or paper.citekey, is_tex), "bold")


def reason_lines(reasons: Sequence[tuple[str, str]]) -> list[Content]:
    """Return why the paper is here, a line for each topic and for its rank."""
    return [Content.styled(clean(f"{name}: {why}"), "$text-accent") for name, why in reasons]


def about(paper: Paper) -> Content:
    """Return authors, arXiv, dates, categories and tags, one line each, if known."""
    lines = [_authors(paper.facts), _sources_line(paper.facts), clean(", ".join(labels(paper)))]
    lines += [stars(paper.rating)] if paper.rating else []
    return Content.styled("\n".join(text for text in lines if text), glyphs.MUTED)


def labels(paper: Paper) -> list[str]:
    """Return its categories, written as paths, and its tags with their sign."""
    return [*map(format_path, paper.categories)] + [f"#{tag}" for tag in paper.tags]


def _authors(facts: PaperFacts) -> str:
    names = [line(author.name) for author in facts.authors[:_SHOWN_AUTHORS]]
    more = len(facts.authors) - _SHOWN_AUTHORS
    return ", ".join(names) + (f" and {more} more" if more > 0 else "")


def _sources_line(facts: PaperFacts) -> str:
    """Return category, id with version, venue and date."""
    arxiv_id = facts.identifier("arxiv")
    version = f"v{facts.version}" if facts.version else ""
    parts = [
        facts.primary_category,
        f"arXiv:{arxiv_id}{version}" if arxiv_id else None,
        facts.venue or facts.journal_ref,
        (facts.submitted or facts.announced or "")[:10],
    ]
    return " · ".join(clean(part) for part in parts if part)


def notices(paper: Paper) -> list[Content]:
    """Return what the user should know first: withdrawn, a new version, a reason, a takeaway."""
    facts = paper.facts
    lines = []
    if facts.is_withdrawn:
        lines.append(Content.styled(f"{glyphs.WITHDRAWN} withdrawn by its authors", "$text-error"))
    version_read = max((r.version or 0 for r in paper.readings), default=0)
    if 0 < version_read < (facts.version or 0):
        text = f"{glyphs.OUTDATED} v{facts.version} is out, you read v{version_read}"
        lines.append(Content.styled(text, "$text-warning"))
    if paper.decision_reason:
        lines.append(Content.styled(clean(f"because: {paper.decision_reason}"), "italic"))
    takeaways = [r.takeaway for r in paper.readings if r.takeaway]
    if takeaways:
        lines.append(Content.styled(clean(f"“{takeaways[-1]}”"), "italic"))
    return lines


def abstract(paper: Paper, *, is_tex: bool = False) -> Content:
    """Return the abstract, or the curator's description, or how to get one."""
    text = paper.facts.abstract or paper.facts.description
    if not text:
        hint = " ctrl+p completes papers from arXiv." if paper.facts.identifier("arxiv") else ""
        return Content.styled(f"No abstract in the library.{hint}", f"{glyphs.MUTED} italic")
    return Content(block(text, is_tex))


def passes(paper: Paper) -> Content:
    """Return the three passes with date, minutes, version and takeaway."""
    lines: list[Content] = []
    for number, name in enumerate(PASS_NAMES, start=1):
        readings = [r for r in paper.readings if r.pass_number == number]
        if not readings:
            lines.append(Content.styled(f"{glyphs.OPEN} {name}", glyphs.MUTED))
            continue
        lines.append(Content(f"{glyphs.DONE} {name:<7}{_reading_details(readings[-1])}".rstrip()))
        lines += [
            Content.styled(f"  “{clean(r.takeaway)}”", "italic") for r in readings if r.takeaway
        ]
    return Content("\n").join(lines)


def _reading_details(reading: Reading) -> str:
    details = [
        moment_shown(reading.at) if reading.at else "",
        f"{reading.minutes} min" if reading.minutes else "",
        f"v{reading.version}" if reading.version else "",
    ]
    return " · ".join(part for part in details if part)


def decision(paper: Paper) -> Content:
    """Return decision, rating and citekey."""
    text = f"{glyphs.DECISIONS[paper.decision]} {paper.decision}"
    if paper.decision_reason:
        text += f" ({clean(paper.decision_reason)})"
    if paper.rating:
        text += f"\n{stars(paper.rating)}"
    if paper.snoozed_until:
        text += f"\nsnoozed until {clean(paper.snoozed_until)}"
    return Content(f"{text}\ncitation key: {clean(paper.citekey)}")


def stars(rating: int) -> str:
    """Return a rating of one to five as stars."""
    return glyphs.SAVED * rating + "·" * (5 - rating)


def links(paper: Paper) -> Content:
    """Return role and URL of each link, with very long URLs shortened."""
    lines = [f"{link.role:<8}{clean(link.label or link.url)[:200]}" for link in paper.facts.links]
    return lines_of(lines)


def lines_of(lines: Iterable[str], *, if_empty: str = "") -> Content:
    """Return the lines one below another, or the text for no lines, which may name keys."""
    return Content("\n".join(lines)) or with_keys(if_empty)


def with_keys(text: str) -> Content:
    """Return a text in which keys, written between backticks, look like those of the footer."""
    return Content.assemble(*zip(text.split("`"), cycle(("", glyphs.KEY))))


def action_line(action: LoggedAction) -> str:
    """Return a log entry as a line: when, what, and whether it was undone."""
    undone = "" if action.state == "done" else " (undone)"
    return clean(f"{moment_shown(action.at)}  {action.description}{undone}")


def sections(sections: Iterable[tuple[str, Content]]) -> Content:
    """Return texts below their headings; empty ones are left out."""
    return Content("\n\n").join(
        Content.assemble((name, "bold $text-primary"), "\n", text)
        for name, text in sections
        if text.plain
    )


def line(text: str, is_tex: bool = False) -> str:
    """Return text of unknown origin as one clean line, with readable math or its TeX source."""
    text = text[:_MAX_TITLE]
    return clean(text if is_tex else readable(text))


def block(text: str, is_tex: bool = False) -> str:
    """Return text of unknown origin in paragraphs, without the line breaks of its source."""
    text = text[:_MAX_BLOCK]
    paragraphs = clean_block(text if is_tex else readable(text)).split("\n\n")
    return "\n\n".join(paragraph.replace("\n", " ") for paragraph in paragraphs)


def shared_words(title: str, other: str | None) -> list[str]:
    """Return the words of at least four letters that two titles share, in the order of the
    first."""
    from papertrack.ranking.words import STOP_WORDS

    common = {*re.findall(r"\w{4,}", fold(other or ""))} - STOP_WORDS
    return [word for word in dict.fromkeys(re.findall(r"\w{4,}", fold(title))) if word in common]


def found_terms(reason: str) -> list[str]:
    """Return the terms of a topic that are in title, abstract or authors, from its reason."""
    return [
        match[1]
        for part in reason.split("; ")
        if (match := _REASON.fullmatch(part)) and not {*match[2].split(", ")}.isdisjoint(_VISIBLE)
    ]


def highlight(content: Content, terms: Sequence[str]) -> Content:
    """Highlight these terms in the text; a term with a star matches words that begin with it."""
    if not terms:
        return content
    pattern = re.compile(
        "|".join(_pattern(term) for term in sorted(terms, key=len, reverse=True)), re.IGNORECASE
    )
    for match in pattern.finditer(content.plain):
        content = content.stylize("bold $text-accent", match.start(), match.end())
    return content


def _pattern(term: str) -> str:
    words = re.split(r"[\s-]+", term.removesuffix("*").strip())
    return r"\b" + r"[\s-]+".join(map(re.escape, words)) + ("" if term.endswith("*") else r"(?!\w)")
