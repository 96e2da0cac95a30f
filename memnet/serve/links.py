"""The links of the page, as they are where a proxy has it: under a path, at a host that this server need not know."""

from __future__ import annotations

import json
from collections.abc import MutableMapping
from typing import Any

from memnet.serve.gate import App, Receive, Scope, Send

PLACE = "http://memnet.invalid"  # where the framework believes the page to be
MANIFEST, RELATIVE = b'href="/manifest.json" />', b'href="manifest.json" /><link rel="icon" href="favicon.ico" />'


class Relative:
    """Writes into the page where it is, as a browser finds it."""

    def __init__(self, app: App, root_path: str = "") -> None:
        self.app, self.place = app, f"location.origin + {json.dumps(root_path)}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """As an ASGI application."""
        if scope["type"] != "http" or scope["path"] != "/":
            await self.app(scope, receive, send)
            return
        begin, parts = dict[str, Any](), list[bytes]()

        async def keep(message: MutableMapping[str, Any]) -> None:
            begin.update(message if message["type"] == "http.response.start" else {})
            parts.append(message.get("body", b""))

        plain = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
        await self.app({**scope, "headers": plain}, receive, keep)
        body = b"".join(parts).replace(f'"{PLACE}"'.encode(), self.place).replace(MANIFEST, RELATIVE)
        length = [(name, str(len(body)).encode() if name == b"content-length" else value) for name, value in begin["headers"]]
        await send({**begin, "headers": length})
        await send({"type": "http.response.body", "body": body})
