"""PDFs that tests make: pages of lines, each at a height, in letters of a size."""

from collections.abc import Sequence
from pathlib import Path

import pypdf
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

Lines = Sequence[str | tuple[int, str]]
"""The lines of a page from its top, in letters of 10 points or of the size that is given."""
_FONT = {
    "/Type": "/Font",
    "/Subtype": "/Type1",
    "/BaseFont": "/Helvetica",
    "/Encoding": "/WinAnsiEncoding",
}


def make_pdf(
    path: Path, *pages: Lines, password: str = "", turned: str = "", **metadata: str
) -> None:
    """A PDF with these pages; ``turned`` runs up the margin of the first, in large letters."""
    writer = pypdf.PdfWriter()
    font = DictionaryObject({NameObject(k): NameObject(v) for k, v in _FONT.items()})
    fonts = DictionaryObject({NameObject("/F1"): writer._add_object(font)})
    for number, lines in enumerate(pages or ([],)):
        page = writer.add_blank_page(600, 800)
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
        content = DecodedStreamObject()
        commands = [f"BT /F1 30 Tf 0 1 -1 0 40 100 Tm ({turned}) Tj ET"] if number == 0 else []
        for at, line in enumerate(lines):
            size, text = (10, line) if isinstance(line, str) else line
            text = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
            commands.append(f"BT /F1 {size} Tf 60 {740 - 26 * at} Td ({text}) Tj ET")
        content.set_data("\n".join(commands).encode("latin-1"))
        page[NameObject("/Contents")] = writer._add_object(content)
    writer.add_metadata({f"/{name}": value for name, value in metadata.items()})
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    path.parent.mkdir(parents=True, exist_ok=True)
    writer.write(path)
