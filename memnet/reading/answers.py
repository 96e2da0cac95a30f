"""A trained reader that answers: text in, an answer with its probability, its evidence and, where there is none, why.

reader = TrainedReader.load(folder)
reader.answer(["Ann took the lamp.", "She went to the attic."], "Where is the lamp?")
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memnet.errors import NetworkError
from memnet.files import write_arrays, write_json
from memnet.infer.attention import likeliest, normalized
from memnet.packing import packed
from memnet.reading.arrays import Arrays, Told
from memnet.reading.differences import BASE, whole_weights
from memnet.reading.in_numpy import Reader
from memnet.reading.kinds import ANSWERS, CONFIG, MODEL, REASONS, SPANS, WIDEST, ReaderConfig
from memnet.reading.spans import JOINING, Span, apart, plain, unlike, with_quotes
from memnet.reading.speaker import for_asker, in_small
from memnet.reading.tokens import encode, in_plain_case, is_strange_name
from memnet.reading.wording import Wording
from memnet.reading.words import Words
from memnet.tasks.text.english import of_class
from memnet.tasks.text.placed_sentences import Sentence, sentences
from memnet.tasks.text.tokens import split

MOST_READ = 24  # sentences that are read for one question; of longer stories those that have most to do with it
MANY, AGAIN = 14, 7  # where more sentences than the first are read, the second so many of them are read again
MOST_WORDS = 600  # of these sentences together
NONE_FROM = 0.35  # from this probability on that the story does not tell it, that is the answer
BITS = 5  # of a saved weight
CANDIDATES = 40  # spans that are looked at
KEPT = 4  # stories that were read are kept for other questions, some megabytes each
SENTENCES = 1 << 12  # whose lemmas are kept
UNTOLD = ANSWERS.index("untold")


@dataclass(frozen=True)
class Reply:
    """What a reader answers. ``kind``: "span", "yes", "no", "maybe", "number", "nothing" or "untold"."""

    kind: str
    text: str
    probability: float  # that it is right
    untold: float  # that the story does not tell it
    reason: str  # one of REASONS: what the story does not say, where it does not tell it
    reads: tuple[float, ...]  # how much of its evidence stands in each statement
    spans: tuple[str, ...] = ()
    runners_up: tuple[tuple[str, float], ...] = ()


class TrainedReader:
    """A reader with its words."""

    def __init__(self, reader: Reader, words: Words, metadata: dict[str, Any] | None = None) -> None:
        self.reader, self.words, self.metadata = reader, words, metadata or {}
        self.read = lru_cache(KEPT)(lambda told: self.reader.read(told.arrays))
        self.sentences = lru_cache(KEPT)(sentences)
        self.slope, self.shift = map(float, self.metadata.get("calibration", (1.0, 0.0)))

    @classmethod
    def load(cls, folder: Path) -> TrainedReader:
        """From a folder that :meth:`save` wrote. Raises :class:`~memnet.errors.NetworkError`."""
        try:
            metadata = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
            words = Words.load()
            config = ReaderConfig(**metadata["reader"])
            reader = Reader(config, words.vectors, whole_weights(folder, metadata))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise NetworkError(f"{folder} holds no reader that can be opened: {error}") from error
        return cls(reader, words, {name: value for name, value in metadata.items() if name != BASE})

    def save(self, folder: Path) -> None:
        """Weights in :data:`BITS` bits, vectors in 16, and what is known of them."""
        folder.mkdir(parents=True, exist_ok=True)
        write_arrays(folder / MODEL, packed(self.reader.weights, BITS))
        write_json(folder / CONFIG, {**self.metadata, "reader": self.reader.config.as_dict()})

    def answer(self, statements: Sequence[str], question: str, runners_up: int = 3) -> Reply:
        """Answer a question about statements, oldest first.

        Where these are many, those that it read most are read again, alone.
        """
        told = self.sentences(tuple(statements))
        asked = split(question)
        chosen = related(told, asked, self.words, MOST_READ)
        while sum(len(told[place].words) for place in chosen) > MOST_WORDS:
            chosen = related(told, asked, self.words, len(chosen) // 2)
        read = [told[place] for place in chosen]
        reply = self._reply(read, asked, len(statements), runners_up)
        if len(read) > MANY:
            best = set(sorted(range(len(statements)), key=lambda number: -reply.reads[number])[:AGAIN])
            read = [sentence for sentence in read if sentence.statement in best]
            reply = self._reply(read, asked, len(statements), runners_up)
        return reply

    def _reply(self, read: Sequence[Sentence], asked: Sequence[str], statements: int, runners_up: int) -> Reply:
        """Read sentences, of so many statements, and answer: the mean of two readings.

        The markers have other directions in each. In the second, names that no vector is known of are read as known ones.
        """
        told, questions = [sentence.words for sentence in read], [(asked, len(read))]
        encoded = encode(told, questions, self.words)
        strange = any(is_strange_name(word, self.words.find(word)) for said in (*told, asked) for word in said)
        other = encode(told, questions, self.words, renamed=True) if strange else encoded
        arrays = Arrays.of([encoded, other], np.random.default_rng(0), self.reader.config.marker_dim)
        output = self.reader(arrays, self.read(Told.of(arrays)))
        answer = normalized(output.answer[:, 0]).mean(0)
        reads = self._reads(np.exp(output.evidence[:, 0]).mean(0), encoded.statement, read, statements)
        spans = self._spans(np.exp(output.spans[:, 0]).mean(0), encoded.statement, encoded.starts, read, Wording(asked))
        reply = decide(answer, output.reason[:, 0].mean(0), spans, reads, runners_up)
        if reply.kind == "span":
            reply = replace(reply, reads=with_quotes(reads, [span.stands for span in spans if span.text in reply.spans]))
        return replace(reply, probability=self.calibrated(reply.probability)) if reply.kind != "untold" else reply

    def calibrated(self, probability: float) -> float:
        """How often answers of this probability are right, by a logistic fit (Platt 1999) on held-out stories."""
        inside = min(1 - 1e-6, max(1e-6, probability))
        return 1 / (1 + math.exp(-self.slope * math.log(inside / (1 - inside)) - self.shift))

    def _reads(
        self, evidence: NDArray[np.float32], places: NDArray[np.int16], read: Sequence[Sentence], statements: int
    ) -> tuple[float, ...]:
        found = [0.0] * statements
        for weight, place in zip(evidence, places, strict=True):
            found[read[place].statement] += float(weight)
        return tuple(found)

    def _spans(
        self,
        chance: NDArray[np.float32],
        sentence_of: NDArray[np.int16],
        starts: Sequence[int],
        read: Sequence[Sentence],
        wording: Wording,
    ) -> list[Span]:
        """The likeliest spans, the same text once, with their probabilities (S, WIDEST) among all."""
        if not read:
            return []
        flat = chance.reshape(-1)
        places = likeliest(flat, CANDIDATES)
        found: dict[str, Span] = {}
        for value, place in zip(flat[places].tolist(), places.tolist(), strict=True):
            first, more = divmod(place, WIDEST)
            number = int(sentence_of[first])
            begin = first - starts[number]
            said = read[number].words[begin : begin + more + 1]
            if len(said) <= more or {",", ";", ":"} & set(said):
                continue
            begin, end = wording.span(in_plain_case(read[number].words), begin, begin + more)
            said_before = read[number].words[begin - 1] if begin else ""
            text = wording.text(for_asker(in_small(read[number].quote(begin, end), begin), said_before))
            key = plain(text)
            beside = {*read[number].words[max(0, begin - 1) : begin], *read[number].words[end + 1 : end + 2]}
            earlier = found.get(key, Span(text, 0.0, {}, (number, begin, end), not beside.isdisjoint(JOINING)))
            where = read[number].statement
            stands = {**earlier.stands, where: earlier.stands.get(where, 0.0) + value}
            found[key] = earlier._replace(chance=earlier.chance + value, stands=stands)
        return sorted(found.values(), key=lambda one: -one.chance)


def decide(
    answer: NDArray[np.float32],
    reason: NDArray[np.float32],
    spans: Sequence[Span],
    reads: tuple[float, ...],
    runners_up: int,
) -> Reply:
    """The answer that is likeliest: a class, and where it is one of spans, as many of them as it says.

    None is given where the story may not tell it (:data:`NONE_FROM`), which a person would rather hear than a guess.
    """
    untold = float(answer[UNTOLD])
    best = UNTOLD if untold >= NONE_FROM else int(answer.argmax())
    name, chance = ANSWERS[best], float(answer[best])
    said: tuple[str, ...] = ()
    if best < len(SPANS):
        said = apart(spans, best + 1)
        if not said:
            name, chance = "untold", untold
        elif best == 0:
            chance = float(answer[: len(SPANS)].sum()) * min(1.0, spans[0].chance)
        kind = "span" if said else "untold"
    else:
        kind = "number" if name.isdigit() else name
    others = [(span.text, span.chance * float(answer[: len(SPANS)].sum())) for span in spans]
    classes = (place for place in range(len(SPANS), len(ANSWERS)) if place not in (best, UNTOLD))
    others += [(ANSWERS[place], float(answer[place])) for place in classes]
    others = list(islice(unlike(sorted(others, key=lambda one: -one[1]), said), runners_up))
    text = " and ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said) if said else name
    return Reply(
        kind,
        "" if kind == "untold" else text,
        chance,
        untold,
        REASONS[int(reason.argmax())],
        reads,
        said,
        tuple(others),
    )


def unmentioned(statements: Sequence[str], question: str, words: Words) -> list[str]:
    """Names of a question that no statement has: words with a capital that do not begin it, those together as one.

    "Aunt May" is there where May is; where all words have capitals they are no names.
    """
    told = {words.find(word).lemma for statement in statements for word in split(statement)}
    asked = [word for word in split(question) if word[0].isalpha()]
    if all(word[0].isupper() for word in asked) and len(asked) > 2:
        return []
    names: list[list[str]] = []
    before = False
    for place, word in enumerate(asked):
        is_name = place > 0 and word[0].isupper() and word != "I"
        if is_name:
            names = [*names[:-1], [*names[-1], word]] if before else [*names, [word]]
        before = is_name
    missing = ([word for word in name if words.find(word).lemma not in told] for name in names)
    return [" ".join(lacks) for name, lacks in zip(names, missing, strict=True) if lacks and lacks[-1] == name[-1]]


@lru_cache(SENTENCES)
def lemmas_of(texts: tuple[str, ...], words: Words) -> Mapping[str, float]:
    """The lemmas of a sentence, and how much each says."""
    return {found.lemma: found.weight for found in map(words.find, texts)}


def related(told: Sequence[Sentence], asked: Sequence[str], words: Words, most: int) -> list[int]:
    """Which sentences have most to do with a question, in order: those that share its rare words, the last of them
    before the first, and those that share the words of these; every one where there are no more than ``most``."""
    if len(told) <= most:
        return list(range(len(told)))
    lemmas = [lemmas_of(sentence.words, words) for sentence in told]
    seen, wanted = Counter(chain.from_iterable(lemmas)), dict(lemmas_of(tuple(asked), words))
    chosen: set[int] = set()
    for share in (0.5, 0.8, 1.0):  # of the places: by the question, then by what was found, twice
        scores = [
            sum(wanted[lemma] / math.sqrt(seen[lemma]) for lemma in each if lemma in wanted) + 0.05 * place / len(told)
            for place, each in enumerate(lemmas)
        ]
        order = sorted((place for place in range(len(told)) if place not in chosen), key=lambda place: -scores[place])
        for place in order:
            if len(chosen) >= share * most:
                break
            chosen.add(place)
            if place and len(chosen) < most and leans(told[place]):
                chosen.add(place - 1)
        for place in chosen:
            for lemma, weight in lemmas[place].items():
                wanted[lemma] = max(wanted.get(lemma, 0.0), 0.5 * weight)
    return sorted(chosen)


LEANING = of_class("he she it they him her them his hers its their there then that this afterwards")


def leans(sentence: Sentence) -> bool:
    """Whether a sentence has a word that means something said before."""
    return any(word.lower() in LEANING for word in sentence.words)
