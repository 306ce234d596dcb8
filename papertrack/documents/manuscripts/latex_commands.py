r"""LaTeX's macros that take keys or files, as they are written: ``\volcite[]{}[]{keys}``.

The same notation is that of the setting ``manuscripts.commands``, for the macros of a class that
nobody here knows of: ``\olimport[folder]{file}``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from papertrack.documents.manuscripts.latex_live import (
    BLANK,
    Argument,
    Arguments,
    known_switches,
    live_latex,
    switches_in,
    verbatim_environments,
)
from papertrack.documents.manuscripts.model import (
    Bracket,
    Command,
    Defined,
    Definition,
    Group,
    Role,
    Take,
)
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
            f"manuscripts.commands: {written!r} does not say what it takes. Write it as "
            "it is used, with keys, file or folder in place of its arguments: "
            f"\\seealso[]{{keys}} or \\olimport[folder]{{file}}."
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


# -- The macros that a manuscript defines, and what they do with keys and files.
#
# ``\newcommand{\mycite}[2][]{\citep[see][#1]{#2}}`` says by itself that ``\mycite`` takes keys:
# it is learnt from the definition, through as many macros as there are.

MACRO = re.compile(r"\\(?:(?P<name>[A-Za-z@]+)|.)", re.DOTALL)
_DEFINER = re.compile(
    r"\\(?:(?P<command>(?:re|provide)?newcommand|providecommand|DeclareRobustCommand|"
    r"(?:new|renew|provide)robustcmd)|(?P<document>(?:New|Renew|Provide|Declare)"
    r"(?:Expandable)?DocumentCommand)|(?P<def>[gex]?def)|(?P<let>let|(?:New|Renew|Declare)"
    r"CommandCopy)|(?P<cite>Declare(?:Multi)?CiteCommand))"
    rf"(?![A-Za-z@])\*?{BLANK}\{{?{BLANK}\\(?P<name>[A-Za-z@]+)\*?{BLANK}\}}?"
)
ENVIRONMENT = re.compile(rf"{BLANK}\{{(?P<name>[A-Za-z@]+\*?)\}}")
_ENVIRONMENT_DEFINER = re.compile(
    rf"\\(?:(?P<command>(?:re)?newenvironment)|(?P<document>(?:New|Renew|Provide|Declare)"
    rf"DocumentEnvironment))\*?{ENVIRONMENT.pattern}"
)
_COUNT = re.compile(rf"{BLANK}\[{BLANK}(\d){BLANK}\]")
_LET = re.compile(rf"{BLANK}=?{BLANK}\{{?(\\[A-Za-z@]+)")
_PARAMETERS = re.compile(r"(?:\[#\d\]|\(#\d\)|<#\d>|#\d)*(?=\{)")
_DOCUMENT_ARGUMENT = re.compile(r"[mosv]|[Oo]\{[^{}]*\}|[dD](?P<marks>..)|r..|\+|!|>\{[^{}]*\}|\s")
_KEY_OF_ARGUMENT = re.compile(r"([^#\\{}]*)#(\d)([^#\\{}]*)")
_ARGUMENT_BRACKETS: dict[str, Bracket] = {"[": "[", "(": "(", "<": "<", "#": "{"}
_DEEPEST = 20
"""Macros in macros that are followed, and uses of one argument that are distinguished: no author's
are more, and a hostile text must not grow."""
_LONGEST = 1000
"""Characters of a name of a file or of some keys."""
_WORD = re.compile(r"\\(?P<name>[A-Za-z@]+)\s*(?:\{\})?")
_LOOKS_AHEAD = re.compile(r"\\(?:@ifstar|@ifnextchar|kernel@ifnextchar|@testopt|@dblarg|futurelet)")


def names_defined(text: str) -> frozenset[int]:
    """Where in a live text the names of macros stand that are defined there, not used."""
    return frozenset(found.start("name") - 1 for found in _DEFINER.finditer(text))


def define(text: str) -> Defined:
    """What a LaTeX text defines that its citations, or those of other files, are read by."""
    verbatim = verbatim_environments(text)
    live = live_latex(text, verbatim)
    arguments = Arguments(live)
    macros: dict[str, Definition] = {}
    commands: dict[str, Command] = {}
    depth, at = 0, 0
    for found in _DEFINER.finditer(live):
        depth += live.count("{", at, found.start()) - live.count("}", at, found.start())
        at = found.start()
        if found["cite"]:
            kind = "cites" if "Multi" in found["cite"] else "cite"
            commands[found["name"]] = known_commands()[kind]
        elif depth > 0 and found["name"] in known_commands():
            continue  # What a macro or a group does to it ends with that.
        elif definition := _definition(live, found, arguments):
            macros[found["name"]] = definition
    for found in _ENVIRONMENT_DEFINER.finditer(live):
        brackets, at = _arguments_of(live, found, arguments)
        if body := arguments.text_at(at):
            macros[begin_of(found["name"])] = Definition(brackets, body[0])
    return Defined(macros, commands, verbatim, switches_in(live))


def bodies_in(live: str) -> list[tuple[int, int]]:
    """Return where the definitions of a live text stand, from their names to their ends; one within
    another ends no earlier than that."""
    arguments = Arguments(live)
    braced = Command((Group("{"),))
    found = [(-1, -1)]
    for definer in _DEFINER.finditer(live):
        opened = live.find("{", definer.end())
        given = arguments.of(braced, opened)[0] if opened >= 0 else []
        end = given[0].end if given else definer.end()
        found.append((definer.start(), max(end, found[-1][1])))
    return found


def begin_of(environment: str) -> str:
    """What the macro is called here that an environment begins with."""
    return f"begin{{{environment}}}"


def _definition(text: str, found: re.Match[str], braces: Arguments) -> Definition | None:
    at = found.end()
    if found["let"]:
        other = _LET.match(text, at)
        return Definition((), other[1]) if other else None
    brackets: tuple[Bracket, ...] = ()
    if found["command"] or found["document"]:
        brackets, at = _arguments_of(text, found, braces)
    elif parameters := _PARAMETERS.match(text, at):
        opened = re.findall(r"[\[(<]?#", parameters.group())
        brackets, at = tuple(_ARGUMENT_BRACKETS[one[0]] for one in opened), parameters.end()
    body = braces.text_at(at)
    return Definition(brackets, body[0]) if body else None


def _arguments_of(
    text: str, found: re.Match[str], braces: Arguments
) -> tuple[tuple[Bracket, ...], int]:
    """The arguments that the definition of a macro or an environment says, and where that ends."""
    if found["command"]:
        return _counted(text, found.end(), braces)
    spec = braces.text_at(found.end())
    return (_specified(spec[0]), spec[1]) if spec else ((), found.end())


def _counted(text: str, at: int, braces: Arguments) -> tuple[tuple[Bracket, ...], int]:
    r"""The arguments that ``[2][default]`` of ``\newcommand`` says, and where that ends."""
    count = _COUNT.match(text, at)
    if count is None:
        return (), at
    default = braces.text_at(count.end(), brackets="[")
    brackets: list[Bracket] = ["["] if default else []
    while len(brackets) < int(count[1]):
        brackets.append("{")
    return tuple(brackets), default[1] if default else count.end()


def _specified(spec: str) -> tuple[Bracket, ...]:
    r"""The arguments that ``o m`` of ``\NewDocumentCommand`` says."""
    brackets: list[Bracket] = []
    for found in _DOCUMENT_ARGUMENT.finditer(spec):
        if found["marks"] in ("()", "<>", "[]"):
            brackets.append(_ARGUMENT_BRACKETS[found["marks"][0]])
        elif found.group()[0] in "mv":
            brackets.append("{")
        elif found.group()[0] in "oOs":
            brackets.append("*" if found.group() == "s" else "[")
    return tuple(brackets)


class Lexicon:
    """What each macro of manuscripts takes: as they define it, or as LaTeX's packages do."""

    def __init__(self, defined: Defined) -> None:
        self._defined = defined
        self._learnt: dict[str, Command | None] = {}
        self._depth = 0
        self.verbatim = defined.verbatim
        self.switches = known_switches(defined.switches)

    def command(self, name: str) -> Command | None:
        """What this macro takes; None if no keys and no files."""
        if name not in self._learnt:
            # While a definition is learnt, its own name is what it was before.
            self._learnt[name] = known_commands().get(name)
            if self._depth < _DEEPEST:
                self._depth += 1
                self._learnt[name] = self._find(name)
                self._depth -= 1
        return self._learnt[name]

    def expanded(self, text: str) -> str:
        """Return a text with what macros without arguments stand for, as far as they are known."""
        for _ in range(_DEEPEST):
            text, before = _WORD.sub(self._stands_for, text), text
            if text == before or len(text) > _LONGEST:
                break
        return text

    def _stands_for(self, word: re.Match[str]) -> str:
        definition = self._defined.macros.get(word["name"])
        if definition is None or definition.brackets or len(definition.body) > _LONGEST:
            return word.group()
        return definition.body.strip()

    def environment(self, name: str) -> Command | None:
        """What an environment of the author's takes where it begins; None if nothing."""
        begin = begin_of(name)
        return self.command(begin) if begin in self._defined.macros else None

    def _find(self, name: str) -> Command | None:
        said = self._defined.commands.get(name)
        definition = self._defined.macros.get(name)
        known = known_commands().get(name)
        if said or definition is None:
            return said or known or guessed_command(name)
        learnt = self._learn(definition)
        if known and learnt and _is_alike(known, learnt):
            return known
        is_clear = not _LOOKS_AHEAD.search(definition.body)
        return learnt or known or (None if is_clear else guessed_command(name))

    def _learn(self, definition: Definition) -> Command | None:
        """What a macro takes by what its definition does with its arguments."""
        takes: dict[int, list[Take]] = {}
        rest: tuple[Group, ...] = ()
        looks_ahead = bool(_LOOKS_AHEAD.search(definition.body))
        for given, missing, is_last in self._used(definition.body):
            for argument in given:
                _note_takes(definition.body, argument, takes)
            # What is looked ahead for chooses between macros: the one that takes more is both.
            if is_last or looks_ahead:
                rest = max(rest, missing, key=len)
        groups = tuple(
            Group(bracket, tuple(takes.get(index, ())))
            for index, bracket in enumerate(definition.brackets, start=1)
        )
        groups += rest
        return Command(groups) if any(group.takes for group in groups) else None

    def _used(self, body: str) -> Iterator[tuple[list[Argument], tuple[Group, ...], bool]]:
        """The macros of a definition that take keys or files: what they are given there, what of
        it is missing, and whether the definition ends there."""
        arguments = Arguments(body)
        for found in MACRO.finditer(body):
            command = self.command(found["name"]) if found["name"] else None
            if command is not None:
                given, missing = arguments.of(command, found.end())
                end = given[-1].end + 1 if given else found.end()
                yield given, missing, not body[end:].strip("\0 \t\r\n}")


def _is_alike(known: Command, learnt: Command) -> bool:
    """Whether a command takes what it did before, nothing put before or behind: then it has all the
    forms that it had."""
    before, now = (
        [group.takes for group in one.groups if group.bracket == "{"] for one in (known, learnt)
    )
    return before == now


def _note_takes(body: str, argument: Argument, takes: dict[int, list[Take]]) -> None:
    """Note which parameters of a macro stand where keys or files do in its body."""
    text = body[argument.start : argument.end]
    for take in argument.group.takes:
        is_list = take.role in ("keys", "named")
        for part in text.split(",") if is_list else [text]:
            if found := _KEY_OF_ARGUMENT.fullmatch(part.strip("\0 \t\r\n")):
                made = Take(take.role, take.before + found[1], found[3] + take.after)
                known = takes.setdefault(int(found[2]), [])
                if made not in known and len(known) < _DEEPEST:
                    known.append(made)
