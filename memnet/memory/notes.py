"""Where and when each sentence of a memory was said: a record a sentence, which points at times and sources, a line each."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np

from memnet.errors import ConfigError
from memnet.memory.files import NOTE, NOTES, SOURCES, TIMES, Extent, mapped, plain_file
from memnet.memory.values import Entry

LONGEST_LINE = (1 << 32) - 1  # the largest number of a line
TOO_MANY = "the names of its sources take more than 4 GB; begin another memory"


class Written(NamedTuple):
    """What is written of the notes of some sentences: their records, new times and new sources."""

    records: bytes
    times: bytes
    sources: bytes


class Notes:
    """Writes the notes of one memory; a time that goes on, and a source that was named, are written once."""

    def __init__(self, folder: Path, extent: Extent) -> None:
        """To go on after what counts."""
        self.places = dict[str, int]()  # of sources, plus one
        with plain_file(folder / SOURCES) as file:
            place = 0
            for line in file.read(extent.sources).split(b"\n")[:-1]:
                self.places.setdefault(line.decode(errors="replace"), place + 1)
                place += len(line) + 1
        records = mapped(folder / NOTES, NOTE, extent.sentences)
        self.when, self.last = "", 0  # the time that was written last, and its place
        if len(records) and (last := int(records[-1]["when"])):
            with plain_file(folder / TIMES) as file:
                self.when, self.last = label(file, last), last

    def written(self, piece: Sequence[Entry], times: int, sources: int) -> Written:
        """The notes of sentences, after so many bytes of times and of sources. Raises :class:`~memnet.errors.ConfigError`."""
        records = np.zeros(len(piece), NOTE)
        if not any(when or source or line for _, when, source, line in piece):
            return Written(records.tobytes(), b"", b"")
        new_times, new_sources, rows = list[bytes](), list[bytes](), list[tuple[int, int, int]]()
        for _, when, source, line in piece:
            when, source = (when or "").replace("\n", " "), source.replace("\n", " ")
            if when and when != self.when:
                new_times.append(when.encode() + b"\n")
                self.when, self.last, times = when, times + 1, times + len(new_times[-1])
            if source and source not in self.places:
                new_sources.append(source.encode() + b"\n")
                self.places[source], sources = sources + 1, sources + len(new_sources[-1])
                if sources > LONGEST_LINE:
                    raise ConfigError(TOO_MANY)
            rows.append((self.last if when else 0, self.places[source] if source else 0, min(max(line, 0), LONGEST_LINE)))
        records[:] = rows
        return Written(records.tobytes(), b"".join(new_times), b"".join(new_sources))


def label(file: BinaryIO, place: int) -> str:
    """A line of times or sources, of which a record has the place; nothing where the file ends before."""
    if not 0 < place <= os.fstat(file.fileno()).st_size:
        return ""
    file.seek(place - 1)
    return file.readline().decode(errors="replace").rstrip("\n")


def labels(folder: Path, name: str, size: int) -> Iterator[tuple[int, str]]:
    """Every time or every source, with the place that records have of it."""
    place = 1
    with plain_file(folder / name) as file:
        while place <= size:
            line = file.readline()
            yield place, line.decode(errors="replace").rstrip("\n")
            place += max(1, len(line))


def whole_labels(folder: Path, name: str, size: int) -> int:
    """How many bytes of a file of lines are of whole lines, of the first ``size``."""
    with plain_file(folder / name) as file:
        last, place = 0, 0
        while place < size and (line := file.readline(size - place)).endswith(b"\n"):
            place += len(line)
            last = place
        return last
