"""Where the sources are, and which addresses may be asked at all."""

from __future__ import annotations

from dataclasses import dataclass, fields
from urllib.parse import urlsplit

from papertrack.errors import UsageError
from papertrack.identifiers.addresses import is_loopback


@dataclass(frozen=True, slots=True)
class Endpoints:
    """The base addresses of all sources; the settings of the same names override arXiv's own.

    Raises UsageError, naming the setting, for anything but https (plain http to loopback).
    """

    api_url: str = "https://export.arxiv.org/api/query"
    """https://info.arxiv.org/help/api/user-manual.html; plain http answers 301."""
    feed_url: str = "https://rss.arxiv.org/atom"
    """https://info.arxiv.org/help/rss.html; the RSS form loses abstracts."""
    listing_url: str = "https://arxiv.org/list"
    catchup_url: str = "https://arxiv.org/catchup"
    oai_url: str = "https://oaipmh.arxiv.org/oai"
    """https://info.arxiv.org/help/oa/index.html; the base since March 2025."""
    datacite_url: str = "https://api.datacite.org/dois"
    pdf_url: str = "https://arxiv.org/pdf"

    def __post_init__(self) -> None:
        for setting in fields(self):
            _check_base(setting.name, getattr(self, setting.name))

    @property
    def origins(self) -> frozenset[str]:
        """The origins that may be asked, such as ``https://arxiv.org``."""
        return frozenset(origin_of(getattr(self, setting.name)) or "" for setting in fields(self))

    def hosts_of_owner(self, host: str) -> frozenset[str]:
        """All hosts of whoever runs this one (named as ``host_of`` does): arXiv's, or itself."""
        arxiv = frozenset(
            host_of(getattr(self, setting.name))
            for setting in fields(self)
            if setting.name != "datacite_url"
        )
        return arxiv if host in arxiv else frozenset({host})

    @property
    def are_loopback(self) -> bool:
        """Whether every one of them is on this machine, as in tests and rehearsals."""
        return all(
            is_loopback(urlsplit(getattr(self, setting.name)).hostname) for setting in fields(self)
        )


def origin_of(url: str) -> str | None:
    """``https://host[:port]`` of an http(s) address without userinfo; None for all else."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
        return None
    default = {"http": 80, "https": 443}[parts.scheme]
    suffix = "" if port in (None, default) else f":{port}"
    return f"{parts.scheme}://{parts.hostname}{suffix}"


def host_of(url: str) -> str:
    """The host of an address as messages and cool-downs name it, with a port if it has one."""
    origin = origin_of(url)
    return origin.partition("://")[2] if origin else "an address that is not http(s)"


def _check_base(name: str, url: str) -> None:
    origin = origin_of(url)
    parts = urlsplit(url) if origin else None
    if not origin or not parts or parts.query or parts.fragment or not url.isprintable():
        raise UsageError(f"The setting {name} is {url!r}: give a plain https address.")
    if parts.scheme == "http" and not is_loopback(parts.hostname):
        raise UsageError(
            f"The setting {name} is {url!r}: plain http is allowed to this machine only; use https."
        )
