"""A memory on disk that the server has (``memnet serve --memory``): programs ask, search, add and forget."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from memnet.errors import BusyError, NetworkError
from memnet.memory.times import moment
from memnet.serve.endpoint import FIELDS, INTERNAL_ERROR, MAX_QUESTION, MAX_STORY, Fields, checked, is_text, parse_request
from memnet.serve.turns import SHORT, RefusedError, in_turn

if TYPE_CHECKING:
    from memnet.memory.memory import Memory

MOST_FOUND, FOUND = 100, 10  # sentences that a search may ask for, and those where it does not say
LOG = logging.getLogger(__name__)


def is_whole(value: Any) -> bool:
    """Whether it is a whole number; true and false are none."""
    return type(value) is int


TIME = (
    lambda value: value is None or (isinstance(value, str) and moment(value) is not None),
    "a time in ISO 8601, such as 2026-03-01 or 2026-03-01T12:00",
)
NUMBERS = (
    lambda value: value is None or all(map(is_whole, value if isinstance(value, list) else [value])),
    "the number of a sentence, or a list of such",
)
KINDS: Fields = {
    **dict.fromkeys(("question", "query", "text"), FIELDS["question"]),
    **dict.fromkeys(("source", "about"), (lambda value: value is None or isinstance(value, str), "a text")),
    **dict.fromkeys(("when", "since", "until", "before"), TIME),
    "number": NUMBERS,
    "k": (lambda value: is_whole(value) and 1 <= value <= MOST_FOUND, f"a whole number from 1 to {MOST_FOUND}"),
    "wipe": (lambda value: isinstance(value, bool), "true or false"),
}


def ask(memory: Memory, said: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to a question. Raises :class:`~memnet.errors.AskError`."""
    return memory.ask(said["question"], said.get("since"), said.get("until")).as_json()


def search(memory: Memory, said: Mapping[str, Any]) -> dict[str, Any]:
    """The sentences that fit best, best first."""
    return {"found": [found._asdict() for found in memory.search(said["query"], said.get("k", FOUND))]}


def add(memory: Memory, said: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers of new sentences, and how many there are now. Raises :class:`RefusedError`."""
    if not said["text"].strip():
        raise RefusedError(422, "The text is empty: tell me something, for example 'Mary went to the kitchen.'")
    numbers = memory.add(said["text"], said.get("when"), said.get("source") or "")
    return {"numbers": numbers, "sentences": len(memory)}


def forget(memory: Memory, said: Mapping[str, Any]) -> dict[str, Any]:
    """The sentences that are struck: those that fit all that is given. Raises :class:`RefusedError`, ``ConfigError``."""
    if all(said.get(name) is None for name in ("number", "source", "before", "about")):
        raise RefusedError(400, "Say what to forget: a number, a source, before which time, or about what.")
    return {"struck": [struck._asdict() for struck in memory.forget(**said)]}


class Action(NamedTuple):
    """What answers a request, the fields that it needs and may have, and whether it writes."""

    done: Callable[[Memory, Mapping[str, Any]], dict[str, Any]]
    needed: tuple[str, ...]
    also: tuple[str, ...]
    writes: bool = False


ACTIONS = {
    "/api/memory/ask": Action(ask, ("question",), ("since", "until")),
    "/api/memory/search": Action(search, ("query",), ("k",)),
    "/api/memory/add": Action(add, ("text",), ("when", "source"), True),
    "/api/memory/forget": Action(forget, (), ("about", "number", "source", "before", "wipe"), True),
}


def disk_request(memory: Memory | None, action: Action, body: bytes) -> tuple[int, dict[str, Any]]:
    """The status and the JSON value that answer a request to the memory on disk, if there is one."""

    def done() -> dict[str, Any]:
        if memory is None:
            raise RefusedError(404, "This server has no memory on disk; start it with --memory FOLDER.")
        said = parse_request(body, action.needed, action.also, KINDS)
        for name, value in ((name, value) for name, value in said.items() if isinstance(value, str)):
            if len(value) > (most := MAX_STORY if name == "text" else MAX_QUESTION):
                raise RefusedError(422, f"The {name} has {len(value):,} characters; at most {most:,} are read.")
            if not is_text(value):
                raise RefusedError(422, f"The {name} is not Unicode text.")
        try:
            return action.done(memory, said)
        except BusyError as error:
            raise RefusedError(503, "Another process writes to the memory; try again in a second.") from error
        except NetworkError as error:
            LOG.warning("%s", error)
            raise RefusedError(507 if action.writes else 500, INTERNAL_ERROR) from error

    return checked(done)


def disk_routes(memory: Memory | None) -> list[Any]:
    """Where programs ask the memory on disk. Its requests count as long: there is always a thread for short ones."""
    from starlette.responses import JSONResponse
    from starlette.routing import Route

    async def answer(request: Any) -> Any:
        action, body = ACTIONS[request.scope["path"]], await request.body()
        status, value = await in_turn(partial(disk_request, memory, action, body), SHORT + 1)
        return JSONResponse(value, status)

    return [Route(path, answer, methods=["POST"]) for path in ACTIONS]
