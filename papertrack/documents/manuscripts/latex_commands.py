r"""LaTeX macros that take keys or files, written like ``\volcite[]{}[]{keys}``.

The setting ``manuscripts.commands`` uses the same notation, for macros of classes that papertrack
does not know: ``\olimport[folder]{file}``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, cached_property
from itertools import islice

from papertrack.documents.manuscripts import model
from papertrack.documents.manuscripts.latex_live import (
    BLANK,
    Argument,
    Arguments,
    known_switches,
    live_latex,
    opened_groups,
    switches_in,
    verbatim_environments,
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
        Idem Ibidem opcit passim loccit cfcite etseq footciteref
    """,
    r"[]{keys}{keys}": "apud apudonline",
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
    r"[][]{keys}[]{}": "citefield citelist citename textcquote blockcquote",
    r"{}[][]{keys}[]{}": """
        foreigntextcquote foreignblockcquote hyphentextcquote hyphenblockcquote hybridblockcquote
    """,
    r"[][]{keys}": "begin{displaycquote}",
    r"{}[][]{keys}": "begin{foreigndisplaycquote} begin{hyphendisplaycquote}",
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
_TAKES = {"keys": (model.Take("keys"),), "named": (model.Take("named"),)}
_FILES: dict[str, model.FileRole] = {"file": "file", "package": "package", "class": "class"}
_WORDS = {"", "folder", *_TAKES, *_FILES}
_BRACKETS: dict[str, model.Bracket] = {"<": "<", "[": "[", "(": "(", "{": "{"}
_GROUP = re.compile(r"<(?P<angle>)>|\[(?P<square>\w*)\]|\((?P<round>)\)|\{(?P<brace>\w*)\}")
_WRITTEN_COMMAND = re.compile(r"\\?(?P<name>[A-Za-z@]+)\*?(?P<groups>[^*.]*)(?P<many>\.\.\.)?")
_LONGEST_NAME = 100
"""No macro that somebody writes out has a longer name."""
# Macros with "cite" in their name that take no keys, because they only configure citations.
_ABOUT = re.compile(
    r"(?i:^(?:set|new|renew|provide|declare|define|def|if|at|after|before|use|bib|the|print|make)"
    r".*cite|^(?:re|ex|in|soli|illi|eli|cal)cite[sd]?$"
    r"|cite\w*?(?:style|text|reset|true|false|delim|font|format|punct|sep|setup|options?|left"
    r"|right|mid|form|dash|indent|counter|command|index|prefix|suffix|postfix|label|mark|name"
    r"|list|field|color|colour|authoryear|position|start|end|open|close|begin)s?$)"
)
LOOKS_LIKE_A_KEY = re.compile(r"\*|(?=.*[^\W_])[^\s\"'%~#{}\\,()=]+")
"""The form of a key, for macros that seem to cite only by their name."""


@cache
def known_commands() -> dict[str, model.Command]:
    """Return the macros of LaTeX and its packages, by name."""
    return {
        name: parse_groups(groups) for groups, names in _WRITTEN.items() for name in names.split()
    }


def guessed_command(name: str) -> model.Command | None:
    r"""Guess from its name what an undefined macro takes: ``\mycite``, ``\citesec``."""
    if not (len(name) <= _LONGEST_NAME and "cite" in name.casefold()):
        return None
    if {*"@{"}.intersection(name) or _ABOUT.search(name):
        return None
    command = parse_groups(_CITING_MANY if "cites" in name.casefold() else _CITING)
    return model.Command(command.groups, command.repeats, is_guess=True)


def parse_command(written: str) -> tuple[str, model.Command]:
    """Parse a macro in the notation of the settings to its name and arguments.

    Raises UsageError if the text has no keys, files or folder, or is not in the notation.
    """
    match = _WRITTEN_COMMAND.fullmatch(written.strip())
    command = parse_groups(match["groups"] + (match["many"] or "")) if match else None
    if match is None or command is None or not command.takes_any:
        raise UsageError(
            f"manuscripts.commands: {written!r} does not say what it takes. Write it as "
            "it is used, with keys, file or folder in place of its arguments: "
            f"\\seealso[]{{keys}} or \\olimport[folder]{{file}}."
        )
    return match["name"], command


def parse_groups(written: str) -> model.Command:
    """Parse a notation such as ``[][]{keys}``.

    Returns a command without groups if it is invalid.
    """
    groups = written.removesuffix("...")
    matches = list(_GROUP.finditer(groups))
    is_whole = "".join(match.group() for match in matches) == groups
    words = [match.group(match.lastgroup or 0) or "" for match in matches]
    if not is_whole or not set(words) <= _WORDS:
        return model.Command(())
    return model.Command(
        tuple(
            model.Group(_BRACKETS[match.group()[0]], _TAKES.get(word, ()))
            for match, word in zip(matches, words, strict=True)
        ),
        repeats=written.endswith("..."),
        files=tuple(_files_in(words)),
    )


