"""``memnet presets`` and ``memnet settings``: which networks there are, and what can be changed in them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer

from memnet.cli.common import plain_errors

if TYPE_CHECKING:
    from memnet.config.settings import Setting


def presets() -> None:
    """List the presets: the papers' rows and our own, each with its error and training time on record."""
    from memnet.record.recorded import PAPERS_CSV, RUNS_CSV, recorded
    from memnet.reports.presets import as_text, preset_lines

    with plain_errors():
        typer.echo(as_text(preset_lines(recorded(RUNS_CSV), recorded(PAPERS_CSV))))
        typer.echo("memnet settings PRESET lists its settings; memnet train TASK --preset PRESET trains one.")


def settings(
    model: Annotated[str | None, typer.Argument(metavar="MODEL", help="{models}; or a preset, for its values.")] = None,
) -> None:
    """List every setting of a model, or of a preset, with its value and its meaning; --set and --config change them."""
    from memnet.errors import ConfigError, hint
    from memnet.models import MODELS
    from memnet.papers import PRESETS
    from memnet.reports.settings import taken

    with plain_errors():
        if model is None:
            for name, kind in MODELS.items():
                typer.echo(f"{name:<12} {kind.title.rstrip(',')}")
            typer.echo("memnet settings MODEL lists the settings of one, memnet settings PRESET the values of a preset.")
            return
        if model not in MODELS and model not in PRESETS:
            near = hint(model, [*MODELS, *PRESETS], "'memnet presets' lists the presets")
            raise ConfigError(f"there is no model and no preset {model!r}; {near}")
        config = MODELS[model].Config() if model in MODELS else PRESETS[model]
        show_settings([replace(setting, default=getattr(config, setting.name)) for setting in taken(type(config))])


def show_settings(settings: Iterable[Setting]) -> None:
    """Settings under the heading of their group, ``name=value`` first, then what it means and what it may be."""
    from rich.console import Console
    from rich.table import Table

    from memnet.config.settings import written

    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    for place, (group, members) in enumerate(groupby(settings, key=lambda setting: setting.group)):
        table.add_row(f"\n{group.capitalize()}" if place else group.capitalize())
        for setting in members:
            table.add_row(f"  {setting.name}={written(setting.default)}", setting.help)
    console = Console(markup=False, highlight=False, emoji=False)
    with console.capture() as drawn:
        console.print(table)
    typer.echo("\n".join(line.rstrip() for line in drawn.get().splitlines()))
