"""Memory networks that answer questions about a story."""

from __future__ import annotations

import sys as _sys
from importlib.machinery import ModuleSpec as _ModuleSpec
from importlib.util import spec_from_file_location as _spec_from_file
from pathlib import Path as _Path
from typing import TYPE_CHECKING, Any

from memnet.version import VERSION

if TYPE_CHECKING:
    from memnet.api import Trained
    from memnet.ask.predictor import Predictor
    from memnet.memory import Memory as Memory

__version__ = VERSION

_TASKS = _Path(__file__).parent.parent / "tasks" / "__init__.py"


class _TasksOfCheckout:
    """An installed package holds memnet/tasks; in a checkout the folder tasks/ beside memnet/ is found as memnet.tasks."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> _ModuleSpec | None:
        return _spec_from_file(name, _TASKS) if name == "memnet.tasks" and _TASKS.is_file() else None


_sys.meta_path.append(_TasksOfCheckout)


def load(name: _Path | str | None = None, sure: float = 0.0) -> Predictor:
    """A trained network that answers questions: a run's folder, the id of one on the Hugging Face hub, or the package's own.

    An answer whose probability is below ``sure`` is not given. Raises :class:`~memnet.errors.NetworkError`, which says what is
    missing or broken.
    """
    from memnet import plugins
    from memnet.ask.predictor import Predictor

    plugins.load_installed()
    return Predictor.from_name(name, sure)


def train(*tasks: _Path | str, **options: Any) -> Trained:
    """Train a network on tasks: ``memnet.train("my_stories", epochs=20)``; :func:`memnet.api.train` has the options."""
    from memnet import plugins
    from memnet.errors import missing_extra

    try:
        from memnet.api import train
    except ModuleNotFoundError as error:
        if missing := missing_extra(error, "training"):
            raise ImportError(missing) from error
        raise
    plugins.load_installed()
    return train(*tasks, **options)


def __getattr__(name: str) -> Any:
    """The class :class:`memnet.Memory`, imported where it is asked for: it brings numpy and the networks."""
    if name == "Memory":
        from memnet.memory.memory import Memory

        return Memory
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
