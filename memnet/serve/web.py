"""The web application: the page and the JSON endpoint behind a gate, by gradio (the extra ``demo``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Any

from memnet.ask.predictor import Predictor
from memnet.errors import ConfigError, extra_needed
from memnet.serve.endpoint import handle_request, picture_request
from memnet.serve.gate import ASK, HEALTH, PICTURE, Gate
from memnet.serve.origins import Allowed, OriginCheck
from memnet.serve.page import SCRIPT, STYLES, event_error, make_page

if TYPE_CHECKING:
    from fastapi import FastAPI


def create_app(networks: Mapping[str, Predictor], host: str = "127.0.0.1", origins: Sequence[str] = ()) -> FastAPI:
    """The ASGI application: the page at ``/``, ``POST /api/ask``, ``/api/networks``, ``/healthz``; the first is the default.

    It listens at ``host``, and pages of ``origins`` ("https://example.org"; "*" for all) may ask it from elsewhere.
    Raises :class:`~memnet.errors.ConfigError` without gradio, and where an origin is none.
    """
    allowed = Allowed.of(host, origins)
    try:
        import gradio as gr
        from fastapi import FastAPI
        from starlette.middleware import Middleware
        from starlette.middleware.cors import CORSMiddleware
    except ImportError as error:
        raise ConfigError(extra_needed("the page", "gradio", "demo")) from error

    page = make_page(networks)
    cors = {"allow_origins": allowed.origins, "allow_methods": ["GET", "POST"], "allow_headers": ["content-type"]}
    middleware = [
        Middleware(OriginCheck, allowed=allowed),
        Middleware(CORSMiddleware, **cors),
        Middleware(Gate, check=partial(event_error, page)),
    ]
    outer = FastAPI(routes=routes(networks), middleware=middleware, docs_url=None, redoc_url=None, openapi_url=None)
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
        css_paths=list(STYLES),
        head=f"<script>{SCRIPT.read_text(encoding='utf-8')}</script>",
    )
    return outer


def routes(networks: Mapping[str, Predictor]) -> list[Any]:
    """What programs ask: the endpoint, the picture of an answer, and which networks there are."""
    from starlette.responses import JSONResponse, Response
    from starlette.routing import Route

    async def post(request: Any) -> Any:
        status, value = await while_asked(request, partial(handle_request, networks))
        return JSONResponse(value, status)

    async def draw(request: Any) -> Any:
        status, value = await while_asked(request, partial(picture_request, networks))
        return Response(value, status, media_type="image/svg+xml") if isinstance(value, bytes) else JSONResponse(value, status)

    async def healthy(request: Any) -> Any:
        return JSONResponse({"status": "ok"})

    async def listed(request: Any) -> Any:
        return JSONResponse({"networks": list(networks)})

    posts = [Route(path, answer, methods=["POST"]) for path, answer in ((ASK, post), (PICTURE, draw))]
    return [*posts, Route("/api/networks", listed), Route(HEALTH, healthy)]


async def while_asked(request: Any, answer: Callable[[bytes, Callable[[], bool]], Any]) -> Any:
    """What a thread answers to a request; its second argument says whether the client has left meanwhile."""
    from anyio import create_task_group, to_thread

    body, gone = await request.body(), Event()

    async def watch() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        gone.set()

    async with create_task_group() as tasks:
        tasks.start_soon(watch)
        found = await to_thread.run_sync(answer, body, gone.is_set)
        tasks.cancel_scope.cancel()
    return found
