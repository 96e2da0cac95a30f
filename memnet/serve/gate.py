"""What stands before the web application: it lets requests through, or refuses them in a sentence and a line of the log."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Awaitable, Callable, Coroutine, MutableMapping
from typing import Any

from memnet.serve.endpoint import INTERNAL_ERROR, MAX_BODY
from memnet.serve.long_memory import ACTIONS
from memnet.serve.turns import CLIENT, RETRY_AFTER, STOPPING, RefusedError

LOG = logging.getLogger(__name__)
ASK, PICTURE = "/api/ask", "/api/picture.svg"  # the endpoint, and the picture of what it would answer
HEALTH = "/healthz"  # that the server is there, for whoever watches it
OPENAPI, DOCS = "/openapi.json", "/docs"  # what programs may ask, for programs and for people
LESSON = "/lesson"  # the page for the wall of a classroom
MEMORIES = "/api/memories"  # stories that the server holds, each at its id
MEMORY = re.compile(MEMORIES + r"/[\w-]{1,64}(/statements|/ask)?", re.ASCII)
EVENTS = "/gradio_api/run/predict"  # that the page's own events go to
READ = ("GET", "HEAD")
# All that is served: path -> methods. The framework's other paths (files, uploads, its queue and documentation) are not.
SERVED = {
    "/": READ,
    "/theme.css": ("GET",),
    "/favicon.ico": ("GET",),
    "/manifest.json": ("GET",),
    "/api/networks": READ,
    HEALTH: READ,
    OPENAPI: READ,
    DOCS: READ,
    LESSON: READ,
    MEMORIES: ("POST",),
    ASK: ("POST",),
    PICTURE: ("POST",),
    EVENTS: ("POST",),
    **dict.fromkeys(ACTIONS, ("POST",)),
}
PARTS = re.compile(r"/(assets|static)(/[\w@~+-][\w.@~+-]{0,254})+", re.ASCII)  # scripts, styles and fonts of the page
LONGEST_PATH = 1000  # characters
BODY_SECONDS = 10  # that the body of a request may take to arrive
# What the framework may know of a request besides its path and its body.
KNOWN = (b"host", b"accept-encoding", b"if-none-match", b"if-modified-since", b"x-forwarded-host", b"x-forwarded-proto")
HEADERS = (
    (b"content-security-policy", b"default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; frame-ancestors 'none'"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
)
RETRY = b"retry-after", str(RETRY_AFTER).encode()

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Check = Callable[[dict[str, Any]], str]


class Gate:
    """Lets through what the page and the endpoint need, and adds ``HEADERS`` to every answer.

    At most ``MAX_BODY`` bytes of a request are taken, and no answer is waited for when its client has left. ``check`` says what
    is wrong with an event of the page, or "". The framework gets nothing of a request that was not looked at here.
    """

    def __init__(self, app: App, check: Check) -> None:
        self.app, self.check = app, check

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """As an ASGI application."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close"})
        elif scope["type"] == "http":
            try:
                await self.answer(scope, receive, send)
            except RefusedError as error:
                await refuse(scope, send, error)
            except ConnectionResetError:
                pass  # nobody listens any more
        else:
            await self.app(scope, receive, send)

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request. Raises :class:`RefusedError`, and ``ConnectionResetError`` where its client left halfway."""
        path, method = scope["path"], scope["method"]
        allowed = methods(path)
        if not allowed:
            raise RefusedError(404, "There is no such page.")
        if method not in allowed:
            raise RefusedError(405, f"{' or '.join(allowed)} is the method for this page.")
        if method != "POST":
            await self.pass_on(scope, b"", receive, send)
            return
        body = await read_body(scope, receive)
        if path == EVENTS:
            body = event_body(body, self.check)
        await self.while_there(self.pass_on(scope, body, asyncio.Event().wait, send), receive)

    async def while_there(self, answer: Coroutine[Any, Any, None], receive: Receive) -> None:
        """Answer, unless the client leaves."""

        async def left() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass

        tasks = [asyncio.ensure_future(each) for each in (answer, left())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            done = tasks[0].done()
            for task in tasks:
                task.cancel()
        if done:
            await tasks[0]

    async def pass_on(self, scope: Scope, body: bytes, receive: Callable[[], Awaitable[Any]], send: Send) -> None:
        """Let the application answer; of a request it sees its path, its body and the headers that are ``KNOWN``."""
        headers = [(name, value) for name, value in scope["headers"] if name in KNOWN]
        headers += [(b"content-type", b"application/json")] if body else []
        known = {**scope, "query_string": b"", "headers": headers}
        given = iter([{"type": "http.request", "body": body, "more_body": False}])
        begun = False

        async def receive_again() -> MutableMapping[str, Any]:
            return next(given, None) or await receive()

        async def send_headers(message: MutableMapping[str, Any]) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *HEADERS, *([RETRY] if message["status"] == 503 else [])]
                begun = True
            await send(message)

        try:
            await self.app(known, receive_again, send_headers)
        except RefusedError:
            raise
        except Exception as error:
            LOG.exception("%s %a failed", scope["method"], scope["path"])
            if not begun:
                raise RefusedError(500, INTERNAL_ERROR) from error


class Front:
    """Stands before all else: takes the path of a proxy, as "/qa", off those of requests, where the proxy has not done it.

    And refuses a request whose length is said in two ways: a proxy may read another one in it than this server. What is not
    answered when the server stops waiting, it refuses.
    """

    def __init__(self, app: App, root_path: str = "") -> None:
        self.app, self.root = app, root_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """As an ASGI application."""
        CLIENT.set((scope.get("client") or [""])[0])
        begun = False

        async def answer(message: MutableMapping[str, Any]) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.pass_on(scope, receive, answer)
        except asyncio.CancelledError:  # by the server, which stops
            if begun or scope["type"] != "http":
                raise
            await refuse(scope, send, RefusedError(503, STOPPING))

    async def pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See :class:`Front`."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
        elif {b"content-length", b"transfer-encoding"} <= {name for name, _ in scope["headers"]}:
            await refuse(scope, send, RefusedError(400, "The request says Content-Length and Transfer-Encoding; send one."))
        elif self.root and scope["path"] == self.root and scope["method"] in READ:  # what the page loads is relative to "/qa/"
            headers = [(b"location", f"{self.root}/".encode()), (b"content-length", b"0")]
            await send({"type": "http.response.start", "status": 308, "headers": headers})
            await send({"type": "http.response.body", "body": b""})
        else:
            under = bool(self.root) and scope["path"].startswith(f"{self.root}/")
            await self.app({**scope, "path": scope["path"][len(self.root) * under :]}, receive, send)


async def refuse(scope: Scope, send: Send, error: RefusedError) -> None:
    """Answer a request with ``{"error": sentence}``, and write a line of it into the log."""
    LOG.warning("%s %a is refused with status %d: %s", scope["method"], scope["path"][:LONGEST_PATH], error.status, error)
    headers = [(b"content-type", b"application/json"), (b"connection", b"close"), *HEADERS]
    if error.status == 405:
        headers.append((b"allow", ", ".join(methods(scope["path"])).encode()))
    if error.status == 401:
        headers.append((b"www-authenticate", b"Bearer" if scope["path"].startswith("/api/") else b'Basic realm="memnet"'))
    if error.status == 503:
        headers.append(RETRY)
    await send({"type": "http.response.start", "status": error.status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps({"error": str(error)}).encode()})


def methods(path: str) -> tuple[str, ...]:
    """The methods that are served at a path; none where nothing is."""
    if path in SERVED:
        return SERVED[path]
    if found := MEMORY.fullmatch(path):
        return ("POST",) if found[1] else ("GET", "HEAD", "DELETE")
    return ("GET",) if len(path) <= LONGEST_PATH and PARTS.fullmatch(path) else ()


async def read_body(scope: Scope, receive: Receive) -> bytes:
    """The body of a request.

    Raises :class:`RefusedError` where it is too long or too slow, and ``ConnectionResetError`` where its client left.
    """
    declared = dict(scope["headers"]).get(b"content-length", b"0")
    too_long = RefusedError(413, f"The request is too long; at most {MAX_BODY // 1024} KiB are read.")
    if declared.isdigit() and int(declared[:20]) > MAX_BODY:
        raise too_long
    body, more = b"", True
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise ConnectionResetError
                body, more = body + message.get("body", b""), message.get("more_body", False)
                if len(body) > MAX_BODY:
                    raise too_long
    except TimeoutError as error:
        raise RefusedError(408, f"The request took more than {BODY_SECONDS} seconds to arrive.") from error
    return body


def event_body(body: bytes, check: Check) -> bytes:
    """What the framework needs of a page's event. Raises :class:`RefusedError` where the event makes no sense."""
    try:
        value = json.loads(body)
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise RefusedError(400, "The request is not JSON of finite numbers and Unicode text.") from error
    if not isinstance(value, dict):
        raise RefusedError(400, "The request is no JSON object.")
    if wrong := check(value):
        raise RefusedError(400, wrong)
    return json.dumps({name: value[name] for name in ("fn_index", "data")}).encode()
