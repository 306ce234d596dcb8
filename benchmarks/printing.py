"""A .bib file as bibtex and biber print it: what the `.bbl` has for each key, and warnings."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

STYLES = ("plain", "alpha", "plainnat", "IEEEtran")
_ITEM = re.compile(r"\\bibitem(?:\[(?:[^\]\\{}]|\\.|\{(?:[^{}]|\{[^{}]*\})*\})*\])?\{", re.S)
_ENTRY = re.compile(r"\\entry\{([^{}]*)\}(.*?)\\endentry", re.S)
_PLACE = re.compile(
    r"---?line \d+ of file \S+|(?:, )?line \d+|\bfile '[^']*'|/\S*\.(?:bib|utf8)\S*"
)
_DOCUMENT = r"""\documentclass{article}
\usepackage[backend=biber]{biblatex}
\addbibresource{x.bib}
\begin{document}\nocite{papertrackkey}\end{document}
"""


@dataclass
class Printed:
    """What a program made of a file."""

    items: dict[str, str] = field(default_factory=dict)
    """By key what is printed."""
    warnings: list[str] = field(default_factory=list)
    """Without the places that they name."""


def programs() -> list[str]:
    """The programs and styles that are here: a name of ``STYLES``, or ``biber``."""
    found = list(STYLES) if which("bibtex") else []
    return found + (["biber"] if which("biber") and which("pdflatex") else [])


def printed(text: str, keys: Sequence[str], program: str) -> Printed:
    """What the program prints of the entries with these keys."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "x.bib").write_text(text, encoding="utf-8", newline="")
        return _by_biber(folder, keys) if program == "biber" else _by_bibtex(folder, keys, program)


def _by_bibtex(folder: Path, keys: Sequence[str], style: str) -> Printed:
    cited = "".join(f"\\citation{{{key}}}\n" for key in keys)
    aux = f"\\relax\n{cited}\\bibstyle{{{style}}}\n\\bibdata{{x}}\n"
    (folder / "x.aux").write_text(aux, encoding="utf-8")
    log = _run(folder, "bibtex", "x")
    warnings = re.findall(r"^(?:Warning--.*|.*---line \d+.*|A bad cross.*\n.*)$", log, re.M)
    bbl = _read(folder / "x.bbl")
    body = bbl.partition(r"\end{thebibliography}")[0]
    starts = [found.end() for found in _ITEM.finditer(body)]
    ends = [*(found.start() for found in _ITEM.finditer(body)), len(body)][1:]
    items = (body[start:end].partition("}") for start, end in zip(starts, ends, strict=True))
    return Printed({key: " ".join(said.split()) for key, _, said in items}, _placeless(warnings))


def _by_biber(folder: Path, keys: Sequence[str]) -> Printed:
    before, one, after = re.split(r"(?m)(^.*papertrackkey.*\n)", _control_file(), maxsplit=1)
    cited = (
        one.replace("papertrackkey", _escaped(key)).replace('order="1"', f'order="{number}"')
        for number, key in enumerate(keys, start=1)
    )
    (folder / "x.bcf").write_text(before + "".join(cited) + after, encoding="utf-8")
    log = _run(folder, "biber", "--nolog", "x")
    warnings = [
        line
        for line in re.findall(r"^(?:WARN|ERROR) - .*$", log, re.M)
        if "Overwriting locale" not in line
    ]
    items = _ENTRY.findall(_read(folder / "x.bbl"))
    return Printed({key: " ".join(said.split()) for key, said in items}, _placeless(warnings))


@cache
def _control_file() -> str:
    """What biblatex asks biber for, with one key."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "x.tex").write_text(_DOCUMENT, encoding="utf-8")
        (folder / "x.bib").write_text("", encoding="utf-8")
        _run(folder, "pdflatex", "-interaction=batchmode", "x")
        return _read(folder / "x.bcf")


def _run(folder: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=600, check=False)
    return (done.stdout + done.stderr).decode("utf-8", "replace")


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace") if path.exists() else ""


def _escaped(key: str) -> str:
    return key.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _placeless(warnings: Sequence[str]) -> list[str]:
    return [" ".join(_PLACE.sub("", warning).split()) for warning in warnings]
