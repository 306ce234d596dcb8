"""Merging three versions of a file, as git does it, but entry by entry. It needs no library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from papertrack.documents.encoding import (
    decode_bib,
    decode_document,
    encode_bib,
    encode_document,
)
from papertrack.documents.merge import Labels, Merged
from papertrack.errors import DocumentError
from papertrack.library.files import read_file, replace_file
from papertrack.library.paths import BIBTEX_SUFFIXES


@dataclass(frozen=True, slots=True)
class MergedFile:
    """What became of three versions of a file."""

    data: bytes
    """The merged file's."""
    conflicts: int
    is_written: bool


def merge_files(
    base: Path, ours: Path, theirs: Path, *, name: str | None = None, is_written: bool = True
) -> MergedFile:
    """Merge what ``ours`` and ``theirs`` made of ``base``, and write it into ``ours``.

    ``name`` is what the file is called, where ``ours`` is called otherwise, as git's copies are: it
    tells a .bib file from a README. Raises NotFoundError, PapertrackError or DocumentError, with
    ours as it is, when a version is not there, cannot be read, or holds markers of a conflict.
    """
    paths = (base, ours, theirs)
    datas = [read_file(path) for path in paths]
    is_bib = Path(name or ours).suffix.lower() in BIBTEX_SUFFIXES
    read = [_decoded(path, data, is_bib) for path, data in zip(paths, datas, strict=True)]
    encoding = read[1][1]
    merged = _merged([text for text, _ in read], is_bib)
    data = _encoded(merged.text, encoding, is_bib)
    is_written = is_written and data != datas[1]
    if is_written:
        replace_file(ours, datas[1], data)
    return MergedFile(data, merged.conflicts, is_written)


def _merged(texts: Sequence[str], is_bib: bool) -> Merged:
    end = "\r\n" if "\r\n" in texts[1] else "\n"
    base, ours, theirs = (_with_line_end(text, end) for text in texts)
    labels = Labels(line_end=end)
    # Each imported where it is needed: a reader of one kind of file is no small thing to load.
    if is_bib:
        from papertrack.documents.bibtex.merge import merge_bibs

        return merge_bibs(base, ours, theirs, labels)
    from papertrack.documents.markdown.merge import merge_readmes

    return merge_readmes(base, ours, theirs, labels)


def _decoded(path: Path, data: bytes, is_bib: bool) -> tuple[str, str]:
    try:
        return decode_bib(data) if is_bib else decode_document(data)
    except DocumentError as error:
        raise DocumentError(f"{path}: {error}") from error


def _encoded(text: str, encoding: str, is_bib: bool) -> bytes:
    return encode_bib(text, encoding) if is_bib else encode_document(text, encoding)


def _with_line_end(text: str, end: str) -> str:
    """A text of one kind of line ends with those of ours: they are no change of every line."""
    has_crlf = "\r\n" in text
    if end == "\r\n" and not has_crlf:
        return text.replace("\n", end)
    return text.replace("\r\n", end) if end == "\n" and has_crlf else text
