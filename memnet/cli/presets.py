"""``memnet presets`` and ``memnet settings``: which networks there are, and what can be changed in them."""

from __future__ import annotations

import shutil
import textwrap
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer

from memnet.cli.common import plain_errors

if TYPE_CHECKING:
    from memnet.reports.settings import Setting


def presets() -> None:
    """List the presets: the papers' rows and our own, each with its error and training time on record."""
    from memnet.reports.presets import as_text, preset_lines
    from memnet.reports.recorded import PUBLISHED, RUNS, recorded

    with plain_errors():
        typer.echo(as_text(preset_lines(recorded(RUNS), recorded(PUBLISHED))))
        typer.echo("memnet settings PRESET lists its settings; memnet train TASK --preset PRESET trains one.")


def settings(
    model: Annotated[str | None, typer.Argument(metavar="MODEL", help="{models}; or a preset, for its values.")] = None,
) -> None:
    """List every setting of a model, or of a preset, with its value and its meaning; --set and --config change them."""
    from memnet.errors import ConfigError, hint
    from memnet.models import MODELS
    from memnet.papers import PRESETS
    from memnet.reports.settings import settings_of, written

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
        found = [setting._replace(default=written(getattr(config, setting.name))) for setting in settings_of(type(config))]
        typer.echo("\n".join(setting_lines(found, shutil.get_terminal_size().columns)))


def setting_lines(settings: list[Setting], width: int) -> list[str]:
    """Settings under the heading of their group, ``name=value`` first, then what it means and what it may be."""
    left = min(28, 2 + max(len(f"{setting.name}={setting.default}") for setting in settings))
    lines: list[str] = []
    for group, members in groupby(settings, key=lambda setting: setting.group):
        lines += ["", group.capitalize()] if lines else [group.capitalize()]
        for setting in members:
            start = f"  {setting.name}={setting.default}"
            text = f"{setting.meaning} ({setting.type})" if setting.meaning else setting.type
            folded = textwrap.wrap(text, max(20, width - left - 2))
            first = f"{start:<{left}}  {folded[0]}" if len(start) <= left else start
            rest = folded[1:] if len(start) <= left else folded
            lines += [first, *(" " * (left + 2) + line for line in rest)]
    return lines