def _files_in(words: list[str]) -> Iterator[model.IncludedFile]:
    """Yield the files that arguments of these roles name."""
    folder = f"#{words.index('folder') + 1}/" if "folder" in words else ""
    for number, word in enumerate(words, start=1):
        if word in _FILES:
            yield model.IncludedFile(_FILES[word], f"{folder}#{number}")


# -- Macros that a manuscript defines, and what they do with keys and files.

MACRO = re.compile(r"\\(?:(?P<name>[A-Za-z@]+)|.)", re.DOTALL)
_DEFINER = re.compile(
    r"\\(?:(?P<command>(?:re|provide)?newcommand|providecommand|DeclareRobustCommand|"
    r"(?:new|renew|provide)robustcmd)|(?P<document>(?:New|Renew|Provide|Declare)"
    r"(?:Expandable)?DocumentCommand)|(?P<def>[gex]?def)|(?P<let>let|(?:New|Renew|Declare)"
    r"CommandCopy)|(?P<cite>Declare(?:Multi)?CiteCommand))"
    rf"(?![A-Za-z@])\*?{BLANK}\{{?{BLANK}\\(?P<name>[A-Za-z@]+)\*?{BLANK}\}}?"
)
_OTHERWISE_DEFINED = re.compile(r"(?:\{|\\csname\s+|(?:cmd|commandx)\*?\s*+\{?\s*+\\)([A-Za-z@]+)")
"""The name of a macro in a definition of another form: ``\\csdef{name}``, ``\\apptocmd\\name``."""
ENVIRONMENT = re.compile(rf"{BLANK}\{{(?P<name>[A-Za-z@]+\*?)\}}")
_ENVIRONMENT_DEFINER = re.compile(
    rf"\\(?:(?P<command>(?:re)?newenvironment)|(?P<document>(?:New|Renew|Provide|Declare)"
    rf"DocumentEnvironment))\*?{ENVIRONMENT.pattern}"
)
_COUNT = re.compile(rf"{BLANK}\[{BLANK}(\d){BLANK}\]")
_LET = re.compile(rf"{BLANK}=?{BLANK}\{{?(\\[A-Za-z@]+)")
_PARAMETERS = re.compile(r"(?:\[#\d\]|\(#\d\)|<#\d>|#\d)*(?=\{)")
_BRACED = r"\{(?:[^{}]|\{[^{}]*\})*\}"
_DOCUMENT_ARGUMENT = re.compile(
    rf"(?:>\s*{_BRACED}\s*){{0,9}}+(?P<kind>[mvosO]|t.|[dDrR]..|[eE]\{{(?P<tokens>[^{{}}]*)\}})(?:{_BRACED})?"
)
_KEY_OF_ARGUMENT = re.compile(r"([^#\\{}]*)#(\d)([^#\\{}]*)")
_ARGUMENT_BRACKETS: dict[str, model.Bracket] = {
    **{"[": "[", "(": "(", "<": "<", "#": "{", "m": "{", "v": "{", "o": "[", "O": "["}
}
DEEPEST = 20
"""How many levels of macros are followed, and how many uses of one argument are stored.

No author needs more, and a hostile text must not fill the memory.
"""
_LONGEST = 1000
"""The most characters of a file name or a list of keys."""
_LONGEST_BODY = 20_000
"""The longest definition that is read, in characters. No macro for citing is longer."""
_WORD = re.compile(r"\\(?P<name>[A-Za-z@]+)\s*(?:\{\})?")
_LOOKS_AHEAD = re.compile(r"\\(?:@ifstar|@ifnextchar|kernel@ifnextchar|@testopt|@dblarg|futurelet)")


def names_defined(text: str) -> frozenset[int]:
    """Return the offsets of macro names that a live text defines rather than uses."""
    return frozenset(match.start("name") - 1 for match in _DEFINER.finditer(text))


def define(text: str) -> model.Defined:
    """Return the definitions of a LaTeX text that matter for reading citations."""
    verbatim = verbatim_environments(text)
    live = live_latex(text, verbatim)
    arguments = Arguments(live)
    macros: dict[str, model.Definition] = {}
    commands: dict[str, model.Command] = {}
    others = {*_OTHERWISE_DEFINED.findall(live)}
    depth, opened, at = 0, 0, 0
    for match in _DEFINER.finditer(live):
        depth += live.count("{", at, match.start()) - live.count("}", at, match.start())
        opened += opened_groups(live, at, match.start())
        at = match.start()
        if match["cite"]:
            kind = "cites" if "Multi" in match["cite"] else "cite"
            commands[match["name"]] = known_commands()[kind]
        elif depth > 0 and match["name"] in known_commands():
            continue  # A definition inside a macro or a group is local to it.
        elif definition := _definition(live, match, arguments):
            # What is provided may be defined by a package.
            doubts = depth, opened, "rovide" in match.group(), match["name"] in others
            is_certain = not any(doubts)
            macros[match["name"]] = replace(definition, is_certain=is_certain)
            others.add(match["name"])
    for match in _ENVIRONMENT_DEFINER.finditer(live):
        brackets, at = _arguments_of(live, match, arguments)
        if body := arguments.text_at(at):
            # The end of an environment may use its arguments too.
            end = arguments.text_at(body[1]) or ("",)
            macros[begin_of(match["name"])] = model.Definition(brackets, body[0] + end[0])
    return model.Defined(macros, commands, verbatim, switches_in(live))


