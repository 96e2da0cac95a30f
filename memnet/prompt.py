"""The conversation of ``memnet ask``: lines in, text out. It knows no terminal (that is :mod:`memnet.terminal`)."""

from __future__ import annotations

import difflib
import os
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from memnet.answer import Answer, Answerer, AskError, Line, Listener, Read
from memnet.checkpoint import NetworkError, load_network, write_atomically
from memnet.config import ConfigError
from memnet.hub import OWN, find_network
from memnet.screen import Look, fold, heat, rows, told
from memnet.tasks.simulator import PUBLISHED, simulate
from memnet.tasks.text import is_number, visible, words

SENTENCE, LINE, FILE = 1_000, 100_000, 1_000_000  # the most characters of a sentence and of a line, bytes of a file
PICTURES = (".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff")
DRAWN = 100  # statements in a figure
NAMED = 10  # unknown words named at once
MOST_ASKED = 20  # questions of an example story
EXAMPLE = 12  # statements of an example story, where its first question does not need more
ASKING = frozenset(["where", "what", "who", "how", "is", "did", "does", "why", "which", "when", "are", "can", "will"])
COMMANDS = {
    "story": ("", "the story so far"),
    "undo": ("", "drop the last statement; after /reset, /load or /task: have the story before it back"),
    "reset": ("", "forget the story"),
    "load": ("FILE", "take the story of a file: a statement a line, or the bAbI format"),
    "task": ("N", "an example story of bAbI task N, 1 to 20, and a question to try"),
    "model": ("[RUN]", "which network answers; or let another one, keeping the story"),
    "why": ("", "what each hop read for the last answer, in percent"),
    "save": ("FILE", "the story as text, or, as .png, .svg or .pdf, what was read for the last answer"),
    "help": ("", "this"),
    "quit": ("", "leave; so does Ctrl-D"),
}
RULES = (
    "A sentence is remembered. A line with a question mark is a question, and so is one without a full stop that begins with "
    "where, what, who, how, is, did, does, why, which, when, are, can or will. "
    "A star marks the statements that an answer relied on. Tab completes words, commands and the question of an example."
)


class Quit(Exception):
    """The conversation is over."""


class Said(NamedTuple):
    """What is said to a line: text, whether to a question, and the answer where there is one."""

    text: str
    question: bool = False
    answer: Answer | None = None


class Mistaken(AskError):
    """What was asked for cannot be done; the message says why in a sentence."""


def opened(name: Path | str | None) -> tuple[Answerer, dict[str, Any], str]:
    """A network by name, its configuration and a name to call it by. Raises :class:`~memnet.checkpoint.NetworkError`."""
    folder = find_network(name)
    net, vocabulary, saved = load_network(folder)
    return Answerer(net, vocabulary), saved, "the package's own network" if folder == OWN else str(name)


