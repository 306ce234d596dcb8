"""What names a work: arXiv ids, DOIs, addresses and citekeys; parsed, normalised, compared. Pure.

Every ``parse_`` function takes text from strangers, returns None for what it does not know, and
looks at no more than ``addresses.MAX_LENGTH`` characters.
"""

from papertrack.identifiers.addresses import normalise_url
from papertrack.identifiers.arxiv_ids import (
    ArxivId,
    arxiv_abs_url,
    arxiv_doi,
    arxiv_month,
    arxiv_pdf_url,
    find_arxiv_ids,
    parse_arxiv_id,
)
from papertrack.identifiers.citekeys import file_stem, is_citekey, make_citekey, unique_citekey
from papertrack.identifiers.works import identify, parse_doi, url_of, version_of

__all__ = [
    "ArxivId",
    "arxiv_abs_url",
    "arxiv_doi",
    "arxiv_month",
    "arxiv_pdf_url",
    "file_stem",
    "find_arxiv_ids",
    "identify",
    "is_citekey",
    "make_citekey",
    "normalise_url",
    "parse_arxiv_id",
    "parse_doi",
    "unique_citekey",
    "url_of",
    "version_of",
]
