"""Identify clients by the address that a browser connects from, so that a visitor with many tabs is one client."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from ipaddress import IPv6Address, ip_address

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

PROXIES = "HEADLIGHT_PROXIES"
"""The setting that says how many proxies stand before this process; the last ones of X-Forwarded-For are theirs."""
_FORWARDED = "x-forwarded-for"
_NETWORK = 64
"""Bits of an IPv6 address that one household, or one office, has to itself."""
UNKNOWN = ""


def client_of(peer: str, forwarded: Sequence[str], environment: Mapping[str, str] = os.environ) -> str:
    """Return the client of a request: `peer` is who has connected, `forwarded` the values of X-Forwarded-For.

    Only as many of the forwarded addresses are believed as there are proxies of ours: anybody may send the others.
    """
    told = environment.get(PROXIES, "")
    hops = int(told) if told.isdecimal() else 0
    passed = [each.strip() for value in forwarded for each in value.split(",")]
    named = passed[-hops] if 0 < hops <= len(passed) else peer
    try:
        address = ip_address(named)
    except ValueError:
        return named or UNKNOWN
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(IPv6Address(int(address) >> (128 - _NETWORK) << (128 - _NETWORK)))
    return str(address)


def client_of_scope(scope: Mapping[str, object]) -> str:
    """Return the client of an ASGI scope."""
    headers = scope.get("headers")
    given = headers if isinstance(headers, list | tuple) else ()
    forwarded = [value.decode("latin-1") for name, value in given if name.lower() == _FORWARDED.encode()]
    peer = scope.get("client")
    return client_of(str(peer[0]) if isinstance(peer, list | tuple) and peer else UNKNOWN, forwarded)


def client_of_session() -> str:
    """Return the client of the session whose script runs in this thread; UNKNOWN in a thread without one."""
    if get_script_run_ctx(suppress_warning=True) is None:
        return UNKNOWN
    return client_of(str(st.context.ip_address or UNKNOWN), st.context.headers.get_all(_FORWARDED))