class Conversation:
    """A story that is told, and the network that is asked about it.

    ``look`` may change between lines, as a window does.
    """

    def __init__(
        self, answerer: Answerer, saved: Mapping[str, Any], name: str, told: Iterable[str] = (), typed: bool = True
    ) -> None:
        self.answerer, self.saved, self.name, self.typed = answerer, saved, name, typed
        self.story = list(told)
        self.former: list[str] | None = None  # before /reset, /load or /task
        self.asked: tuple[str, Answer] | None = None
        self.example = ""  # a question to try
        self.examples = 0
        self.listener = Listener()
        self.look = Look()

    @classmethod
    def with_network(cls, name: Path | str | None, told: Iterable[str] = (), typed: bool = True) -> Conversation:
        """With the network of that name, see :func:`memnet.load`."""
        return cls(*opened(name), told, typed)

    def hear(self, line: str) -> str:
        """What to print in reply to a line that a person typed, without control characters. Raises :class:`Quit`."""
        line = re.sub("[\ud800-\udfff]", "\ufffd", line)
        if len(line) > LINE:
            return self.folded(f"That has {len(line):,} characters, more than {LINE:,}; put it into a file and /load it.")
        try:
            if line.lstrip().startswith("/"):
                return self.command(line.strip())
            return "\n".join(one.text for part in line.splitlines() for one in self.listen(part) if one.text)
        except (AskError, ConfigError, NetworkError) as error:
            return self.folded(str(error))
        except OSError as error:
            return self.folded(f"{error.filename or 'The file'}: {error.strerror or error}")
        except MemoryError:
            return self.folded("That needs more memory than there is.")

    def folded(self, text: str, indent: str = "") -> str:
        """Text as wide as the terminal, safe to print."""
        return fold(visible(text), self.look.width, indent)

    def listen(self, line: str) -> Iterator[Said]:
        """Take in a line of statements, or answer its question."""
        if len(line) > LINE:
            yield Said(self.folded(f"That line has {len(line):,} characters, more than {LINE:,}; it is left out."))
            return
        heard = [self.asks(one) for one in self.listener.hear(line)]
        if self.listener.fresh and heard:
            self.replace([])
            if self.typed:
                yield Said(self.folded("Number 1 begins a new story."))
        told = []
        for text, question in heard:
            if len(text) > SENTENCE:
                yield Said(
                    self.folded(f"A sentence of {len(text):,} characters, more than {SENTENCE:,}, is left out."), question
                )
            elif question:
                yield self.answered(text)
            elif self.typed and text.strip().lower() in COMMANDS:
                yield Said(f"To {text.strip().lower()}, type /{text.strip().lower()}.")
            else:
                told.append(text)
        if told:
            self.story += told
            if not self.listener.fresh:
                self.former = None
            if self.typed and (strange := self.strange(*told)):
                yield Said(strange)

    def asks(self, line: Line) -> Line:
        """The line as a question where a person typed one without its mark."""
        first = (words(line.text[:SENTENCE]) or ("",))[0]
        unmarked = self.typed and first in ASKING and not line.text.rstrip().endswith((".", "!"))
        return Line(line.text, line.question or unmarked)

    def answered(self, question: str) -> Said:
        """The answer to a question, or why there is none."""
        try:
            answer = self.answerer.ask(self.story, question)
        except AskError as error:
            return Said(self.folded(str(error)), True)
        self.asked = question.strip().rstrip("?").rstrip() + "?", answer
        lines = [told(answer, self.look), self.strange(question)]
        return Said("\n".join(filter(None, lines)), True, answer)

    def strange(self, *texts: str) -> str:
        """The words that the network does not know, named with those that are near; "" where it knows all."""
        found = self.answerer.unknown(*texts)
        named = [f"'{word}'" + (f" (near: {', '.join(near)})" if near else "") for word, near in list(found.items())[:NAMED]]
        if len(found) > NAMED:
            named.append(f"{len(found) - NAMED:,} more")
        one = f"{', '.join(named[:-1])} and {named[-1]}" if len(named) > 1 else "".join(named)
        return self.folded(f"I do not know the word{'s' * (len(named) > 1)} {one}.", "  ") if named else ""

    def command(self, line: str) -> str:
        """What a command replies."""
        name, _, argument = line[1:].partition(" ")
        name, argument = name.lower(), argument.strip()
        if name not in COMMANDS:
            near = difflib.get_close_matches(name[:20], COMMANDS, 1, 0.5)
            raise Mistaken(
                f"There is no command /{name[:20]}; " + (f"did you mean /{near[0]}?" if near else "/help lists them.")
            )
        takes, _ = COMMANDS[name]
        if argument and not takes:
            raise Mistaken(f"/{name} takes nothing after it.")
        if takes and not takes.startswith("[") and not argument:
            raise Mistaken(f"/{name} what? Type /{name} {takes}.")
        run: Callable[..., str] = getattr(self, f"command_{name}")
        return run(argument) if takes else run()

    def replace(self, story: Sequence[str]) -> None:
        """Another story; the one before can be had back."""
        if self.story:
            self.former = list(self.story)
        self.story = list(story)

    def command_story(self) -> str:
        """The numbered statements."""
        if not self.story:
            return self.folded("The story is empty.")
        digits = len(str(len(self.story)))
        return "\n".join(
            self.folded(f"{number:>{digits}} {text}", " " * (digits + 1)) for number, text in enumerate(self.story, 1)
        )

    def command_undo(self) -> str:
        """Drop the last statement, or have a replaced story back."""
        if self.former is not None:
            self.story, self.former = self.former, None
            return self.folded(f"The story before is back, {count(self.story)}.")
        if not self.story:
            raise Mistaken("There is nothing to undo: the story is empty.")
        return self.folded(f"Dropped: {self.story.pop()}")

    def command_reset(self) -> str:
        """Forget the story."""
        self.replace([])
        self.listener = Listener()
        return self.folded("The story is forgotten; /undo has it back.")

    def command_load(self, name: str) -> str:
        """A file's story in place of this one. Raises :class:`Mistaken` or OSError."""
        heard, listener = list[Line](), Listener()
        stories = 1
        for line in text_of(path_of(name), name).splitlines():
            if len(line) > LINE:
                raise Mistaken(f"{name} has a line of {len(line):,} characters, more than {LINE:,}.")
            more = listener.hear(line)
            if listener.fresh:
                stories += 1
                heard.clear()
            heard += more
        statements = [line.text for line in heard if not line.question and len(line.text) <= SENTENCE]
        if not statements:
            raise Mistaken(f"{name} has no statements; expected a sentence a line, for example 'Mary went to the kitchen.'")
        self.replace(statements)
        notes = [f"{count(statements)} of {name}" + (f", the last of its {stories:,} stories" if stories > 1 else "")]
        if questions := sum(line.question for line in heard):
            notes.append(f"{questions:,} question{'s' * (questions > 1)} left out")
        if longer := sum(len(line.text) > SENTENCE for line in heard if not line.question):
            notes.append(f"{longer:,} of more than {SENTENCE:,} characters left out")
        return "\n".join(filter(None, [self.folded("; ".join(notes) + "."), self.strange(*statements)]))

    def command_task(self, number: str) -> str:
        """An example story of a task."""
        digits = number.lower().removeprefix("qa")
        name = f"qa{int(digits)}" if is_number(digits) else number
        if name not in PUBLISHED:
            raise Mistaken(f"There is no task {number[:20]}; they are 1 to {len(PUBLISHED)}.")
        story = simulate(name, MOST_ASKED, self.examples)[0]
        self.examples += 1
        fitting = [question for question in story.questions if question.after <= EXAMPLE]
        chosen = fitting[-1] if fitting else story.questions[0]
        self.replace(story.statements[: chosen.after])
        self.example = chosen.text.strip()
        lines = [self.command_story(), self.folded(f"Try: {self.example}  (the answer is {chosen.answer})")]
        if name not in self.saved.get("tasks", []):
            lines.append(self.folded(f"The network was not trained on {name}."))
        return "\n".join(filter(None, [*lines, self.strange(*self.story, self.example)]))

    def command_model(self, name: str) -> str:
        """Which network answers, or another one. Raises :class:`~memnet.checkpoint.NetworkError`."""
        if name:
            self.answerer, self.saved, self.name = opened(os.path.expanduser(name))
            self.asked = None
        lines = [self.about()]
        if name and self.story:
            lines.append(self.strange(*self.story))
        return "\n".join(filter(None, lines))

    def about(self) -> str:
        """The network that answers."""
        config, saved = self.answerer.net.config, self.saved
        tasks = saved["tasks"]
        learned = ", ".join(tasks) if len(tasks) <= 5 else f"{len(tasks)} tasks"
        hops = next((f", {value} {part}" for part in ("hops", "passes", "layers") if (value := getattr(config, part, 0))), "")
        evidence = "says" if config.absent > 0 else "was not taught to say"
        return self.folded(
            f"{self.name}: {saved['model']}{hops}, trained on {learned} ({saved['source']}); "
            f"{len(self.answerer.vocabulary):,} words and answers; remembers {config.capacity:,} statements; "
            f"{evidence} when it has no evidence."
        )

    def last(self) -> tuple[str, Answer]:
        """The last question and its answer. Raises :class:`Mistaken`."""
        if self.asked is None:
            raise Mistaken("Nothing was answered yet: ask something first.")
        if not self.asked[1].hops:
            raise Mistaken("This network reads no single statements; there is nothing to show.")
        return self.asked

    def command_why(self) -> str:
        """The heat map of the last answer."""
        question, answer = self.last()
        return heat(answer, question, self.look)

    def command_save(self, name: str) -> str:
        """The story as text, or the heat map as a figure; a file that is there is left alone."""
        from memnet.figures import FORMATS, attention_map, save

        path = path_of(name)
        if os.path.lexists(path):
            raise Mistaken(f"{name} is there already; choose another name.")
        if not path.parent.is_dir():
            raise Mistaken(f"There is no folder {path.parent}.")
        if path.suffix.lower() in PICTURES:
            raise Mistaken(f"A picture's name ends in {', '.join(FORMATS)}.")
        if path.suffix.lower() in FORMATS:
            question, answer = self.last()
            shown = rows(answer, DRAWN)
            hops = [[Read(row.number, row.sentence, row.weights[hop]) for row in shown] for hop in range(len(answer.hops))]
            drawn = replace(answer, answer=visible(answer.answer), hops=hops)
            with warnings.catch_warnings(action="ignore"):  # letters that the font lacks
                save(attention_map(drawn, visible(question), [row.number - 1 for row in shown if row.relied]), path)
            return self.folded(f"The heat map is in {name}.")
        if not self.story:
            raise Mistaken("The story is empty; there is nothing to save.")
        write_atomically(path, "".join(text + "\n" for text in self.story))
        return self.folded(f"{count(self.story)} in {name}.")

    def command_help(self) -> str:
        """The commands."""
        wide = self.look.width >= 60
        lines = []
        for name, (takes, does) in COMMANDS.items():
            start = f"/{name} {takes}".strip()
            lines.append(self.folded(f"{start:<14}{does}" if wide else f"{start}: {does}", " " * (14 if wide else 2)))
        return "\n".join([self.folded(RULES), *lines])

    def command_quit(self) -> str:
        """Leave."""
        raise Quit

    def greeting(self) -> str:
        """What is said first."""
        hint = "Tell me a story, a sentence a line, and ask. /task 1 tells an example, /help lists the commands, Ctrl-D ends."
        return "\n".join([self.about(), self.folded(hint)])


def count(story: Sequence[str]) -> str:
    """How many statements, in words."""
    return f"{len(story):,} statement{'s' * (len(story) != 1)}"


def path_of(name: str) -> Path:
    """A path as typed. Raises :class:`Mistaken`."""
    if "\0" in name:
        raise Mistaken("No file has such a name.")
    return Path(os.path.expanduser(name))


def text_of(path: Path, name: str) -> str:
    """The text of a file of a story. Raises :class:`Mistaken` or OSError."""
    if not path.exists():
        raise Mistaken(f"There is no file {name}.")
    if not path.is_file():
        raise Mistaken(f"{name} is no file.")
    if (size := path.stat().st_size) > FILE:
        raise Mistaken(f"{name} has {size:,} bytes, more than the {FILE:,} of the longest story.")
    content = path.read_bytes()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Mistaken(f"{name} is not UTF-8 text.") from error
    if "\0" in text:
        raise Mistaken(f"{name} is no text.")
    return text
