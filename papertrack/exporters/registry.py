"""The export formats: to add one, write a module with a writer, and add a line to a table here."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from papertrack.exporters.digest import Digest
    from papertrack.records import Paper

CITABLE = "is:saved (is:paper OR is:post OR has:author OR has:bibtex)"
"""The default query of reference lists: also software with authors, and everything that came from a
.bib file."""


class Format(NamedTuple):
    """An export format: ``papertrack export --NAME``."""

    name: str
    help: str
    file: str
    """The file name in ``exports/``; ``-o`` recognises the format by its suffix."""
    writer: str
    """``module:function`` of ``papertrack.exporters``: papers (and options) → text."""
    selects: str = ""
    """The query for its papers when the user gives none; empty for all papers."""
    options: tuple[str, ...] = ()
    """The options of `papertrack export` that the writer takes, by name."""
    has_citekeys: bool = True
    """Whether citekeys can be copied from it: they are frozen then."""
    is_document: bool = False
    """Whether it is a document for people: its paths are relative to its own folder."""

    def write(self, papers: Iterable[Paper], **options: object) -> str:
        """Return the papers as text in this format."""
        return str(_function(self.writer)(papers, **options))


FORMATS = (
    Format(
        "md",
        "Your READMEs; with -o new tables.",
        "papers.md",
        "markdown:to_markdown",
        selects="is:saved",
        options=("categories",),
        has_citekeys=False,
        is_document=True,
    ),
    Format(
        "bib",
        "BibTeX (exports/references.bib).",
        "references.bib",
        "bibtex:to_bib_file",
        selects=CITABLE,
        options=("own", "dialect", "preprint_style", "protect", "extra", "files"),
    ),
    Format(
        "json",
        "Everything, for `import` (exports/papers.json).",
        "papers.json",
        "json:to_json",
        options=("details", "holdings"),
    ),
    Format("csv", "CSV, for spreadsheets (exports/papers.csv).", "papers.csv", "csv:to_csv"),
    *(
        Format(
            name,
            f"{title} (exports/references.{suffix}).",
            f"references.{suffix}",
            f"references:to_{name.replace('-', '_')}",
            selects=CITABLE,
            options=("own",),
        )
        for name, title, suffix in (
            ("csl", "CSL-JSON", "json"),
            ("csl-yaml", "CSL-YAML", "yaml"),
            ("hayagriva", "Hayagriva, for Typst", "yml"),
            ("ris", "RIS", "ris"),
        )
    ),
)
"""In the order of the help. If two have the same suffix, ``-o`` takes the first."""

PRIVATE = ("takeaways", "notes", "ratings", "minutes", "decisions")
"""What a site shows only on request."""

DIGEST_FORMATS = {
    "md": "digest:to_markdown",
    "html": "digest:to_html",
    "json": "digest:to_json",
    "text": "digest:to_text",
    "atom": "digest:to_atom_of_digest",
}
"""The forms of ``papertrack watch --digest``, each with its writer: a digest → text."""


def write_digest_as(form: str, digest: Digest) -> str:
    """Return the digest as text in one of the ``DIGEST_FORMATS``."""
    return str(_function(DIGEST_FORMATS[form])(digest))


def format_of_file(name: str) -> Format | None:
    """Return the format for a file's suffix."""
    suffix = PurePath(name).suffix.lower()
    return next((form for form in FORMATS if PurePath(form.file).suffix == suffix), None)


def _function(writer: str) -> Any:
    # By name, so that the help can list the formats without importing their writers.
    module, _, function = writer.partition(":")
    return getattr(import_module(f"papertrack.exporters.{module}"), function)