def bodies_in(live: str, arguments: Arguments) -> list[tuple[int, int]]:
    """Return the spans of the definitions in a live text, from their names to their ends.

    A definition inside another ends no earlier than the outer one.
    """
    braced = model.Command((model.Group("{"),))
    spans = [(-1, -1)]
    for definer in _DEFINER.finditer(live):
        opened = live.find("{", definer.end())
        args = arguments.of(braced, opened)[0] if opened >= 0 else []
        end = args[0].end if args else definer.end()
        spans.append((definer.start(), max(end, spans[-1][1])))
    return spans


def begin_of(environment: str) -> str:
    """Return the name used here for the macro that starts an environment."""
    return f"begin{{{environment}}}"


def _definition(text: str, definer: re.Match[str], braces: Arguments) -> model.Definition | None:
    at = definer.end()
    if definer["let"]:
        other = _LET.match(text, at)
        return model.Definition((), other[1]) if other else None
    brackets: tuple[model.Bracket, ...] = ()
    if definer["command"] or definer["document"]:
        brackets, at = _arguments_of(text, definer, braces)
    elif parameters := _PARAMETERS.match(text, at):
        opened = re.findall(r"[\[(<]?#", parameters.group())
        brackets, at = tuple(_ARGUMENT_BRACKETS[bracket[0]] for bracket in opened), parameters.end()
    body = braces.text_at(at)
    is_short = body is not None and len(body[0]) <= _LONGEST_BODY
    return model.Definition(brackets, body[0]) if body and is_short else None


def _arguments_of(
    text: str, definer: re.Match[str], braces: Arguments
) -> tuple[tuple[model.Bracket, ...], int]:
    """Return the arguments that a definition declares, and where the declaration ends."""
    if definer["command"]:
        return _counted(text, definer.end(), braces)
    spec = braces.text_at(definer.end())
    return (_specified(spec[0]), spec[1]) if spec else ((), definer.end())


def _counted(text: str, at: int, braces: Arguments) -> tuple[tuple[model.Bracket, ...], int]:
    r"""Return the arguments that ``[2][default]`` of ``\newcommand`` declares, and its end."""
    count = _COUNT.match(text, at)
    if count is None:
        return (), at
    default = braces.text_at(count.end(), brackets="[")
    brackets: list[model.Bracket] = ["["] if default else []
    while len(brackets) < int(count[1]):
        brackets.append("{")
    return tuple(brackets), default[1] if default else count.end()


def _specified(spec: str) -> tuple[model.Bracket, ...]:
    r"""Return the arguments that ``o m`` of ``\NewDocumentCommand`` declares."""
    return tuple(
        _ARGUMENT_BRACKETS.get(match["kind"][1:2] or match["kind"], "*")
        for match in _DOCUMENT_ARGUMENT.finditer(spec)
        for _ in match["tokens"] or "1"
    )


