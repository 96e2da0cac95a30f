"""What made a measurement: the code, the machine, the versions and the command."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

from memnet.record.provenance import asking_hash, code_hash, versions

NOT_RECORDED = "not recorded"


@dataclass(frozen=True)
class Maker:
    """What made a measurement; of a file from before all of this was kept, what the history of the file says."""

    code: str = NOT_RECORDED
    machine: str = NOT_RECORDED
    memnet: str = NOT_RECORDED
    torch: str = NOT_RECORDED
    numpy: str = NOT_RECORDED
    python: str = NOT_RECORDED
    command: str = NOT_RECORDED
    asking: str = NOT_RECORDED  # hash of the packages and networks that answer

    @classmethod
    def here(cls, asking: tuple[str, ...] = ()) -> Maker:
        """This code, on this machine, in the command that is running; ``asking`` are the packages that answer."""
        program, *arguments = sys.argv
        name = ["memnet"] if Path(program).name in ("memnet", "__main__.py") else ["python", program]
        made = cls(code_hash(), command=shlex.join(map(anywhere, [*name, *arguments])), **versions())
        return replace(made, asking=asking_hash(asking)) if asking else made


def anywhere(argument: str) -> str:
    """An argument of a command without where a file or a folder lies on this machine.

    >>> anywhere("/"), anywhere("/home/ann/log.txt"), anywhere("--data=/"), anywhere("results/open.csv"), anywhere("128k")
    ('FOLDER', 'log.txt', '--data=FOLDER', 'results/open.csv', '128k')
    """
    option, mark, value = argument.rpartition("=") if argument.startswith("-") else ("", "", argument)
    place = Path(value)
    return f"{option}{mark}{'FOLDER' if place.is_dir() else place.name}" if place.is_absolute() else argument


*_, ANSWERED_BY = EVERY = tuple(Maker.__dataclass_fields__)
MAKER = EVERY[:-1]  # in every file
HERE = Maker("here")


def columns_of(makers: Collection[Maker]) -> Collection[str]:
    """The columns of a file for what made its lines, none for figures that are printed; the last where it was recorded."""
    recorded = any(one.asking != NOT_RECORDED for one in makers)
    return () if not makers else EVERY if recorded else MAKER
