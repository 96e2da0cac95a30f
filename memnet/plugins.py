"""Models, scores, alignments, reads and tasks from outside the package.

A plugin is a Python file that puts entries into the registries as it is imported (docs/adding.md):

    from memnet.models import MODELS
    MODELS["mine"] = Mine

It is named by ``memnet --plugin FILE``, or an installed package declares it as an entry point of the group ``memnet.plugins``.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from importlib.metadata import entry_points
from pathlib import Path

from memnet.errors import ConfigError

GROUP = "memnet.plugins"
LOADED: list[Path] = []  # files, which the workers of a sweep load too


def load(path: Path) -> None:
    """Import a file; its folder is searched for modules from then on. Raises :class:`~memnet.errors.ConfigError`."""
    path = path.resolve()
    if path in LOADED:
        return
    name = path.stem
    if path.suffix != ".py" or not name.isidentifier():
        raise ConfigError(f"{path} is no plugin; expected a Python file such as my_model.py")
    if not path.is_file():
        raise ConfigError(f"{path} is missing; --plugin names a Python file")
    there = sys.modules.get(name) or importlib.util.find_spec(name)
    if there is not None and Path(getattr(there, "__file__", None) or getattr(there, "origin", None) or "") != path:
        raise ConfigError(f"{path} has the name of another module; give the file another")
    sys.path.insert(0, str(path.parent))
    try:
        importlib.import_module(name)
    except Exception as error:
        sys.path.remove(str(path.parent))
        raise ConfigError(f"{path} cannot be loaded: {type(error).__name__}: {error}") from error
    LOADED.append(path)


def load_installed() -> None:
    """Import what installed packages declare. Raises :class:`~memnet.errors.ConfigError`."""
    for point in entry_points(group=GROUP):
        try:
            point.load()
        except Exception as error:
            raise ConfigError(f"the plugin {point.name} ({point.value}) cannot be loaded: {error}") from error
