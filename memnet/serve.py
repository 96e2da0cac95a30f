"""A page and a JSON endpoint that answer questions about a story, by gradio (the extra ``demo``).

What a person typed is read, never run and never written; every limit is refused in one sentence.
"""

from __future__ import annotations

import json
import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from memnet.answer import Answer, Answerer, AskError, Listener
from memnet.config import ConfigError
from memnet.tasks.simulator import FILES, PUBLISHED, simulate

if TYPE_CHECKING:
    from fastapi import FastAPI

STORY, STATEMENTS, QUESTION = 20_000, 1_000, 300  # characters, statements, characters
BODY = 64 * 1024  # bytes of a request
SPELLED = 8  # unknown words that the page names
AT_ONCE = 2  # answers that are computed at the same time; others wait
THREADS = ThreadPoolExecutor(AT_ONCE)  # always the same few: every thread that ever computed keeps memory of its own
NO_SECOND = "none"
FAILED = "Something went wrong here; the server's own output says what."
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


class RefusedError(ValueError):
    """A request that is not taken: one sentence to the person who asked, and the HTTP status that goes with it."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Told(NamedTuple):
    """A story as it was typed: its statements, oldest first, and how many questions among them are left out."""

    statements: list[str]
    questions: int = 0


def is_text(text: str) -> bool:
    """Whether it is Unicode text: halves of surrogate pairs are none."""
    return not any("\ud800" <= one <= "\udfff" for one in text)


def told(story: str | Sequence[str]) -> Told:
    """The statements of a text, a line or a sentence each, or of a list. Raises :class:`RefusedError` past a limit.

    Lines of the bAbI format lose their numbers, a line with number 1 after others begins a new story, and questions
    are left out. Of a list every entry is a statement as it stands.
    """
    length = len(story) if isinstance(story, str) else sum(map(len, story))
    if length > STORY:
        raise RefusedError(422, f"The story has {length:,} characters; at most {STORY:,} are read.")
    if not is_text(story if isinstance(story, str) else "".join(story)):
        raise RefusedError(422, "The story is not Unicode text.")
    found = heard(story) if isinstance(story, str) else Told(list(story))
    if len(found.statements) > STATEMENTS:
        raise RefusedError(422, f"The story has {len(found.statements):,} statements; at most {STATEMENTS:,} are read.")
    return found


def heard(text: str) -> Told:
    """The statements of the lines of a text, and how many questions stood among them."""
    listener, statements, questions = Listener(), list[str](), 0
    for line in text.splitlines():
        lines = listener.hear(line)
        if listener.fresh:
            statements.clear()
        statements += [each.text for each in lines if not each.question]
        questions += sum(each.question for each in lines)
    return Told(statements, questions)


def checked(question: str) -> str:
    """A question within the limits. Raises :class:`RefusedError`."""
    if len(question) > QUESTION:
        raise RefusedError(422, f"The question has {len(question):,} characters; at most {QUESTION:,} are read.")
    if not is_text(question):
        raise RefusedError(422, "The question is not Unicode text.")
    return question


def ask(network: Answerer, story: Told, question: str) -> Answer:
    """A network's answer, when it is this request's turn. Raises :class:`RefusedError` and :class:`~memnet.answer.AskError`."""
    return THREADS.submit(network.ask, story.statements, checked(question)).result()


class Request(NamedTuple):
    """What a program asked: a story, a question, and a network's name, or None for the first network."""

    story: str | list[str]
    question: str
    network: str | None


