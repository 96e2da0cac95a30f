"""``memnet bench dialog``: networks trained on dialogs, and what they answer in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memnet.cli.bench import app, folder_is_there
from memnet.cli.common import DataFolder, plain_errors, show

if TYPE_CHECKING:
    from memnet.record.family_scores import DialogScore
    from memnet.tasks.families import Task

COLUMNS = (
    "data set=data:<26; split:<13; network:<11; seed:>5; epochs:>6; s=seconds:>6.0f; responses=questions:>9; "
    "right %=responses:>8.2f; dialogs %=dialogs:>9.1f; ranked first %=ranked:>14.2f"
)
NETWORK_HELP = (
    "composer, composers (the best two of five answer together), or a preset whose network chooses among the candidates; may "
    "be repeated. All but composers by default."
)
Networks = Annotated[list[str] | None, typer.Option("--network", help=NETWORK_HELP)]
KEPT_HELP = "A file for the numbers and what made them, as CSV; others that it has stay."


@app.command("dialog")
def bench_dialog(
    names: Annotated[list[str] | None, typer.Argument(metavar="DATA", help="Data sets of dialogs; all by default.")] = None,
    network: Networks = None,
    seed: Annotated[list[int] | None, typer.Option(min=0, help="May be repeated; 0 by default.")] = None,
    epochs: Annotated[int, typer.Option(min=1, help="Of the networks that choose; a composer has its own.")] = 20,
    ranked: Annotated[int, typer.Option(min=0, help="Responses of each split that a composer ranks, too.")] = 2000,
    runs: Annotated[Path, typer.Option(help="Where networks are trained, or found.")] = Path("runs/dialog"),
    write: Annotated[Path | None, typer.Option("--write", callback=folder_is_there, help=KEPT_HELP)] = None,
    data: DataFolder = None,
) -> None:
    """Train networks on dialogs and measure their responses: percent right, and percent of dialogs right as a whole."""
    import torch

    from memnet.api import preset_named
    from memnet.composing.making import COMPOSER
    from memnet.measure.dialogs import COMPOSERS, NETWORKS, chosen, composed
    from memnet.record.family_scores import DialogScore
    from memnet.record.measurements import read_csv
    from memnet.tasks.families import FAMILIES, find

    torch.set_num_threads(1)
    every = [f"{name}/{member}" for name, one in FAMILIES.items() if one.learned_by == COMPOSER for member in one.members]

    def measured(task: Task) -> Iterator[DialogScore]:
        for one in network or NETWORKS:
            for number in seed or [0]:
                if one in (COMPOSER, COMPOSERS):
                    yield from composed(task, number, runs, ranked, one == COMPOSERS)
                else:
                    yield from chosen(task, one, replace(preset_named(one), epochs=epochs), number, runs)

    with plain_errors():
        kept = read_csv(write, DialogScore) if write is not None and write.exists() else []
        lines = (line for name in names or every for task in find([name], data) for line in measured(task))
        show(lines, write, COLUMNS, kept)
