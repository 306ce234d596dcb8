"""The fields of the query language, as data for parser, docs and completion."""

# Without `from __future__ import annotations`: see ``records``.

from typing import Literal, NamedTuple

from papertrack.records import DECISIONS, KINDS

FieldType = Literal["words", "name", "number", "date", "choice"]
"""How a value is compared.

``words``: prose; folded words, anywhere in it. ``name``: a whole name, folded; a category path also
by its beginning or its last part; with a star, by its beginning. ``number`` and ``date``:
comparisons and ranges. ``choice``: one of ``Field.values``.
"""


class Field(NamedTuple):
    """One field of the query language."""

    name: str
    type: FieldType
    help: str
    aliases: tuple[str, ...] = ()
    values: tuple[tuple[str, str], ...] = ()
    """For a choice: each value and its meaning."""


_IS = (
    ("inbox", "waiting for a decision"),
    ("saved", "kept"),
    ("discarded", "discarded"),
    ("read", "at least one pass done"),
    ("unread", "no pass done"),
    ("done", "all three passes done"),
    ("queued", "being read now"),
    ("due", "saved, and has waited weeks for its next pass"),
    ("snoozed", "snoozed until a future date"),
    ("withdrawn", "withdrawn by its authors"),
    ("outdated", "read in an older version than the current one"),
    ("paper", "a paper"),
    ("post", "a blog post or article"),
    ("project", "a repository or course"),
    ("resource", "anything else"),
)
_HAS = (
    ("abstract", "an abstract"),
    ("arxiv", "an arXiv id"),
    ("author", "authors"),
    ("bibtex", "an entry imported from a .bib file"),
    ("category", "a category"),
    ("code", "a link to code"),
    ("comment", "a comment on arXiv"),
    ("data", "a link to data"),
    ("demo", "a link to a demo"),
    ("doi", "a DOI other than arXiv's"),
    ("model", "a link to a model"),
    ("note", "a note"),
    ("pdf", "a PDF"),
    ("post", "a link to an article about it"),
    ("project", "a link to a project page"),
    ("rating", "a rating"),
    ("slides", "a link to slides"),
    ("tag", "a tag"),
    ("takeaway", "a takeaway from one of its passes"),
    ("topic", "a topic that found it"),
    ("translation", "a link to a translation"),
    ("venue", "a venue"),
    ("video", "a link to a video"),
)

FIELDS: tuple[Field, ...] = (
    Field("title", "words", "words of the title", ("t", "ti")),
    Field("author", "words", "words of one author's name", ("a", "au")),
    Field("abstract", "words", "words of the abstract", ("abs",)),
    Field("comment", "words", "words of the authors' comment on arXiv", ("co",)),
    Field("note", "words", "words of your notes"),
    Field("takeaway", "words", "words of your takeaways"),
    Field("text", "words", "a phrase in the text of its PDF"),
    Field("cites", "name", "papers whose PDF cites this one, by its citekey or an identifier"),
    Field("cited-by", "name", "papers that the PDF of this one cites", ("cited_by",)),
    Field("category", "name", "your category, with those below it: LLM, LLM/Serving", ("c",)),
    Field("tag", "name", "your tag"),
    Field("topic", "name", "the topic that found it"),
    Field("document", "name", "the README or .bib file that lists it"),
    Field("citekey", "name", "the citekey", ("key",)),
    Field("id", "name", "any identifier or address, in any spelling"),
    Field("arxiv", "name", "the arXiv id, in any spelling"),
    Field("doi", "name", "the DOI"),
    Field("url", "name", "an address of one of its links"),
    Field("venue", "words", "the journal or conference", ("v",)),
    Field("arxiv_category", "name", "arXiv's category: cs.LG, cs.*", ("cat",)),
    Field("kind", "choice", "what it is", values=tuple((kind, f"a {kind}") for kind in KINDS)),
    Field(
        "decision",
        "choice",
        "what you decided",
        values=tuple(value for value in _IS if value[0] in DECISIONS),
    ),
    Field("pass", "number", "how many of the three passes are done"),
    Field("rating", "number", "your rating, 1 to 5"),
    Field("year", "number", "the year of publication or else of submission", ("y",)),
    Field("submitted", "date", "when version 1 was submitted"),
    Field("updated", "date", "when the current version was submitted"),
    Field("added", "date", "when it came into the library"),
    Field("read", "date", "when one of its passes was done"),
    Field("is", "choice", "its state", values=_IS),
    Field("has", "choice", "what it has", values=_HAS),
)
FIELD_OF_NAME: dict[str, Field] = {
    name: field for field in FIELDS for name in (field.name, *field.aliases)
}
"""Each field by its name and its aliases."""
