"""Which user a connection from this machine belongs to."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

Address = tuple[str, int]
_TABLES = ("/proc/net/tcp", "/proc/net/tcp6")
_LSOF_SECONDS = 5


def owner_of(client: Address, server: Address) -> int | None:
    """Return the number of the user whose process holds the client's end of a TCP connection to a
    server on this machine; None where that cannot be told.

    Linux says it in ``/proc/net/tcp`` (proc(5)). Elsewhere ``lsof`` is asked, which knows at least
    the reader's own processes. On Windows nobody can tell.
    """
    ends = _plain(*client), _plain(*server)
    if sys.platform.startswith("linux"):
        return next((user for found, user in _linux_connections() if found == ends), None)
    return _ask_lsof(client, server)


def _plain(host: str, port: int) -> tuple[IPv4Address | IPv6Address, int]:
    address = ip_address(host)
    # A program that speaks IPv6 reaches 127.0.0.1 as ::ffff:127.0.0.1.
    return getattr(address, "ipv4_mapped", None) or address, port


def _linux_connections() -> Iterator[tuple[object, int]]:
    """Yield both ends of each connection that a process holds, and the process's user."""
    for table in _TABLES:
        with suppress(OSError):
            for line in Path(table).read_text(encoding="ascii").splitlines()[1:]:
                words = line.split()
                # One that was closed belongs to nobody: it has no inode, and root's number.
                if words[9] != "0":
                    yield (_linux_end(words[1]), _linux_end(words[2])), int(words[7])


def _linux_end(text: str) -> tuple[IPv4Address | IPv6Address, int]:
    """Read ``0100007F:5B0F``: words of 32 bits as the processor keeps them, and a port."""
    host, _, port = text.partition(":")
    words = (int(host[start : start + 8], 16) for start in range(0, len(host), 8))
    address = ip_address(b"".join(struct.pack("=I", word) for word in words))
    return _plain(str(address), int(port, 16))


def _ask_lsof(client: Address, server: Address) -> int | None:
    program = shutil.which("lsof", path=os.pathsep.join(("/usr/sbin", "/usr/bin", "/bin")))
    if program is None:
        return None
    (host, port), (own_host, own_port) = client, server
    try:
        ran = subprocess.run(
            [program, "-nP", f"-iTCP@{host}:{port}", "-sTCP:ESTABLISHED", "-Fun"],
            capture_output=True,
            text=True,
            timeout=_LSOF_SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    user = None
    for line in ran.stdout.splitlines():
        if line.startswith("u") and line[1:].isdecimal():
            user = int(line[1:])
        elif line == f"n{host}:{port}->{own_host}:{own_port}":
            return user
    return None
