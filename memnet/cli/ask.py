"""``memnet ask``: a conversation at a terminal, lines through a pipe, or one question."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memnet.cli.common import PIPED, LeastChance, RunOrOwn, one_thread, plain_errors, refuse_beside, utf8_text

if TYPE_CHECKING:
    from memnet.prompt.conversation import Conversation, Reply
    from memnet.show.terminal import Layout

MEMORY_HELP = "A memory made by 'memnet remember', asked without a RUN, and read before the story; --question reads no pipe."


def ask(
    run: RunOrOwn = None,
    story: Annotated[Path | None, typer.Option(help="A file of statements, one a line; questions in it are left out.")] = None,
    memory: Annotated[Path | None, typer.Option(help=MEMORY_HELP)] = None,
    question: Annotated[str | None, typer.Option(help="Ask this and end.", callback=utf8_text)] = None,
    sure: LeastChance = 0.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, a line an answer.")] = False,
) -> None:
    """Tell a story and ask about it: questions are answered from what stands before them, other sentences are remembered."""
    one_thread()
    from memnet.errors import counted
    from memnet.prompt.conversation import Conversation

    at_prompt = question is None and sys.stdin.isatty() and not as_json
    with plain_errors():
        if memory is not None:
            refuse_beside("--memory", "which is read by networks of the package", {f"the network {run}": run})
        conversation = Conversation.with_network(run or (reader_of_memories() if memory else None), typed=at_prompt, sure=sure)
        if memory is not None:
            from memnet.memory.answering import ask_memory
            from memnet.memory.long_memory import LongMemory

            conversation.memory = partial(ask_memory, LongMemory.opened(memory, say=partial(typer.echo, err=True)))
        lines, name = (story.read_bytes().splitlines() if story is not None else []), str(story)
        if story is None and memory is None and question is not None and not sys.stdin.isatty():
            lines, name = sys.stdin.buffer.read().splitlines(), PIPED
        stories = conversation.parser.parse(decode_lines(lines, name))
        if asked := sum(len(each.questions) for each in stories):
            typer.echo(f"left out: {counted(asked, 'question')} among the statements", err=True)
        conversation.story = stories[-1].statements
        if at_prompt:
            from memnet.prompt.line_editing import talk

            talk(conversation)
            return
        conversation.layout = layout_of_output(as_json)
        answered = answer_lines(conversation, as_json) if question is None else answer_one(conversation, question, as_json)
        if not answered:
            raise typer.Exit(1)


IN_A_PIPE = "there is no command {} in a pipe; /reset forgets the story, /quit ends"
LONGEST_NAME = 20  # characters of a command that is said


def reader_of_memories() -> Path:
    """The folder of the network that reads what a memory keeps."""
    from memnet.memory.long_memory import READER

    return READER


def layout_of_output(as_json: bool) -> Layout:
    """As at the prompt where a person reads and nothing is piped, else plain; nothing is folded in JSON, which is UTF-8."""
    from memnet.show.terminal import Layout

    if not as_json:
        return Layout.of(sys.stdout, piped=not (sys.stdin.isatty() and sys.stdout.isatty()))
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8", errors="strict")
    return Layout(width=sys.maxsize)


def decode_lines(lines: Iterable[bytes], name: str, most: int = sys.maxsize) -> Iterator[str]:
    """Lines as text. Of those that are left out, not UTF-8 or longer than the ``most`` bytes, the first is named.

    Raises :class:`~memnet.tasks.text.FormatError` where a line is of no text at all.
    """
    left_out = 0
    for number, raw in enumerate(lines, 1):
        try:
            if b"\0" in raw:
                check_text(raw, number, name)
            text, why = raw.decode("utf-8-sig"), f"it has more than {most:,} bytes" if len(raw) > most else ""
        except UnicodeDecodeError:
            check_text(raw, number, name)
            text, why = "", f"it is not UTF-8 text: {raw[:40]!r}"
        if why and not left_out:
            typer.echo(f"memnet: line {number} of {name} is left out, {why}", err=True)
        left_out += bool(why)
        yield "" if why else text
    if left_out > 1:
        typer.echo(f"memnet: {left_out - 1:,} more lines of {name} are left out", err=True)


def check_text(raw: bytes, number: int, name: str) -> None:
    """Refuse a line with bytes that stand in no text. Raises :class:`~memnet.tasks.text.FormatError`."""
    from memnet.memory.entries.decoding import CONTROL
    from memnet.tasks.text import FormatError

    if found := [byte for byte in raw if byte in CONTROL]:
        raise FormatError(f"{name} is no text: line {number} has a byte {found[0]}; expected UTF-8, a sentence a line")


def answer_one(conversation: Conversation, question: str, as_json: bool) -> bool:
    """Print an answer, or why there is none; True where there is one.

    Statements before the question in the same text belong to the story; of several questions each is answered.
    """
    from memnet.ask.parser import Sentence, surely_tells
    from memnet.prompt.commands import NO_QUESTION_GIVEN
    from memnet.prompt.conversation import Reply

    sentences = conversation.parser.parse_line(question).sentences
    if not any(sentence.is_question for sentence in sentences):
        told = next((one.text for one in sentences if surely_tells(one.text)), "")
        if told and conversation.answers_english and conversation.small_talk(question) is None:
            print_reply(Reply(conversation.fold(NO_QUESTION_GIVEN.format(told)), True), as_json)
            return False
        sentences = [Sentence(question, True)]
    answered, several = True, sum(is_question for _, is_question in sentences) > 1
    for text, is_question in sentences:
        if (said := conversation.small_talk(text)) is not None:
            print_reply(Reply(said, True), as_json)
            answered = False
        elif is_question:
            reply = conversation.answer_question(text)
            print_reply(reply.below(text) if several else reply, as_json)
            answered &= is_answered(reply)
        else:
            conversation.story.append(text)
    return answered


def read_lines() -> Iterator[str]:
    """Lines from a pipe, or typed, to the end of the input; no longer than a conversation takes."""
    from memnet.ask.story_file import MAX_LINE

    most = 4 * MAX_LINE  # bytes

    def lines() -> Iterator[bytes]:
        while raw := sys.stdin.buffer.readline(most + 1):
            rest = raw
            while len(raw) > most and rest and not rest.endswith(b"\n"):
                rest = sys.stdin.buffer.readline(MAX_LINE)
            yield raw

    yield from decode_lines(lines(), PIPED, most)


def answer_lines(conversation: Conversation, as_json: bool) -> bool:
    """Remember statements and answer questions, line by line; True where all could be answered, and one was asked."""
    from memnet.prompt.commands import NO_QUESTION, SYNONYMS
    from memnet.tasks.text import one_line

    answered: list[bool] = []
    for line in read_lines():
        command = line.strip()[1:].lower() if line.startswith("/") else ""
        command = SYNONYMS.get(command, command)
        if command == "quit":
            break
        if command == "reset":
            conversation.replace_story([])
            continue
        if line.startswith("/"):
            typer.echo(IN_A_PIPE.format(one_line(line.split()[0], LONGEST_NAME)), err=True)
            answered.append(False)
            continue
        for reply in conversation.handle_line(line):
            print_reply(reply, as_json)
            if reply.to_question:
                answered.append(is_answered(reply))
    if not answered:
        typer.echo(conversation.fold(NO_QUESTION), err=True)
    return bool(answered) and all(answered)


def is_answered(reply: Reply) -> bool:
    """Whether a question got an answer, and no refusal."""
    return reply.answer is not None and reply.answer.answerable


def print_reply(reply: Reply, as_json: bool) -> None:
    """Print an answer; on standard error why there is none, and what else there is to say."""
    if not as_json or not reply.to_question:
        typer.echo(reply.text, err=reply.answer is None)
    elif reply.answer is None:
        typer.echo(json.dumps({"error": reply.text}))
    else:
        typer.echo(json.dumps(reply.answer.as_json(), ensure_ascii=False))
