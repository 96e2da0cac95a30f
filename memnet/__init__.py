"""Memory networks that answer questions about a story."""

from __future__ import annotations

from pathlib import Path as _Path
from typing import TYPE_CHECKING, Any

from memnet.version import VERSION

if TYPE_CHECKING:
    from memnet.api import Trained
    from memnet.ask.predictor import Predictor

__version__ = VERSION

# An installed package holds memnet/tasks; in a checkout the folder tasks/ lies beside memnet/.
_folder = _Path(__file__).parent
if not (_folder / "tasks").is_dir() and (_folder.parent / "tasks" / "text").is_dir():
    __path__.append(str(_folder.parent))


def load(name: _Path | str | None = None) -> Predictor:
    """A trained network that answers questions: a run's folder, the id of one on the Hugging Face hub, or the package's own.

    Raises :class:`~memnet.errors.NetworkError`, which says what is missing or broken.
    """
    from memnet import plugins
    from memnet.ask.predictor import Predictor

    plugins.load_installed()
    return Predictor.from_name(name)


def train(*tasks: _Path | str, **options: Any) -> Trained:
    """Train a network on tasks: ``memnet.train("qa1", epochs=20)``; :func:`memnet.api.train` says which options there are."""
    from memnet import plugins
    from memnet.api import train

    plugins.load_installed()
    return train(*tasks, **options)
