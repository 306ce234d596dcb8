"""The settings of a library, with types, bounds, defaults and meanings.

Plain dataclasses: values from a file or the environment are checked by pydantic
(``setting_values``), whose import takes a tenth of a second; defaults need no check.
"""

# Without `from __future__ import annotations`: pydantic reads the types of fields.
# ruff: noqa: RUF009

from collections.abc import Callable, Iterator, Mapping
from dataclasses import Field, dataclass, field, fields, is_dataclass
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from annotated_types import Ge, Le

from papertrack.records import DEFAULT_TEMPLATE


class _IsAddress:
    """Marks a URL that may be requested; pydantic rejects others."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        from pydantic_core.core_schema import no_info_after_validator_function

        return no_info_after_validator_function(_check_address, handler(source))


def _check_address(url: str) -> str:
    from papertrack.identifiers.addresses import is_loopback  # Defaults need no check.

    parts = urlsplit(url)
    if parts.scheme == "https" and parts.hostname:
        return url
    if parts.scheme == "http" and is_loopback(parts.hostname):
        return url
    raise ValueError("must be an https address (plain http only for this machine)")


_PREFIX = "PAPERTRACK_"
"""The prefix of all environment variables."""
NAMED_BY_READERS = ("tui.keys", "tui.queries", "digests")
"""Tables with names that the user chooses; they have no environment variables."""
_OTHER_VARIABLES = ("DEBUG", "FEED_HOSTS", "LIBRARY", "MAIL_PASSWORD", "NOW", "SHARE_PRIVATE")
"""Environment variables that are not settings."""
Address = Annotated[str, _IsAddress()]
Kind = Literal["takeaways", "minutes", "notes", "reasons", "discards"]


def _setting(default: Any, meaning: str, *, is_powerful: bool = False) -> Any:
    """Define a setting."""
    metadata = {"meaning": meaning, "is_powerful": is_powerful}
    if isinstance(default, dict):
        return field(default_factory=dict, metadata=metadata)
    return field(default=default, metadata=metadata)


def _powerful(meaning: str, default: Any = None) -> Any:
    """Define a setting that runs a program, sends a secret or names a host.

    It is ignored in an untrusted library.
    """
    return _setting(default, meaning, is_powerful=True)


class _Table:
    __slots__ = ()
    __pydantic_config__ = {"strict": True, "extra": "forbid"}  # noqa: RUF012 - pydantic's way


@dataclass(frozen=True, slots=True)
class Arxiv(_Table):
    """arXiv's addresses, and how often to ask. None means arXiv's own address."""

    api_url: Address | None = _powerful("The address of arXiv's API, for metadata and searches.")
    feed_url: Address | None = _powerful("The address of the day's announcements.")
    listing_url: Address | None = _powerful("The address of the same announcements as a web page.")
    catchup_url: Address | None = _powerful("The address of the announcements of the last 90 days.")
    oai_url: Address | None = _powerful("The address of older announcements (OAI-PMH).")
    datacite_url: Address | None = _powerful(
        "The address of DataCite, for DOIs, and for papers when arXiv's API is unavailable."
    )
    biorxiv_url: Address | None = _powerful("The address of the API of bioRxiv and medRxiv.")
    pdf_url: Address | None = _powerful("The address of PDFs.")
    contact: str | None = _setting(
        None, "Your e-mail or web address, sent with every request: arXiv asks for one."
    )
    interval_seconds: Annotated[float, Ge(0), Le(3600)] = _setting(
        3.0,
        "The minimum time between two requests. arXiv asks for 3 seconds; less is used only for "
        "loopback addresses.",
    )
    offline: bool = _setting(
        False, "Never use the network: commands act as if no source could be reached."
    )


def _address_of(service: str) -> Any:
    """Define the setting for the address of a service that knows publications."""
    meaning = f"The address of {service}, which knows where papers were published."
    return _powerful(meaning)


def _key_of(service: str, use: str) -> Any:
    """Define the setting for the key of such a service."""
    meaning = f"Your key for {service}, which is free: with it {use}. Keep it in your own settings "
    return _powerful(meaning + "or in the environment.")


@dataclass(frozen=True, slots=True)
class Sources(_Table):
    """Services that know where papers were published. None means the service's own address."""

    crossref_url: Address | None = _address_of("Crossref")
    semantic_scholar_url: Address | None = _address_of("Semantic Scholar")
    openalex_url: Address | None = _address_of("OpenAlex")
    dblp_url: Address | None = _address_of("DBLP")
    openreview_url: Address | None = _address_of("OpenReview")
    acl_url: Address | None = _address_of("the ACL Anthology")
    semantic_scholar_key: str | None = _key_of(
        "Semantic Scholar", "you do not share a queue with everyone who has no key"
    )
    openalex_key: str | None = _key_of("OpenAlex", "fifty works are one request")


