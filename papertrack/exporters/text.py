"""References and citations as a line of text."""

from __future__ import annotations

from collections.abc import Sequence

from papertrack.identifiers.derived import address_of, year_of
from papertrack.records import Paper
from papertrack.text import clean

_NAMED_AUTHORS = 6
"""With more of them, the first three are named and the rest are "et al."."""


def format_reference(paper: Paper) -> str:
    """One line for a person: authors (year). title. where it appeared. address.

    A preprint is cited as arXiv asks: ``arXiv:2309.06180 [cs.LG]`` (arXiv help, *How to cite*).
    """
    facts = paper.facts
    names = [author.name for author in facts.authors]
    if len(names) > _NAMED_AUTHORS:
        names = [*names[:3], "et al."]
    year = year_of(paper)
    who_and_when = " ".join(filter(None, (", ".join(names), f"({year})" if year else "")))
    doi = facts.identifier("doi")
    where = f"https://doi.org/{doi}" if doi is not None else address_of(paper)
    sentences = [who_and_when, facts.title or paper.citekey, facts.venue, _preprint(paper)]
    ended = [text if text[-1] in ".?!" else f"{text}." for text in sentences if text]
    return clean(" ".join([*ended, where] if where else ended))


def _preprint(paper: Paper) -> str | None:
    arxiv_id, category = paper.facts.identifier("arxiv"), paper.facts.primary_category
    if arxiv_id is None:
        return None
    return f"arXiv:{arxiv_id} [{category}]" if category else f"arXiv:{arxiv_id}"


def cite_latex(keys: Sequence[str]) -> str:
    r"""``\cite{kwon2023efficient,leviathan2022fast}``."""
    return "\\cite{" + ",".join(keys) + "}"


def cite_pandoc(keys: Sequence[str]) -> str:
    """``[@kwon2023efficient; @leviathan2022fast]``, as in Pandoc's Markdown and in Quarto.

    A key with characters that end a bare key there is written ``@{...}``.
    """
    return "[" + "; ".join(f"@{_pandoc_key(key)}" for key in keys) + "]"


def cite_typst(keys: Sequence[str]) -> str:
    """``@kwon2023efficient @leviathan2022fast``; ``#cite(label("…"))`` where a label cannot be."""
    return " ".join(
        f"@{key}" if _is_plain(key, "_-.:") else f'#cite(label("{key}"))' for key in keys
    )


def _pandoc_key(key: str) -> str:
    return key if _is_plain(key, "_:.#$%&-+?<>~/") else "{" + key + "}"


def _is_plain(key: str, punctuation: str) -> bool:
    """Whether ``key`` begins and ends alphanumeric, with nothing but ``punctuation`` between."""
    inner = all(char.isalnum() or char in punctuation for char in key)
    return inner and key[:1].isalnum() and key[-1:].isalnum()
