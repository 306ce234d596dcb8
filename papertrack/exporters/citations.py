"""Citations of papers: a line for people, and commands of LaTeX, Pandoc and Typst.

The formats of Better BibTeX's and JabRef's ``cayw`` have their own names and parameters.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence

from papertrack.errors import UsageError
from papertrack.identifiers.derived import address_of, year_of
from papertrack.records import Paper
from papertrack.text import clean

_NAMED_AUTHORS = 6
"""If there are more authors, the first three are named and the rest are "et al."."""


def format_reference(paper: Paper) -> str:
    """Return one line for people: authors (year). title. publication. address.

    A preprint is cited as arXiv asks: ``arXiv:2309.06180 [cs.LG]`` (arXiv help, *How to cite*).
    """
    facts = paper.facts
    names = [author.name for author in facts.authors]
    if len(names) > _NAMED_AUTHORS:
        names = [*names[:3], "et al."]
    year = year_of(paper)
    who_and_when = " ".join(filter(None, (", ".join(names), f"({year})" if year else "")))
    doi = facts.identifier("doi")
    address = f"https://doi.org/{doi}" if doi is not None else address_of(paper)
    sentences = [who_and_when, facts.title or paper.citekey, facts.venue, _preprint(paper)]
    ended = [text if text[-1] in ".?!" else f"{text}." for text in sentences if text]
    return clean(" ".join([*ended, address] if address else ended))


def _preprint(paper: Paper) -> str | None:
    arxiv_id, category = paper.facts.identifier("arxiv"), paper.facts.primary_category
    if arxiv_id is None:
        return None
    return f"arXiv:{arxiv_id} [{category}]" if category else f"arXiv:{arxiv_id}"


def cite_latex(keys: Sequence[str], *, command: str = "cite") -> str:
    r"""Return ``\cite{kwon2023efficient,leviathan2022fast}``."""
    return f"\\{command}{{{','.join(keys)}}}"


def cite_pandoc(keys: Sequence[str]) -> str:
    """Return ``[@kwon2023efficient; @leviathan2022fast]``, for Pandoc's Markdown and Quarto.

    A key with characters that would end it there is written ``@{...}``.
    """
    plain = [key if _is_plain(key, "_:.#$%&-+?<>~/") else f"{{{key}}}" for key in keys]
    return f"[@{'; @'.join(plain)}]"


def cite_typst(keys: Sequence[str]) -> str:
    """Return ``@kwon2023efficient @leviathan2022fast``, or ``#cite(label("…"))`` for keys that
    cannot be labels."""
    return " ".join(
        f"@{key}" if _is_plain(key, "_-.:") else f'#cite(label("{key}"))' for key in keys
    )


def _is_plain(key: str, punctuation: str) -> bool:
    """Return whether ``key`` begins and ends with a letter or digit, with only ``punctuation``
    besides."""
    inner = all(char.isalnum() or char in punctuation for char in key)
    return inner and key[:1].isalnum() and key[-1:].isalnum()


Parameters = Mapping[str, str]
_COMMAND = re.compile(r"[A-Za-z]{0,20}cite[a-z]{0,20}")
_TRUE = frozenset(("1", "true", "yes", "y", "on"))


def is_true(parameters: Parameters, name: str) -> bool:
    """Return whether a parameter of an address is set: ``brackets=true``, ``brackets=1``."""
    return parameters.get(name, "").lower() in _TRUE


def cite_picked(papers: Sequence[Paper], parameters: Parameters) -> str:
    """Return the text that cites these papers in the requested ``format``; empty for no papers.

    Raises UsageError for an unknown format.
    """
    name = parameters.get("format") or "latex"
    writer = _WRITERS.get(name) or (_latex(name) if _COMMAND.fullmatch(name) else None)
    if writer is None:
        formats = ", ".join([*_WRITERS, "translate"])
        raise UsageError(f"There is no format {name}. Choose from {formats}.")
    return writer(papers, parameters) if papers else ""


def _keys(papers: Sequence[Paper]) -> list[str]:
    return [paper.citekey for paper in papers]


def _latex(command: str) -> Callable[[Sequence[Paper], Parameters], str]:
    def write(papers: Sequence[Paper], parameters: Parameters) -> str:
        return cite_latex(_keys(papers), command=parameters.get("command") or command)

    return write


def _pandoc(papers: Sequence[Paper], parameters: Parameters) -> str:
    cited = cite_pandoc(_keys(papers))
    return cited if is_true(parameters, "brackets") else cited[1:-1]


def _plain(papers: Sequence[Paper], parameters: Parameters) -> str:
    around = [parameters.get(name, "") for name in ("keyprefix", "keypostfix")]
    keys = (parameters.get("separator") or ",").join(key.join(around) for key in _keys(papers))
    return parameters.get("citeprefix", "") + keys + parameters.get("citepostfix", "")


def _json(papers: Sequence[Paper], parameters: Parameters) -> str:
    """Return Better BibTeX's JSON, without notes and page numbers, which the editor adds."""
    picked = [
        {
            **{"id": paper.id, "locator": "", "suppressAuthor": False, "prefix": "", "suffix": ""},
            **{"label": "page", "citationKey": paper.citekey, "citekey": paper.citekey},
            "title": paper.facts.title,
        }
        for paper in papers
    ]
    return json.dumps(picked, ensure_ascii=False)


_WRITERS: dict[str, Callable[[Sequence[Paper], Parameters], str]] = {
    "latex": _latex("cite"),
    "cite": _latex("cite"),
    "natbib": _latex("citep"),
    "biblatex": _latex("autocite"),
    "pandoc": _pandoc,
    "typst": lambda papers, _: cite_typst(_keys(papers)),
    "org": lambda papers, _: f"[cite:@{';@'.join(_keys(papers))}]",
    "mmd": lambda papers, _: f"[#{'][][#'.join(_keys(papers))}][]",
    "asciidoctor-bibtex": lambda papers, parameters: (
        f"{parameters.get('cite') or 'cite'}:[{', '.join(_keys(papers))}]"
    ),
    "playground": _plain,
    "citekeys": _plain,
    "json": _json,
    "simple-json": _json,
    "formatted-bibliography": lambda papers, _: "\n".join(map(format_reference, papers)),
    "formatted-citation": lambda papers, _: "\n".join(map(format_reference, papers)),
}
FORMATS = (*_WRITERS, "translate")


def is_format(name: str) -> bool:
    """Return whether this is a citation format, or a LaTeX command such as ``citep``."""
    return name in FORMATS or _COMMAND.fullmatch(name) is not None
