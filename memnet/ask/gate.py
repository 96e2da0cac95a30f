"""What stands before the web application: it lets requests through, or refuses them in a sentence."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from memnet.ask.endpoint import INTERNAL_ERROR, MAX_BODY

LOG = logging.getLogger(__name__)
# What the page itself asks for; the framework's other paths (uploads, files, its own documentation) are not served.
PATHS = frozenset(
    {"/", "/config", "/theme.css", "/favicon.ico", "/manifest.json", "/api/ask", "/api/networks"}
    | {f"/gradio_api/{name}" for name in ("queue/join", "queue/data", "startup-events", "cancel", "reset", "app_id")}
)
FOLDERS = ("/assets/", "/static/", "/svelte/", "/gradio_api/heartbeat/")
OWN, EVENTS = "/gradio_api/", "/gradio_api/queue/join"  # the framework's own paths, and the one that events go to
LONGEST_NAME = 255  # bytes of a file's name
HEADERS = (
    (b"content-security-policy", b"default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; frame-ancestors 'none'"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
)

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Check = Callable[[dict[str, Any]], str]


class Gate:
    """Lets through what the page and the endpoint need, ``MAX_BODY`` bytes of it at most, and adds ``HEADERS`` to answers.

    What the framework would stumble over is refused here, with a sentence to whoever asked and a line in the log; ``check``
    says what is wrong with a value of the page's own events, or "".
    """

    def __init__(self, app: Callable[[Scope, Receive, Send], Awaitable[None]], check: Check) -> None:
        self.app, self.check = app, check

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """As an ASGI application."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close"})
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        path = scope["path"]
        if not is_served(path):
            await refuse(send, 404, "There is no such page.")
            return
        body, more = b"", scope["method"] not in ("GET", "HEAD")
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body, more = body + message.get("body", b""), message.get("more_body", False)
            if len(body) > MAX_BODY:
                await refuse(send, 413, f"The request is too long; at most {MAX_BODY // 1024} KiB are read.")
                return
        if wrong := body_error(path, body, self.check) if scope["method"] == "POST" else "":
            LOG.warning("%s is refused: %s", ascii(path), wrong)
            await refuse(send, 400, wrong)
            return
        given = iter([{"type": "http.request", "body": body, "more_body": False}])
        begun = False

        async def receive_again() -> MutableMapping[str, Any]:
            return next(given, None) or await receive()

        async def send_headers(message: MutableMapping[str, Any]) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *HEADERS]
                begun = True
            await send(message)

        try:
            await self.app(scope, receive_again, send_headers)
        except Exception:
            LOG.exception("%s %s failed", scope["method"], path)
            if not begun:
                await refuse(send, 500, INTERNAL_ERROR)


async def refuse(send: Send, status: int, message: str) -> None:
    """Answer a request with ``{"error": message}``."""
    headers = [(b"content-type", b"application/json"), (b"connection", b"close"), *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps({"error": message}).encode()})


def is_served(path: str) -> bool:
    """Whether anything may be at a path."""
    known = path in PATHS or path.startswith(FOLDERS)
    return known and all(len(name.encode(errors="replace")) <= LONGEST_NAME for name in path.split("/"))


def body_error(path: str, body: bytes, check: Check) -> str:
    """What is wrong with the body of a request to the framework, in a sentence, or ""."""
    if not path.startswith(OWN):
        return ""
    try:
        value = json.loads(body)
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return "The request is not JSON of finite numbers and Unicode text."
    if not isinstance(value, dict):
        return "The request is no JSON object."
    return check(value) if path == EVENTS else ""
