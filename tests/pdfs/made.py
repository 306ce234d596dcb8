"""PDFs that tests make: pages of lines, each at a height, in letters of a size."""

from collections.abc import Sequence
from pathlib import Path

import pypdf
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject, NumberObject

Lines = Sequence[str | tuple[int, str]]
"""The lines of a page from its top, in letters of 10 points or of the size that is given."""
_TURNS = {0: "1 0 0 1 0 0", 90: "0 1 -1 0 800 0", 180: "-1 0 0 -1 800 800", 270: "0 -1 1 0 0 800"}
_FONT = {
    "/Type": "/Font",
    "/Subtype": "/Type1",
    "/BaseFont": "/Helvetica",
    "/Encoding": "/WinAnsiEncoding",
}


def make_pdf(
    path: Path,
    *pages: Lines,
    password: str = "",
    turned: str = "",
    columns: Sequence[Sequence[str]] = (),
    rotate: int = 0,
    **metadata: str,
) -> None:
    """A PDF with these pages; ``turned`` runs up the margin of the first, in large letters; or of
    one page with ``columns`` side by side. Pages that ``rotate`` are drawn so that they are
    upright then."""
    writer = pypdf.PdfWriter()
    font = DictionaryObject({NameObject(k): NameObject(v) for k, v in _FONT.items()})
    fonts = DictionaryObject({NameObject("/F1"): writer._add_object(font)})
    for number, lines in enumerate(pages or ([],)):
        page = writer.add_blank_page(800 if rotate else 600, 800)
        page[NameObject("/Rotate")] = NumberObject(rotate)
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
        content = DecodedStreamObject()
        commands = [f"{_TURNS[rotate]} cm"]
        commands += [f"BT /F1 30 Tf 0 1 -1 0 40 100 Tm ({turned}) Tj ET"] if number == 0 else []
        for at, line in enumerate(lines):
            size, text = (10, line) if isinstance(line, str) else line
            text = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
            commands.append(f"BT /F1 {size} Tf 60 {740 - 26 * at} Td ({text}) Tj ET")
        for left, column in enumerate(columns):
            commands += [
                f"BT /F1 10 Tf {60 + 260 * left} {740 - 12 * at} Td ({text}) Tj ET"
                for at, text in enumerate(column)
            ]
        content.set_data("\n".join(commands).encode("latin-1"))
        page[NameObject("/Contents")] = writer._add_object(content)
    writer.add_metadata({f"/{name}": value for name, value in metadata.items()})
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    path.parent.mkdir(parents=True, exist_ok=True)
    writer.write(path)
