"""A file of settings for ``--config``, as TOML: a line a setting, such as ``epochs = 20``, and ``preset`` or ``model``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from memnet.config import Training, check_names, parse_settings
from memnet.errors import ConfigError

WHOSE = ("model", "preset")


class SettingsFile(NamedTuple):
    """What a file says."""

    path: Path
    values: Mapping[str, Any]  # by setting
    model: str | None = None
    preset: str | None = None

    def settings(self, kind: type[Training]) -> dict[str, Any]:
        """The settings as values of the fields of a model's configuration.

        Raises :class:`~memnet.errors.ConfigError`, which names the file and the key.
        """
        pairs = [f"{name}={str(value).lower() if isinstance(value, bool) else value}" for name, value in self.values.items()]
        try:
            check_names(self.values, kind)
            return parse_settings(pairs, kind)
        except ConfigError as error:
            raise ConfigError(f"{self.path}: {error}") from error


def read_settings(path: Path) -> SettingsFile:
    """Read a file of settings. Raises :class:`~memnet.errors.ConfigError`, which names the file and the line or the key."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError as error:
        raise ConfigError(f"{path} is missing; --config names a TOML file of settings") from error
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not TOML: {error}; expected lines such as epochs = 20") from error
    for name, value in found.items():
        if isinstance(value, dict):
            raise ConfigError(f"{path}: take the line [{name}] away; settings stand in no section, as in epochs = 20")
        if not isinstance(value, str | int | float | bool):
            raise ConfigError(f"{path}: {name} must be a number, true or false, or a word, not {value!r}")
    for name in WHOSE:
        if not isinstance(found.get(name, ""), str):
            raise ConfigError(f"{path}: {name} must be a name in quotes, not {found[name]!r}")
    whose = {name: found.pop(name, None) for name in WHOSE}
    return SettingsFile(path, found, **whose)
