"""The names of feeds in topics: an https URL, or a category of bioRxiv or medRxiv. Pure.

Examples are ``https://www.nature.com/nature.rss`` and ``biorxiv:neuroscience``. arXiv's categories
have no colon, so the two cannot be confused.
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
"""The host also serves medRxiv."""
SERVERS = ("biorxiv", "medrxiv")


def is_feed(name: str) -> bool:
    """Return whether a name is that of a feed, and not of an arXiv category."""
    return ":" in name


def parse_feed(text: str) -> str:
    """Return the name of a feed as topics store it. Raises UsageError if the text is not a feed.

    ``http`` and ``feed`` URLs become https, except on this machine.
    """
    typed = text.strip()
    server, _, category = typed.partition(":")
    if server.lower() in SERVERS:
        return _server_category(server.lower(), category)
    text = re.sub("^(?:feed://)?(?!https?://)", "https://", typed, flags=re.IGNORECASE)
    address = split_address(text)
    is_local = address is not None and text.startswith("http:") and is_loopback(address.host)
    if address is None or not (is_local or "." in address.host):
        raise UsageError(f"{typed[:80]!r} is not the address of a feed: give one that is https.")
    parts = urlsplit(text)
    scheme, host = "http" if is_local else "https", parts.netloc.lower()
    name = urlunsplit(parts._replace(scheme=scheme, netloc=host, fragment=""))
    if len(name) > MAX_LENGTH:
        raise UsageError(f"The address of a feed has at most {MAX_LENGTH:,} characters.")
    return name


def is_kept_name(name: str) -> bool:
    """Return whether a text is the name of a feed as topics store it."""
    try:
        return parse_feed(name) == name
    except UsageError:
        return False


@cache
def _server_categories() -> list[str]:
    """Return the subject categories of both servers' sites, as of 2026."""
    return Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines()


def _server_category(server: str, category: str) -> str:
    """Return the name of a server's category. Raises UsageError if the server lacks it."""
    name = f"{server}:{' '.join(category.lower().replace('_', ' ').split())}"
    categories = [c for c in _server_categories() if c.startswith(f"{server}:")]
    if name not in categories:
        nearest = difflib.get_close_matches(name, categories, n=1, cutoff=0)[0].partition(":")[2]
        raise UsageError(f"{server} has no category {category[:60]!r}. Did you mean {nearest!r}?")
    return name


def split_feed(name: str) -> tuple[str, str] | None:
    """Return server and category of ``biorxiv:neuroscience``; None for a URL."""
    server, _, category = name.partition(":")
    return (server, category) if server in SERVERS else None


def host_of_feed(name: str) -> str:
    """Return the host to request for a feed, with its port if it has one."""
    return API_HOST if split_feed(name) else urlsplit(name).netloc.lower()


def address_of_feed(name: str) -> str:
    """Return the URL of a feed for other feed readers, which only know RSS."""
    if (server_and_category := split_feed(name)) is None:
        return name
    server, category = server_and_category
    subject = quote(category.replace(" ", "_"))
    return f"https://connect.{server}.org/{server}_xml.php?subject={subject}"


def feed_at(address: str) -> str:
    """Parse a feed like ``parse_feed``, but turn the servers' RSS URLs into their categories."""
    name = parse_feed(address)
    return next((c for c in _server_categories() if address_of_feed(c) == name), name)
