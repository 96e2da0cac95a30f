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
from collections.abc import Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from memnet.errors import ConfigError

GROUP = "memnet.plugins"
LOADED: list[Path] = []  # files, which the workers of a sweep load too
INSTALLED: set[Path] = set()  # the modules that installed packages declare


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
    before = families()
    try:
        importlib.import_module(name)
        check_registries(before)
    except (Exception, SystemExit) as error:
        sys.path.remove(str(path.parent))
        raise ConfigError(f"{path} cannot be loaded: {type(error).__name__}: {error}") from error
    LOADED.append(path)


def load_installed() -> None:
    """Import what installed packages declare. Raises :class:`~memnet.errors.ConfigError`."""
    for point in entry_points(group=GROUP):
        before = families()
        try:
            point.load()
            check_registries(before)
        except (Exception, SystemExit) as error:
            raise ConfigError(f"the plugin {point.name} ({point.value}) cannot be loaded: {error}") from error
        module = sys.modules.get(point.value.partition(":")[0])
        INSTALLED.update(Path(file) for file in [getattr(module, "__file__", None)] if file and file.endswith(".py"))


def families() -> dict[str, Any]:
    """The families of data sets so far; none where nobody has imported them."""
    module = sys.modules.get("memnet.tasks.families")
    return dict(module.FAMILIES) if module is not None else {}


def check_families(before: Mapping[str, Any]) -> None:
    """That families are such, under their names, and take nobody else's. Raises TypeError or ValueError."""
    from memnet.tasks.families import ALL, FAMILIES, PACKAGED, SHORT, Family, members_of

    there, members = {**PACKAGED, **before}, members_of(name for name in SHORT if name in FAMILIES)
    for name, family in FAMILIES.items():
        if not isinstance(family, Family):
            raise TypeError(f"FAMILIES[{name!r}] must be a Family, not {family!r}")
        if family.name != name:
            raise ValueError(f"FAMILIES[{name!r}] is a family called {family.name!r}; give it one name")
        if there.get(name, family) is not family:
            raise ValueError(f"FAMILIES[{name!r}] is another family already; give the plugin's another name")
        if name == ALL or name in members:
            raise ValueError(f"FAMILIES[{name!r}] has the name of data sets; give it another")


def check_registries(before: Mapping[str, Any]) -> None:
    """That the registries hold what they must. Raises TypeError or ValueError, which says what is wrong with which entry.

    A plugin of tasks alone brings no network, and is not made to bring torch: what nobody has imported has no new entry.
    ``before`` has the families that were there before the plugin.
    """
    if "memnet.tasks.families" in sys.modules:
        check_families(before)
    if "memnet.config.parts" in sys.modules:
        from memnet.config.parts import ALIGNS, READS, SCORES, Kind

        for registry, entries in (("SCORES", SCORES), ("ALIGNS", ALIGNS), ("READS", READS)):
            for name, entry in entries.items():
                if not isinstance(entry, Kind):
                    raise TypeError(f"{registry}[{name!r}] must be a Kind, which says how it is made, not {entry!r}")
    if "memnet.models" in sys.modules:
        from memnet.models import MODELS
        from memnet.papers import PRESETS

        for name in [name for name in MODELS.data if not MODELS.of_package(name)]:
            check_network(name, MODELS[name])
        owners: dict[type, str] = {}
        for name, settings in MODELS.configs.items():
            if owners.setdefault(settings, name) != name:
                raise ValueError(
                    f"the models {owners[settings]} and {name} share the settings {settings.__name__}, by which a preset's "
                    "model is known: give each a Config class of its own"
                )
        for name, config in PRESETS.items():
            if type(config) not in owners:
                raise TypeError(f"PRESETS[{name!r}] must be the settings of a model in MODELS, not {type(config).__name__}")


def check_network(name: str, kind: type) -> None:
    """That a plugin's entry is a network whose presets there are. Raises TypeError or ValueError."""
    from memnet.models import Network
    from memnet.papers import PRESETS

    if not (isinstance(kind, type) and issubclass(kind, Network)):
        raise TypeError(f"MODELS[{name!r}] must be a class that extends Network, not {kind!r}")
    if missing := [preset for preset in kind.presets if preset not in PRESETS]:
        raise ValueError(f"MODELS[{name!r}] names the preset {missing[0]!r}, which PRESETS lacks")
