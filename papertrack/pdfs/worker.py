"""The process that reads PDFs, with pdfium: ``python -m papertrack.pdfs.worker``.

A PDF is a stranger's file and pdfium a large C++ program. So both stay in a process with limited
memory and time, which can write no file. Each input line asks for a file; the output lines describe
it (see ``reader.py``).
"""

from __future__ import annotations

import json
import math
import sys
import time
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from itertools import groupby, islice
from pathlib import Path
from typing import Any

import pypdfium2
import pypdfium2.raw

from papertrack.errors import PapertrackError
from papertrack.foreign_database import opened
from papertrack.pdfs.marks import LINE_HYPHEN, MOST_MARKS, marks_of

MOST_BYTES = 150 * 2**20
MOST_PAGES = 5_000
MOST_LETTERS = 200_000
"""The most characters of a page."""
MOST_LETTERS_OF_FILE = 15_000_000
"""As many as MOST_PAGES pages of a book have; later pages are not read."""
MOST_LETTERS_OF_MARKS = 1_000_000
"""The most letters of all highlights and comments in a file."""
MOST_LETTERS_OF_INFO = 2_000
"""Letters of a value of the metadata."""
MEMORY = 2 * 2**30
SECONDS = 60
"""The time limit for one file, in processor time."""
SOFT_HYPHEN = "\u00ad"
_TITLE_LETTERS = 4_000
"""The number of letters of the first page in which the title is searched."""
_TURNED = 0.1
"""From this angle, in radians, a letter counts as rotated, such as arXiv's stamp in the margin."""


def main() -> None:
    for request in sys.stdin:
        for answer in _answer(**json.loads(request)):
            sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def _limit() -> None:
    """Limit the memory and the remaining time of the process, and forbid it to write files."""
    # Windows has no such limits; there only the caller's time limit protects.
    with suppress(ImportError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(time.process_time()) + SECONDS, hard))


def _answer(path: str, *, first: bool = False, marks: bool = False) -> Iterator[dict[str, Any]]:
    """Yield the response about a file: its metadata, its pages or its marks, then an end."""
    _limit()
    try:
        with opened(Path(path)) as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            yield {"problem": f"is larger than {MOST_BYTES // 2**20} MB"}
            return
        document = pypdfium2.PdfDocument(data)
    except PapertrackError:
        yield {"problem": "is not a plain file, or cannot be read"}
        return
    except pypdfium2.PdfiumError as error:
        is_locked = error.err_code == pypdfium2.raw.FPDF_ERR_PASSWORD
        yield {"problem": "is protected by a password" if is_locked else "is damaged"}
        return
    try:
        count = len(document)
        info = document.get_metadata_dict(skip_empty=True)
        yield {
            "pages": count,
            "info": {name: value[:MOST_LETTERS_OF_INFO] for name, value in info.items()},
        }
        if marks:
            yield from _marks(document, count)
        else:
            left = MOST_LETTERS_OF_FILE
            for number in range(min(count, 1 if first else MOST_PAGES)):
                yield (page := _page(document, number, with_heading=first))
                if (left := left - len(page["text"])) < 0:
                    break  # Thousands of pages may share one long content stream.
    finally:
        document.close()
    yield {"end": True}


def _page(document: pypdfium2.PdfDocument, number: int, *, with_heading: bool) -> dict[str, Any]:
    try:
        page = document[number]
        text_page = page.get_textpage()
        text = tidy(text_page.get_text_range(0, min(text_page.count_chars(), MOST_LETTERS)))
        heading = _heading(text_page) if with_heading else ""
    except pypdfium2.PdfiumError:
        return {"text": "", "heading": ""}  # The other pages can be read.
    text_page.close()
    page.close()
    return {"text": text, "heading": heading}


def _marks(document: pypdfium2.PdfDocument, count: int) -> Iterator[dict[str, Any]]:
    left, letters = MOST_MARKS, MOST_LETTERS_OF_MARKS
    for number in range(min(count, MOST_PAGES)):
        with suppress(pypdfium2.PdfiumError):  # The other pages can be read.
            page = document[number]
            for mark in islice(marks_of(page, 20 * MOST_MARKS), left):
                texts = {name: tidy(mark[name]) for name in ("text", "comment", "name")}
                left, letters = left - 1, letters - sum(map(len, texts.values()))
                if letters >= 0:
                    yield {**mark, **texts, "page": number + 1}
            page.close()


def tidy(text: str) -> str:
    """Return the text of a page with its lines, and ligatures as letters.

    A soft hyphen replaces the hyphen of a word that is split at a line end.
    """
    text = unicodedata.normalize("NFKC", text.replace(LINE_HYPHEN, SOFT_HYPHEN))
    letters = (char if char >= " " or char == "\n" else " " for char in text.replace("\r\n", "\n"))
    return "".join(letters).encode("utf-8", "ignore").decode()


def _heading(page: pypdfium2.PdfTextPage) -> str:
    """Return the first lines in the tallest letters of a page; "" if all letters are equally tall.

    Rotated letters are ignored.
    """
    lines: list[tuple[list[str], list[float]]] = [([], [])]
    for at in range(min(page.count_chars(), _TITLE_LETTERS)):
        letter = chr(pypdfium2.raw.FPDFText_GetUnicode(page, at))
        angle = pypdfium2.raw.FPDFText_GetCharAngle(page, at) % math.tau
        if letter in "\r\n":
            lines.append(([], []))
        elif not _TURNED < angle < math.tau - _TURNED:
            lines[-1][0].append(letter)
            if letter.isalpha():
                _, bottom, _, top = page.get_charbox(at, loose=True)
                lines[-1][1].append(top - bottom)
    tall = [(" ".join(tidy("".join(of)).split()), max(heights)) for of, heights in lines if heights]
    return _first_tall(tall)


def _first_tall(lines: list[tuple[str, float]]) -> str:
    tallest = max((height for _, height in lines), default=0)
    groups = [(is_tall, [*of]) for is_tall, of in groupby(lines, lambda x: x[1] > 0.93 * tallest)]
    if len(groups) < 2:
        return ""
    (_, first), *_ = (group for group in groups if group[0])
    return " ".join(text for text, _ in first)


if __name__ == "__main__":
    main()
