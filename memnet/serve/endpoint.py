"""Requests to the JSON endpoint: their limits, what they ask, and the status and value that answer them.

What a person typed is read, never run and never written; every limit is refused in one sentence.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from reprlib import repr as short
from threading import Lock
from typing import Any, NamedTuple, TypeVar

from memnet.ask.answer import Answer, listed
from memnet.ask.parser import StoryParser
from memnet.ask.predictor import Predictor
from memnet.errors import AskError, ConfigError, hint
from memnet.figures import image
from memnet.serve.labels import network_label
from memnet.serve.turns import TURNS, RefusedError
from memnet.show.figure import MOST, attention_map
from memnet.tasks.text import words
from memnet.tasks.text.english import function_words

MAX_STORY, MAX_STATEMENTS, MAX_QUESTION = 20_000, 1_000, 300  # characters, statements, characters
MAX_WORDS = 5_000  # of a story, times the networks that are asked about it
MAX_BODY = 64 * 1024  # bytes of a request
INTERNAL_ERROR = "Something went wrong here; the server's own output says what."
DRAWING = Lock()  # matplotlib draws one picture at a time
LOG = logging.getLogger(__name__)


Value = TypeVar("Value")


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
    TURNS.submit("", function_words)


def check_work(story: TypedStory, networks: int = 1) -> None:
    """Refuse what would take too long: a story's words are counted for each network that is asked.

    Raises :class:`RefusedError`.
    """
    number = sum(len(words(one)) for one in story.statements)
    if number * networks > MAX_WORDS:
        asked = f", asked of {networks} networks {number * networks:,}" * (networks > 1)
        less = "shorten the story" + " or ask one network" * (networks > 1)
        raise RefusedError(422, f"The story has {number:,} words{asked}; at most {MAX_WORDS:,} are read: {less}.")


def ask_checked(network: Predictor, story: TypedStory, question: str) -> Answer:
    """A network's answer. Raises :class:`RefusedError` and :class:`~memnet.ask.answer.AskError`."""
    if len(question) > MAX_QUESTION:
        raise RefusedError(422, f"The question has {len(question):,} characters; at most {MAX_QUESTION:,} are read.")
    if not is_text(question):
        raise RefusedError(422, "The question is not Unicode text.")
    check_work(story)
    return network.ask(story.statements, question)


Fields = Mapping[str, tuple[Callable[[Any], bool], str]]  # of a request: whether a value is one, and what it must be
FIELDS: Fields = {
    "story": (
        lambda value: isinstance(value, str) or (isinstance(value, list) and all(isinstance(each, str) for each in value)),
        "a text or a list of statements",
    ),
    "question": (lambda value: isinstance(value, str), "a text"),
    "network": (lambda value: value is None or isinstance(value, str), "a name"),
}


def each_once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """The fields of a JSON object. Raises :class:`RefusedError` where one stands there twice: which is meant is not known."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise RefusedError(400, f"The field {short(next(name for name in names if names.count(name) > 1))} stands there twice.")
    return found


def parse_request(
    body: bytes,
    needed: Sequence[str] = ("story", "question"),
    also: Sequence[str] = ("network",),
    fields: Fields = FIELDS,
) -> Any:
    """What the JSON of a request asks, by the names of its ``fields``. Raises :class:`RefusedError`."""
    try:
        value = json.loads(body, object_pairs_hook=each_once)
    except RefusedError:
        raise
    except (ValueError, RecursionError) as error:
        example = ", ".join(f'"{name}": "..."' for name in needed or also[:1])
        raise RefusedError(400, f"The request is not JSON; expected {{{example}}}.") from error
    named = " and ".join([", ".join(needed)] * bool(needed) + [f"if you like, {', '.join(also)}"] * bool(also))
    expected = f"The request must be a JSON object with {named}."
    if not isinstance(value, dict):
        raise RefusedError(400, expected)
    for name in sorted(value.keys() - {*needed, *also}):
        raise RefusedError(
            400, f"There is no field {short(name)}; {hint(name, (*needed, *also), expected.replace('T', 't', 1))}"
        )
    if missing := [name for name in needed if name not in value]:
        raise RefusedError(400, f"The request has no {listed(missing)}. {expected}")
    for name in value:
        right, what = fields[name]
        if not right(value[name]):
            raise RefusedError(400, f"The field '{name}' must be {what}.")
    return value


def network_asked(networks: Mapping[str, Predictor], value: Mapping[str, Any]) -> str:
    """The name of the network that a request asks. Raises :class:`RefusedError`."""
    name = value.get("network")
    if name is not None and name not in networks:
        raise RefusedError(404, f"There is no network of that name; there are {', '.join(networks)}.")
    return name or next(iter(networks))


def answer_request(networks: Mapping[str, Predictor], body: bytes) -> tuple[str, Answer]:
    """The name of the network that a request asks, and its answer. Raises :class:`RefusedError` and :class:`AskError`."""
    asked = parse_request(body)
    name = network_asked(networks, asked)
    return name, ask_checked(networks[name], read_story(asked["story"]), asked["question"])


def handle_request(networks: Mapping[str, Predictor], body: bytes) -> tuple[int, dict[str, Any]]:
    """The status and the JSON value that answer a request: an answer, or ``{"error": "one sentence"}``."""
    return checked(lambda: answer_request(networks, body)[1].as_json())


def picture_request(networks: Mapping[str, Predictor], body: bytes) -> tuple[int, bytes | dict[str, Any]]:
    """The status and the SVG image that answer a request, or ``{"error": "one sentence"}``."""

    def drawn() -> bytes:
        name, answer = answer_request(networks, body)
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
