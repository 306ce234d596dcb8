"""What names a feed in a topic: an https address, or a category of bioRxiv or medRxiv. Pure.

``https://www.nature.com/nature.rss``, ``biorxiv:neuroscience``. arXiv's categories have no colon,
so that a name tells which of both it is.
"""

from __future__ import annotations

import difflib
import re
from functools import cache
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit

from papertrack.errors import UsageError
from papertrack.identifiers.addresses import is_loopback, split_address

MAX_LENGTH = 1000
API_HOST = "api.biorxiv.org"
"""Answers for medRxiv, too."""
SERVERS = ("biorxiv", "medrxiv")


def is_feed(name: str) -> bool:
    """Whether what a topic looks in is a feed, not a category of arXiv."""
    return ":" in name


def parse_feed(text: str) -> str:
    """The name of a feed as topics keep it. Raises UsageError for what is none.

    ``http`` and ``feed`` addresses become https ones, except on this machine.
    """
    given = text.strip()
    server, _, category = given.partition(":")
    if server.lower() in SERVERS:
        return _server_category(server.lower(), category)
    text = re.sub("^(?:feed://)?(?!https?://)", "https://", given, flags=re.IGNORECASE)
    address = split_address(text)
    is_own = address is not None and text.startswith("http:") and is_loopback(address.host)
    if address is None or not (is_own or "." in address.host):
        raise UsageError(f"{given[:80]!r} is not the address of a feed: give one that is https.")
    parts = urlsplit(text)
    scheme, host = "http" if is_own else "https", parts.netloc.lower()
    name = urlunsplit(parts._replace(scheme=scheme, netloc=host, fragment=""))
    if len(name) > MAX_LENGTH:
        raise UsageError(f"The address of a feed has at most {MAX_LENGTH:,} characters.")
    return name


def is_kept_name(name: str) -> bool:
    """Whether a text is the name of a feed as topics keep it."""
    try:
        return parse_feed(name) == name
    except UsageError:
        return False


@cache
def _server_categories() -> list[str]:
    """The subject categories of both servers' sites, in 2026."""
    return Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines()


def _server_category(server: str, category: str) -> str:
    name = f"{server}:{' '.join(category.lower().replace('_', ' ').split())}"
    known = [one for one in _server_categories() if one.startswith(f"{server}:")]
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1, cutoff=0)[0].partition(":")[2]
        raise UsageError(f"{server} has no category {category[:60]!r}. Did you mean {near!r}?")
    return name


def split_feed(name: str) -> tuple[str, str] | None:
    """Server and category of ``biorxiv:neuroscience``; None for an address."""
    server, _, category = name.partition(":")
    return (server, category) if server in SERVERS else None


def host_of_feed(name: str) -> str:
    """The host that is asked for a feed, with its port if it has one."""
    return API_HOST if split_feed(name) else urlsplit(name).netloc.lower()


def address_of_feed(name: str) -> str:
    """The address of a feed for other readers, which know RSS alone."""
    if (found := split_feed(name)) is None:
        return name
    server, category = found
    subject = quote(category.replace(" ", "_"))
    return f"https://connect.{server}.org/{server}_xml.php?subject={subject}"


def feed_at(address: str) -> str:
    """As ``parse_feed``; the servers' own RSS addresses are their categories."""
    name = parse_feed(address)
    return next((one for one in _server_categories() if address_of_feed(one) == name), name)
