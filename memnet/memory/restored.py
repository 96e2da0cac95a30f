"""What files of a memory lack, made again from those that are whole.

The text says where each sentence ends and what a retriever thinks of it; when and where it was said stands nowhere else.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from memnet.errors import NetworkError
from memnet.memory.checked import CheckedFolder
from memnet.memory.files import (
    AGAIN,
    DATA,
    END,
    ENDS,
    FORMAT,
    HEAD,
    MARK,
    NOTE,
    NOTES,
    SCORE,
    SCORES,
    SOURCES,
    STRUCK,
    TEXT,
    TIMES,
    Extent,
    blocks,
    mapped,
    plain_file,
)
from memnet.memory.notes import whole_labels
from memnet.memory.struck import crc_of

Judge = Callable[[list[str]], np.ndarray]  # the scores of sentences


class Restored(NamedTuple):
    """What a memory comes to: ``unnoted`` is the number of sentences of which a time, a source or a line is lost."""

    extent: Extent
    lacking: list[str]
    unnoted: int


def restore(files: CheckedFolder, claimed: Extent, judge: Judge) -> Restored | None:
    """Write what files lack of what a head claims; ``None`` where they are whole, or cannot be made again.

    The head is to be written after it. For the process that holds the folder. Raises
    :class:`~memnet.errors.NetworkError` where the text is another than the head says.
    """
    sizes, lengths = claimed.sizes(), files.lengths()
    lacking = [name for name in DATA if lengths[name] < sizes[name]]
    if not {*lacking} - {TEXT, STRUCK}:
        return None
    size = min(lengths[TEXT], claimed.bytes)
    if ENDS in lacking:
        write(files, ENDS, line_ends(files, size)[: claimed.sentences])
    ends = mapped(files.folder / ENDS, END, min(claimed.sentences, files.lengths()[ENDS] // END.itemsize))
    number = int(np.searchsorted(ends, np.uint64(size), "right"))
    struck = min(claimed.struck, lengths[STRUCK] // MARK.itemsize)
    marks = files.read_marks(Extent(number, struck=struck))
    if TEXT not in lacking and crc_of(files.text_blocks(0, size, marks.wiped)) != claimed.crc32[DATA.index(TEXT)]:
        raise NetworkError(f"{files.folder / TEXT} does not fit {HEAD}, it was changed; {AGAIN}")
    known = min(number, lengths[SCORES] // SCORE.itemsize)
    if known < number:
        scores = [mapped(files.folder / SCORES, SCORE, known).copy()]
        scores += [np.asarray(judge(piece), SCORE) for piece in files.text(known, number)]
        write(files, SCORES, np.concatenate(scores))
    labels = {name: whole_labels(files.folder, name, min(lengths[name], sizes[name])) for name in (TIMES, SOURCES)}
    unnoted = keep_notes(files, number, labels)
    end = int(ends[number - 1]) if number else 0
    extent = Extent(number, end, times=labels[TIMES], sources=labels[SOURCES], struck=struck)
    extent, _ = files.measured(Extent(), 0, extent, FORMAT, marks)
    return Restored(extent._replace(whole=min(claimed.whole, number)), lacking, unnoted)


def keep_notes(files: CheckedFolder, number: int, labels: dict[str, int]) -> int:
    """Keep what is noted of so many sentences, as far as it is known; of how many something is not."""
    known = min(number, files.lengths()[NOTES] // NOTE.itemsize)
    notes = np.zeros(number, NOTE)
    notes[:known] = mapped(files.folder / NOTES, NOTE, known)
    beyond = {"when": notes["when"] > labels[TIMES], "source": notes["source"] > labels[SOURCES]}
    for column, lost in beyond.items():
        notes[column][lost] = 0
    unnoted = number - known + int((beyond["when"] | beyond["source"]).sum())
    if unnoted:
        write(files, NOTES, notes)
    return unnoted


def line_ends(files: CheckedFolder, size: int) -> np.ndarray:
    """Where each line of the text ends, in bytes, of the first ``size``."""
    found, place = [np.zeros(0, END)], 0
    with plain_file(files.folder / TEXT) as file:
        for block in blocks(file, 0, size):
            found.append((np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n")) + 1 + place).astype(END))
            place += len(block)
    return np.concatenate(found)


def write(files: CheckedFolder, name: str, records: np.ndarray) -> None:
    """A file of records, on the disk when this ends."""
    with plain_file(files.folder / name, "r+b") as file:
        file.write(records.tobytes())
        file.truncate()
        file.flush()
        os.fsync(file.fileno())
