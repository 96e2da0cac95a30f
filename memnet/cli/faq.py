"""``memnet faq``: question-answer pairs as a key-value memory."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from memnet.cli.ask import read_lines
from memnet.cli.common import plain_errors, utf8_text

QUESTION_HELP = "Ask this and end; without, every line of the input is asked."


def faq(
    pairs: Annotated[Path, typer.Argument(help="A CSV or TSV file with the columns question and answer.")],
    question: Annotated[str | None, typer.Option(help=QUESTION_HELP, callback=utf8_text)] = None,
    threshold: Annotated[float, typer.Option(min=0, max=1, help="The cosine below which no pair matches.")] = 0.2,
    temperature: Annotated[float, typer.Option(min=0.001, help="Lower reads the nearest pair more.")] = 0.05,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, a line an answer.")] = False,
) -> None:
    """Answer questions by the nearest of a file of frequent questions, each with its answer."""
    from memnet.ask.pairs import QuestionAnswerPairs, render
    from memnet.errors import AskError

    with plain_errors():
        memory = QuestionAnswerPairs.read(pairs, temperature, threshold)
        at_prompt = question is None and sys.stdin.isatty()
        if at_prompt:
            typer.echo("Ask a question; Ctrl-D ends.", err=True)
        lines = [question] if question is not None else (line.strip() for line in read_lines())
        answered: list[bool] = []
        for line in lines:
            if not line and question is None:
                continue
            try:
                answer = memory.ask(line)
            except AskError as error:
                typer.echo(json.dumps({"error": str(error)}) if as_json else str(error), err=not as_json)
                answered.append(False)
            else:
                answered.append(answer.answerable)
                typer.echo(json.dumps(answer.as_json(), ensure_ascii=False) if as_json else render(answer))
        if not at_prompt and not (answered and all(answered)):
            raise typer.Exit(1)
