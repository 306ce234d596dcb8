"""``papertrack show``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from papertrack.actions.references import resolve_reference
from papertrack.category_paths import format_path
from papertrack.cli.display import coloured_state, month_shown, state_word, warnings
from papertrack.cli.output import line_width, print_json, print_text, style, wrapped
from papertrack.cli.session import Session, reading, reference_argument
from papertrack.records import Paper, PaperFacts, Reading
from papertrack.store.lookup import documents_of, get_paper
from papertrack.store.suggestions import read_suggestions
from papertrack.text import clean, plural

if TYPE_CHECKING:
    from papertrack.actions.online.suggestions import ShownSuggestion
    from papertrack.store.store import Store


@click.command
@reference_argument()
@click.option("--raw", is_flag=True, help="Its entries in .bib files, word for word.")
@reading
def show(session: Session, reference: str, raw: bool) -> None:
    """Show one paper with all that is known of it.

    \b
    Examples:
      papertrack show 2309.06180
      papertrack show kwon2023efficient --json
      papertrack show 'Efficient Memory Management'
      papertrack show kwon2023efficient --raw
    """
    if raw:
        _show_originals(session, reference)
        return

    with session.open_store() as store:
        paper = get_paper(store, resolve_reference(store, reference))
        documents = documents_of(store, paper.id)
        offered = _offered(store, paper.id)
        if session.as_json:
            from papertrack.exporters.ranks import ranked_to_json, ranks_to_json
            from papertrack.store.watch.ranks import read_ranks, topics_of_ranked

            ranks = ranks_to_json(read_ranks(store).values(), topics_of_ranked(store))
            print_json(ranked_to_json(paper, ranks.get(paper.id)))
            return
    other_title = any(suggestion.field == "title" for suggestion in offered)
    print_paper(paper, documents, has_other_title=other_title and paper.passes_done > 0)
    if offered:
        what = plural(len(offered), "suggestion")
        session.say(f"{what}: `papertrack suggestions {clean(paper.citekey)}`.")


def _offered(store: Store, paper_id: int) -> list[ShownSuggestion]:
    if not read_suggestions(store, paper_id=paper_id):
        return []  # Of most papers, of which no more need be known for it.
    from papertrack.actions.online.suggestions import open_suggestions

    return open_suggestions(store, paper_id)


def _show_originals(session: Session, reference: str) -> None:
    from papertrack.store.originals import get_originals

    with session.open_store() as store:
        originals = get_originals(store, resolve_reference(store, reference))
    if session.as_json:
        print_json(originals)
        return
    if not originals:
        session.say(f"No .bib file was imported that has {clean(reference)}.")
    for source, text in originals.items():
        session.say(f"{clean(source)}:")
        print_text(text.rstrip("\n") + "\n")


def print_paper(paper: Paper, documents: list[str], *, has_other_title: bool) -> None:
    """One paper for people: title, state, facts, links, readings, abstract."""
    facts = paper.facts
    width = min(line_width(), 100)
    _wrap(style(clean(facts.title or "(title not known yet)"), bold=True), width)
    if facts.authors:
        _wrap(", ".join(clean(author.name) for author in facts.authors), width)
    read = max((reading.version or 0 for reading in paper.readings), default=None)
    for warning in warnings(
        facts.is_withdrawn, facts.version, read, has_other_title=has_other_title
    ):
        click.echo(style(f"! {warning}", fg="yellow"))
    click.echo()
    _print_line("state", _state(paper))
    for name, value in _lines(paper, documents):
        _print_line(name, clean(value))
    for text in filter(None, (facts.description, facts.abstract)):
        click.echo()
        _wrap(clean(text), width)


def _print_line(name: str, value: str) -> None:
    if value:
        click.echo(f"  {style(name.ljust(11), dim=True)} {value}")


def _state(paper: Paper) -> str:
    word = state_word(paper.decision, paper.passes_done)
    state = coloured_state(word)
    if paper.decision not in (word, "saved"):
        state += f", {paper.decision}"
    return f"{state} ({clean(paper.decision_reason)})" if paper.decision_reason else state


def _lines(paper: Paper, documents: list[str]) -> Iterator[tuple[str, str]]:
    """What is known of a paper, with its name; an empty value says nothing."""
    facts = paper.facts
    yield "key", paper.citekey
    yield "former keys", ", ".join(paper.citekey_aliases)
    yield "kind", "" if facts.kind == "paper" else facts.kind
    yield "rating", "★" * paper.rating + "☆" * (5 - paper.rating) if paper.rating else ""
    yield "snoozed", f"until {paper.snoozed_until}" if paper.snoozed_until else ""
    yield from _where_published(facts)
    yield from (("category", format_path(path)) for path in paper.categories)
    yield "tags", ", ".join(paper.tags)
    yield from ((link.role, link.url) for link in facts.links)
    yield from (("note", path) for path in paper.notes)
    yield from ((f"pass {one.pass_number}", _told(one)) for one in paper.readings)
    yield from (("document", path) for path in documents)
    yield "added", paper.added[:10]


def _where_published(facts: PaperFacts) -> Iterator[tuple[str, str]]:
    """Its identifiers, its date and where it was printed."""
    arxiv_id = facts.identifier("arxiv")
    if arxiv_id:
        version = f"v{facts.version}" if facts.version else ""
        yield "arXiv", " ".join([arxiv_id + version, *facts.arxiv_categories])
    yield from ((i.scheme, i.value) for i in facts.identifiers if i.scheme in ("doi", "acl"))
    month = month_shown(facts.submitted, arxiv_id)
    yield "date", month
    if facts.venue:
        yield "venue", f"{facts.venue} {facts.year or ''}"
    elif facts.year and not month:
        yield "year", str(facts.year)


def _told(reading: Reading) -> str:
    """When a pass was done, how long it took, of which version, and what stayed."""
    parts = [
        (reading.at or "")[:10],
        f"{reading.minutes} min" if reading.minutes else "",
        f"v{reading.version}" if reading.version else "",
        reading.takeaway or "",
    ]
    return "  ".join(filter(None, parts)) or "done"


def _wrap(text: str, width: int) -> None:
    click.echo("\n".join(wrapped(text, width)))
