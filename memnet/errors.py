"""Errors that a person can act on: what was expected, where, and what to do."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

NEAREST = 2  # names offered in place of one that there is not


class ConfigError(ValueError):
    """A setting is unknown or its value impossible; the message says what is expected."""


class NetworkError(ValueError):
    """A network's folder is missing, foreign or broken; the message says which file and why."""


class TrainingError(RuntimeError):
    """Training cannot start, go on or give a network; the message says what to do."""


class DivergedError(TrainingError):
    """The loss of every restart stopped being finite; the message says which setting to change."""


class BusyError(TrainingError):
    """Another process is training in the run's folder."""


class AskError(ValueError):
    """A question cannot be answered; the message says why, to the person who asked."""


def hint(name: str, known: Iterable[str], otherwise: str, synonyms: Mapping[str, Sequence[str]] = MappingProxyType({})) -> str:
    """What helps where ``name`` is none of those ``known``: its ``synonyms`` or the nearest, or what is said ``otherwise``.

    >>> hint("hop", ["hops", "dim"], "there are hops, dim")
    "did you mean 'hops'?"
    >>> hint("linear_strat", ["linear_start", "linear_until"], "")
    "did you mean 'linear_start' or 'linear_until'?"
    >>> hint("learning_rate", ["lr", "dim"], "", {"learning_rate": ("lr", "rate")})
    "did you mean 'lr'?"
    """
    known = list(known)
    near = [synonym for synonym in synonyms.get(name, ()) if synonym in known] or difflib.get_close_matches(
        name, known, NEAREST
    )
    return f"did you mean {' or '.join(map(repr, near))}?" if near else otherwise


def counted(number: int, noun: str) -> str:
    """How many there are of a thing, whose plural ends in s.

    >>> counted(1, "question"), counted(2_000, "run")
    ('1 question', '2,000 runs')
    """
    return f"{number:,} {noun}{'s' * (number != 1)}"


def no_file(path: str | os.PathLike[str], name: str = "") -> str:
    """Why no file can be read there, in the words of every command; it is called ``name``, or as its path.

    >>> no_file("none.txt"), no_file(".")
    ('there is no file none.txt', '. is no file')
    """
    return f"{name or path} is no file" if os.path.exists(path) else f"there is no file {name or path}"


OF_TRAINING = ("torch", "sklearn", "scipy", "joblib", "jinja2", "datasets", "pyarrow")  # modules of the extra train


def missing_extra(error: BaseException, what: str = "this") -> str | None:
    """What to say where a module cannot be imported that the extra train brings; None for any other error."""
    name = (error.name or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
    return extra_needed(what, name.replace("sklearn", "scikit-learn"), "train") if name in OF_TRAINING else None


def extra_needed(what: str, package: str, extra: str) -> str:
    """What to say where a ``package`` of an extra is not installed: ``what`` needs it."""
    return f"{what} needs {package}, of the extra {extra}: pip install 'memnet-qa[{extra}]', or in a checkout '.[{extra}]'"
