"""A setting carries its rule and its help: ``lr: Annotated[float, Above(0), "learning rate"] = 0.01``.

From the annotation alone come the check of a value, its reading from the command line, ``memnet settings``, ``--help`` and the
documentation. A class that declares a field anew keeps the rule and the help that it does not give.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
import sys
import typing
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from memnet.errors import ConfigError
from memnet.tasks.text import one_line

KINDS = {bool: "true or false", int: "a whole number", float: "a number", str: "a word"}


@dataclass(frozen=True)
class OneOf:
    """The values of a field, as in ``Annotated[str, OneOf(ALIGNS)]``: the names in a registry, and some more."""

    registry: Iterable[str]
    more: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """What there is now: a registry may grow."""
        return [*self.more, *self.registry]

    def __contains__(self, value: object) -> bool:
        return type(value) is str and (value in self.more or value in self.registry)

    def __str__(self) -> str:
        return " or ".join(self.names)


@dataclass(frozen=True)
class Range:
    """The numbers from ``low`` to ``high``; a round bracket leaves its end out.

    >>> print(Range(1, 64), Range(0), Range(0, 1, "[)"), Above(0), Above(0, 1), Range(0, 1, "(]"), sep="; ")
    1 to 64; 0 or more; 0 or more, below 1; above 0; between 0 and 1; above 0, at most 1
    """

    low: float
    high: float = math.inf
    ends: str = "[]"

    def __contains__(self, value: Any) -> bool:
        inside = self.low < value < self.high
        return inside or (value == self.low and self.ends[0] == "[") or (value == self.high and self.ends[1] == "]")

    def __format__(self, style: str) -> str:
        low, high = f"{self.low:{style}}", f"{self.high:{style}}"
        if self.high == math.inf:
            return f"{low} or more" if self.ends[0] == "[" else f"above {low}"
        phrases = {"[]": f"{low} to {high}", "()": f"between {low} and {high}", "(]": f"above {low}, at most {high}"}
        return phrases.get(self.ends, f"{low} or more, below {high}")

    def __str__(self) -> str:
        return format(self)


Above = partial(Range, ends="()")


@dataclass(frozen=True)
class Setting:
    """One field of a configuration, as it is given by ``--set name=value``."""

    name: str
    kind: type
    """int, float, bool or str."""
    rule: OneOf | Range | None
    default: object
    meaning: str
    """A phrase; empty where the class says none."""
    group: str
    """``network``, ``attention`` or ``training``."""

    @property
    def values(self) -> str:
        """What it may be, in words: ``whole number, 1 to 64``, or the values, as ``dot, general or concat``."""
        if isinstance(self.rule, OneOf):
            *most, last = self.rule.names
            return f"{', '.join(most)} or {last}" if most else last
        return f"{KINDS[self.kind].removeprefix('a ')}{f', {self.rule:,}' if self.rule else ''}"

    @property
    def help(self) -> str:
        """What it means, and in brackets what it may be, but for a switch."""
        return self.meaning if self.kind is bool and self.meaning else f"{self.meaning} ({self.values})".lstrip()

    def check(self, value: object) -> None:
        """Raise :class:`~memnet.errors.ConfigError` for what is not of the field's kind or breaks its rule."""
        if self.kind is float:  # JSON has whole numbers larger than any that torch calculates with
            fits = isinstance(value, int | float) and type(value) is not bool and abs(value) <= sys.float_info.max
        else:
            fits = type(value) is self.kind or isinstance(self.rule, OneOf)
        if not fits or (self.rule is not None and value not in self.rule):
            require(False, self.name, self.rule if fits else KINDS[self.kind], value)

    def parse(self, text: str) -> Any:
        """The value that is written so. Raises :class:`~memnet.errors.ConfigError`."""
        try:
            return {"true": True, "false": False}[text.lower()] if self.kind is bool else self.kind(text)
        except (KeyError, ValueError) as error:
            raise ConfigError(f"{self.name} must be {KINDS[self.kind]}, not {text!r}") from error


def written(value: object) -> str:
    """A value as it stands on the command line."""
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)


def require(condition: bool, name: str, expected: object, value: object) -> None:
    """Raise :class:`~memnet.errors.ConfigError` unless ``condition``."""
    if not condition:
        raise ConfigError(f"{name} must be {expected}, not {one_line(repr(value))}")


SETTINGS: dict[type, Mapping[str, Setting]] = {}  # what settings_of has looked up: thousands of configurations are made


def settings_of(kind: type) -> Mapping[str, Setting]:
    """Every field of a configuration's class, by its name."""
    if kind not in SETTINGS:
        SETTINGS[kind] = declared(kind)
    return SETTINGS[kind]


def declared(kind: type) -> Mapping[str, Setting]:
    """What the annotations of a class say, and those of the classes that it extends."""
    known: dict[str, list[Any]] = {}  # what the classes say of a field, the last one last
    for part in reversed(kind.__mro__):
        for name, annotation in inspect.get_annotations(part, eval_str=True).items():
            outer, *extras = typing.get_args(annotation) if hasattr(annotation, "__metadata__") else [annotation]
            if typing.get_origin(outer) is Literal:
                outer, extras = str, [OneOf(typing.get_args(outer)), *extras]
            known.setdefault(name, [vars(part).get("group", "network")]).extend([outer, *extras])

    def last(name: str, wanted: Any, otherwise: Any) -> Any:
        return next((extra for extra in known[name][:0:-1] if isinstance(extra, wanted)), otherwise)

    return {
        name: Setting(
            name, last(name, type, str), last(name, OneOf | Range, None), field.default, last(name, str, ""), known[name][0]
        )
        for name, field in ((field.name, field) for field in dataclasses.fields(kind))
    }
