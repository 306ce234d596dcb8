r"""LaTeX's macros that take keys or files, as they are written: ``\volcite[]{}[]{keys}``.

The same notation is that of the setting ``manuscripts.commands``, for the macros of a class that
nobody here knows of: ``\olimport[folder]{file}``.
"""

from __future__ import annotations

import re
from functools import cache

from papertrack.documents.manuscripts.model import Bracket, Command, Group, Role, Take
from papertrack.errors import UsageError

_CITING = r"<>[][]{keys}"
_CITING_MANY = r"()()[][]{keys}..."
_IN_VOLUMES = r"[]{}[]{keys}"
_WRITTEN: dict[str, str] = {
    # LaTeX, natbib, biblatex, apacite, harvard, jurabib, REVTeX, amsrefs, abnTeX, chicago.
    _CITING: """
        cite citep citet citealp citealt citeauthor citefullauthor citeyear citeyearpar citenum
        citetalias citepalias Cite Citep Citet Citealp Citealt Citeauthor nocite bibentry
        parencite Parencite footcite footcitetext textcite Textcite smartcite Smartcite supercite
        autocite Autocite citetitle Citetitle citedate citeurl citeyearnp fullcite footfullcite
        notecite Notecite pnotecite Pnotecite fnotecite Fnotecite onlinecite
        citeA citeNP citeANP citeyearNP citeauthorNP fullciteA fullciteNP fullciteauthor
        shortcite shortciteA shortciteNP shortciteANP shortciteauthor shortciteauthorNP
        shortciteyear nocitemeta citeonline citeasnoun possessivecite citeaffixed citen citeN
        ocite ycite newcite citetitleonly citeinstitute maskcite maskcitep maskcitet citealias
    """,
    r"[]{keys}{keys}": "apud",
    _CITING_MANY: """
        cites Cites parencites Parencites footcites footcitetexts textcites Textcites smartcites
        Smartcites supercites autocites Autocites citeauthors fullcites footfullcites
        notecites Notecites pnotecites Pnotecites fnotecites Fnotecites ycites ocites
    """,
    _IN_VOLUMES: """
        volcite Volcite pvolcite Pvolcite fvolcite Fvolcite ftvolcite Ftvolcite svolcite Svolcite
        tvolcite Tvolcite avolcite Avolcite
    """,
    f"()(){_IN_VOLUMES}...": """
        volcites Volcites pvolcites Pvolcites fvolcites Fvolcites ftvolcites Ftvolcites svolcites
        Svolcites tvolcites Tvolcites avolcites Avolcites
    """,
    r"[][]{keys}[]{}": "citefield citelist citename",
    r"{named}{}": "defcitealias",
    r"{named}": "shortcites",
    r"{}{named}": "addtocategory",
    r"{}{keys}": "defbibentryset",
    r"[]{named}": "bibitem",
    r"{file}": """
        input include @input subfileinclude InputIfFileExists loadglsentries inputfile
    """,
    r"[]{file}": "subfile includestandalone",
    r"{folder}{file}": """
        import subimport inputfrom subinputfrom includefrom subincludefrom
    """,
    r"[]{package}": "usepackage RequirePackage",
    r"[]{class}": "documentclass LoadClass LoadClassWithOptions",
}
_ROLES: dict[str, tuple[Take, ...]] = {
    "": (),
    **{
        role: (Take(role),)
        for role in ("keys", "named", "file", "folder", "package", "class")
    },
}  # fmt: skip
_BRACKETS: dict[str, Bracket] = {"<": "<", "[": "[", "(": "(", "{": "{"}
_GROUP = re.compile(r"<(?P<angle>)>|\[(?P<square>\w*)\]|\((?P<round>)\)|\{(?P<brace>\w*)\}")
_WRITTEN_COMMAND = re.compile(r"\\?(?P<name>[A-Za-z@]+)\*?(?P<groups>[^*.]*)(?P<many>\.\.\.)?")
# Of the macros with "cite" in their name those that speak about citing: they take no keys.
_ABOUT = re.compile(
    r"(?i:^(?:set|new|renew|provide|declare|define|def|if|at|after|before|use|bib|the|print|make)"
    r".*cite|^(?:re|ex|in|soli|illi|eli|cal)cite[sd]?$"
    r"|cite\w*?(?:style|text|reset|true|false|delim|font|format|punct|sep|setup|options?|left"
    r"|right|mid|form|dash|indent|counter|command|index|prefix|suffix|postfix|label|mark|name"
    r"|list|field|color|colour|authoryear|position|start|end|open|close|begin)s?$)"
)
LOOKS_LIKE_A_KEY = re.compile(r"\*|(?=.*[^\W_])[^\s\"'%~#{}\\,()=]+")
"""What a key is made of, for macros of which only the name says that they cite."""


@cache
def known_commands() -> dict[str, Command]:
    """The macros of LaTeX and its packages, by name."""
    return {
        name: parse_groups(groups) for groups, names in _WRITTEN.items() for name in names.split()
    }


def guessed_command(name: str) -> Command | None:
    r"""What a macro that nobody defined takes, guessed from its name: ``\mycite``, ``\citesec``."""
    if "cite" not in name.casefold() or "@" in name or _ABOUT.search(name):
        return None
    groups = _CITING_MANY if "cites" in name.casefold() else _CITING
    command = parse_groups(groups)
    return Command(command.groups, command.repeats, is_guess=True)


def parse_command(written: str) -> tuple[str, Command]:
    r"""A macro by how it is written, as in the settings: its name and what it takes.

    Raises UsageError where that says nothing, or something else.
    """
    found = _WRITTEN_COMMAND.fullmatch(written.strip())
    command = parse_groups(found["groups"] + (found["many"] or "")) if found else None
    if found is None or command is None or not any(group.takes for group in command.groups):
        raise UsageError(
            f"manuscripts.commands: {written!r} does not say what it takes. Write it as it is used,"
            r" with the words keys, file or folder for that: \seealso[]{keys} or"
            r" \olimport[folder]{file}."
        )
    return found["name"], command


def parse_groups(written: str) -> Command:
    r"""What ``[][]{keys}`` says; without groups that it can tell, nothing."""
    groups = written.removesuffix("...")
    found = list(_GROUP.finditer(groups))
    is_whole = "".join(one.group() for one in found) == groups
    words = [one.group(one.lastgroup or 0) or "" for one in found]
    if not is_whole or not set(words) <= set(_ROLES):
        return Command(())
    return Command(
        tuple(
            Group(_BRACKETS[one.group()[0]], _ROLES[word])
            for one, word in zip(found, words, strict=True)
        ),
        repeats=written.endswith("..."),
    )


def role_of(group: Group, role: Role) -> Take | None:
    """What is done with an argument in this role."""
    return next((take for take in group.takes if take.role == role), None)
