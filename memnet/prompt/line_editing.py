"""A conversation at a terminal: line editing, history and completion by prompt_toolkit, or plain lines where it cannot edit."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memnet.prompt.commands import COMMANDS
from memnet.prompt.conversation import Conversation, Quit
from memnet.show.terminal import Layout
from memnet.tasks.families import EXAMPLES
from memnet.tasks.text import words

if TYPE_CHECKING:
    from prompt_toolkit.completion import Completer
    from prompt_toolkit.history import History

HOW_TO_LEAVE = "Ctrl-D or /quit leaves."
HISTORY_LINES = 1000  # lines of history
MAX_COMPLETIONS = 50  # completions


def talk(conversation: Conversation) -> None:
    """Read lines and print the replies, until the end of the input or /quit."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    conversation.layout = Layout.of(sys.stdout)
    print(conversation.greeting())
    read = reader(conversation)
    while True:
        try:
            line = read()
            conversation.layout = Layout.of(sys.stdout)
            if reply := conversation.respond(line):
                print(reply, flush=True)
        except KeyboardInterrupt:
            print(HOW_TO_LEAVE)
        except UnicodeDecodeError:
            print("That line is not UTF-8 text.")
        except EOFError:
            break
        except Quit:
            return


def reader(conversation: Conversation) -> Callable[[], str]:
    """What reads a line. Where the terminal cannot move its cursor, or what is printed goes elsewhere, it is not edited."""
    if not sys.stdout.isatty() or os.environ.get("TERM", "dumb") == "dumb":
        return plain
    from prompt_toolkit import PromptSession
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
    from prompt_toolkit.shortcuts import CompleteStyle

    keys = KeyBindings()

    @keys.add("c-c")
    def clear(event: KeyPressEvent) -> None:
        """Clear the line; where there is none, stop reading."""
        if event.current_buffer.text:
            event.current_buffer.reset()
        else:
            event.app.exit(exception=KeyboardInterrupt())

    session: PromptSession[str] = PromptSession(
        "> ",
        history=history(history_file()),
        completer=completer(conversation),
        complete_while_typing=False,
        complete_style=CompleteStyle.READLINE_LIKE,
        reserve_space_for_menu=0,
        enable_suspend=True,
        key_bindings=keys,
    )
    return session.prompt


def plain() -> str:
    """A line as the terminal gives it."""
    try:
        return input("> ")
    except (KeyboardInterrupt, EOFError):
        print()
        raise


def history_file() -> Path:
    """Where the lines that were typed are kept."""
    state = os.environ.get("XDG_STATE_HOME") or os.path.join("~", ".local", "state")
    return Path(os.path.expanduser(state)) / "memnet" / "history"


def history(path: Path) -> History:
    """The lines of a file, the last thousand; where it cannot be read or written, lines are remembered for now alone."""
    from prompt_toolkit.history import FileHistory, InMemoryHistory

    kept = FileHistory(str(path))
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch(mode=0o600)
        lines = list(kept.load_history_strings())  # the newest first
        if len(lines) > 2 * HISTORY_LINES:
            path.write_bytes(b"")
            for line in reversed(lines[:HISTORY_LINES]):
                kept.store_string(line)
    except OSError:
        return InMemoryHistory()
    return kept


def completions(conversation: Conversation, before: str) -> list[tuple[str, int]]:
    """What may follow the text before the cursor, each with how many of its characters are there already; no file names."""
    if before.startswith("/"):
        name, space, argument = before[1:].partition(" ")
        if not space:
            found = [(each, takes) for each, (takes, _) in COMMANDS.items() if each.startswith(name)]
            return [(f"/{each}" + " " * bool(takes), len(before)) for each, takes in found]
        if name == "task":
            numbers = [str(number) for number in range(1, len(EXAMPLES.members) + 1)]
            return [(number, len(argument)) for number in numbers if number.startswith(argument)]
        return []
    if conversation.example_question.startswith(before):
        return [(conversation.example_question, len(before))] if conversation.example_question else []
    started = before[max((place + 1 for place, one in enumerate(before) if one.isspace()), default=0) :]
    near = started.lower()
    entries = (entry for entry in conversation.predictor.known_words if near and entry.startswith(near))
    known = islice((entry for entry in entries if words(entry) == (entry,)), MAX_COMPLETIONS)
    return [(started + entry[len(started) :], len(started)) for entry in known]


def completer(conversation: Conversation) -> Completer:
    """Commands after a slash, what they take, and the words that the network knows."""
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion, PathCompleter
    from prompt_toolkit.document import Document

    files = PathCompleter(expanduser=True)

    class Known(Completer):
        def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Any]:
            before = document.text_before_cursor
            name, space, argument = before.partition(" ")
            if space and name in ("/load", "/save", "/model"):
                yield from files.get_completions(Document(argument, len(argument)), complete_event)
            for text, there in completions(conversation, before):
                yield Completion(text, -there)

    return Known()
