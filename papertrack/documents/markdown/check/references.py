"""What is wrong with references (``[text][label]``) and their definitions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from papertrack.documents.markdown.check.findings import Finding, FindingKind
from papertrack.documents.markdown.check.stretches import Stretch
from papertrack.documents.markdown.model import Definition, Document
from papertrack.documents.markdown.syntax import Block, by_label, normalise_label
from papertrack.text import shorten

_LABEL = re.compile(r"\[(?P<label>(?:[^\[\]\\]|\\.){1,999}+)\](?!:)", re.DOTALL)
_REFERENCE = re.compile(r"\]\[(?P<label>(?:[^\[\]\\]|\\.){1,999}+)\](?!\()", re.DOTALL)
_NOT_FOR_LINKS = re.compile(r"\^|//$|#$|comment$")
"""Labels of footnotes, and those that people use to write a comment: ``[//]: # (text)``."""
_SHORT_NUMBER = re.compile(r"[0-9]{1,3}")
"""What numbers a definition; four digits may be a year."""


def check_references(
    document: Document, blocks: Sequence[Block], stretches: Sequence[Stretch]
) -> Iterator[Finding]:
    """Yield references without definition, and definitions that are repeated or not used.

    A shortcut reference (``[text]`` alone) is never called undefined: it may be just brackets.
    """
    definitions = document.definitions
    first = by_label(definitions)
    yield from _badly_defined(definitions, first, blocks)
    yield from _undefined(document, stretches)
    # Rows that are commented out, for now, keep their definitions.
    used = {normalise_label(match["label"]) for match in _LABEL.finditer(document.text)}
    for label, definition in first.items():
        if label not in used and not _NOT_FOR_LINKS.match(label):
            message = f"[{definition.label}] is defined, and no link uses it."
            yield _finding(definition, "unused-definition", message)


def _finding(definition: Definition, kind: FindingKind, message: str) -> Finding:
    return Finding(definition.line + 1, kind, message, normalise_label(definition.label))


def _badly_defined(
    definitions: Sequence[Definition], first: Mapping[str, Definition], blocks: Sequence[Block]
) -> Iterator[Finding]:
    """Yield definitions that Markdown ignores: a label's second one, and lines of a paragraph."""
    within = {n for b in blocks if b.kind == "paragraph" for n in range(b.first, b.end)}
    for definition in definitions:
        before = first[normalise_label(definition.label)]
        if before.url != definition.url:
            message = f"[{definition.label}] is defined in line {before.line + 1} already, as "
            message += f"{shorten(before.url, 80)}, which is what its links lead to."
            yield _finding(definition, "repeated-definition", message)
        elif definition.line in within:
            message = f"[{definition.label}] is shown as text: a definition needs a blank line"
            message += " between itself and a paragraph."
            yield _finding(definition, "undefined-reference", message)


class _Candidate(NamedTuple):
    """Two pairs of brackets side by side that lead nowhere: ``[text][label]``."""

    offset: int
    label: str
    is_picture: bool


class _Usage:
    """How a document uses brackets side by side, seen from all of them.

    Lists write tags so, ``[ICML][Oral]``: what is no picture and no small number is only a
    reference where most brackets of its kind are references.
    """

    def __init__(self, stretches: Sequence[Stretch], candidates: Sequence[_Candidate]) -> None:
        labels = [label for stretch in stretches for label in _resolved(stretch)]
        self.lengths = {len(label) for label in labels if label.isdecimal()}
        names = sum(not label.isdecimal() for label in labels)
        unknown = sum(not one.label.isdecimal() for one in candidates)
        self.has_names = names > 0 and names >= unknown

    def is_reference(self, candidate: _Candidate) -> bool:
        """Whether somebody meant a link."""
        label = candidate.label
        if candidate.is_picture:
            return True
        if label.isdecimal():
            return len(label) in self.lengths or _SHORT_NUMBER.fullmatch(label) is not None
        return self.has_names


def _resolved(stretch: Stretch) -> Iterator[str]:
    """Yield the labels of references that have a definition."""
    for link in stretch.inline.links:
        if link.form == "reference" and link.reference and link.reference != link.label:
            yield link.reference


def _undefined(document: Document, stretches: Sequence[Stretch]) -> Iterator[Finding]:
    """Yield references without a definition."""
    prose = [stretch for stretch in stretches if stretch.block.kind != "html"]
    candidates = [one for stretch in prose for one in _candidates(stretch)]
    for one in filter(_Usage(prose, candidates).is_reference, candidates):
        message = f"[{shorten(one.label, 80)}] is not defined: no link is shown."
        line = document.line_of(one.offset)
        yield Finding(line, "undefined-reference", message, normalise_label(one.label))


def _candidates(stretch: Stretch) -> Iterator[_Candidate]:
    known = stretch.inline.syntax.by_label
    labels = iter(stretch.inline.links)
    link = next(labels, None)
    for match in _REFERENCE.finditer(stretch.visible):
        offset = stretch.start + match.start()
        while link is not None and link.span[1] <= offset:
            link = next(labels, None)
        label = match["label"]
        is_text_of_link = link is not None and link.label_span[0] <= offset < link.label_span[1]
        if is_text_of_link or normalise_label(label) in known or label.startswith("^"):
            continue
        before, text = _before(stretch.visible, match.start())
        if not _is_index(before, text, label):
            yield _Candidate(offset, label, before == "!")


def _is_index(before: str, text: str, label: str) -> bool:
    """Whether brackets are of an array, ``x[i][j]``, or of two works cited, ``[1][2]``."""
    return before.isalnum() or (text.isdecimal() and label.isdecimal())


def _before(text: str, bracket: int) -> tuple[str, str]:
    """Return the character before the pair of brackets that ends here, and what the pair holds."""
    opening = text.rfind("[", max(bracket - 1000, 0), bracket)
    return text[max(opening - 1, 0) : max(opening, 0)], text[opening + 1 : bracket]
