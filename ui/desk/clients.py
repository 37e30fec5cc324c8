"""Identify clients by the address that a browser connects from, so that a visitor with many tabs is one client."""

from __future__ import annotations

import os
import re
import secrets
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
LOOPBACK = ("127.0.0.1", "::")
"""The addresses of this computer for itself, as `client_of` writes them; Streamlit gives UNKNOWN for them."""
COOKIE = "headlight_browser"
"""The cookie that names a browser: a random word, which comes with the page. It finds its own trainings by it."""
A_MONTH = 30 * 24 * 3600
_A_BROWSER = re.compile(r"[A-Za-z0-9_-]{22}")


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


def is_this_computer() -> bool:
    """Return whether the reader of this session sits at the computer of the server."""
    return client_of_session() in (UNKNOWN, *LOOPBACK)


def browser_of_session() -> str:
    """Return the random word of the browser of this session; of a browser without cookies, one of the session."""
    word = str(st.context.cookies.get(COOKIE, ""))
    if is_named(word):
        return word
    return str(st.session_state.setdefault(COOKIE, new_browser()))


def new_browser() -> str:
    """Return a random word for a browser."""
    return secrets.token_urlsafe(16)


def new_cookie(path: str) -> str:
    """Return the header that gives a browser a cookie with a new word, for the addresses below a path."""
    return f"{COOKIE}={new_browser()}; Path={path}; Max-Age={A_MONTH}; HttpOnly; SameSite=Lax"


def is_named(cookie: str) -> bool:
    """Return whether a cookie names a browser."""
    return _A_BROWSER.fullmatch(cookie) is not None
