"""Plain data as YAML: what Hayagriva and CSL-YAML are written in.

Nothing but mappings, lists, texts and truth values is ever written, so that no library is needed
for it: the layout is YAML's, and each text is a JSON string, which YAML 1.2 reads as the same text
whatever stands in it (https://yaml.org/spec/1.2.2, section 1.2).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

# Words that YAML 1.1 reads as truth values are not among them.
_PLAIN_NAME = re.compile(r"(?!(?i:y|n|yes|no|on|off|true|false|null)$)[a-zA-Z][a-zA-Z_-]*")
_UNPRINTABLE = re.compile(
    "[^\\x20-\\x7e\\xa0-\\u2027\\u202a-\\ud7ff\\ue000-\\ufefe\\uff00-\\ufffd\\U00010000-\\U0010ffff]"
)
Data = str | bool | int | Mapping[str, "Data"] | Sequence["Data"]


def to_yaml(data: Mapping[str, Data]) -> str:
    """The mapping as a YAML document that ends in a line end."""
    return "".join(f"{line}\n" for line in _lines(data))


def _lines(data: Data) -> Iterator[str]:
    if isinstance(data, str | int):
        yield _scalar(data)
    elif isinstance(data, Mapping):
        for name, value in data.items():
            shown = name if _PLAIN_NAME.fullmatch(name) else _scalar(name)
            yield from _under(f"{shown}:", value)
        if not data:
            yield "{}"
    else:
        for value in data:
            lines = list(_lines(value))
            yield f"- {lines[0]}"
            yield from (f"  {line}" for line in lines[1:])
        if not data:
            yield "[]"


def _under(name: str, value: Data) -> Iterator[str]:
    """A value after its name: a text in the same line, what has parts below it."""
    lines = list(_lines(value))
    if len(lines) == 1 and (isinstance(value, str | int) or not value):
        yield f"{name} {lines[0]}"
        return
    yield name
    yield from (f"  {line}" for line in lines)


def _scalar(value: str | int) -> str:
    # YAML takes more characters for line ends than JSON does, and allows fewer as they are.
    said = json.dumps(value, ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda char: f"\\U{ord(char.group()):08x}", said)
