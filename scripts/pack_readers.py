"""Write the small readers of the package as what differs from those that they began with, which makes its wheel smaller.

python scripts/pack_readers.py            after a reader was published
python scripts/pack_readers.py --whole    before one is: the readers that began with another one are written whole again
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

from memnet.ask.english import FOLDER as ENGLISH
from memnet.ask.hub import BUNDLED
from memnet.memory.entrywise.ranked.relevance import NETWORK as RANKED
from memnet.memory.entrywise.reader import FOLDER as ENTRIES
from memnet.memory.tables.ranked.column_reader import FOLDER as COLUMNS
from memnet.reading.answers import TrainedReader
from memnet.reading.differences import BASE, write_difference
from memnet.reading.kinds import CONFIG

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
    order = [*reversed(READERS)] if given.whole else [*READERS]  # nothing is written before what began with it was read
    for folder in order:
        is_difference = BASE in json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        if given.whole and is_difference:
            TrainedReader.load(folder).save(folder)
            print(folder)
        elif not given.whole and not is_difference:
            base, layers, levels = READERS[folder]
            write_difference(folder, Path(os.path.relpath(base, folder)).as_posix(), layers, levels)
            print(folder)


if __name__ == "__main__":
    main()
