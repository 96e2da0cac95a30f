"""The web application: the page and the JSON endpoint behind a gate, by gradio (the extra ``demo``)."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import TYPE_CHECKING, Any

from memnet.ask.endpoint import INTERNAL_ERROR, MAX_BODY, handle_request
from memnet.ask.page import STYLE, make_page
from memnet.ask.predictor import Predictor
from memnet.errors import ConfigError, extra_needed

if TYPE_CHECKING:
    from fastapi import FastAPI

LOG = logging.getLogger(__name__)
# What the page itself asks for; the framework's other paths (uploads, files, its own documentation) are not served.
PATHS = frozenset(
    {"/", "/config", "/theme.css", "/favicon.ico", "/manifest.json", "/api/ask", "/api/networks"}
    | {f"/gradio_api/{name}" for name in ("queue/join", "queue/data", "startup-events", "cancel", "reset", "app_id")}
)
FOLDERS = ("/assets/", "/static/", "/svelte/", "/gradio_api/heartbeat/")
HEADERS = (
    (b"content-security-policy", b"default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; frame-ancestors 'none'"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
)

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class Gate:
    """Lets through what the page and the endpoint need, ``MAX_BODY`` bytes of it at most, and adds ``HEADERS`` to answers."""

    def __init__(self, app: Callable[[Scope, Receive, Send], Awaitable[None]]) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """As an ASGI application."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close"})
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        path = scope["path"]
        if path not in PATHS and not path.startswith(FOLDERS):
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


def create_app(networks: Mapping[str, Predictor]) -> FastAPI:
    """The ASGI application: the page at ``/``, ``POST /api/ask`` and ``GET /api/networks``; the first network is the default.

    Raises :class:`~memnet.config.ConfigError` without gradio.
    """
    try:
        import gradio as gr
        from anyio import to_thread
        from fastapi import FastAPI
        from starlette.middleware import Middleware
        from starlette.responses import JSONResponse
        from starlette.routing import Route
    except ImportError as error:
        raise ConfigError(extra_needed("the page", "gradio", "demo")) from error

    async def post(request: Any) -> Any:
        if request.method != "POST":
            return JSONResponse({"error": "Ask with POST."}, 405, {"allow": "POST"})
        body = await request.body()
        status, value = await to_thread.run_sync(handle_request, networks, body)
        return JSONResponse(value, status)

    async def listed(request: Any) -> Any:
        return JSONResponse({"networks": list(networks)})

    methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    routes = [Route("/api/ask", post, methods=methods), Route("/api/networks", listed)]
    outer = FastAPI(routes=routes, middleware=[Middleware(Gate)], docs_url=None, redoc_url=None, openapi_url=None)
    theme = gr.themes.Default(primary_hue="blue", font=["system-ui", "sans-serif"], font_mono=["ui-monospace", "monospace"])
    gr.mount_gradio_app(
        outer,
        make_page(networks),
        path="/",
        show_error=False,
        footer_links=[],
        run_history=False,
        max_file_size=0,
        ssr_mode=False,
        enable_monitoring=False,
        pwa=False,
        mcp_server=False,
        theme=theme,
        css=STYLE,
    )
    return outer
