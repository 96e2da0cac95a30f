"""``memnet data make``: stories from a table of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memnet.cli.common import fail, plain_errors, try_command

STATEMENT_HELP = "The sentence of a row, with columns in braces: '{who} took the {thing}.' May be repeated: each row draws one."
QUESTION_HELP = "What is asked of a row, with columns in braces: 'Where is the {thing}?' May be repeated."
ANSWER_HELP = "The answer to the --question in the same place: '{place}'."


def data_make(
    table: Annotated[Path, typer.Argument(metavar="FILE", help="A CSV or TSV file; its first line names the columns.")],
    out: Annotated[Path, typer.Option(help="A new folder for the files.")],
    statement: Annotated[list[str] | None, typer.Option(help=STATEMENT_HELP)] = None,
    question: Annotated[list[str] | None, typer.Option(help=QUESTION_HELP)] = None,
    answer: Annotated[list[str] | None, typer.Option(help=ANSWER_HELP)] = None,
    combine: Annotated[bool, typer.Option("--combine", help="Draw each column by itself: anybody with any thing.")] = False,
    longest: Annotated[int, typer.Option(min=2, help="The most statements of a story; the fewest are 2.")] = 8,
    train: Annotated[int, typer.Option(min=2, help="Training questions.")] = 1000,
    test: Annotated[int, typer.Option(min=1, help="Test questions.")] = 200,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same stories.")] = 0,
) -> None:
    """Make stories to train on from a table of facts, by templates, or from a table with the columns story, text and answer."""
    from memnet.tasks.files import check_is_new
    from memnet.tasks.template import NAMES, Templates, from_facts, from_stories, names_of, write_own

    templated = bool(statement or question or answer)
    if combine and not templated:
        fail("--combine is for a table of facts: name a --statement, a --question and an --answer", 2)
    with plain_errors():
        check_is_new(out)
        names: list[str] = []
        if templated:
            templates = Templates.of(statement or [], question or [], answer or [])
            parts, names = from_facts(table, templates, train, test, longest, combine, seed), names_of(table, templates)
        else:
            parts = from_stories(table)
        asked, tested, shared = write_own(parts, table.stem, out, names)
    first = parts["train"][0]
    for text in first.statements:
        typer.echo(f"  {text}")
    for each in first.questions[:1]:
        typer.echo(f"  {each.text.strip()}  {each.answer}")
    typer.echo(f"{asked:,} training and {tested:,} test questions in {out}; {shared} of the latter also stand in training")
    typer.echo(try_command("train", out, "--open-vocabulary", *(("--names", out / NAMES) if names else ())))
