"""Write the small readers of the package as what differs from those that they began with, which makes its wheel smaller.

python scripts/pack_readers.py            after a reader was published
python scripts/pack_readers.py --whole    before one is: all are written whole again, in 16 bits
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from memnet.ask.english import FOLDER as ENGLISH
from memnet.ask.hub import BUNDLED
from memnet.errors import ConfigError, NetworkError
from memnet.memory.entrywise.ranked.relevance import NETWORK as RANKED
from memnet.memory.entrywise.reader import FOLDER as ENTRIES
from memnet.memory.tables.ranked.column_reader import FOLDER as COLUMNS
from memnet.reading.answers import TrainedReader
from memnet.reading.differences import BASE, check_free, known_of, write_difference, write_whole

FIRST_AND_HOPS, ALL = (0, 1, 7, 8), (0, 1, 2, 3)
READERS: dict[Path, tuple[Path, tuple[int, ...], int]] = {  # what each began with, which layers of it, and levels
    ENTRIES: (BUNDLED / ENGLISH, FIRST_AND_HOPS, 4),
    RANKED: (ENTRIES, ALL, 3),
    COLUMNS: (BUNDLED / ENGLISH, FIRST_AND_HOPS, 3),
}


def main() -> None:
    """Read the argument and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--whole", action="store_true")
    given = parser.parse_args()
    try:
        for folder in [*reversed(READERS)] if given.whole else [*READERS]:  # what others began with is written last, or first
            rewrite(folder, given.whole)
    except (ConfigError, NetworkError) as error:
        parser.error(str(error))


def rewrite(folder: Path, whole: bool) -> None:
    """Write a reader whole or as a difference, where it is not so already. Raises what these do."""
    TrainedReader.load(folder)  # what began with another reader than is there now is refused
    is_difference = BASE in known_of(folder)
    if whole and is_difference:
        write_whole(folder)
        print(folder)
    elif not whole and not is_difference:
        check_free(folder)
        base, layers, levels = READERS[folder]
        write_difference(folder, Path(os.path.relpath(base, folder)).as_posix(), layers, levels)
        print(folder)


if __name__ == "__main__":
    main()
