"""Stories that the server holds for programs, bounded in number and length; those in a folder outlive the server."""

from __future__ import annotations

import json
import logging
import os
import re
import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from memnet.ask.predictor import Predictor
from memnet.errors import ConfigError
from memnet.files import leftovers, sync_folder, write_json
from memnet.locks import locked
from memnet.memory.files import plain_file
from memnet.serve.endpoint import TypedStory, ask_checked, check_work, checked, network_asked, parse_request, read_story
from memnet.serve.turns import RefusedError

MAX_MEMORIES = 200
IDLE_MINUTES = 60  # after which a memory may be dropped for a new one
ID = re.compile(r"[\w-]{22}", re.ASCII)
LARGEST = 1 << 20  # bytes of a file
LOG = logging.getLogger(__name__)


class Memory(NamedTuple):
    """A story, oldest statement first, and when it was last used, in seconds since 1970."""

    story: list[str]
    used: float


class Memories:
    """Stories by ids that nobody guesses: whoever knows an id may append, ask and delete."""

    def __init__(self, folder: Path | None = None) -> None:
        """With what a ``folder`` holds. Raises :class:`~memnet.errors.ConfigError`, and ``BusyError`` for another's folder."""
        self.folder, self.lock, self.held = folder, Lock(), dict[str, Memory]()
        self.kept = ExitStack()  # the folder, as long as the server runs
        if folder is None:
            return
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self.kept.enter_context(
                locked(folder / ".lock", f"another server keeps its memories in {folder}; choose another folder")
            )
            for path in folder.glob("*.json"):
                self.held[path.stem] = read_memory(path)
            for path in folder.glob(".*.json.*.tmp"):  # of a server that was killed
                path.unlink()
        except OSError as error:
            raise ConfigError(f"--memories {folder} cannot be used: {error.strerror or error}") from error

    def create(self, story: list[str]) -> str:
        """The id of a new memory; the one that was idle longest makes room. Raises :class:`RefusedError` where none was."""
        with self.lock:
            while len(self.held) >= MAX_MEMORIES:
                oldest = min(self.held, key=lambda each: self.held[each].used)
                idle = (time.time() - self.held[oldest].used) / 60
                if idle < IDLE_MINUTES:
                    why = f"{MAX_MEMORIES} memories, each used in the last {IDLE_MINUTES} minutes"
                    raise RefusedError(503, f"The server holds {why}; delete one, or try again later.")
                LOG.warning("memory %s is dropped for a new one: nobody used it for %.0f minutes", oldest, idle)
                self.drop(oldest)
            name = secrets.token_urlsafe(16)
            self.keep(name, story)
            return name

    def story(self, name: str) -> list[str]:
        """A memory's statements; it was used now. Raises :class:`RefusedError`."""
        with self.lock:
            story = self.found(name)
            self.held[name] = Memory(story, time.time())
            if self.folder is not None:
                with self.writing():
                    os.utime(self.path(name))
            return story

    def size(self, name: str) -> int:
        """How many characters a memory has."""
        held = self.held.get(name)
        return sum(map(len, held.story)) if held else 0

    def append(self, name: str, statements: list[str]) -> int:
        """Add to a memory; how many statements it has now. Raises :class:`RefusedError`."""
        with self.lock:
            longer = within_limits([*self.found(name), *statements])
            self.keep(name, longer)
            return len(longer)

    def delete(self, name: str) -> None:
        """Forget a memory. Raises :class:`RefusedError`."""
        with self.lock:
            self.found(name)
            self.drop(name)

    def found(self, name: str) -> list[str]:
        """A memory's statements, for whom has the lock. Raises :class:`RefusedError`."""
        if name not in self.held:
            raise RefusedError(404, "There is no memory of that id; it was deleted, or dropped when nobody used it.")
        return self.held[name].story

    def path(self, name: str) -> Path:
        """The file of a memory in the folder."""
        return (self.folder or Path()) / f"{name}.json"

    def keep(self, name: str, story: list[str]) -> None:
        """Hold a memory, on the disk first. Raises :class:`RefusedError`."""
        if self.folder is not None:
            with self.writing():
                write_json(self.path(name), {"statements": story})
                sync_folder(self.folder)
        self.held[name] = Memory(story, time.time())

    def drop(self, name: str) -> None:
        """Hold a memory no more. Raises :class:`RefusedError`."""
        if self.folder is not None:
            with self.writing():
                for path in (*leftovers(self.path(name)), self.path(name)):
                    path.unlink(missing_ok=True)
                sync_folder(self.folder)
        del self.held[name]

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Have an error of the disk said to whoever asks. Raises :class:`RefusedError`."""
        try:
            yield
        except OSError as error:
            LOG.warning("%s cannot be written: %s", self.folder, error.strerror)
            raise RefusedError(507, f"The memory cannot be kept: {error.strerror}.") from error


def within_limits(story: list[str]) -> list[str]:
    """A story no longer than one that is asked about at once. Raises :class:`RefusedError`."""
    check_work(TypedStory(read_story(story).statements))
    return story


def read_memory(path: Path) -> Memory:
    """The memory in a file. Raises :class:`~memnet.errors.ConfigError`."""
    with plain_file(path) as file:
        data, used = file.read(LARGEST), os.fstat(file.fileno()).st_mtime
    try:
        story = json.loads(data)["statements"]
        if not ID.fullmatch(path.stem) or not isinstance(story, list) or not all(isinstance(each, str) for each in story):
            raise ValueError
        return Memory(within_limits(story), used)
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise ConfigError(f'{path} is no memory of this server: expected {{"statements": [...]}}; move it away') from error


def memory_request(
    memories: Memories, networks: Mapping[str, Predictor], method: str, name: str, action: str, body: bytes
) -> tuple[int, dict[str, Any]]:
    """The status and the JSON value that answer a request to a memory, or to make one where the name is ""."""

    def done() -> dict[str, Any]:
        if action == "ask":
            value = parse_request(body, ("question",))
            network = networks[network_asked(networks, value)]
            return ask_checked(network, TypedStory(memories.story(name)), value["question"]).as_json()
        if method == "POST":
            story = read_story(parse_request(body, ("story",), ())["story"]).statements
            if name:
                return {"id": name, "statements": memories.append(name, story)}
            return {"id": memories.create(within_limits(story)), "statements": len(story)}
        if method == "DELETE":
            memories.delete(name)
            return {"id": name, "statements": 0}
        return {"id": name, "statements": len(story := memories.story(name)), "story": story}

    return checked(done)
