"""Memory networks that answer questions about a story."""

from __future__ import annotations

from pathlib import Path as _Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memnet.answer import Answerer

__version__ = "0.1.0"

# An installed package holds memnet/tasks; in a checkout the folder tasks/ lies beside memnet/.
_folder = _Path(__file__).parent
if not (_folder / "tasks").is_dir() and (_folder.parent / "tasks" / "text.py").is_file():
    __path__.append(str(_folder.parent))


def load(name: _Path | str | None = None) -> Answerer:
    """A trained network that answers questions: a run's folder, the id of one on the Hugging Face hub, or the package's own.

    Raises :class:`~memnet.checkpoint.NetworkError`, which says what is missing or broken.
    """
    from memnet.answer import Answerer

    return Answerer.named(name)
