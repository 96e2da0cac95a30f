"""``memnet ask``: a conversation at a terminal, lines through a pipe, or one question."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memnet.cli.common import RunOrOwn, plain_errors

if TYPE_CHECKING:
    from memnet.ask.answer import Answer
    from memnet.ask.conversation import Conversation


def ask(
    run: RunOrOwn = None,
    story: Annotated[Path | None, typer.Option(help="A file of statements, one a line; questions in it are left out.")] = None,
    question: Annotated[str | None, typer.Option(help="Ask this and end.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, a line an answer.")] = False,
) -> None:
    """Tell a story and ask about it: questions are answered from what stands before them, other sentences are remembered."""
    import torch

    from memnet.ask.conversation import Conversation

    torch.set_num_threads(1)
    if sys.stdin is None:  # closed by whoever started us: nothing is typed
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    with plain_errors():
        conversation = Conversation.with_network(run)
        lines = story.read_bytes().splitlines() if story is not None else []
        if story is None and question is not None and not sys.stdin.isatty():
            lines = sys.stdin.buffer.read().splitlines()
        stories = conversation.parser.parse(map(decode_line, lines))
        if asked := sum(len(each.questions) for each in stories):
            typer.echo(f"{asked} question(s) among the statements are left out", err=True)
        conversation.story = stories[-1].statements
        if question is not None:
            if not answer_one(conversation, question, as_json):
                raise typer.Exit(1)
        elif sys.stdin.isatty() and not as_json:
            from memnet.ask.terminal import talk

            talk(conversation)
        else:
            if not answer_lines(conversation, as_json):
                raise typer.Exit(1)


def decode_line(raw: bytes) -> str:
    """A line as text; one that is not UTF-8 is named and left out."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        typer.echo(f"a line is left out, it is not UTF-8 text: {raw[:40]!r}", err=True)
        return ""


def answer_one(conversation: Conversation, question: str, as_json: bool) -> bool:
    """Print an answer, or why there is none; True where there is one."""
    from memnet.errors import AskError

    answer, why = None, ""
    try:
        answer = conversation.predictor.ask(conversation.story, question)
    except AskError as error:
        why = str(error)
    print_answer(answer, why, as_json)
    return answer is not None


def read_lines() -> Iterator[str]:
    """Lines from a pipe, or typed, to the end of the input; no longer than a conversation takes."""
    from memnet.ask.story_file import MAX_LINE

    most = 4 * MAX_LINE  # bytes
    while raw := sys.stdin.buffer.readline(most + 1):
        if len(raw) > most and not raw.endswith(b"\n"):
            while (rest := sys.stdin.buffer.readline(MAX_LINE)) and not rest.endswith(b"\n"):
                pass
            typer.echo(f"a line is left out, it has more than {most:,} bytes", err=True)
            continue
        yield decode_line(raw)


def answer_lines(conversation: Conversation, as_json: bool) -> bool:
    """Remember statements and answer questions, line by line; True where every question could be answered."""
    conversation.typed, all_answered = False, True
    for line in read_lines():
        if line.strip() == "/reset":
            conversation.replace_story([])
            continue
        if line.startswith("/"):
            typer.echo("there is no such command in a pipe; /reset forgets the story", err=True)
            continue
        for reply in conversation.handle_line(line):
            all_answered &= reply.answer is not None or not reply.to_question
            print_answer(reply.answer, reply.text, as_json and reply.to_question)
    return all_answered


def print_answer(answer: Answer | None, why: str, as_json: bool) -> None:
    """Print an answer, or why there is none."""
    from memnet.ask.answer import render

    if answer is None:
        typer.echo(json.dumps({"error": why}) if as_json else why, err=not as_json)
    else:
        typer.echo(json.dumps(answer.as_json(), ensure_ascii=False) if as_json else render(answer))
