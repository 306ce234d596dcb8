"""Findings for programs that show them beside the text: GitHub annotations, and SARIF 2.1.0."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from urllib.parse import quote

from papertrack import __version__
from papertrack.documents.markdown.check.findings import FINDING_KINDS, RULES, Finding
from papertrack.text import clean

FileFindings = Sequence[tuple[PurePath, Finding]]
"""Findings with their files, named relative to the root of their repository."""


def to_github(findings: FileFindings) -> str:
    """Return the findings as workflow commands that annotate lines of files, one per line.

    https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
    """
    lines = []
    for path, finding in findings:
        # GitHub's runner still obeys an older form of commands, anywhere in a line.
        message = clean(finding.message).replace("##[", "# # [")
        command = {"note": "notice"}.get(finding.level, finding.level)
        place = f"file={_property(path.as_posix())},line={finding.line}"
        title = _property(f"papertrack: {finding.kind}")
        lines.append(f"::{command} {place},title={title}::{_data(message)}\n")
    return "".join(lines)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text.replace("##[", "# # [")).replace(":", "%3A").replace(",", "%2C")


def to_sarif(findings: FileFindings) -> str:
    """Return the findings for code scanning (SARIF 2.1.0, OASIS)."""
    run = {
        "tool": {
            "driver": {
                "name": "papertrack",
                "version": __version__,
                "informationUri": "https://pypi.org/project/papertrack-cli/",
                "rules": [
                    {
                        "id": kind,
                        "shortDescription": {"text": RULES[kind].meaning},
                        "defaultConfiguration": {"level": RULES[kind].level},
                    }
                    for kind in FINDING_KINDS
                ],
            }
        },
        "results": list(_results(findings)),
    }
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }
    return json.dumps(log, ensure_ascii=True, indent=2) + "\n"


def _results(findings: FileFindings) -> Iterator[dict[str, object]]:
    times: Counter[tuple[object, ...]] = Counter()
    for path, finding in findings:
        name = (path.as_posix(), finding.kind, finding.about)
        times[name] += 1
        fingerprint = hashlib.sha256(
            "\0".join((*name, str(times[name]))).encode("utf-8", "replace")
        )
        result: dict[str, object] = {
            "ruleId": finding.kind,
            "ruleIndex": FINDING_KINDS.index(finding.kind),
            "level": finding.level,
            "message": {"text": clean(finding.message)},
            "locations": [_location(path, finding.line)],
            "partialFingerprints": {"papertrackFinding/v1": fingerprint.hexdigest()},
        }
        if finding.other_line is not None:
            result["relatedLocations"] = [_location(path, finding.other_line)]
        yield result


def _location(path: PurePath, line: int) -> dict[str, object]:
    is_outside = path.is_absolute()
    uri = path.as_uri() if is_outside else quote(path.as_posix(), safe="/", errors="replace")
    artifact = {"uri": uri} if is_outside else {"uri": uri, "uriBaseId": "%SRCROOT%"}
    return {"physicalLocation": {"artifactLocation": artifact, "region": {"startLine": line}}}
