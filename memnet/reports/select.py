"""The one selection of rows from the record: those of declared runs, and the columns of anybody's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter

from memnet.config import Training, override, parse_settings
from memnet.errors import ConfigError, NetworkError
from memnet.papers import COLUMNS, PRESETS
from memnet.papers.declare import Runs
from memnet.record.runs import Row, families, is_joint, labels
from memnet.training.spec import config_hash

Key = tuple[str, ...]
KEY = ("preset", "config", "data", "seed", "restarts")


def config_of(preset: str, settings: str = "") -> Training:
    """A preset with settings as the record has them. Raises :class:`~memnet.errors.ConfigError`."""
    return override(PRESETS[preset], parse_settings(settings.split(), type(PRESETS[preset])))


def hash_of(preset: str, settings: str) -> str:
    """The hash of that configuration as it would be trained today; empty where there is no such setting any more."""
    try:
        return config_hash(config_of(preset, settings))
    except ConfigError:
        return ""


def configs_of(part: Runs) -> dict[str, Training]:
    """Each preset of runs with the changes."""
    return {name: override(PRESETS[name], parse_settings(part.settings, type(PRESETS[name]))) for name in part.presets}


def with_restarts(runs: Iterable[Runs]) -> Iterator[Runs]:
    """Runs with the restarts that their presets' columns declare, where they name none themselves."""
    for part in runs:
        groups: dict[int | None, list[str]] = {}
        for preset in part.presets:
            column = COLUMNS.get((preset, part.family))
            groups.setdefault(part.restarts or (column.restarts if column else None), []).append(preset)
        for restarts, presets in groups.items():
            yield replace(part, presets=tuple(presets), restarts=restarts)


def keys_of(part: Runs) -> list[Key]:
    """What the rows of declared runs have in the columns :data:`KEY`."""
    return [
        (preset, hashed, data, str(part.seed), str(declared.restarts or config.default_restarts))
        for declared in with_restarts([part])
        for preset, config in configs_of(declared).items()
        for hashed in [config_hash(config)]
        for data in part.data
    ]


def select(rows: Iterable[Row], *runs: Runs) -> list[Row]:
    """The rows of declared runs, in their order on record."""
    wanted = {key for part in runs for key in keys_of(part)}
    presets = {key[0] for key in wanted}
    return [row for row in rows if row["preset"] in presets and itemgetter(*KEY)(row) in wanted]


def needed(rows: Iterable[Row], report: str, *runs: Runs) -> list[Row]:
    """The same, all of them. Raises :class:`~memnet.errors.NetworkError` where a run is lacking or there twice."""
    found, wanted = select(rows, *runs), {key for part in runs for key in keys_of(part)}
    number, said = sum(int(key[-1]) for key in wanted), " ".join((*dict.fromkeys(runs[0].presets), *runs[0].settings))
    if len(found) > number:
        raise NetworkError(
            f"{len(found)} networks of {said} are on record instead of {number}; they learned from different texts"
        )
    if len(found) < number:
        raise NetworkError(
            f"{len(found)} networks of {said} are there instead of {number}; 'memnet reproduce {report}' makes the others, "
            "with --results in a file of your own"
        )
    return found


def with_changes(
    rows: Iterable[Row], part: Runs, changes: Mapping[str, Sequence[str]], report: str
) -> dict[tuple[str, str], Row]:
    """The chosen networks of runs with each of some changes of their settings, by the change's name and the data set."""
    rows, found = list(rows), {}
    for name, settings in changes.items():
        for row in needed(rows, report, replace(part, settings=(*part.settings, *settings))):
            if row["chosen"] == "1":
                found[name, labels(row)[0]] = row
    return found


def columns_of(
    rows: Iterable[Row], family: str, seed: int = 0, presets: Sequence[str] | None = None, changed: bool = False
) -> list[list[Row]]:
    """The rows of each column of a table of anybody's runs of one family: presets as they stand, then ``changed`` settings.

    One column for each number of restarts, and for each set of data that one network learned together. Of ``presets`` that
    are named, in their order, runs of some data sets with other restarts than those of more are left out.
    """
    found: dict[tuple[str, str], list[Row]] = {}
    wanted = [name for name in presets or PRESETS if name in PRESETS]
    for row in (row for row in rows if row["preset"] in wanted and row["seed"] == str(seed)):
        if (changed or not row["settings"]) and families(row) == {family}:
            found.setdefault((row["preset"], row["settings"]), []).append(row)
    columns: list[list[Row]] = []
    for preset in wanted:
        for settings in sorted((settings for name, settings in found if name == preset), key=bool):
            groups: dict[tuple[str, str], list[Row]] = {}
            config = hash_of(preset, settings)
            for row in (row for row in found[preset, settings] if row["config"] == config):
                groups.setdefault((row["data"] if is_joint(row) else "", row["restarts"]), []).append(row)
            covered = {key: {row["data"] for row in group} for key, group in groups.items()}
            single = [data for (joint, _), data in covered.items() if not joint]
            less = {key for key, data in covered.items() if presets and not key[0] and any(data < more for more in single)}
            columns += [group for key, group in groups.items() if key not in less]
    return columns


def no_run(
    path: object, rows: Sequence[Row], wanted: Sequence[str], seed: int, presets: Sequence[str], what: str
) -> NetworkError:
    """The error that says why there is no column of some families; ``what`` says which runs would do."""
    needs = "one of a plugin needs memnet --plugin FILE"
    if unknown := [preset for preset in presets if preset not in PRESETS]:
        return NetworkError(f"there is no preset {unknown[0]!r}; 'memnet presets' lists them, and {needs}")
    there = [row for row in rows if families(row) <= {*wanted} and row["seed"] == str(seed)]
    if not presets and (foreign := sorted({row["preset"] for row in there} - PRESETS.keys())):
        return NetworkError(f"{path} has runs of {', '.join(foreign)} alone, a preset that is not known here: {needs}")
    named = f" of {', '.join(presets)}" if presets else ""
    return NetworkError(
        f"{path} has no run{named}{what}, on {' or '.join(wanted)} with seed {seed}; 'memnet sweep' makes "
        "them where the data is at hand ('memnet data fetch')"
    )
