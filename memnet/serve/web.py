"""The web application: the page and the JSON endpoint behind a gate, by gradio (the extra ``demo``)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from memnet.ask.predictor import Predictor
from memnet.errors import ConfigError, extra_needed
from memnet.serve.endpoint import handle_request, picture_request
from memnet.serve.gate import ASK, DOCS, HEALTH, LESSON, MEMORIES, OPENAPI, PICTURE, Front, Gate
from memnet.serve.lesson import lesson_html
from memnet.serve.links import PLACE, Relative
from memnet.serve.long_memory import disk_routes
from memnet.serve.memories import Memories, memory_request
from memnet.serve.openapi import description, description_html
from memnet.serve.origins import Allowed, OriginCheck, TokenCheck
from memnet.serve.page import SCRIPT, STYLES, event_error, make_page
from memnet.serve.turns import in_turn

if TYPE_CHECKING:
    from fastapi import FastAPI

    from memnet.memory.memory import Memory

METHODS, HEADERS = ("GET", "POST", "DELETE"), ("authorization", "content-type")  # that pages of elsewhere may use
ROOT = re.compile(r"(/\w[\w.~-]*)*", re.ASCII)


def create_app(
    networks: Mapping[str, Predictor],
    host: str = "127.0.0.1",
    origins: Sequence[str] = (),
    root_path: str = "",
    token: str = "",
    memories: Memories | None = None,
    memory: Memory | None = None,
) -> FastAPI:
    """The ASGI application: the page at ``/``, ``POST /api/ask``, the rest of ``openapi.json``; the first is the default.

    It listens at ``host``, and pages of ``origins`` ("https://example.org"; "*" for all) may ask it from elsewhere.
    A proxy has it under the path ``root_path``, as "/qa"; who asks must know the ``token``, if there is one; it holds
    ``memories``, and has a ``memory`` on disk, if there is one. Raises :class:`~memnet.errors.ConfigError` without gradio,
    and where an origin or the path is none.
    """
    root_path = root_path.rstrip("/")
    if not ROOT.fullmatch(root_path):
        raise ConfigError(f"--root-path {root_path}: expected the path that a proxy has the page under, as /qa")
    allowed = Allowed.of(host, origins)
    try:
        import gradio as gr
        from fastapi import FastAPI
        from starlette.middleware import Middleware
        from starlette.middleware.cors import CORSMiddleware
    except ImportError as error:
        raise ConfigError(extra_needed("the page", "gradio", "demo")) from error

    page = make_page(networks)
    middleware = [
        Middleware(Front, root_path=root_path),
        Middleware(OriginCheck, allowed=allowed),
        Middleware(CORSMiddleware, allow_origins=allowed.origins, allow_methods=METHODS, allow_headers=HEADERS),
        *([Middleware(TokenCheck, token=token)] if token else []),
        Middleware(Gate, check=partial(event_error, page)),
        Middleware(Relative, root_path=root_path),
    ]
    held = Memories() if memories is None else memories
    served = [*routes(networks, held), *disk_routes(memory)]
    outer = FastAPI(routes=served, middleware=middleware, docs_url=None, redoc_url=None, openapi_url=None)
    theme = gr.themes.Default(primary_hue="blue", font=["system-ui", "sans-serif"], font_mono=["ui-monospace", "monospace"])
    gr.mount_gradio_app(
        outer,
        page,
        path="/",
        root_path=PLACE,
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


def routes(networks: Mapping[str, Predictor], memories: Memories) -> list[Any]:
    """What programs ask: the endpoint, pictures, memories, which networks there are, and what there is; and the lesson."""
    from starlette.responses import HTMLResponse, JSONResponse, Response
    from starlette.routing import Route

    async def post(request: Any) -> Any:
        body = await request.body()
        status, value = await in_turn(partial(handle_request, networks, body), len(body))
        return JSONResponse(value, status)

    async def draw(request: Any) -> Any:
        body = await request.body()
        status, value = await in_turn(partial(picture_request, networks, body), len(body))
        return Response(value, status, media_type="image/svg+xml") if isinstance(value, bytes) else JSONResponse(value, status)

    async def remember(request: Any) -> Any:
        place = request.path_params.get("id", ""), request.path_params.get("action", "")
        body = await request.body()
        work = partial(memory_request, memories, networks, request.method, *place, body)
        status, value = await in_turn(work, len(body) + memories.size(place[0]))
        return JSONResponse(value, status)

    async def described(request: Any) -> Any:
        return JSONResponse(description())

    async def readable(request: Any) -> Any:
        return HTMLResponse(description_html())

    async def taught(request: Any) -> Any:
        return HTMLResponse(lesson_html(networks, getattr(request.app.state, "address", "")))

    async def healthy(request: Any) -> Any:
        return JSONResponse({"status": "ok"})

    async def listed(request: Any) -> Any:
        return JSONResponse({"networks": list(networks)})

    posts = [Route(path, answer, methods=["POST"]) for path, answer in ((ASK, post), (PICTURE, draw))]
    places = (f"{MEMORIES}/{{id}}/{{action}}", ["POST"]), (f"{MEMORIES}/{{id}}", ["GET", "DELETE"]), (MEMORIES, ["POST"])
    posts += [Route(path, remember, methods=allowed) for path, allowed in places]
    gets = {"/api/networks": listed, HEALTH: healthy, OPENAPI: described, DOCS: readable, LESSON: taught}
    return [*posts, *(Route(path, answer) for path, answer in gets.items())]
