"""The settings of a library: defaults, ``papertrack.toml`` and the environment, checked.

Importing this costs pydantic; commands that need no setting do not import it, nor do those for
which ``settings_files`` finds that nobody set theirs.
"""

from __future__ import annotations

import contextlib
import difflib
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    Strict,
    ValidationError,
)

from papertrack.errors import UsageError
from papertrack.identifiers.addresses import is_loopback
from papertrack.identifiers.citekeys import DEFAULT_TEMPLATE
from papertrack.library import Library, own_settings_path
from papertrack.library.settings_files import (
    DEFAULT_IN_HAND,
    parse_settings,
    read_settings_text,
)

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


def set_value(text: str, key: str, value: object) -> str:
    """The text with the setting ``key`` (``arxiv.contact``) put to ``value``.

    ``text`` must be valid TOML and ``value`` one that TOML can hold.
    """
    import tomlkit

    tables = tomlkit.parse(text)
    _place(tables, key, value)
    return tomlkit.dumps(tables)


def unset_value(text: str, key: str) -> str:
    """The text without the setting ``key``. Raises UsageError when the text does not set it."""
    import tomlkit

    tables = tomlkit.parse(text)
    *path, name = key.split(".")
    table: Any = tables
    for part in path:
        table = table.get(part, {})
    if name not in table:
        raise UsageError(f"{key} is not set in the file: there is nothing to take out.")
    del table[name]
    return tomlkit.dumps(tables)


