"""Draws list.svg, the picture at the head of the README: a session in the sample library.

Run by `make pictures`.
"""

import os
import pty
import re
import subprocess
import sys
import tempfile
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

WIDTH = 96
SESSION = (
    "papertrack list year:2024- --sort submitted",
    'papertrack pass 2401.10774 2 --takeaway "More heads instead of a second model."',
    "papertrack export --md --diff | grep '^[-+]|'",
)


def run(command: str, folder: Path) -> str:
    """What the command prints on a terminal, with its colours."""
    ours, theirs = pty.openpty()
    shim = f'papertrack() {{ "{sys.executable}" -m papertrack "$@"; }}; '
    environ = {**os.environ, "COLUMNS": str(WIDTH), "TERM": "xterm-256color"}
    running = subprocess.Popen(
        ["bash", "-c", shim + command], cwd=folder, env=environ, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    output = b""
    try:
        while piece := os.read(ours, 65536):
            output += piece
    except OSError:  # Linux says so when the other end is closed.
        pass
    running.wait()
    return output.decode().replace("\r\n", "\n")


def main() -> None:
    console = Console(record=True, width=WIDTH, file=StringIO(), force_terminal=True)
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "papers"
        subprocess.run([sys.executable, "-m", "papertrack", "-q", "demo", str(library)], check=True)
        for command in SESSION:
            console.print(Text("$ " + command, style="bold"))
            for line in run(command, library).splitlines():
                console.print(Text.from_ansi(line), no_wrap=True, overflow="ellipsis")
            console.print()
    svg = console.export_svg(title="papertrack", unique_id="papertrack-list")
    # No font is fetched from elsewhere: whoever looks has a monospaced one.
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    Path(__file__).with_suffix(".svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