class Lexicon:
    """What each macro takes, by the manuscript's definitions or by LaTeX's packages."""

    def __init__(self, defined: model.Defined) -> None:
        self._defined = defined
        self._learnt: dict[str, model.Command | None] = {}
        self._depth = 0
        self.verbatim = defined.verbatim
        self.switches = known_switches(defined.switches)

    def command(self, name: str) -> model.Command | None:
        """Return what a macro takes; None if it takes no keys or files."""
        if name not in self._learnt:
            # While a definition is analysed, its own name has its earlier meaning.
            self._learnt[name] = known_commands().get(name)
            if self._depth < DEEPEST:
                self._depth += 1
                self._learnt[name] = self._find(name)
                self._depth -= 1
        return self._learnt[name]

    def expanded(self, text: str) -> str:
        """Return a text with all known macros without arguments expanded."""
        for _ in range(DEEPEST * (len(text) <= _LONGEST)):
            text, before = _WORD.sub(self._stands_for, text, DEEPEST), text
            if text == before or len(text) > _LONGEST:
                break
        return text

    def _stands_for(self, word: re.Match[str]) -> str:
        definition = self._defined.macros.get(word["name"])
        if definition is None or definition.brackets or len(definition.body) > _LONGEST:
            return word.group()
        return definition.body.strip()

    @cached_property
    def folders(self) -> list[str]:
        r"""The folders of ``\input@path``, in which LaTeX looks for files too."""
        path = self._defined.macros.get("input@path")
        folders = map(str.strip, re.findall(r"\{([^{}]+)\}", path.body if path else ""))
        return list(dict.fromkeys(folders))[:DEEPEST]

    def _find(self, name: str) -> model.Command | None:
        declared = self._defined.commands.get(name)
        definition = self._defined.macros.get(name)
        standard = known_commands().get(name)
        if declared or definition is None:
            return declared or standard or guessed_command(name)
        learnt = self._learn(definition)
        if standard and learnt and _is_alike(standard, learnt):
            return standard
        is_clear = not _LOOKS_AHEAD.search(definition.body)
        return learnt or standard or (None if is_clear else guessed_command(name))

    def _learn(self, definition: model.Definition) -> model.Command | None:
        """Return what a macro takes, from how its body uses its arguments."""
        body, brackets = definition.body, definition.brackets
        takes: dict[int, list[model.Take]] = {}
        files: list[model.IncludedFile] = []
        rest: tuple[model.Group, ...] = ()
        hidden: Counter[str] = Counter()
        looks_ahead = bool(_LOOKS_AHEAD.search(body))
        for command, args, missing, is_last in self._used(body):
            for argument in args:
                _note_takes(body, argument, takes, hidden)
            # A look-ahead chooses between macros; the macro with more arguments covers both.
            if is_last or looks_ahead:
                rest = max(rest, missing, key=len)
            texts = _argument_texts(definition, command, args, len(missing))
            files += (file.named(texts) for file in command.files)
        takes |= _unprinted(definition, hidden)
        groups = tuple(
            model.Group(bracket, tuple(takes.get(index, ())))
            for index, bracket in enumerate(brackets, start=1)
        )
        names = (file for file in dict.fromkeys(files) if "#" in file.name)
        learnt = model.Command(groups + rest, files=tuple(islice(names, DEEPEST)))
        return learnt if learnt.takes_any else None

    def _used(
        self, body: str
    ) -> Iterator[tuple[model.Command, list[Argument], tuple[model.Group, ...], bool]]:
        """Yield the macros in a body that take keys or files.

        Each comes with its arguments there, its missing arguments, and whether the body ends with
        it.
        """
        arguments = Arguments(body)
        for macro in MACRO.finditer(body):
            command = self.command(macro["name"]) if macro["name"] else None
            if command is not None:
                args, missing = arguments.of(command, macro.end())
                end = args[-1].end + 1 if args else macro.end()
                yield command, args, missing, not body[end:].strip("\0 \t\r\n}")


def _unprinted(definition: model.Definition, hidden: Counter[str]) -> dict[int, list[model.Take]]:
    """Return the arguments that a macro certainly leaves out, by number.

    ``hidden`` counts the uses of each that another macro leaves out.
    """
    uses = Counter(re.findall(r"#(\d)", definition.body))
    numbers = range(1, len(definition.brackets) * definition.is_certain + 1)
    return {n: [model.Take("unprinted")] for n in numbers if uses[str(n)] == hidden[str(n)]}


def _is_alike(old: model.Command, learnt: model.Command) -> bool:
    """Return whether a redefined command takes the same arguments unchanged.

    Then all forms of the original command are valid.
    """
    before, now = (
        [group.takes for group in form.groups if group.bracket == "{"] for form in (old, learnt)
    )
    return before == now


def _argument_texts(
    definition: model.Definition, command: model.Command, args: Iterable[Argument], missing: int
) -> dict[str, str]:
    """Return what a macro's body gives to a command, by the number of the argument."""
    texts = {arg.number: definition.body[arg.start : arg.end] for arg in args}
    # The missing arguments follow those of the macro itself.
    count = len(command.groups)
    moved = len(definition.brackets) - count + missing
    later = range(count - missing + 1, count + 1)
    return texts | {str(number): f"#{number + moved}" for number in later}


def _note_takes(
    body: str, argument: Argument, takes: dict[int, list[model.Take]], hidden: Counter[str]
) -> None:
    """Record which parameters of a macro its body uses as keys, or leaves out."""
    text = body[argument.start : argument.end]
    for take in argument.group.takes:
        for part in text.split(","):
            if parameter := _KEY_OF_ARGUMENT.fullmatch(part.strip("\0 \t\r\n")):
                use = model.Take(take.role, take.before + parameter[1], parameter[3] + take.after)
                uses = takes.setdefault(int(parameter[2]), [])
                if take.role == "unprinted":
                    hidden[parameter[2]] += 1
                elif use not in uses and len(uses) < DEEPEST:
                    uses.append(use)
