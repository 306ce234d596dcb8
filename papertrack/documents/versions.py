"""Merge three versions of a file, given and returned as bytes, in any encoding."""

from __future__ import annotations

from collections.abc import Sequence

from papertrack.documents.encoding import decode_named, encode_bib, encode_document
from papertrack.documents.merge import Labels, Merged


def merge_versions(
    datas: Sequence[bytes], *, is_bib: bool, names: Sequence[str] = ("base", "ours", "theirs")
) -> tuple[bytes, int]:
    """Merge ``ours`` and ``theirs``, which both come from ``base``. Also returns the number of
    conflicts.

    The result has the encoding of ours, with conflicts between git's markers. Raises DocumentError
    with the version's name if a version is not text.
    """
    read = [decode_named(data, name, is_bib) for data, name in zip(datas, names, strict=True)]
    merged = _merged([text for text, _ in read], is_bib)
    encoding = read[1][1]
    if is_bib:
        return encode_bib(merged.text, encoding, datas[1]), merged.conflicts
    return encode_document(merged.text, encoding), merged.conflicts


def _merged(texts: Sequence[str], is_bib: bool) -> Merged:
    end = "\r\n" if "\r\n" in texts[1] else "\n"
    base, ours, theirs = (_with_line_end(text, end) for text in texts)
    labels = Labels(line_end=end)
    # Imported only when needed: each reader takes time to load.
    if is_bib:
        from papertrack.documents.bibtex.merge import merge_bibs

        return merge_bibs(base, ours, theirs, labels)
    from papertrack.documents.markdown.merge import merge_readmes

    return merge_readmes(base, ours, theirs, labels)


def _with_line_end(text: str, end: str) -> str:
    """Return a text with this line end, so that the versions do not differ in every line."""
    has_crlf = "\r\n" in text
    if end == "\r\n" and not has_crlf:
        return text.replace("\n", end)
    return text.replace("\r\n", end) if end == "\n" and has_crlf else text
