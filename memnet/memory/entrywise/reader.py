"""A small reader of ordinary English that sees one entry of a log and a question: whether the entry answers it, and how.

    EntryReader.load().read(["Ann signed out PJ-03."], "Who has PJ-03?")   ->   relevance 0.98, "Ann" 0.99

It is a :class:`~memnet.reading.in_numpy.Reader` with four of nine layers, which learned from the events of log books
(``scripts/make_entry_reader.py``). Two of its classes mean something else here: "maybe" that the answer is the time of
the entry, a number that the entry is one of those that are counted.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from memnet.infer.attention import likeliest, normalized
from memnet.reading.answers import UNTOLD, TrainedReader
from memnet.reading.arrays import Arrays
from memnet.reading.kinds import ANSWERS, MOST_NUMBER, SPANS, WIDEST
from memnet.reading.tokens import encode
from memnet.tasks.text.tokens import WORD, split

FOLDER = Path(__file__).with_name("network")
YES, NO, NOTHING, TIME, COUNTED = "\0yes", "\0no", "\0nothing", "\0time", "\0counted"  # answers that are no span of the entry
CLASSES = {  # the places of what each means among a reader's answers
    YES: (ANSWERS.index("yes"),),
    NO: (ANSWERS.index("no"),),
    NOTHING: (ANSWERS.index("nothing"),),
    TIME: (ANSWERS.index("maybe"),),
    COUNTED: tuple(ANSWERS.index(str(number)) for number in range(MOST_NUMBER + 1)),
}
LABEL = re.compile(r"([A-Z]{2,8}):?\s+(?=\S)")
LABELS = 3  # entries that begin with a label, at least
TOGETHER = 48  # entries that are read at once
LOOKED_AT = 8  # spans of an entry
SLOPE, OFFSET = 3.0, 0.0  # of the logits of relevance; chosen on logs to develop with
LONGEST = 60  # words of an entry; those after them are not read
UNSURE = math.log(1e6)  # the greatest log-odds


class EntryReading(NamedTuple):
    """The probability that an entry answers a question (its relevance), and of the likeliest answers, if it does."""

    relevance: float
    answers: tuple[tuple[str, float], ...] = ()
    log_odds: float = -UNSURE  # that it answers it, of the entry alone


class EntryReader:
    """The reader of the package."""

    def __init__(self, trained: TrainedReader) -> None:
        self.reader, self.words = trained.reader, trained.words

    @staticmethod
    @cache
    def load(folder: Path = FOLDER) -> EntryReader:
        """From a folder of the package. Raises :class:`~memnet.errors.NetworkError`."""
        return EntryReader(TrainedReader.load(folder))

    def read(self, texts: Sequence[str], question: str) -> list[EntryReading]:
        """The reading of each text; texts of about one length are read in one batch."""
        words, asked = [split(text)[:LONGEST] for text in texts], split(question)
        order = [at for at in sorted(range(len(words)), key=lambda at: len(words[at])) if words[at]]
        found = dict[int, EntryReading]()
        for first in range(0, len(order), TOGETHER):
            part = order[first : first + TOGETHER]
            found.update(zip(part, self.read_part([texts[at] for at in part], [words[at] for at in part], asked), strict=True))
        return [found.get(at, EntryReading(0.0)) for at in range(len(texts))]

    def read_part(self, texts: Sequence[str], words: Sequence[Sequence[str]], asked: Sequence[str]) -> list[EntryReading]:
        """See :meth:`read`."""
        encoded = [encode([one], [(asked, 1)], self.words) for one in words]
        arrays = Arrays.of(encoded, np.random.default_rng(0), self.reader.config.marker_dim)
        arrays = arrays._replace(
            markers=np.broadcast_to(arrays.markers[:1], arrays.markers.shape)
        )  # the same markers in every row
        output = self.reader(arrays, self.reader.read(arrays))
        classes, spans = normalized(output.answer[:, 0]), np.exp(output.spans[:, 0])
        return [reading_of(*each) for each in zip(texts, classes, spans, strict=True)]


def without_labels(texts: Sequence[str]) -> list[str]:
    """Texts without a word in capitals that several of them begin with, a station or a level.

    >>> without_labels(["LAB Ann weighed it.", "LAB Bo left.", "LAB: all done", "ICU is full."])
    ['Ann weighed it.', 'Bo left.', 'all done', 'ICU is full.']
    """
    labels = Counter(label[1] for text in texts if (label := LABEL.match(text)))
    cut = {label for label, times in labels.items() if times >= LABELS}
    return [text[label.end() :] if (label := LABEL.match(text)) and label[1] in cut else text for text in texts]


def reading_of(text: str, classes: np.ndarray, spans: np.ndarray) -> EntryReading:
    """The reading of a text from the probabilities of a reader's classes and of its spans (S, WIDEST)."""
    answerable = 1.0 - float(classes[UNTOLD])
    answers = {name: float(classes[list(places)].sum()) for name, places in CLASSES.items()}
    of_spans, words = float(classes[: len(SPANS)].sum()), [(word.start(), word.end()) for word in WORD.finditer(text)]
    flat = spans.reshape(-1)
    places = likeliest(flat, LOOKED_AT)
    for place, chance in zip(places.tolist(), flat[places].tolist(), strict=True):
        first, more = divmod(place, WIDEST)
        if first + more < len(words):
            quoted = text[words[first][0] : words[first + more][1]]
            answers[quoted] = answers.get(quoted, 0.0) + of_spans * chance
    whole = max(answerable, 1e-9)
    best_first = tuple(sorted(((one, chance / whole) for one, chance in answers.items()), key=lambda one: -one[1]))
    log_odds = log_odds_of(answerable)
    return EntryReading(1 / (1 + math.exp(OFFSET - SLOPE * log_odds)), best_first, log_odds)


def log_odds_of(chance: float) -> float:
    """The log-odds of a probability, within bounds.

    >>> [round(log_odds_of(chance), 2) for chance in (0.0, 0.4, 0.95)]
    [-13.82, -0.41, 2.94]
    """
    least = math.exp(-UNSURE)
    inside = min(1 - least, max(least, chance))
    return math.log(inside / (1 - inside))
