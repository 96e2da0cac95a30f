"""Every setting of a network: its name, type, default and meaning, read from the class that declares it.

A meaning is the comment behind the field, in the class itself or in the one that it has the field from::

    dim: int = 20  # width of the embeddings
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import io
import textwrap
import tokenize
from typing import NamedTuple

from memnet.config import Training, allowed_values, hints_of
from memnet.markdown import markdown_table
from memnet.models.addressing import AttentionSettings

TYPES = {bool: "true or false", int: "whole number", float: "number", str: "word"}
GROUPS: dict[type, str] = {
    Training: "training",
    AttentionSettings: "attention",
}  # whose settings these are; all others are the network's


class Setting(NamedTuple):
    """One setting, as it is given by ``--set name=value``."""

    name: str
    type: str
    """``whole number``, ``number``, ``true or false``, or the values that it may have, as ``dot, general or concat``."""
    default: str
    """As it is written on the command line."""
    meaning: str
    """A phrase; empty where the class says none or its source is not at hand."""
    group: str
    """``network``, ``attention`` or ``training``."""


def settings_of(config_class: type[Training]) -> list[Setting]:
    """Every setting that a configuration takes: the network's own first, then those of attention, then of training."""
    meanings = meanings_of(config_class)
    found = [
        Setting(
            field.name,
            type_of(config_class, field.name),
            written(field.default),
            meanings.get(field.name, ""),
            group_of(config_class, field.name),
        )
        for field in dataclasses.fields(config_class)
        if config_class.takes(field.name)
    ]
    return sorted(found, key=lambda setting: ("network", "attention", "training").index(setting.group))


def meanings_of(config_class: type[Training]) -> dict[str, str]:
    """The comment behind every field: the class's own where it has one, else that of the class that it has the field from."""
    meanings: dict[str, str] = {}
    for kind in reversed(config_class.__mro__):
        if dataclasses.is_dataclass(kind):
            meanings |= comments_of(kind)
    return meanings


def comments_of(kind: type) -> dict[str, str]:
    """The comments on the lines of a class's annotated fields, by field; none where its source is not at hand."""
    try:
        source = textwrap.dedent(inspect.getsource(kind))
    except (OSError, TypeError):
        return {}
    comments = {
        token.start[0]: token.string.lstrip("# ")
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    }
    [definition] = ast.parse(source).body
    found: dict[str, str] = {}
    for node in definition.body if isinstance(definition, ast.ClassDef) else []:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
            parts = [comments[line] for line in lines if line in comments]
            found |= {node.target.id: " ".join(parts)} if parts else {}
    return found


def type_of(config_class: type[Training], name: str) -> str:
    """What a setting may be, in words."""
    values = allowed_values(config_class, name)
    if values is None:
        return TYPES[hints_of(config_class)[name]]
    return " or ".join([", ".join(values[:-1]), values[-1]] if len(values) > 1 else values)


def group_of(config_class: type[Training], name: str) -> str:
    """Whose setting it is: of the class that declared it first."""
    first = next(kind for kind in reversed(config_class.__mro__) if name in vars(kind).get("__annotations__", {}))
    return GROUPS.get(first, "network")


def written(value: object) -> str:
    """A value as it stands on the command line."""
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)


def settings_table(config_class: type[Training], group: str) -> str:
    """The settings of a group as a Markdown table; empty where there are none."""
    rows = [
        [f"`{setting.name}`", f"`{setting.default}`", setting.type, setting.meaning.replace("|", "\\|")]
        for setting in settings_of(config_class)
        if setting.group == group
    ]
    return markdown_table(["setting", "default", "values", "meaning"], rows, align="llll") if rows else ""
