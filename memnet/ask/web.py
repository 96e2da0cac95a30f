"""The web application: the page and the JSON endpoint behind a gate, by gradio (the extra ``demo``)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from memnet.ask.endpoint import handle_request
from memnet.ask.gate import Gate
from memnet.ask.page import SCRIPT, STYLE, event_error, make_page
from memnet.ask.predictor import Predictor
from memnet.errors import ConfigError, extra_needed

if TYPE_CHECKING:
    from fastapi import FastAPI


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
    page = make_page(networks)
    gate = Middleware(Gate, check=partial(event_error, page))
    outer = FastAPI(routes=routes, middleware=[gate], docs_url=None, redoc_url=None, openapi_url=None)
    theme = gr.themes.Default(primary_hue="blue", font=["system-ui", "sans-serif"], font_mono=["ui-monospace", "monospace"])
    gr.mount_gradio_app(
        outer,
        page,
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
        css_paths=STYLE,
        head=f"<script>{SCRIPT.read_text(encoding='utf-8')}</script>",
    )
    return outer
