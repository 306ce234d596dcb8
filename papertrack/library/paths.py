"""The library's names for files: relative inside its folder, absolute outside.

So a library that is moved or shared still finds its own files, and files elsewhere.
"""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath
from urllib.parse import quote, unquote, urlsplit

from papertrack.library import Library

BIBTEX_SUFFIXES = (".bib", ".bibtex")
"""The suffixes of BibTeX files, in lower case; all other documents are Markdown."""


def name_of_file(library: Library, path: Path) -> str:
    """Return ``"README.md"`` for a file in the library, an absolute path for others; with ``/``."""
    # Not resolved, because a document that is a symbolic link has the link's name.
    absolute = Path(os.path.abspath(path))  # noqa: PTH100
    root = Path(os.path.abspath(library.root))  # noqa: PTH100
    if absolute.is_relative_to(root):
        return absolute.relative_to(root).as_posix()
    return absolute.as_posix()


def path_of_name(library: Library, name: str) -> Path:
    """Return the path for a name (see ``name_of_file``)."""
    return library.root / name


def find_repository(folder: Path) -> Path | None:
    """Return the git repository that contains a folder, or None."""
    return next((p for p in (folder, *folder.parents) if (p / ".git").exists()), None)


def note_name(library: Library, document: Path, url: str) -> str | None:
    """Return the name of the note file that a document links to; None for a web address.

    A fragment (``#…``) is not part of the name.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    # A malformed URL, such as ``[https://…``, is not a file either.
    is_url = parts.scheme or parts.netloc or "://" in url
    if is_url or not parts.path or parts.path.startswith("/"):
        return None
    return name_of_file(library, document.parent / unquote(parts.path))


def note_url(library: Library, document: Path, name: str) -> str:
    """Return the link from a document to a note file."""
    relative = os.path.relpath(path_of_name(library, name), document.parent)
    return quote(PurePosixPath(*Path(relative).parts).as_posix(), safe="/!$&'*+,;=:@~")
