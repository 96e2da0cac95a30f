"""The conversation of ``memnet ask``: lines in, text out. It knows no terminal (that is :mod:`memnet.prompt.line_editing`)."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from memnet.ask.answer import Answer
from memnet.ask.description import network_text
from memnet.ask.going_on import Telling
from memnet.ask.hub import BUNDLED, find_network
from memnet.ask.parser import StoryParser
from memnet.ask.predictor import Predictor
from memnet.ask.story_file import MAX_LINE, as_path, read_lines
from memnet.errors import AskError, ConfigError, NetworkError
from memnet.files import write_atomically
from memnet.prompt.commands import COMMANDS, RULES, SYNONYMS, conversational, is_no_sentence, meant_command
from memnet.show.rows import word_notes
from memnet.show.terminal import Layout, answer_text, fold, heat_map
from memnet.tasks.text import QUESTION_MARKS, visible, words

MAX_SENTENCE = 1_000  # characters
DID_YOU_MEAN = "Did you mean /{}? A command begins with a slash."
OTHER_MARKS = tuple(QUESTION_MARKS.replace("?", ""))
OTHER_IMAGES = (".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff")


class Quit(Exception):
    """The conversation is over."""


class Reply(NamedTuple):
    """The reply to a line: text, whether it replies to a question, and the answer where there is one."""

    text: str
    to_question: bool = False
    answer: Answer | None = None

    def below(self, question: str) -> Reply:
        """Under its question, where a line has several."""
        return self._replace(text=f"{question}\n{self.text}")


IN_TORCH = "It is answered in torch: its model or a setting is not among those that numpy answers."
BESIDE = "Stories in other words than those of its tasks are read by a reader of ordinary English."


class CommandError(AskError):
    """What was asked for cannot be done; the message says why in a sentence."""


def open_network(name: Path | str | None) -> tuple[Predictor, str]:
    """A network by name, and a name to call it by. Raises :class:`~memnet.errors.NetworkError`."""
    folder = find_network(name)
    return Predictor.load(folder), "the package's own network" if folder == BUNDLED else str(name)


class Conversation:
    """A story as it grows line by line, and the network that is asked about it.

    ``layout`` may change between lines, as a window does.
    """

    def __init__(self, predictor: Predictor, name: str, story: Iterable[str] = (), typed: bool = True) -> None:
        self.predictor, self.name, self.typed = predictor, name, typed
        self.story = list(story)
        self.memory: Callable[[Predictor, str, Sequence[str]], Answer] | None = None  # answers from earlier conversations
        self.previous_story: list[str] | None = None  # before /reset, /load or /task
        self.last_answered: tuple[str, Answer] | None = None
        self.example_question = ""  # to try
        self.examples_shown = 0
        self.parser = StoryParser()
        self.telling = Telling()
        self.layout = Layout()

    @classmethod
    def with_network(
        cls, name: Path | str | None, story: Iterable[str] = (), typed: bool = True, sure: float = 0.0
    ) -> Conversation:
        """With the network of that name, and answers that are as ``sure``, see :func:`memnet.load`."""
        found = cls(*open_network(name), story, typed)
        found.predictor.sure = sure
        return found

    @property
    def answers_english(self) -> bool:
        """Whether questions in ordinary English are answered: of a memory, or by a network with a reader of it."""
        english = self.predictor.english
        return self.memory is not None or (english is not None and english.has_reader)

    def respond(self, line: str) -> str:
        """What to print in reply to a line that a person typed, without control characters. Raises :class:`Quit`."""
        line = re.sub("[\ud800-\udfff]", "\ufffd", line)
        if len(line) > MAX_LINE:
            return self.fold(f"That has {len(line):,} characters, more than {MAX_LINE:,}; put it into a file and /load it.")
        try:
            if line.lstrip().startswith("/"):
                return self.command(line.strip())
            return "\n".join(one.text for part in line.splitlines() for one in self.handle_line(part) if one.text)
        except (AskError, ConfigError, NetworkError) as error:
            return self.fold(str(error))
        except OSError as error:
            return self.fold(f"{error.filename or 'The file'}: {error.strerror or error}")
        except MemoryError:
            return self.fold("That needs more memory than there is.")

    def fold(self, text: str, indent: str = "") -> str:
        """Text as wide as the terminal, safe to print."""
        return fold(visible(text), self.layout.width, indent)

    def handle_line(self, line: str) -> Iterator[Reply]:
        """Take in a line of statements, or answer its question."""
        if len(line) > MAX_LINE:
            yield Reply(self.fold(f"That line has {len(line):,} characters, more than {MAX_LINE:,}; it is left out."))
            return
        sentences, new_story = self.parser.parse_line(line)
        if self.typed and not sentences and line.strip():
            yield Reply(DID_YOU_MEAN.format(meant) if (meant := meant_command(line)) else "That has no words.")
        if new_story and sentences:
            self.replace_story([])
            if self.typed:
                yield Reply(self.fold("Number 1 begins a new story."))
        statements = []
        several = sum(is_question for _, is_question in sentences) > 1
        for text, is_question in sentences:
            if len(text) > MAX_SENTENCE:
                note = f"A sentence of {len(text):,} characters, more than {MAX_SENTENCE:,}, is left out."
                yield Reply(self.fold(note), is_question)
            elif (reply := self.small_talk(text)) is not None:
                yield Reply(reply, is_question)
            elif is_question:
                answered = self.answer_question(text)
                yield answered.below(self.fold(text)) if several else answered
            elif self.typed and (meant := meant_command(text)):
                yield Reply(DID_YOU_MEAN.format(meant))
            elif is_no_sentence(text):
                note = f"{text.strip()!r} is no sentence, and is not remembered. Try: Mary went to the kitchen."
                yield Reply(self.fold(note))
            else:
                statements.append(text)
                self.story.append(text)
        if statements:
            if not new_story:
                self.previous_story = None
            before = self.story[: -len(statements)]
            if self.typed and (unknown := self.unknown_note(*statements, story=before)):
                yield Reply(unknown)

    def small_talk(self, text: str) -> str | None:
        """The reply to what is said to the program itself; none where it tells or asks of a story."""
        reply = conversational(text)
        return None if reply is None else self.fold(reply) if reply else self.describe_network()

    def answer_question(self, question: str) -> Reply:
        """The answer to a question, or why there is none."""
        try:
            ask = self.memory
            if ask is None:
                answer = self.predictor.ask(self.telling.about(self.predictor, self.story, question), question)
            else:
                answer = ask(self.predictor, question, self.story)
        except AskError as error:
            return Reply(self.fold(str(error)), True)
        shown = question.strip()
        self.last_answered = shown if shown.endswith(OTHER_MARKS) else shown.rstrip("?").rstrip() + "?", answer
        unknown, errors = answer.unknown_words, answer.typing_errors
        if self.typed and (unknown or errors):  # the words of the story were named before
            asked, told = set(words(answer.question)), {word for text in self.story for word in words(text)}
            unknown = {word: near for word, near in unknown.items() if asked.issuperset(words(word))}
            errors = {word: near for word, near in errors.items() if word.lower() in asked - told}
        return Reply("\n".join([answer_text(answer, self.layout), *self.word_lines(unknown, errors)]), True, answer)

    def unknown_note(self, *texts: str, story: Sequence[str] = ()) -> str:
        """The words of texts, after those of the ``story``, unknown or perhaps typing errors, with what is near; or ""."""
        unknown, errors = self.predictor.unknown_words(*texts), self.predictor.typing_errors(*texts, story=story)
        return "\n".join(self.word_lines(unknown, errors))

    def word_lines(self, unknown: Mapping[str, Sequence[str]], errors: Mapping[str, Sequence[str]]) -> list[str]:
        """Unknown words and typing errors, each with what is near."""
        return [self.fold(note, "  ") for note in word_notes(unknown, errors)]

    def command(self, line: str) -> str:
        """What a command replies."""
        name, _, argument = line[1:].partition(" ")
        name, argument = SYNONYMS.get(name.lower(), name.lower()), argument.strip()
        if name not in COMMANDS:
            near = difflib.get_close_matches(name[:20], COMMANDS, 1, 0.5)
            raise CommandError(
                f"There is no command /{name[:20]}; " + (f"did you mean /{near[0]}?" if near else "/help lists them.")
            )
        takes, _ = COMMANDS[name]
        if argument and not takes:
            raise CommandError(f"/{name} takes nothing after it.")
        if takes and not takes.startswith("[") and not argument:
            raise CommandError(f"/{name} what? Type /{name} {takes}.")
        run: Callable[..., str] = getattr(self, f"command_{name}")
        return run(argument) if takes else run()

    def replace_story(self, story: Sequence[str]) -> None:
        """Another story; the one before can be had back, but for what was read of it."""
        self.last_answered = None
        if self.story:
            self.previous_story = list(self.story)
        self.story = list(story)

    def command_story(self) -> str:
        """The numbered statements."""
        if not self.story:
            return self.fold("The story is empty.")
        digits = len(str(len(self.story)))
        return "\n".join(
            self.fold(f"{number:>{digits}} {text}", " " * (digits + 1)) for number, text in enumerate(self.story, 1)
        )

    def command_undo(self) -> str:
        """Drop the last statement, or have a replaced story back."""
        if self.previous_story is not None:
            self.story, self.previous_story = self.previous_story, None
            return self.fold(f"The story before is back, {count_statements(self.story)}.")
        if not self.story:
            raise CommandError("There is nothing to undo: the story is empty.")
        return self.fold(f"Dropped: {self.story.pop()}")

    def command_reset(self) -> str:
        """Forget the story."""
        self.replace_story([])
        self.parser = StoryParser()
        return self.fold("The story is forgotten; /undo has it back.")

    def command_load(self, name: str) -> str:
        """A file's story in place of this one. Raises :class:`~memnet.ask.answer.AskError` or OSError."""
        stories = StoryParser().parse(read_lines(as_path(name), name))
        story = stories[-1]
        statements = [text for text in story.statements if len(text) <= MAX_SENTENCE]
        if not statements:
            raise CommandError(f"{name} has no statements; expected a sentence a line, for example 'Mary went to the kitchen.'")
        self.replace_story(statements)
        last = f", the last of its {len(stories):,} stories" if len(stories) > 1 else ""
        questions, longer = len(story.questions), len(story.statements) - len(statements)
        notes = [f"{count_statements(statements)} of {name}{last}"]
        notes += [f"{questions:,} question{'s' * (questions > 1)} left out"] * bool(questions)
        notes += [f"{longer:,} of more than {MAX_SENTENCE:,} characters left out"] * bool(longer)
        return "\n".join(filter(None, [self.fold("; ".join(notes) + "."), self.unknown_note(*statements)]))

    def command_task(self, number: str) -> str:
        """An example of a task: its story, its question, the answer, and whether that is right."""
        from memnet.ask.example import example_of, verdict
        from memnet.tasks.families import EXAMPLES, member_of, members_in

        name = member_of(number)
        if not name:
            raise CommandError(f"There is no task {number[:20]}; they are 1 to {len(EXAMPLES.members)}.")
        shown = example_of(name, self.examples_shown)
        self.examples_shown += 1
        self.replace_story(shown.statements)
        self.example_question = shown.question
        reply = self.answer_question(shown.question)
        lines = [self.command_story(), self.fold(f"> {shown.question}", "  "), reply.text]
        lines.append(self.fold(verdict(reply.answer, shown.answer)))
        if name not in members_in(self.predictor.metadata.get("data", [])):
            lines.append(self.fold(f"The network was not trained on {name}."))
        return "\n".join(filter(None, [*lines, self.unknown_note(*self.story)]))

    def command_model(self, name: str) -> str:
        """Which network answers, or another one. Raises :class:`~memnet.errors.NetworkError`."""
        if name:
            sure = self.predictor.sure
            self.predictor, self.name = open_network(os.path.expanduser(name))
            self.predictor.sure = sure
            self.last_answered = None
        return "\n".join(filter(None, [self.describe_network(), self.unknown_note(*self.story) if name else ""]))

    def describe_network(self) -> str:
        """The network that answers."""
        found = self.predictor
        text = network_text(found.engine.model, found.engine.settings, found.vocabulary, found.metadata, self.name)
        more = [BESIDE] * (found.english is not None) + [IN_TORCH] * (found.engine.name == "torch")
        return self.fold(" ".join([text, *more]))

    def last_shown(self) -> tuple[str, Answer]:
        """The last question and its answer. Raises :class:`CommandError`."""
        if self.last_answered is None:
            raise CommandError("Nothing was answered yet: ask something first.")
        if not self.last_answered[1].hops:
            raise CommandError("This network reads no single statements; there is nothing to show.")
        return self.last_answered

    def command_why(self) -> str:
        """The heat map of the last answer."""
        question, answer = self.last_shown()
        return heat_map(answer, question, self.layout)

    def command_save(self, name: str) -> str:
        """The story as text, or the heat map as a figure; a file that is there is left alone."""
        from memnet.figures import FORMATS, save
        from memnet.show.figure import MOST, attention_map

        path = as_path(name)
        if os.path.lexists(path):
            raise CommandError(f"{name} is there already; choose another name.")
        if not path.parent.is_dir():
            raise CommandError(f"There is no folder {path.parent}.")
        if path.suffix.lower() in OTHER_IMAGES:
            raise CommandError(f"A picture's name ends in {', '.join(FORMATS)}.")
        if path.suffix.lower() in FORMATS:
            question, answer = self.last_shown()
            save(attention_map(answer, question, most=MOST), path)
            return self.fold(f"The heat map is in {name}.")
        if not self.story:
            raise CommandError("The story is empty; there is nothing to save.")
        write_atomically(path, "".join(text + "\n" for text in self.story))
        return self.fold(f"{count_statements(self.story)} in {name}.")

    def command_help(self) -> str:
        """The commands."""
        wide = self.layout.width >= 60
        lines = []
        for name, (takes, does) in COMMANDS.items():
            start = f"/{name} {takes}".strip()
            lines.append(self.fold(f"{start:<14}{does}" if wide else f"{start}: {does}", " " * (14 if wide else 2)))
        return "\n".join([self.fold(RULES), *lines])

    def command_quit(self) -> str:
        """Leave."""
        raise Quit

    def greeting(self) -> str:
        """What is said first."""
        hint = "Tell me a story, a sentence a line, and ask. /task 1 shows an example, /help lists the commands, Ctrl-D ends."
        return "\n".join([self.describe_network(), self.fold(hint)])


def count_statements(story: Sequence[str]) -> str:
    """How many statements, in words."""
    return f"{len(story):,} statement{'s' * (len(story) != 1)}"
