"""The settings in tables: those that many networks share once, and of a network its own and what is otherwise in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from memnet.config import Training, taken
from memnet.config.addressing import AttentionSettings
from memnet.config.parts import ALIGNS
from memnet.config.settings import Setting, settings_of, written
from memnet.markdown import markdown_table
from memnet.models import MODELS

SHARED = {"attention": AttentionSettings, "training": Training}  # where those that many networks share are declared


def settings_table(settings: Iterable[Setting]) -> str:
    """Settings as a Markdown table."""
    rows = [
        [f"`{setting.name}`", f"`{written(setting.default)}`", setting.values, setting.meaning.replace("|", "\\|")]
        for setting in settings
    ]
    return markdown_table(["setting", "default", "values", "meaning"], rows, align="llll")


def shared_settings(group: str) -> str:
    """The table of what all networks share, or all with attention."""
    return settings_table(setting for setting in settings_of(SHARED[group]).values() if setting.group == group)


def model_settings(model: str) -> str:
    """A network's own settings, its defaults of the shared ones, and what it does not take."""
    kind = MODELS.configs[model]
    shared, found = settings_of(AttentionSettings), taken(kind)
    same = [one for one in found if one.name in shared and one == replace(shared[one.name], default=one.default)]
    defaults = [f"`{one.name}={written(one.default)}`" for one in same if one != shared[one.name]]
    parts = [settings_table(one for one in found if one not in same)]
    if defaults:
        parts.append(f"Other defaults: {', '.join(defaults)}.")
    kept = [f"`{one.name}`" for one in found if one.name in shared]
    if len(kept) < len(shared):
        parts.append(f"Of the shared settings it takes {', '.join(kept)} alone.")
    if refused := refusals(kind):
        lines = (f"- {', '.join(f'`{name}`' for name in names)}: {why}" for why, names in refused.items())
        parts.append("\n".join(["It does not take:\n", *lines]))
    return "\n\n".join(parts)


def refusals(kind: type[Training]) -> dict[str, list[str]]:
    """The alignments and the settings of drawn addresses that a network refuses, by the reason."""
    found: dict[str, list[str]] = {}
    config = kind()
    for name in (*ALIGNS, *settings_of(AttentionSettings)):
        if (why := config.refusal(name)) is not None:
            found.setdefault(why, []).append(name if name in settings_of(kind) else f"align={name}")
    return found
