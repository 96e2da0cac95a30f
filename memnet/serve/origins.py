"""Who may ask: the hosts that the server answers to, the web pages elsewhere that may ask it, and who knows the token.

With every request a browser says which host it believes to speak to (``Host``) and, where a script asks, which site the script
is of (``Origin``). A page that points its own name at this machine (DNS rebinding) sends its own name as the host; a page of
another site sends its own origin. Neither is answered unless it was allowed. Programs send no origin.
"""

from __future__ import annotations

import os
import re
import socket
from base64 import b64decode
from collections.abc import Sequence
from contextlib import suppress
from hmac import compare_digest
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple

from memnet.errors import ConfigError
from memnet.serve.gate import HEALTH, App, Receive, Scope, Send, refuse
from memnet.serve.turns import RefusedError

EVERYBODY = "*"
TOKEN, GOOD_TOKEN = "MEMNET_TOKEN", re.compile(r"[!-~]{16,200}")
HERE = ("localhost", "127.0.0.1", "[::1]")
HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^\s:/?#@\[\]]+)(?::\d{1,5})?")  # a name or an address, and perhaps a port
OTHER_SITES = ("cross-site", "same-site")  # Sec-Fetch-Site of a request that a page elsewhere caused


class Allowed(NamedTuple):
    """Hosts without their ports, whether any address is one too, and origins as browsers write them; all in lower case."""

    hosts: frozenset[str]
    any_address: bool
    origins: frozenset[str]

    @classmethod
    def of(cls, host: str, origins: Sequence[str] = ()) -> Allowed:
        """Who may ask a server that listens at ``host`` and lets pages of ``origins`` ask, each "https://example.org" or "*".

        The hosts are this machine's own names for itself, ``host``, and those of the origins, as a server behind a proxy has
        them. Where other machines reach it, any address and this machine's name are hosts too: an address cannot be rebound.
        Raises :class:`~memnet.errors.ConfigError` where an origin is none.
        """
        host = (f"[{host}]" if ":" in host else host).lower()
        is_here = host in HERE or is_address(host, loopback=True)
        found = {origin.lower().rstrip("/") for origin in origins}
        for origin in found - {EVERYBODY}:
            if not name_of(host_of(origin)):
                raise ConfigError(f"--allow-origin {origin}: expected an address as https://example.org, or '*' for everybody")
        names = {*HERE, host, *(name_of(host_of(origin)) for origin in found - {EVERYBODY})}
        if not is_here:
            names.add(socket.gethostname().lower())
        return cls(frozenset(names), not is_here, frozenset(found))

    def error(self, headers: Sequence[tuple[bytes, bytes]]) -> str:
        """Why a request with these headers is not answered, in a sentence, or ""."""
        if EVERYBODY in self.origins:
            return ""
        said = [(name, value.decode("latin-1").lower()) for name, value in headers]
        hosts = [value for name, value in said if name == b"host"] or [""]
        origins = [value for name, value in said if name == b"origin"]
        for host in [*hosts, *(value for name, value in said if name == b"x-forwarded-host")]:
            if not self.is_host(host):
                return f"This server does not answer to the host {host[:100]!a}; --host or --allow-origin lets it."
        for origin in origins:
            if origin not in self.origins and host_of(origin) not in hosts:
                return f"Web pages of {origin[:100]!a} may not ask this server; --allow-origin lets them."
        site, mode = (dict(said).get(name) for name in (b"sec-fetch-site", b"sec-fetch-mode"))
        if not origins and site in OTHER_SITES and mode != "navigate":  # a link may be followed
            return "Web pages elsewhere may link to this server, but not ask it."
        return ""

    def is_host(self, host: str) -> bool:
        """Whether the server answers to a host, "name" or "name:port"."""
        name = name_of(host)
        return name in self.hosts or (self.any_address and is_address(name))


def read_token(path: Path | None) -> str:
    """The token in a file, else in the environment's ``MEMNET_TOKEN``; "" where there is neither.

    Raises :class:`~memnet.errors.ConfigError` where it is easily guessed or cannot be sent.
    """
    try:
        token = os.environ.get(TOKEN) if path is None else path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"--token-file {path} cannot be read: {getattr(error, 'strerror', None) or 'no text'}") from error
    if token is not None and not GOOD_TOKEN.fullmatch(token):
        where = TOKEN if path is None else f"--token-file {path}"
        what = "expected a token of 16 to 200 letters, digits and signs without spaces"
        raise ConfigError(f"{where}: {what}; openssl rand -hex 16 makes one")
    return token or ""


class TokenCheck:
    """Lets requests of those through who know the token, as programs (Bearer) and browsers (Basic, any name) send it."""

    def __init__(self, app: App, token: str) -> None:
        self.app, self.token = app, token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """As an ASGI application."""
        if scope["type"] == "http" and scope["path"] != HEALTH and not self.knows(scope["headers"]):
            await refuse(scope, send, RefusedError(401, "This server needs its token: Authorization: Bearer TOKEN."))
        else:
            await self.app(scope, receive, send)

    def knows(self, headers: Sequence[tuple[bytes, bytes]]) -> bool:
        """Whether the token is among these headers; the time it takes says nothing about the token."""
        for scheme, _, said in (value.partition(b" ") for name, value in headers if name == b"authorization"):
            if scheme.lower() == b"basic":
                with suppress(ValueError):
                    said = b64decode(said.strip()).partition(b":")[2]
            if compare_digest(said.strip(), self.token):
                return True
        return False


class OriginCheck:
    """Lets requests of those through who may ask, and refuses others with status 403."""

    def __init__(self, app: App, allowed: Allowed) -> None:
        self.app, self.allowed = app, allowed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """As an ASGI application."""
        if scope["type"] == "http" and (wrong := self.allowed.error(scope["headers"])):
            await refuse(scope, send, RefusedError(403, wrong))
        else:
            await self.app(scope, receive, send)


def host_of(origin: str) -> str:
    """The host of an origin, with its port; "" of what is none."""
    scheme, _, host = origin.partition("://")
    return host if scheme in ("http", "https") else ""


def name_of(host: str) -> str:
    """A host without its port; "" of what is none."""
    found = HOST.fullmatch(host)
    return found[1] if found else ""


def is_address(name: str, loopback: bool = False) -> bool:
    """Whether a host's name is an IP address, and one of this machine for itself where ``loopback``."""
    try:
        address = ip_address(name.strip("[]"))
    except ValueError:
        return False
    return address.is_loopback or not loopback
