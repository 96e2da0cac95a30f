"""Requests to the JSON endpoint: their limits, what they ask, and the status and value that answer them.

What a person typed is read, never run and never written; every limit is refused in one sentence.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from threading import Event, Lock
from typing import Any, NamedTuple, TypeVar

from memnet.ask.answer import Answer
from memnet.ask.parser import StoryParser
from memnet.ask.predictor import Predictor
from memnet.errors import AskError, ConfigError
from memnet.figures import image
from memnet.serve.labels import network_label
from memnet.show.figure import MOST, attention_map
from memnet.tasks.text.english import function_words

MAX_STORY, MAX_STATEMENTS, MAX_QUESTION = 20_000, 1_000, 300  # characters, statements, characters
MAX_BODY = 64 * 1024  # bytes of a request
MAX_CONCURRENT = 2  # answers that are computed at the same time; others wait
THREADS = ThreadPoolExecutor(MAX_CONCURRENT)  # always the same few: every thread that ever computed keeps memory of its own
STOPPED = Event()  # no answer is begun any more
STOPPING = "The server is stopping."
INTERNAL_ERROR = "Something went wrong here; the server's own output says what."
DRAWING = Lock()  # matplotlib draws one picture at a time
LOG = logging.getLogger(__name__)


Value = TypeVar("Value")


class RefusedError(ValueError):
    """A request that is not taken: one sentence to the person who asked, and the HTTP status that goes with it."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class TypedStory(NamedTuple):
    """A story as it was typed: its statements, oldest first, and how many questions among them are left out."""

    statements: list[str]
    questions: int = 0


def is_text(text: str) -> bool:
    """Whether it is Unicode text: halves of surrogate pairs are none."""
    return not any("\ud800" <= one <= "\udfff" for one in text)


def read_story(story: str | Sequence[str]) -> TypedStory:
    """The statements of a text, a line or a sentence each, or of a list. Raises :class:`RefusedError` past a limit.

    Lines of the bAbI format lose their numbers, a line with number 1 after others begins a new story, and questions
    are left out. Of a list every entry is a statement as it stands.
    """
    length = len(story) if isinstance(story, str) else sum(map(len, story))
    if length > MAX_STORY:
        raise RefusedError(422, f"The story has {length:,} characters; at most {MAX_STORY:,} are read.")
    if not is_text(story if isinstance(story, str) else "".join(story)):
        raise RefusedError(422, "The story is not Unicode text.")
    if isinstance(story, str):
        stories = StoryParser().parse(story)
        found = TypedStory(stories[-1].statements, sum(len(one.questions) for one in stories))
    else:
        found = TypedStory(list(story))
    if len(found.statements) > MAX_STATEMENTS:
        raise RefusedError(422, f"The story has {len(found.statements):,} statements; at most {MAX_STATEMENTS:,} are read.")
    return found


def prepare_to_answer() -> None:
    """Begin to import what the first question with an unknown word needs: it takes seconds."""
    THREADS.submit(function_words)


def stop() -> None:
    """Begin no answer any more: what waits is refused, what is being computed ends."""
    STOPPED.set()
    THREADS.shutdown(wait=False, cancel_futures=True)


def ask_in_turn(network: Predictor, story: TypedStory, question: str, gone: Callable[[], bool] = bool) -> Answer:
    """A network's answer, when it is this request's turn; nothing is computed for who is ``gone`` by then.

    Raises :class:`RefusedError` and :class:`~memnet.ask.answer.AskError`.
    """
    if len(question) > MAX_QUESTION:
        raise RefusedError(422, f"The question has {len(question):,} characters; at most {MAX_QUESTION:,} are read.")
    if not is_text(question):
        raise RefusedError(422, "The question is not Unicode text.")

    def answer() -> Answer:
        if gone():
            raise RefusedError(499, "Whoever asked is gone.")
        return network.ask(story.statements, question)

    try:
        return THREADS.submit(answer).result()
    except (CancelledError, RuntimeError) as error:
        if not STOPPED.is_set():
            raise
        raise RefusedError(503, STOPPING) from error


class Request(NamedTuple):
    """What a program asked: a story, a question, and a network's name, or None for the first network."""

    story: str | list[str]
    question: str
    network: str | None


def parse_request(body: bytes) -> Request:
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


def answer_request(networks: Mapping[str, Predictor], body: bytes, gone: Callable[[], bool] = bool) -> tuple[str, Answer]:
    """The name of the network that a request asks, and its answer. Raises :class:`RefusedError` and :class:`AskError`."""
    asked = parse_request(body)
    name = next(iter(networks)) if asked.network is None else asked.network
    if name not in networks:
        raise RefusedError(404, f"There is no network of that name; there are {', '.join(networks)}.")
    return name, ask_in_turn(networks[name], read_story(asked.story), asked.question, gone)


def handle_request(
    networks: Mapping[str, Predictor], body: bytes, gone: Callable[[], bool] = bool
) -> tuple[int, dict[str, Any]]:
    """The status and the JSON value that answer a request: an answer, or ``{"error": "one sentence"}``."""
    return checked(lambda: answer_request(networks, body, gone)[1].as_json())


def picture_request(
    networks: Mapping[str, Predictor], body: bytes, gone: Callable[[], bool] = bool
) -> tuple[int, bytes | dict[str, Any]]:
    """The status and the SVG image that answer a request, or ``{"error": "one sentence"}``."""

    def drawn() -> bytes:
        name, answer = answer_request(networks, body, gone)
        by = f"{network_label(networks[name])} ({name})"
        with DRAWING:
            return image(attention_map(answer, answer.question, most=MOST, by=by), ".svg", as_text=True)

    return checked(drawn)


def checked(answer: Callable[[], Value]) -> tuple[int, Value | dict[str, Any]]:
    """Status 200 and the value of an answer, or the status of what is wrong with it and ``{"error": "one sentence"}``."""
    try:
        return 200, answer()
    except RefusedError as error:
        return error.status, {"error": str(error)}
    except (AskError, ConfigError) as error:
        return 422, {"error": str(error)}
    except Exception:
        LOG.exception("a request failed")
        return 500, {"error": INTERNAL_ERROR}
