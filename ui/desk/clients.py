"""Identify clients by the address that a browser connects from, so that a visitor with many tabs is one client."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from ipaddress import IPv6Address, ip_address

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

PROXIES = "HEADLIGHT_PROXIES"
"""The environment variable with the number of proxies in front of this process. The last addresses of X-Forwarded-For
are theirs."""
_FORWARDED = "x-forwarded-for"
_NETWORK = 64
"""Leading bits of an IPv6 address that identify one household or office."""
UNKNOWN = ""


def client_of(peer: str, forwarded: Sequence[str], environment: Mapping[str, str] = os.environ) -> str:
    """Return the client of a request from the connected `peer` and the values of X-Forwarded-For.

    Only the last addresses, one per trusted proxy, are believed: anybody may send the others.
    """
    setting = environment.get(PROXIES, "")
    hops = int(setting) if setting.isdecimal() else 0
    addresses = [address.strip() for value in forwarded for address in value.split(",")]
    client = addresses[-hops] if 0 < hops <= len(addresses) else peer
    try:
        address = ip_address(client)
    except ValueError:
        return client or UNKNOWN
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(IPv6Address(int(address) >> (128 - _NETWORK) << (128 - _NETWORK)))
    return str(address)


def client_of_scope(scope: Mapping[str, object]) -> str:
    """Return the client of an ASGI scope."""
    headers = scope.get("headers")
    pairs = headers if isinstance(headers, list | tuple) else ()
    forwarded = [value.decode("latin-1") for name, value in pairs if name.lower() == _FORWARDED.encode()]
    peer = scope.get("client")
    return client_of(str(peer[0]) if isinstance(peer, list | tuple) and peer else UNKNOWN, forwarded)


def client_of_session() -> str:
    """Return the client of the session whose script runs in this thread; UNKNOWN in a thread without one."""
    if get_script_run_ctx(suppress_warning=True) is None:
        return UNKNOWN
    return client_of(str(st.context.ip_address or UNKNOWN), st.context.headers.get_all(_FORWARDED))
