"""No socket of a test leaves this machine. Python imports this at the start of each process whose
PYTHONPATH has this folder, which ``tests/conftest.py`` sees to: that of the tests and what they
start.
"""

import sys


class LeftTheMachine(AssertionError):
    """A test tried to reach an address that is not loopback."""


def _must_be_loopback(host: str) -> None:
    import ipaddress

    if host in ("", "localhost"):
        return
    try:
        inside = ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        inside = False
    if not inside:
        raise LeftTheMachine(f"a test tried to reach {host!r}")


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    # Python tells these before it does them. An address is a pair only where it names a host.
    if event in ("socket.connect", "socket.sendto"):
        address = arguments[1]
        host = address[0] if isinstance(address, tuple) else None
    elif event == "socket.getaddrinfo":
        host = arguments[0]
    else:
        return
    if isinstance(host, bytes):
        host = host.decode()
    if isinstance(host, str):
        _must_be_loopback(host)


sys.addaudithook(_watch)
