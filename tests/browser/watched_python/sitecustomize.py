"""Python runs this before anything else where this folder is on its path: every connection that would leave the machine
is written down, and refused. An audit hook (PEP 578) hears of connections in whatever library they are made."""

from __future__ import annotations

import os
import socket
import sys
from ipaddress import ip_address
from pathlib import Path

FILE = os.environ.get("HEADLIGHT_CONNECTIONS", "")


def _stays_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback or ip_address(host).is_unspecified
    except ValueError:
        return host in {"", "localhost", socket.gethostname()}


def _hear(event: str, arguments: tuple[object, ...]) -> None:
    if event == "socket.getaddrinfo":
        host = str(arguments[0] or "")
    elif event == "socket.connect":
        connecting, address = arguments
        is_internet = isinstance(connecting, socket.socket) and connecting.type == socket.SOCK_STREAM
        if not (is_internet and isinstance(address, tuple)):
            return  # a file, or a datagram's address, with which nothing is sent
        host = str(address[0])
    else:
        return
    if not _stays_here(host):
        with Path(FILE).open("a", encoding="utf-8") as file:
            file.write(f"{host}\n")
        raise ConnectionRefusedError(f"A test lets nothing leave this machine: {host}")


if FILE:
    sys.addaudithook(_hear)