@dataclass(frozen=True, slots=True)
class Citekeys(_Table):
    template: str = _setting(
        DEFAULT_TEMPLATE, "The template for the BibTeX keys of new papers; existing keys stay."
    )


@dataclass(frozen=True, slots=True)
class Reading(_Table):
    in_hand: Annotated[int, Ge(1)] = _setting(5, "How many papers you read at a time.")


@dataclass(frozen=True, slots=True)
class Bibtex(_Table):
    protect: tuple[str, ...] = _setting(
        (), "Words whose capitals BibTeX titles keep, besides those that papertrack finds itself."
    )
    fields: tuple[Literal["url", "doi", "abstract"], ...] = _setting(
        (),
        "Optional fields of new BibTeX entries: url and doi of arXiv preprints (eprint has the "
        "same), and the abstract.",
    )


@dataclass(frozen=True, slots=True)
class Manuscripts(_Table):
    commands: tuple[str, ...] = _setting(
        (),
        "Macros of a LaTeX class that take files or keys, written as they are used, with keys, "
        "file or folder in place of the argument: `\\olimport[folder]{file}`, `\\seealso[]{keys}`.",
    )


@dataclass(frozen=True, slots=True)
class Check(_Table):
    """What `papertrack check` looks for."""

    ignore: tuple[str, ...] = _setting(
        (), "Kinds of findings that `check` leaves out: `several-sections`."
    )
    fail_on: Literal["note", "warning", "error"] = _setting(
        "note", "The severity from which `check` exits with 5: note, warning, error."
    )


@dataclass(frozen=True, slots=True)
class Watch(_Table):
    """The nightly watch."""

    arxiv_categories: tuple[str, ...] = _setting(
        ("cs.AI", "cs.CL", "cs.LG"), "The arXiv categories of topics that name none."
    )
    keep_days: Annotated[int, Ge(7), Le(3650)] = _setting(
        30, "How many days announcements are kept, for new topics."
    )


@dataclass(frozen=True, slots=True)
class Ranking(_Table):
    """Which announcements outside the topics go into the inbox."""

    outside: Annotated[int, Ge(0), Le(50)] | None = _setting(
        None,
        "How many papers outside your topics each watch puts into the inbox, the best by rank; "
        "if unset, none until there are fifty decisions, and then three.",
    )


@dataclass(frozen=True, slots=True)
class Share(_Table):
    """What stays on this device."""

    private: tuple[Kind, ...] | None = _setting(
        None,
        "What else stays on your machine in a shared library: any of takeaways, minutes, notes, "
        "reasons and discards.",
    )


@dataclass(frozen=True, slots=True)
class Mail(_Table):
    """How the digest is mailed. Without ``host`` and ``to`` nothing is sent."""

    host: str | None = _powerful("The mail server that sends the digest.")
    port: Annotated[int, Ge(1), Le(65535)] = _powerful("Its port.", 587)
    security: Literal["starttls", "tls", "none"] = _powerful(
        "How the connection is encrypted: starttls, tls, or none to this machine.", "starttls"
    )
    sender: str | None = _powerful("The address in From; by default the first of mail.to.")
    to: tuple[str, ...] = _powerful("The addresses that get the digest.", ())
    user: str | None = _powerful(
        "The name to log in with. The password is $PAPERTRACK_MAIL_PASSWORD, or what "
        "mail.password_command prints; it is never in the settings."
    )
    password_command: str | None = _powerful("A command that prints the password of mail.user.")


