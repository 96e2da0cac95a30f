"""``memnet plot``: figures, by matplotlib (the extra ``plot``)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memnet.commands.common import DataFolder, RunName, fail, plain_errors, trained_on

app = typer.Typer(no_args_is_help=True, help="Draw figures (needs the extra plot).")


@app.callback()
def figures() -> None:
    """Draw figures (needs the extra plot)."""


@app.command("attention")
def plot_attention(
    run: RunName,
    write: Annotated[Path, typer.Argument(help="The figure's file: .png, .svg or .pdf.")],
    task: Annotated[str | None, typer.Option(help="Another task than the first that it was trained on, or a folder.")] = None,
    question: Annotated[int, typer.Option(min=1, help="Which test question.")] = 1,
    data: DataFolder = None,
) -> None:
    """Which sentences each hop (or pass) read for a test question, the supporting facts marked."""
    import torch

    from memnet.answer import Answerer
    from memnet.checkpoint import load_network
    from memnet.figures import attention_map, save
    from memnet.hub import find_network
    from memnet.tasks.text import words

    torch.set_num_threads(1)
    with plain_errors():
        net, vocabulary, saved = load_network(find_network(run))
        found = trained_on(run, saved, [task] if task else None, data=data)[0]
        asked = [(story, one) for story in found.test for one in story.questions]
        if question > len(asked):
            fail(f"{found.name} has {len(asked)} test questions, there is no question {question}", 2)
        story, one = asked[question - 1]
        told = [place for place in range(one.after) if words(story.statements[place])]  # as a network counts them
        answer = Answerer(net, vocabulary).ask([story.statements[place] for place in told], one.text)
        facts = [told.index(fact) for fact in one.supporting_facts if fact in told]
        save(attention_map(answer, one.text, facts, one.answer), write)
    typer.echo(write)
