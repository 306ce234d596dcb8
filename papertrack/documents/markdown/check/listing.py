"""Which entries list a work: those of news, contents and thanks only speak of the list itself."""

from __future__ import annotations

import re

from papertrack.documents.markdown.model import Document, Entry

_OF_THE_LIST = re.compile(
    r"""\b(?:news|updates?|change ?log|what'?s\ new|announcements?|table\ of\ contents?|contents|
        contribut(?:e|ing|ors?|ions?)|citations?|cite|citing|licen[sc]e|acknowledge?ments?|contact|
        legend|star\ history|maintainers?|disclaimer|to-?do)\b
      |最新动态|最近更新|更新日志|更新|新闻|目录|贡献|引用|许可|致谢|联系|変更履歴|更新履歴|目次|목차|업데이트""",
    re.VERBOSE | re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+")
_FILLING = re.compile(r"(?i)\b(?:and|the|of|to|our|this|for|latest|recent|list)\b")


def listed(document: Document) -> list[Entry]:
    """Return the entries that list a work."""
    of_the_list = {path for path in {one.category for one in document.entries} if _is_aside(path)}
    return [entry for entry in document.entries if entry.category not in of_the_list]


def _is_aside(path: tuple[str, ...]) -> bool:
    """Whether a section is about the list: its heading says so, or the one above a mere date."""
    named = [name for name in path if any(map(str.isalpha, name))] if path else []
    return bool(named) and path.index(named[-1]) >= len(path) - 2 and _says_so(named[-1])


def _says_so(name: str) -> bool:
    """Whether a heading has such a word and little else: *Citation Prediction* is a subject."""
    others, found = _OF_THE_LIST.subn(" ", name)
    return bool(found) and len(_WORD.findall(others)) <= len(_FILLING.findall(others)) + 1