def _colour(name: str) -> Any:
    """Define the setting for the meaning of a highlight colour."""
    return _setting(None, f"What highlights in {name} mean: this word goes before their quotes.")


@dataclass(frozen=True, slots=True)
class Highlights(_Table):
    """What the colours of highlights mean, such as one of the five Cs."""

    yellow: str | None = _colour("yellow")
    red: str | None = _colour("red")
    green: str | None = _colour("green")
    blue: str | None = _colour("blue")
    purple: str | None = _colour("purple")
    magenta: str | None = _colour("magenta")
    orange: str | None = _colour("orange")
    grey: str | None = _colour("grey")


@dataclass(frozen=True, slots=True)
class Zotero(_Table):
    api_url: Address | None = _powerful(
        "The address of the Zotero that runs on this machine (`import --zotero-api`); by "
        "default http://localhost:23119/api/users/0."
    )


@dataclass(frozen=True, slots=True)
class Tui(_Table):
    theme: str | None = _setting(
        None, "The colours of the terminal UI: the name of a Textual theme."
    )
    keys: dict[str, str] = _setting(
        {}, "The keys of an action in the terminal UI, separated by commas."
    )
    queries: dict[str, str] = _setting(
        {},
        "Your saved queries for the terminal UI, by name: "
        "`papertrack config tui.queries.survey 'tag:survey pass:0'`.",
    )


@dataclass(frozen=True, slots=True)
class Settings(_Table):
    """All settings of one library. The descriptions are shown to users."""

    arxiv: Arxiv = Arxiv()
    sources: Sources = Sources()
    citekeys: Citekeys = Citekeys()
    reading: Reading = Reading()
    bibtex: Bibtex = Bibtex()
    manuscripts: Manuscripts = Manuscripts()
    check: Check = Check()
    watch: Watch = Watch()
    ranking: Ranking = Ranking()
    share: Share = Share()
    mail: Mail = Mail()
    tui: Tui = Tui()
    zotero: Zotero = Zotero()
    highlights: Highlights = Highlights()
    digests: dict[str, tuple[str, ...]] = _powerful(
        "For a topic or category: the addresses and files (.md, .html, .txt, .atom) that get "
        "its digest. Ignored in the file of a shared library.",
        {},
    )
    pdf_viewer: str | None = _powerful(
        "The program for `papertrack open --pdf`, with `{page}` for the page; by default the "
        "system's own."
    )


def setting_meanings() -> dict[str, str]:
    """Return the meaning of each setting, in a sentence or two, by key."""
    return {key: field.metadata["meaning"] for key, field in _fields()}


def variables() -> dict[str, str]:
    """Return the environment variable of each key: ``PAPERTRACK_ARXIV_API_URL``, …"""
    return {
        key: _PREFIX + key.replace(".", "_").upper()
        for key in setting_meanings()
        if key not in NAMED_BY_READERS
    }


def misspelled_variables(environ: Mapping[str, str]) -> Iterator[str]:
    """Yield a warning for each environment variable that looks like a misspelled one."""
    from difflib import get_close_matches

    variable_names = [*variables().values(), *(_PREFIX + name for name in _OTHER_VARIABLES)]
    tables = tuple(f"{_PREFIX}{table.name.upper()}_" for table in fields(Settings))
    for name in environ:
        if name.startswith(_PREFIX) and name not in variable_names:
            similar = get_close_matches(name, variable_names, n=1, cutoff=0.85)
            if similar:
                yield f"{name} is ignored: there is no such setting. Did you mean {similar[0]}?"
            elif name.startswith(tables):
                yield f"{name} is ignored: there is no such setting. `papertrack config` lists all."


def powerful_keys() -> list[str]:
    """Return the keys of settings that run programs, send secrets or name hosts."""
    return [key for key, field in _fields() if field.metadata["is_powerful"]]


def _fields() -> Iterator[tuple[str, "Field[Any]"]]:
    for table in fields(Settings):
        if is_dataclass(table.default):
            yield from ((f"{table.name}.{inner.name}", inner) for inner in fields(table.default))
        else:
            yield table.name, table
