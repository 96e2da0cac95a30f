"""``memnet presets`` and ``memnet settings``: which networks there are, and what can be changed in them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer

from memnet.cli.common import plain_errors

if TYPE_CHECKING:
    from rich.table import Table

    from memnet.config.settings import Setting
    from memnet.reports.presets import PresetLine

NOTE = """
{sizes}: mean test error over the published tasks after training on so many questions, of the networks chosen by each
preset's rule. Time: of one core, for all restarts of a task; * of a network of all tasks."""


def presets() -> None:
    """List the presets: the papers' rows and our own, each with its error and training time on record."""
    from memnet.record.recorded import PAPERS_CSV, RUNS_CSV, recorded
    from memnet.reports.presets import preset_lines

    with plain_errors():
        show_presets(preset_lines(recorded(RUNS_CSV), recorded(PAPERS_CSV)))
        typer.echo("memnet settings PRESET lists its settings; memnet train TASK --preset PRESET trains one.")


def settings(
    model: Annotated[str | None, typer.Argument(metavar="MODEL", help="{models}; or a preset, for its values.")] = None,
) -> None:
    """List every setting of a model, or of a preset, with its value and its meaning; --set and --config change them."""
    from memnet.config import taken
    from memnet.errors import ConfigError, hint
    from memnet.models import MODELS
    from memnet.papers import PRESETS

    with plain_errors():
        if model is None:
            for name, kind in MODELS.configs.items():
                typer.echo(f"{name:<12} {str(kind.__doc__).splitlines()[0]}")
            typer.echo("memnet settings MODEL lists the settings of one, memnet settings PRESET the values of a preset.")
            return
        if model not in MODELS and model not in PRESETS:
            near = hint(model, [*MODELS, *PRESETS], "'memnet presets' lists the presets")
            raise ConfigError(f"there is no model and no preset {model!r}; {near}")
        config = PRESETS[model] if model in PRESETS else MODELS.configs[model]()  # of one name, what a training has
        show_settings([replace(setting, default=getattr(config, setting.name)) for setting in taken(type(config))])


def show_presets(lines: Iterable[PresetLine]) -> None:
    """Presets in columns, and what the columns mean."""
    from rich.table import Table

    from memnet.papers.declare import SIZES

    table = Table("preset", "paper", box=None, padding=(0, 2, 0, 0), header_style="", pad_edge=False)
    for head in (*SIZES.values(), "time"):
        table.add_column(head, justify="right")
    table.add_column("what it is", no_wrap=True)
    for line in lines:
        errors = (f"{line.errors[size]:.1f} %" if size in line.errors else "" for size in SIZES.values())
        about = f"{line.model}: {line.about}" if line.about else line.model
        table.add_row(line.name, line.paper or "memnet", *errors, line.time, about)
    show(table, width=200)
    typer.echo(NOTE.format(sizes=", ".join(SIZES.values())))


def show_settings(settings: Iterable[Setting]) -> None:
    """Settings under the heading of their group, ``name=value`` first, then what it means and what it may be."""
    from rich.table import Table

    from memnet.config.settings import written

    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    for place, (group, members) in enumerate(groupby(settings, key=lambda setting: setting.group)):
        table.add_row(f"\n{group.capitalize()}" if place else group.capitalize())
        for setting in members:
            table.add_row(f"  {setting.name}={written(setting.default)}", setting.help)
    show(table)


def show(table: Table, width: int | None = None) -> None:
    """A table without spaces at the ends of lines, as wide as the terminal or as is said."""
    from rich.console import Console

    console = Console(markup=False, highlight=False, emoji=False, width=width)
    with console.capture() as drawn:
        console.print(table)
    typer.echo("\n".join(line.rstrip() for line in drawn.get().splitlines()))
