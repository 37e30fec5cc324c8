"""The address at which phones reach this server, in place of "localhost"."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from contextlib import suppress

import streamlit as st

OF_ITSELF = ("localhost", "127.0.0.1", "[::1]", "::1")
"""The names of a computer for itself."""
ELSEWHERE = ("192.0.2.1", 9)
"""An address for documentation (RFC 5737); only the route to it is looked up, nothing is sent."""


def origin_of(headers: Mapping[str, str], scheme: str = "http") -> str:
    """Return the origin of the server as other computers reach it, such as "http://192.168.1.7:8501".

    It is taken from the request, also behind a proxy; "localhost" is replaced by the address in the network.
    """
    asked = {name.lower(): value for name, value in headers.items()}  # Streamlit and proxies spell the names otherwise
    host = asked.get("x-forwarded-host", "").split(",")[0].strip() or asked.get("host") or "localhost"
    name, colon, port = host.rpartition(":") if host.rpartition(":")[2].isdecimal() else (host, "", "")
    if name in OF_ITSELF:
        host = f"{own_address() or name}{colon}{port}"
    protocol = asked.get("x-forwarded-proto", scheme).split(",")[0].strip()
    return f"{'https' if protocol == 'https' else 'http'}://{host}"


def is_reached_from_elsewhere(origin: str) -> bool:
    """Return whether other computers can reach the server there."""
    bound = str(st.get_option("server.address") or "")
    is_own = origin.removeprefix("http://").removeprefix("https://").startswith(OF_ITSELF)
    return not is_own and bound not in OF_ITSELF


def own_address() -> str | None:
    """Return the address of this computer in its network; None without a network."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.connect(ELSEWHERE)
        return str(line.getsockname()[0])
    return None
