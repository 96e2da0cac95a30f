"""``memnet bench everyday`` and ``memnet bench unseen-names``: how a network does with words that it has not met."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from memnet.cli.bench import OnlyTasks, WriteFile, app
from memnet.cli.common import DataFolder, PublishedFile, RunOrOwn, keep, plain_errors, show

EVERYDAY = Path("tests/everyday_stories.txt")  # of a checkout


@app.command("unseen-names")
def bench_unseen_names(
    run: RunOrOwn = None,
    task: OnlyTasks = None,
    stories: Annotated[Path, typer.Option(help="Stories in everyday words; left out where there is no such file.")] = EVERYDAY,
    seed: Annotated[int, typer.Option(min=0, help="Which new names the stories get.")] = 0,
    write: WriteFile = None,
    published: PublishedFile = None,
    data: DataFolder = None,
) -> None:
    """Names never met: test errors with people and everything renamed, refusals, calibration, everyday stories, speed."""
    import torch

    from memnet.ask.hub import find_network
    from memnet.measure.everyday import read_everyday
    from memnet.measure.unseen_names import unseen_names
    from memnet.record.recorded import PAPERS_CSV, recorded
    from memnet.reports.unseen_names_page import tables
    from memnet.tasks.families import find

    torch.set_num_threads(1)
    lines: list[Any] = []
    with plain_errors():
        everyday = read_everyday(stories) if stories.exists() else []
        for new in unseen_names(find_network(run), find(task or ["babi/all"], data), everyday, seed):
            lines += new
            for one in new:
                typer.echo(f"{one.subject}: {one.measure} {one.value:,.1f}", err=True)
            keep(write, lines)
        typer.echo("\n\n".join(tables(lines, published or recorded(PAPERS_CSV))))


@app.command("everyday")
def bench_everyday(
    run: RunOrOwn = None,
    only: Annotated[list[str] | None, typer.Option("--set", help="Only this set; may be repeated.")] = None,
    stories: Annotated[Path, typer.Option(help="The folder of everyday_stories.txt and own_words.")] = EVERYDAY.parent,
    kept: Annotated[bool, typer.Option("--kept", help="Also the stories that are kept for the table of results.")] = False,
    seed: Annotated[int, typer.Option(min=0, help="Which stories are drawn.")] = 0,
    write: WriteFile = None,
) -> None:
    """Ordinary English: own words, mixed stories, long stories, small talk; what is right, wrong, refused, and how sure."""
    import torch

    from memnet.ask.hub import find_network
    from memnet.ask.predictor import Predictor
    from memnet.measure.english import bench_english

    torch.set_num_threads(1)
    columns = (
        "set:<54; questions:>9; right:>6.1f; wrong:>6.1f; refused:>8.1f; wrong and sure=wrong_and_sure:>14.1f; "
        "unanswerable refused=unanswerable_refused:>20.1f; answerable refused=answerable_refused:>18.1f; calibration:>11.1f"
    )
    with plain_errors():
        network = Predictor.load(find_network(run))
        show(bench_english(network, stories, only or [], kept, seed), write, columns)


@app.command("mixes")
def bench_mixes(
    mix: Annotated[list[str] | None, typer.Option(help="T7 or T12; may be repeated; both by default.")] = None,
    steps: Annotated[int, typer.Option(min=1, help="Of training.")] = 1500,
    seed: Annotated[int, typer.Option(min=0, help="Of the training, and of the stories.")] = 0,
    write: WriteFile = None,
) -> None:
    """Dyna-bAbI's mixes by a reader of facts that learned the original tasks' sentences alone; its hops are rules."""
    import torch

    from memnet.cli.common import choice
    from memnet.measure.mixes import mixes
    from memnet.tasks.families.dyna import MIXED

    torch.set_num_threads(1)
    chosen = mix or list(MIXED)
    for one in chosen:
        choice("--mix", one, tuple(MIXED))
    columns = "mix:<4; split:<16; questions:>9,; right %=right:>8.1f"
    with plain_errors():
        show(mixes(chosen, steps, seed), write, columns)
