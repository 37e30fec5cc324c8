"""The address at which phones reach this server, in place of "localhost"."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from contextlib import suppress

import streamlit as st

OF_ITSELF = ("localhost", "localhost.", "::1", "[::1]")
"""The names of a computer for itself, beside the addresses that begin with 127."""
ELSEWHERE = ("192.0.2.1", 9)
"""An address for documentation (RFC 5737); only the route to it is looked up, nothing is sent."""


def origin_of(headers: Mapping[str, str], scheme: str = "http") -> str:
    """Return the origin of the server as other computers reach it, such as "http://192.168.1.7:8501".

    It is taken from the request, also behind a proxy; "localhost" is replaced by the address in the network.
    """
    asked = {name.lower(): value for name, value in headers.items()}  # Streamlit and proxies spell the names otherwise
    host = _first(asked, "x-forwarded-host") or _first(asked, "host") or "localhost"
    name, colon, port = _split(host)
    if _is_of_itself(name):
        host = f"{own_address() or name}{colon}{port}"
    protocol = _first(asked, "x-forwarded-proto") or scheme
    return f"{'https' if protocol in ('https', 'wss') else 'http'}://{host}"


def is_reached_from_elsewhere(origin: str) -> bool:
    """Return whether other computers can reach the server there."""
    bound = str(st.get_option("server.address") or "")
    return not any(_is_of_itself(name) for name in (bound, _split(origin.rpartition("://")[2])[0]))


def _first(asked: Mapping[str, str], name: str) -> str:
    """Return the first of the values that a header lists, which is what the reader's own proxy was asked for."""
    return asked.get(name, "").split(",")[0].strip().lower()


def _split(host: str) -> tuple[str, str, str]:
    """Return name, colon and port; the last two are empty without a port."""
    return host.rpartition(":") if host.rpartition(":")[2].isdecimal() else (host, "", "")


def _is_of_itself(name: str) -> bool:
    return name in OF_ITSELF or name.startswith("127.") or name.endswith(".localhost")


def own_address() -> str | None:
    """Return the address of this computer in its network; None without a network."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.connect(ELSEWHERE)
        return str(line.getsockname()[0])
    return None
