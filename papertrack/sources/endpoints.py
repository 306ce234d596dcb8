"""The addresses of the sources, and which addresses may be requested at all."""

from __future__ import annotations

import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from papertrack.errors import UsageError
from papertrack.identifiers.addresses import is_loopback

ARXIV: Mapping[str, str] = {
    # https://info.arxiv.org/help/api/user-manual.html; plain http answers 301.
    "api_url": "https://export.arxiv.org/api/query",
    # https://info.arxiv.org/help/rss.html; the RSS form loses abstracts.
    "feed_url": "https://rss.arxiv.org/atom",
    "listing_url": "https://arxiv.org/list",
    "catchup_url": "https://arxiv.org/catchup",
    # https://info.arxiv.org/help/oa/index.html; the base since March 2025.
    "oai_url": "https://oaipmh.arxiv.org/oai",
    "pdf_url": "https://arxiv.org/pdf",
}
"""arXiv's own addresses, by setting."""
_GLOBAL_UNICAST = IPv6Network("2000::/3")
"""All addresses that are assigned so far (RFC 4291, section 2.4)."""
_TRANSLATED = IPv6Network("64:ff9b::/96")
"""IPv4 addresses on a network that has only IPv6 (RFC 6052)."""
_SPECIAL = (
    # Special addresses of IANA's lists that some versions of ``ipaddress`` call global.
    *(IPv4Network("192.0.0.0/24"), IPv4Network("192.88.99.0/24")),
    *(IPv6Network("2001::/23"), IPv6Network("3fff::/20")),
)


class Endpoints:
    """The base addresses of all sources, by setting.

    The given addresses override arXiv's own. Raises UsageError, with the setting's name, for
    anything but https; plain http is allowed on loopback.
    """

    def __init__(self, **addresses: str) -> None:
        self._addresses = {**ARXIV, **addresses}
        for name, url in self._addresses.items():
            _check_base(name, url)
        self.origins = frozenset(origin_of(url) or "" for url in self._addresses.values())
        """The origins that may be requested, such as ``https://arxiv.org``."""

    def __contains__(self, setting: object) -> bool:
        """Return whether a setting has an address, so that it may be requested."""
        return setting in self._addresses

    def __getitem__(self, setting: str) -> str:
        return self._addresses[setting]

    def hosts_of_owner(self, host: str) -> frozenset[str]:
        """Return all hosts of this host's operator: all of arXiv's, or the host itself."""
        arxiv = frozenset(host_of(self[name]) for name in ARXIV)
        return arxiv if host in arxiv else frozenset({host})

    @property
    def are_loopback(self) -> bool:
        """Whether all addresses are on this machine, as in tests."""
        return all(is_loopback(urlsplit(url).hostname) for url in self._addresses.values())


def origin_of(url: str) -> str | None:
    """Return ``https://host[:port]`` of an http(s) URL without user name, or None."""
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
    """Return the host of a URL, with its port if any, for messages and pauses."""
    origin = origin_of(url)
    return origin.partition("://")[2] if origin else "an address that is not http(s)"


def _check_base(name: str, url: str) -> None:
    is_plain = url.isprintable() and set(url).isdisjoint("?#")
    if not is_plain or origin_of(url) is None:
        raise UsageError(f"The setting {name} is {url!r}: give a plain https address.")
    parts = urlsplit(url)
    if parts.scheme == "http" and not is_loopback(parts.hostname):
        raise UsageError(
            f"The setting {name} is {url!r}: plain http is allowed to this machine only; use https."
        )


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address, or the IPv4 address in an IPv6 one, is public."""
    if (inner := _inner(address)) is not None:
        return is_public(inner)
    if isinstance(address, IPv6Address) and address not in _GLOBAL_UNICAST:
        return False
    is_special = address.is_multicast or address.is_reserved
    return address.is_global and not is_special and not any(address in net for net in _SPECIAL)


def is_own(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address is loopback, in IPv4 or IPv6."""
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


def _inner(address: IPv4Address | IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address in an IPv6 one: mapped, translated or by 6to4."""
    if isinstance(address, IPv4Address):
        return None
    if address in _TRANSLATED:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour


def is_private(host: str) -> bool:
    """Return whether a host's name alone says that it is not on the public internet."""
    with suppress(ValueError):
        return not is_public(ip_address(host))
    return is_loopback(host)


def may_connect(places: Sequence[str], *, is_rehearsal: bool) -> bool:
    """Return whether all IP addresses of a host from a list or feed may be requested.

    Public ones may; in a rehearsal, only those of this machine.
    """
    is_allowed = is_own if is_rehearsal else is_public
    return bool(places) and all(is_allowed(ip_address(place)) for place in places)


def resolve(name: str) -> Sequence[str]:
    """Return the IP addresses of a host's name. Raises OSError."""
    with suppress(ValueError):
        return [str(ip_address(name))]
    results = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(result[4][0]).partition("%")[0] for result in results))