def request(body: bytes) -> Request:
    """What the JSON of a request asks. Raises :class:`RefusedError`."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise RefusedError(400, 'The request is not JSON; expected {"story": "...", "question": "..."}.') from error
    if not isinstance(value, dict) or not {"story", "question"} <= value.keys() <= {"story", "question", "network"}:
        raise RefusedError(400, "The request must be a JSON object with story, question and, if you like, network.")
    story, question, network = value["story"], value["question"], value.get("network")
    if not (isinstance(story, str) or (isinstance(story, list) and all(isinstance(each, str) for each in story))):
        raise RefusedError(400, "The story must be a text or a list of statements.")
    if not isinstance(question, str):
        raise RefusedError(400, "The question must be a text.")
    if not (network is None or isinstance(network, str)):
        raise RefusedError(400, "The network must be a name.")
    return Request(story, question, network)


def reply(networks: Mapping[str, Answerer], body: bytes) -> tuple[int, dict[str, Any]]:
    """The status and the JSON value that answer a request: an answer, or ``{"error": "one sentence"}``."""
    try:
        asked = request(body)
        name = next(iter(networks)) if asked.network is None else asked.network
        if name not in networks:
            raise RefusedError(404, f"There is no network of that name; there are {', '.join(networks)}.")
        return 200, ask(networks[name], told(asked.story), asked.question).as_json()
    except RefusedError as error:
        return error.status, {"error": str(error)}
    except AskError as error:
        return 422, {"error": str(error)}
    except Exception:
        LOG.exception("a request failed")
        return 500, {"error": FAILED}


def shade(weight: float) -> str:
    """The colours of a cell, from white (0) to dark blue (1), as CSS."""
    part = min(1.0, max(0.0, weight))
    red, green, blue = (round(255 + part * (end - 255)) for end in (8, 72, 140))
    return f"background:rgb({red},{green},{blue});color:{'#fff' if part > 0.7 else '#111'}"


def heat_map(answer: Answer) -> str:
    """A table as HTML: a row a sentence, a column a hop, the weight in the cell; evidence is bold and marked with an arrow."""
    if not answer.hops or not answer.hops[0]:
        return "<p>This network reads no sentences: it has no attention to show.</p>"
    weights = {(read.number, hop): read.weight for hop, reads in enumerate(answer.hops) for read in reads}
    sentences = {read.number: read.sentence for reads in answer.hops for read in reads}
    evidence = {read.number for read in answer.evidence}

    def row(head: str, values: Sequence[float], marked: bool) -> str:
        cells = "".join(f'<td style="{shade(value)}">{value:.2f}</td>' for value in values)
        sign, kind = ("\N{BLACK RIGHT-POINTING TRIANGLE}", ' class="evidence"') if marked else ("", "")
        return f'<tr{kind}><td class="mark">{sign}</td><th scope="row">{head}</th>{cells}</tr>'

    hops = range(len(answer.hops))
    rows = [
        row(f"{number} {escape(sentences[number])}", [weights.get((number, hop), 0.0) for hop in hops], number in evidence)
        for number in sorted(sentences)
    ]
    if any(answer.nothing):
        rows.append(row(answer.null, answer.nothing, False))
    heads = "".join(f'<th scope="col">hop {hop + 1}</th>' for hop in hops)
    return (
        f'<div class="heat"><table><thead><tr><th></th><th scope="col">sentence</th>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
        '<p class="note">How much each hop read each sentence; '
        "\N{BLACK RIGHT-POINTING TRIANGLE} and bold: what the answer rests on.</p>"
    )


def notes(answer: Answer, questions: int) -> list[str]:
    """What else there is to say of an answer, a sentence each."""
    strange = [f"{word!r} (near it: {', '.join(near)})" if near else repr(word) for word, near in answer.unknown.items()]
    more = len(strange) - SPELLED
    said = []
    if strange:
        said.append(f"I do not know {', '.join(strange[:SPELLED])}{f' and {more} more words' if more > 0 else ''}.")
    if answer.forgotten:
        said.append(f"{answer.forgotten} older sentence(s) are beyond my memory.")
    if questions:
        said.append(f"{questions} question(s) among the statements are left out.")
    return [*said, *(f"{spent}." for spent in answer.spent)]


def answer_html(answer: Answer, questions: int = 0) -> str:
    """An answer as HTML: the answer, its probability, the runners-up, the heat map, and what else there is to say."""
    best = f"<strong>{escape(answer.answer)}</strong> <span>{answer.probability:.0%}</span>"
    others = ", ".join(f"{escape(name)} {chance:.0%}" for name, chance in answer.runners_up)
    then = f" <small>then {others}</small>" if others else ""
    if not answer.known:
        best = f"<strong>I have no evidence for that</strong> <span>{answer.doubt.strip()}</span>"
        guess = f"{escape(answer.answer)} {answer.probability:.0%}"
        then = f" <small>if I had to answer: {', '.join(filter(None, (guess, others)))}</small>"
    said = "".join(f'<p class="note">{escape(note)}</p>' for note in notes(answer, questions))
    return f'<p class="answer">{best}{then}</p>{heat_map(answer)}{said}'


def shown(networks: Mapping[str, Answerer], name: str, story: str, question: str) -> str:
    """What the page shows of a network: its answer, or why there is none, as HTML."""
    try:
        if name not in networks:
            raise RefusedError(404, "There is no network of that name.")
        found = told(story)
        said = answer_html(ask(networks[name], found, question), found.questions)
    except (RefusedError, AskError) as error:
        said = f'<p class="refused">{escape(str(error))}</p>'
    except Exception:
        LOG.exception("a question failed")
        said = f'<p class="refused">{escape(FAILED)}</p>'
    return f'<section aria-live="polite"><h3>{escape(name)}</h3>{said}</section>'


def example(task: str, seed: int) -> tuple[str, str]:
    """A simulated story of a task, a statement a line, and the last question that it asks."""
    story = simulate(task, 20, seed)[0]
    last = story.questions[-1]
    return "\n".join(story.statements[: last.after]), last.text.strip()


STYLE = """
.heat { max-height: 60vh; overflow: auto; }
.heat table { border-collapse: collapse; width: 100%; font-size: 0.92em; }
.heat th, .heat td { padding: 2px 8px; border: 1px solid var(--border-color-primary); text-align: left; }
.heat tbody th { font-weight: normal; width: 99%; overflow-wrap: anywhere; }
.heat thead th { white-space: nowrap; font-weight: 600; }
.heat td { text-align: right; font-variant-numeric: tabular-nums; }
.heat td.mark { border-right: none; padding: 2px 0 2px 6px; }
.heat tbody th { border-left: none; }
.heat tr.evidence th, .heat tr.evidence td { font-weight: 700; }
.answer { font-size: 1.15em; }
.answer strong { font-size: 1.25em; }
.answer small { display: block; }
.note { opacity: 0.8; font-size: 0.9em; overflow-wrap: anywhere; }
.refused { border-left: 4px solid #c60; padding-left: 8px; }
footer { display: none !important; }
"""


def page(networks: Mapping[str, Answerer]) -> Any:
    """The page, a ``gradio.Blocks``."""
    import gradio as gr

    def update(story: str, question: str, first: str, second: str) -> tuple[str, Any]:
        if not question.strip():
            return '<p class="note">Tell a story, ask about it, and the answer stands here.</p>', gr.update(visible=False)
        other = shown(networks, second, story, question) if second != NO_SECOND else ""
        return shown(networks, first, story, question), gr.update(value=other, visible=bool(other))

    def load(task: str) -> tuple[str, str]:
        return example(task, secrets.randbelow(10**6))

    names = list(networks)
    tasks = [(f"{task[2:]} {FILES[task].replace('-', ' ')}", task) for task in PUBLISHED]
    with gr.Blocks(analytics_enabled=False, title="memnet") as blocks:
        gr.Markdown("# memnet\nTell a story, ask about it, and see which sentences the network read.")
        with gr.Row():
            with gr.Column(scale=3):
                story = gr.Textbox(label="Story, one statement a line", lines=9, max_lines=9, max_length=STORY, elem_id="story")
                question = gr.Textbox(label="Question", max_length=QUESTION, elem_id="question")
            with gr.Column(scale=2):
                task = gr.Dropdown(tasks, value=PUBLISHED[0], label="Task", elem_id="task")
                load_example = gr.Button("Load an example story", elem_id="example")
                with gr.Row():
                    first = gr.Dropdown(names, value=names[0], label="Network", elem_id="network", min_width=120)
                    second = gr.Dropdown(
                        [NO_SECOND, *names], value=NO_SECOND, label="Beside it", elem_id="beside", min_width=120
                    )
                press = gr.Button("Ask", variant="primary", elem_id="ask")
        with gr.Row():
            with gr.Column():
                answer = gr.HTML(elem_id="answer")
            with gr.Column():
                other = gr.HTML(visible=False, elem_id="other")
        wires: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private", "trigger_mode": "always_last"}
        changes = [press.click, question.submit, *(each.change for each in (question, story, first, second)), blocks.load]
        gr.on(changes, update, [story, question, first, second], [answer, other], **wires)
        load_example.click(load, task, [story, question], **wires)
    return blocks.queue(max_size=100, default_concurrency_limit=4 * AT_ONCE, api_open=False)


class Gate:
    """Lets through what the page and the endpoint need, at most ``BODY`` bytes of it, and adds ``HEADERS`` to the answers."""

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
            if len(body) > BODY:
                await refuse(send, 413, f"The request is too long; at most {BODY // 1024} KiB are read.")
                return
        given = iter([{"type": "http.request", "body": body, "more_body": False}])
        begun = False

        async def again() -> MutableMapping[str, Any]:
            return next(given, None) or await receive()

        async def headed(message: MutableMapping[str, Any]) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *HEADERS]
                begun = True
            await send(message)

        try:
            await self.app(scope, again, headed)
        except Exception:
            LOG.exception("%s %s failed", scope["method"], path)
            if not begun:
                await refuse(send, 500, FAILED)


async def refuse(send: Send, status: int, message: str) -> None:
    """Answer a request with ``{"error": message}``."""
    headers = [(b"content-type", b"application/json"), (b"connection", b"close"), *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps({"error": message}).encode()})


def app(networks: Mapping[str, Answerer]) -> FastAPI:
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
        raise ConfigError("the page needs gradio: pip install gradio") from error

    async def post(request: Any) -> Any:
        if request.method != "POST":
            return JSONResponse({"error": "Ask with POST."}, 405, {"allow": "POST"})
        body = await request.body()
        status, value = await to_thread.run_sync(reply, networks, body)
        return JSONResponse(value, status)

    async def listed(request: Any) -> Any:
        return JSONResponse({"networks": list(networks)})

    methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    routes = [Route("/api/ask", post, methods=methods), Route("/api/networks", listed)]
    outer = FastAPI(routes=routes, middleware=[Middleware(Gate)], docs_url=None, redoc_url=None, openapi_url=None)
    theme = gr.themes.Default(primary_hue="blue", font=["system-ui", "sans-serif"], font_mono=["ui-monospace", "monospace"])
    gr.mount_gradio_app(
        outer,
        page(networks),
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
