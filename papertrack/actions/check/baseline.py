"""Findings that were there before: recorded in a file, or made by comparing two versions."""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from papertrack.documents.markdown.check.findings import Finding, FindingKind
from papertrack.errors import PapertrackError, UsageError
from papertrack.library.files import read_file, write_file

_MARK = "papertrack_check_baseline"
_VERSION = 1
_OF_MOST: frozenset[FindingKind] = frozenset({"date", "no-link", "ragged-row"})
"""Kinds that depend on what most others do: a line that is as it was has not become wrong."""

Known = Counter[tuple[str, str]]
"""How often a finding of a kind about something was there."""


def known_of(findings: Iterable[Finding]) -> Known:
    """Return what is known from the findings of an older version."""
    return Counter((one.kind, one.about) for one in findings)


def new_findings(
    findings: Sequence[Finding], known: Known, lines: Sequence[str], old: Collection[str] = ()
) -> tuple[Finding, ...]:
    """Return the findings that were not there, by what they are about: lines move.

    Of several that are alike those in lines that are new (not in ``old``) are new.
    """
    groups: dict[tuple[str, str], list[Finding]] = defaultdict(list)
    for finding in findings:
        groups[finding.kind, finding.about].append(finding)
    new: set[Finding] = set()
    for key, group in groups.items():
        in_order = sorted(group, key=lambda one: lines[one.line - 1] not in old)
        new.update(in_order[known[key] :])
    return tuple(one for one in findings if one in new and not _is_as_it_was(one, lines, old))


def _is_as_it_was(finding: Finding, lines: Sequence[str], old: Collection[str]) -> bool:
    return finding.kind in _OF_MOST and lines[finding.line - 1] in old


class Baseline:
    """Recorded findings of several files, which are named as seen from the record."""

    def __init__(self, path: Path, files: dict[str, Known]) -> None:
        self.path = path
        self._files = files

    def known(self, path: Path) -> Known:
        """Return what is recorded of a file."""
        return self._files.get(_name_of(path, self.path), Counter())


def read_baseline(path: Path) -> Baseline:
    """Return a record. Raises PapertrackError when it cannot be read, UsageError when the file is
    none."""
    try:
        data = json.loads(read_file(path))
        if data[_MARK] > _VERSION:
            raise UsageError(f"{path} was written by a newer papertrack. Upgrade this one.")
        files = {
            str(name): Counter({(str(kind), str(about)): int(n) for kind, about, n in findings})
            for name, findings in data["files"].items()
        }
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise UsageError(
            f"{path} is no record of `papertrack check --write-baseline` ({error})."
        ) from None
    return Baseline(path, files)


def write_baseline(path: Path, found: Iterable[tuple[Path, Sequence[Finding]]]) -> None:
    """Record findings, in an order that shows changes as few lines.

    Raises UsageError when the file holds something else, PapertrackError when it cannot be written.
    """
    if path.exists():
        read_baseline(path)
    files = {
        _name_of(file, path): [[*key, count] for key, count in sorted(known_of(findings).items())]
        for file, findings in found
    }
    record = {name: files[name] for name in sorted(files) if files[name]}
    lines = ",\n".join(
        f"  {json.dumps(name, ensure_ascii=False)}: [\n"
        + ",\n".join(f"   {json.dumps(one, ensure_ascii=False)}" for one in findings)
        + "\n  ]"
        for name, findings in record.items()
    )
    text = f'{{\n "{_MARK}": {_VERSION},\n "files": {{\n{lines}\n }}\n}}\n'
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        raise PapertrackError(f"{path} could not be written: {error}.") from None
    write_file(path, data)


def _name_of(path: Path, record: Path) -> str:
    """Return how a record calls a file: as seen from its own folder, with ``/``."""
    return Path(os.path.relpath(path.absolute(), record.absolute().parent)).as_posix()