def _check_address(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme == "https" and parts.hostname:
        return url
    if parts.scheme == "http" and is_loopback(parts.hostname):
        return url
    raise ValueError("must be an https address (plain http only to this machine)")


Address = Annotated[str, AfterValidator(_check_address)]
# TOML has arrays only: strict mode would take a list for no tuple.
Words = Annotated[tuple[str, ...], Strict(False)]


_POWERFUL: dict[str, JsonValue] = {"is_powerful": True}
"""Marks a setting that runs a program, sends a secret or names a host: a stranger's is not used."""


class _Table(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


class Arxiv(_Table):
    """Where arXiv is asked, and how often. An address of None means arXiv's own."""

    api_url: Address | None = Field(
        default=None,
        json_schema_extra=_POWERFUL,
        description="Where papers are asked about and searched.",
    )
    feed_url: Address | None = Field(
        default=None, json_schema_extra=_POWERFUL, description="Where the day's announcements are."
    )
    listing_url: Address | None = Field(
        default=None,
        json_schema_extra=_POWERFUL,
        description="Where the day's announcements are besides, as a web page.",
    )
    catchup_url: Address | None = Field(
        default=None,
        json_schema_extra=_POWERFUL,
        description="Where announcements of the last 90 days are.",
    )
    oai_url: Address | None = Field(
        default=None,
        json_schema_extra=_POWERFUL,
        description="Where older announcements are (OAI-PMH).",
    )
    datacite_url: Address | None = Field(
        default=None,
        json_schema_extra=_POWERFUL,
        description="Where DOIs are asked about, and papers when arXiv's API is away.",
    )
    pdf_url: Address | None = Field(
        default=None, json_schema_extra=_POWERFUL, description="Where PDFs are."
    )
    contact: str | None = Field(
        default=None,
        description="Your e-mail or web address, sent with every request: arXiv asks for one.",
    )
    interval_seconds: float = Field(
        default=3.0,
        ge=0,
        le=3600,
        description="The least time between two requests. arXiv asks for 3; less is used only for "
        "loopback addresses.",
    )
    offline: bool = Field(
        default=False,
        description="Ask nothing: commands do at once what they do when no source can be reached.",
    )


class Citekeys(_Table):
    template: str = Field(
        default=DEFAULT_TEMPLATE,
        description="How a new paper's BibTeX key is made; keys once given stay.",
    )


class Reading(_Table):
    in_hand: int = Field(
        default=DEFAULT_IN_HAND, ge=1, description="How many papers to read at one time."
    )


class Bibtex(_Table):
    protect: Words = Field(
        default=(),
        description="Words whose capitals BibTeX titles keep, besides those found by rule.",
    )
    fields: Annotated[tuple[Literal["url", "doi", "abstract"], ...], Strict(False)] = Field(
        default=(),
        description="What new BibTeX entries have besides: of preprints the url and doi at arXiv "
        "(eprint says the same), and the abstract.",
    )


class Manuscripts(_Table):
    commands: Words = Field(
        default=(),
        description="Macros of a LaTeX class that take files or keys, as they are used, with the "
        r"words keys, file or folder for that: `\olimport[folder]{file}`, `\seealso[]{keys}`.",
    )


class Check(_Table):
    """What `papertrack check` looks for."""

    ignore: Words = Field(
        default=(),
        description="Kinds of findings that `check` leaves out, as `several-sections`.",
    )
    fail_on: Literal["note", "warning", "error"] = Field(
        default="note",
        description="How grave a finding must be for `check` to exit with 5: note, warning, error.",
    )


class Watch(_Table):
    """The nightly watch."""

    arxiv_categories: Words = Field(
        default=("cs.AI", "cs.CL", "cs.LG"),
        description="Where topics look that name no category of arXiv.",
    )
    keep_days: int = Field(
        default=30,
        ge=7,
        le=3650,
        description="How many days announcements are kept, so that a new topic can look back.",
    )


class Mail(_Table):
    """Where the digest is sent to. Without ``host`` and ``to`` nothing is sent."""

    host: str | None = Field(
        default=None,
        json_schema_extra=_POWERFUL,
        description="The mail server that sends the digest.",
    )
    port: int = Field(
        default=587, ge=1, le=65535, json_schema_extra=_POWERFUL, description="Its port."
    )
    security: Literal["starttls", "tls", "none"] = Field(
        default="starttls",
        json_schema_extra=_POWERFUL,
        description="How the connection is encrypted: starttls, tls, or none to this machine.",
    )
    sender: str | None = Field(
        default=None,
        json_schema_extra=_POWERFUL,
        description="The address in From; by default the first of mail.to.",
    )
    to: Words = Field(
        default=(), json_schema_extra=_POWERFUL, description="The addresses that get the digest."
    )
    user: str | None = Field(
        default=None,
        json_schema_extra=_POWERFUL,
        description="The name to log in with. The password is $PAPERTRACK_MAIL_PASSWORD, or what "
        "mail.password_command prints; it never stands in the settings.",
    )
    password_command: str | None = Field(
        default=None,
        json_schema_extra=_POWERFUL,
        description="A command that prints the password of mail.user.",
    )


class Tui(_Table):
    theme: str | None = Field(
        default=None,
        description="The colours of the terminal UI, by the name of a theme of Textual.",
    )
    keys: dict[str, str] = Field(
        default_factory=dict,
        description="Keys of the terminal UI, separated by commas, for the name of an action.",
    )


class Settings(_Table):
    """All settings of one library. Each one's description is what users read about it."""

    arxiv: Arxiv = Arxiv()
    citekeys: Citekeys = Citekeys()
    reading: Reading = Reading()
    bibtex: Bibtex = Bibtex()
    manuscripts: Manuscripts = Manuscripts()
    check: Check = Check()
    watch: Watch = Watch()
    mail: Mail = Mail()
    tui: Tui = Tui()
    pdf_viewer: str | None = Field(
        default=None,
        json_schema_extra=_POWERFUL,
        description="What `papertrack open --pdf` starts; by default the system's own program.",
    )


def load_settings(
    library: Library, environ: Mapping[str, str], tell: Callable[[str], None] | None = None
) -> Settings:
    """The settings in force: the environment goes before the library's file, that before the
    reader's own file, and that before defaults.

    Settings of a library that nobody trusted, and that would run programs, send secrets or name
    hosts, are left out, which ``tell`` is told in a sentence. Raises UsageError, naming the file
    (or variable), the key and the nearest valid key.
    """
    path = library.settings_path
    given = parse_settings(read_settings_text(path), path)
    check_settings(given, str(path))
    if ignored := untrusted_keys(library, given):
        for key in ignored:
            _remove(given, key)
        if tell is not None:
            tell(
                f"{path} sets {', '.join(ignored)}, which nobody has trusted on this machine: "
                "ignored. `papertrack trust` shows what that is, and takes it."
            )
    own_path = own_settings_path(environ)
    own = parse_settings(read_settings_text(own_path), own_path)
    check_settings(own, str(own_path))
    given = _over(own, given)
    for key, variable in variables().items():
        if text := environ.get(variable):
            _place(given, key, value_of(key, text, source=variable))
    return check_settings(given, str(path))


def powerful_settings(given: Mapping[str, Any]) -> dict[str, object]:
    """Of the tables of a settings file, those that run programs, send secrets or name hosts: by
    key."""
    found = {key: value_at(given, key) for key in _powerful_keys()}
    return {key: value for key, value in found.items() if value is not None}


def untrusted_keys(library: Library, given: Mapping[str, Any]) -> list[str]:
    """The settings of the library's own file that are not used, as nobody trusted them."""
    powerful = powerful_settings(given)
    if not powerful:
        return []
    from papertrack.library.trust import has_trusted

    return [] if has_trusted(library, powerful) else list(powerful)


def _powerful_keys() -> Iterator[str]:
    for name, field in Settings.model_fields.items():
        table = field.annotation
        if isinstance(table, type) and issubclass(table, BaseModel):
            for inner, inner_field in table.model_fields.items():
                if inner_field.json_schema_extra is _POWERFUL:
                    yield f"{name}.{inner}"
        elif field.json_schema_extra is _POWERFUL:
            yield name


def value_at(tables: Any, key: str) -> object:
    """What the tables of settings say for a key; None where they say nothing."""
    for part in key.split("."):
        tables = tables.get(part) if isinstance(tables, Mapping) else None
    value: object = tables
    return value


def _remove(tables: dict[str, Any], key: str) -> None:
    *path, name = key.split(".")
    for table in path:
        tables = tables[table]
    del tables[name]


def _over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Two layers of tables as one: what the upper one sets goes first."""
    merged = dict(below)
    for key, value in above.items():
        under = merged.get(key)
        both = isinstance(value, Mapping) and isinstance(under, Mapping)
        merged[key] = _over(under, value) if both and under is not None else value
    return merged


def check_settings(given: Mapping[str, Any], source: str) -> Settings:
    """Settings from plain tables. Raises UsageError for the first thing wrong in ``source``."""
    try:
        return Settings.model_validate(given)
    except ValidationError as error:
        raise UsageError(f"{source}: {_describe(error.errors()[0])}") from None


def setting_meanings() -> dict[str, str]:
    """Every setting's key, as ``papertrack config`` takes it (``arxiv.api_url``) → what the
    setting means, in a sentence or two."""
    meanings = {}
    for name, field in Settings.model_fields.items():
        table = field.annotation
        if isinstance(table, type) and issubclass(table, BaseModel):
            for inner, inner_field in table.model_fields.items():
                meanings[f"{name}.{inner}"] = inner_field.description or ""
        else:
            meanings[name] = field.description or ""
    return meanings


def variables() -> dict[str, str]:
    """Key → environment variable: ``arxiv.api_url`` → ``PAPERTRACK_ARXIV_API_URL``."""
    # A table of keys has no single value, so that no variable can hold it.
    return {
        key: "PAPERTRACK_" + key.replace(".", "_").upper()
        for key in setting_meanings()
        if key != "tui.keys"
    }


def value_of(key: str, text: str, *, source: str) -> object:
    """What ``text``, typed by somebody, means for the setting ``key``; lists are split at commas.

    ``source`` is named in the UsageError that an impossible value or an unknown key raises.
    """
    problems: list[ErrorDetails] = []
    for candidate in _readings_of(text):
        tables: dict[str, Any] = {}
        _place(tables, key, candidate)
        try:
            Settings.model_validate(tables)
        except ValidationError as error:
            problems += error.errors()[:1]
        else:
            return candidate
    # A reading of the right type that is out of bounds says more than one of the wrong type.
    telling = [problem for problem in problems if not problem["type"].endswith("_type")]
    raise UsageError(f"{source}: {_describe([*telling, *problems][0])}")


def nearest_key(key: str) -> str | None:
    """The valid setting (or table of settings) that is spelled most like ``key``."""
    keys = setting_meanings()
    tables = {known.partition(".")[0] for known in keys}
    if near := difflib.get_close_matches(key, (*keys, *tables), n=1, cutoff=0.6):
        return near[0]
    by_name = {known.rpartition(".")[2]: known for known in keys}
    near = difflib.get_close_matches(key.rpartition(".")[2], by_name, n=1, cutoff=0.6)
    return by_name[near[0]] if near else None


def _place(tables: dict[str, Any], key: str, value: object) -> None:
    *path, name = key.split(".")
    for table in path:
        tables = tables.setdefault(table, {})
    tables[name] = value


def _readings_of(text: str) -> Iterator[object]:
    """What a word on the command line may stand for, the likeliest first."""
    yield text
    if text.lower() in ("true", "false"):
        yield text.lower() == "true"
    for number in (int, float):
        with contextlib.suppress(ValueError):
            yield number(text)
    yield [word.strip() for word in text.split(",") if word.strip()]


def _describe(problem: ErrorDetails) -> str:
    key = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "extra_forbidden":
        near = nearest_key(key)
        hint = f"; did you mean {near}?" if near else "; `papertrack config` lists all settings."
        return f"{key} is not a setting{hint}"
    message = problem["msg"].removeprefix("Value error, ")
    return f"{key} is {problem['input']!r}: {message[:1].lower()}{message[1:]}."
