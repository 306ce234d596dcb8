"""``papertrack audit``."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from papertrack.cli.network import Progress
from papertrack.cli.output import print_json, print_text
from papertrack.cli.session import Session, complete_reference, reading
from papertrack.errors import ConflictError, NotFoundError, SourceUnavailableError, UsageError
from papertrack.text import plural, shorten

if TYPE_CHECKING:
    from papertrack.actions.online.audit import Audited, Reference
    from papertrack.actions.online.fetching import Silence
    from papertrack.matching.publications import Record
    from papertrack.store.store import Store


@click.command
@click.argument(
    "words", metavar="[FILE.bib... | QUERY | REF...]", nargs=-1, shell_complete=complete_reference
)
@click.option(
    "--tex",
    "manuscripts",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    metavar="FILE",
    help="Only what this manuscript cites.",
)
@click.option("--offline", is_flag=True, help="Ask nobody: judge by what the library knows.")
@reading
def audit(
    session: Session, words: tuple[str, ...], manuscripts: tuple[Path, ...], offline: bool
) -> None:
    """Look whether references exist, and whether their fields are of one work.

    Of each entry of a .bib file, paper of the library or citation of a manuscript: is there such a
    work, are title, authors, year and identifiers of that one work, was it withdrawn or retracted,
    is the arXiv version cited the newest. Named are the fields that differ, and the work that is
    nearest. Exit code 5 says that something is wrong, 4 that some could not be looked for: that is
    never taken for not existing.

    \b
    Examples:
      papertrack audit main.bib
      papertrack audit --tex paper.tex
      papertrack audit main.bib --tex paper.tex --json
    """
    with session.open_store() as store:
        references = _references(session, store, words, manuscripts)
        audited, silences = _audit(session, store, references, offline=offline)
    _report(session, audited, silences)
    wrong = sum(one.verdict.finding in _WRONG for one in audited)
    if wrong:
        raise ConflictError(f"{plural(wrong, 'reference')} to put right: see above.")
    if any(one.verdict.finding == "could not look" for one in audited):
        raise SourceUnavailableError(_why(silences))


_WRONG = ("differs", "unknown", "withdrawn", "outdated")


def _references(
    session: Session, store: Store, words: tuple[str, ...], manuscripts: tuple[Path, ...]
) -> list[Reference]:
    from papertrack.actions.online.audit import references_in, references_of
    from papertrack.actions.online.enrich import papers_meant
    from papertrack.store.lookup import get_papers

    files = [Path(word) for word in words if word.endswith(".bib")]
    if files and len(files) != len(words):
        raise UsageError("Name either .bib files or papers of the library.")
    keys = _cited_keys(session, manuscripts)
    if files:
        found = [one for file in files for one in references_in(file)]
    else:
        papers = get_papers(store, papers_meant(store, words))
        if words and not papers:
            raise NotFoundError(f"{' '.join(words)} is no .bib file, and finds no paper here.")
        found = references_of(papers)
    return found if keys is None else [one for one in found if one.key in keys]


def _cited_keys(session: Session, manuscripts: tuple[Path, ...]) -> set[str] | None:
    """The keys that manuscripts cite; None where none is given."""
    if not manuscripts:
        return None
    from papertrack.actions.cite.manuscripts import read_manuscripts

    read = read_manuscripts(manuscripts, session.citing_commands())
    return {citation.citekey for one in read for citation in one.citations}


def _audit(
    session: Session, store: Store, references: list[Reference], *, offline: bool
) -> tuple[list[Audited], tuple[Silence, ...]]:
    from papertrack.actions.online.audit import Auditing
    from papertrack.actions.online.network import open_door

    settings = session.settings()
    audited: list[Audited] = []
    with ExitStack() as stack:
        door = None
        progress = stack.enter_context(Progress(session, "references", "asking who knows them"))
        if not offline and not settings.arxiv.offline:
            door = open_door(
                *(session.library(), settings.arxiv),
                clock=session.now,
                on_wait=progress.wait,
                services=settings.sources,
            )
        auditing = Auditing(store, door, asdict(settings.sources))
        for one in auditing.audit(references):
            audited.append(one)
            progress.advance(len(audited), len(references))
    return audited, auditing.silences


def _report(session: Session, audited: list[Audited], silences: tuple[Silence, ...]) -> None:
    counts = Counter(str(one.verdict.finding) for one in audited)
    if session.as_json:
        said = {
            "references": len(audited),
            "counts": dict(counts),
            "findings": [_to_json(one) for one in audited if one.verdict.finding != "sound"],
            "silent": [one._asdict() for one in silences],
        }
        print_json(said)
        return
    print_text("".join(f"{line}\n" for one in audited for line in _lines(one)))
    words = ((_SAID.get(finding, finding), count) for finding, count in counts.most_common())
    told = ", ".join(f"{count} {finding}" for finding, count in words)
    session.say_done(f"{plural(len(audited), 'reference')}: {told or 'nothing to audit'}.")


def _to_json(one: Audited) -> dict[str, object]:
    verdict = one.verdict
    return {
        "key": one.reference.key,
        "file": one.reference.file,
        "line": one.reference.line,
        "finding": verdict.finding.value,
        "reason": one.reason,
        "fields": one.fields,
        "differences": verdict.differences,
        "nearest": _work(verdict.nearest) if verdict.nearest else None,
        "asked": one.asked,
        "silent": one.silent,
    }


def _work(record: Record) -> dict[str, object]:
    facts = record.facts
    return {
        "source": record.source,
        "title": facts.title,
        "authors": [author.name for author in facts.authors],
        "venue": facts.venue,
        "year": facts.year,
        "doi": facts.identifier("doi"),
        "arxiv_id": facts.identifier("arxiv"),
    }


_SAID = {"unknown": "no such work"}
"""Findings in words for people; the others are said as they are."""


def _lines(one: Audited) -> list[str]:
    """What is to be said of one reference: a line, and the fields that differ below it."""
    finding, nearest = one.verdict.finding.value, one.verdict.nearest
    if finding == "sound":
        return []
    place = f"{one.reference.file}:{one.reference.line}: " if one.reference.file else ""
    told = one.reason or (", ".join(one.fields) if finding == "differs" else "")
    more = f" ({told})" if told else ""
    lines = [f"{place}{one.reference.key}: {_SAID.get(finding, finding)}{more}"]
    lines += [
        f"  {each.field}: {shorten(each.said, 80)} → {shorten(each.true, 80)}"
        for each in one.verdict.differences
    ]
    if nearest and nearest.facts.title and finding != "outdated":
        year = f" ({nearest.facts.year})" if nearest.facts.year else ""
        lines.append(f"  nearest: {shorten(nearest.facts.title, 90)}{year}")
    return lines


def _why(silences: tuple[Silence, ...]) -> str:
    from papertrack.actions.online.suggestions import title_of

    told = "; ".join(f"{title_of(one.source)}: {one.why}" for one in silences)
    return f"Not all could be looked for ({told or 'offline'}). Run again later."
