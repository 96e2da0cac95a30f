"""A story and its questions as numbers: what a reader sees of each word, and how each statement overlaps with each question.

    encoded = encode(statements, questions)       lists of words; a question with the statements told before it
    encoded.story      (S, 6)         a row a word: vector, embedding, ending, marker, capital, position; END ends a statement
    encoded.overlap    (Q, S, 8)      what each word of the story has to do with each question, :data:`OVERLAPS`

A marker stands for a lemma: equal words of one story have the same, whatever they are, and it means nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from memnet.reading.hiding import may_hide
from memnet.reading.words import ASK, END, UNKNOWN, Word, Words

ROW, EMBEDDING, ENDING, MARKER, CAPITAL, POSITION = range(6)
NAMES = ("tom", "anna", "ben", "lucy", "peter", "sarah", "david", "kate", "james", "emma", "paul", "laura")
LONGEST = 31  # places in a sentence that are distinct; those after the last share one
OVERLAPS = (
    "share",
    "rare share",
    "last mention",
    "similarity",
    "recency",
    "asked for",
    "asked for on the left",
    "asked for on the right",
)
SUMMARY = ("share", "rare share", "present", "absent")  # of a whole question
FADES = 0.65  # what a word of the question is worth one word further away


@dataclass(frozen=True)
class Encoded:
    """A story of S words in M statements and Q questions of W words in all."""

    story: NDArray[np.int32]  # (S, 6)
    statement: NDArray[np.int16]  # (S,) which statement each word is of
    weight: NDArray[np.float32]  # (S,) how much an equal word says
    questions: NDArray[np.int32]  # (W, 6) one question after another, each begins with ASK
    owner: NDArray[np.int16]  # (W,) which question each word is of
    present: NDArray[np.int16]  # (W,) 0 no word, 1 a word that the story lacks, 2 one that it has
    begin: NDArray[np.int16]  # (Q,) where each question begins
    after: NDArray[np.int16]  # (Q,) how many statements may be read
    overlap: NDArray[np.float32]  # (Q, S, 8)
    summary: NDArray[np.float32]  # (Q, 4)
    starts: tuple[int, ...]  # where each statement begins
    markers: int


class Markers:
    """Numbers for the lemmas of one story, from 1; in training now and then a word's vector is hidden.

    With ``renamed`` a word with a capital that has no vector is read as one of :data:`NAMES`, each as another.
    """

    def __init__(
        self, words: Words, hide: float = 0.0, random: Random | None = None, swap: float = 0.0, renamed: bool = False
    ) -> None:
        self.words, self.hide, self.random, self.swap, self.renamed = words, hide, random, swap, renamed
        self.swapped: dict[str, str] = {}
        self.names: dict[str, Word] = {}
        self.numbers: dict[str, int] = {}
        self.hidden: set[str] = set()
        self.weights: list[float] = [0.0]

    def row(self, text: str, position: int, capital: bool) -> tuple[list[int], Word]:
        """The six numbers of a word."""
        word = self.words.find(text)
        number = self.numbers.get(word.lemma)
        if number is None:
            number = self.numbers[word.lemma] = len(self.numbers) + 1
            self.weights.append(word.weight)
            if self.random is not None and word.embedding == 0 and self.random.random() < self.hide and may_hide(text):
                self.hidden.add(word.lemma)
        if word.lemma in self.hidden:
            word = word._replace(row=0, embedding=UNKNOWN)
        elif self.swap and self.random is not None and word.row and word.embedding == 0 and may_hide(text):
            other = self.words.find(self.instead(text.lower(), word.row, self.random))
            word = word if other.embedding else other._replace(lemma=word.lemma, weight=word.weight)
        elif self.renamed and is_strange_name(text, word):
            name = self.names.setdefault(word.lemma, self.words.find(NAMES[len(self.names) % len(NAMES)]))
            word = name._replace(lemma=word.lemma, weight=word.weight)
        return [word.row, word.embedding, word.ending, number, int(capital), min(position, LONGEST)], word

    def instead(self, text: str, row: int, random: Random) -> str:
        """The word in whose place this one stands in this story: itself, or now and then one whose vector is near."""
        if text not in self.swapped:
            swaps = random.random() < self.swap
            self.swapped[text] = self.words.texts[random.choice(self.words.near(row).tolist())] if swaps else text
        return self.swapped[text]


def is_strange_name(text: str, word: Word) -> bool:
    """Whether a text seems to be a name, and its word has no vector."""
    return word.row == 0 and text[0].isupper() and text.isalpha()


def is_shouted(words: Sequence[str]) -> bool:
    """Whether a sentence has no small letter, so that its capitals say nothing: "WHERE ARE MY KEYS".

    >>> is_shouted("WHO HAS IT ?".split()), is_shouted(["Ann", "left"]), is_shouted(["B", "12"]), is_shouted(["I"])
    (True, False, False, False)
    """
    long = [word for word in words if len(word) > 1 and word.isalpha()]
    return len(long) > 1 and all(map(str.isupper, long))


def in_plain_case(words: Sequence[str]) -> Sequence[str]:
    """The words of a sentence, in small letters where it :func:`is_shouted`."""
    return [word.lower() for word in words] if is_shouted(words) else words


def encode(
    statements: Sequence[Sequence[str]],
    questions: Sequence[tuple[Sequence[str], int]],
    words: Words,
    random: Random | None = None,
    hide: float = 0.0,
    lower: bool = False,
    swap: float = 0.0,
    renamed: bool = False,
) -> Encoded:
    """Statements and questions (words, how many statements were told before) as numbers.

    With ``random``, as training has them: with ``lower`` no capitals; of a share ``hide`` of words nothing but that they are
    equal; of a share ``swap`` the vector of a word that is near. With ``renamed`` names without a vector get those of others.
    """
    markers = Markers(words, hide, random, swap, renamed)
    story: list[list[int]] = []
    statement: list[int] = []
    starts: list[int] = []
    for number, told in enumerate(statements):
        starts.append(len(story))
        small = lower or is_shouted(told)
        for place, text in enumerate(told):
            capital = not small and text[0].isupper() and (place > 0 or random is None or random.random() < 0.5)
            story.append(markers.row(text, place + 1, capital)[0])
        story.append([0, END, 0, 0, 0, min(len(told) + 1, LONGEST)])
        statement += [number] * (len(told) + 1)
    rows: list[list[int]] = []
    owner: list[int] = []
    begin: list[int] = []
    for number, (asked, _) in enumerate(questions):
        begin.append(len(rows))
        rows.append([0, ASK, 0, 0, 0, 0])
        small = lower or is_shouted(asked)
        for place, text in enumerate(asked):
            capital = not small and text[0].isupper() and (place > 0 or random is None or random.random() < 0.5)
            rows.append(markers.row(text, place + 1, capital)[0])
        owner += [number] * (len(asked) + 1)
    of_story = np.array(story, np.int32).reshape(-1, 6), np.array(statement, np.int16), starts
    of_questions = np.array(rows, np.int32).reshape(-1, 6), np.array(owner, np.int16), begin
    return _compare(*of_story, *of_questions, np.array([told for _, told in questions], np.int16), markers)


@np.errstate(invalid="ignore")  # a product of small matrices of 0 and 1 sometimes warns of what its library read beyond them
def _compare(
    story: NDArray[np.int32],
    statement: NDArray[np.int16],
    starts: list[int],
    rows: NDArray[np.int32],
    owner: NDArray[np.int16],
    begin: list[int],
    after: NDArray[np.int16],
    markers: Markers,
) -> Encoded:
    weights = np.array(markers.weights, np.float32)
    many, count = len(weights), len(starts)
    told = np.zeros((many, count), np.float32)  # which markers each statement has
    told[story[:, MARKER], statement] = 1
    told[0] = 0
    asked = np.zeros((len(after), many), np.float32)  # which markers each question has, by what they say
    asked[owner, rows[:, MARKER]] = weights[rows[:, MARKER]]
    readable = (np.arange(count) < after[:, None]).astype(np.float32)  # (Q, M)
    seen = readable @ told.T  # (Q, markers) how many statements have it
    total = np.maximum(asked.sum(1, keepdims=True), 1e-3)
    share = asked @ told / total * readable
    rare = asked / np.sqrt(np.maximum(seen, 0.5))
    rare_share = rare @ told / np.maximum(rare.sum(1, keepdims=True), 1e-3) * readable
    mentioned = told * readable[:, None]  # (Q, markers, M)
    last = count - 1 - mentioned[:, :, ::-1].argmax(2)
    is_last = (np.arange(count) == last[..., None]) & (mentioned.max(2) > 0)[..., None]
    last_mention = np.einsum("qk,qkm->qm", asked, is_last.astype(np.float32)) / total
    there = (seen[owner, rows[:, MARKER]] > 0) & (rows[:, MARKER] > 0)
    similarity = (
        _similarity(story, statement, rows, owner, there, markers, (len(after), count))
        / np.maximum((asked > 0).sum(1, keepdims=True), 1)
        * readable
    )
    recency = np.clip(after[:, None] - 1 - np.arange(count), 0, 20) / 10.0
    in_question = np.where(story[:, MARKER] > 0, asked[:, story[:, MARKER]], 0.0)  # (Q, S)
    left, right = _on_both_sides(in_question, statement)
    by_statement = np.stack([share, rare_share, last_mention, similarity, recency], 2)[:, statement]  # (Q, S, 5)
    overlap = np.concatenate([by_statement, np.stack([in_question, left, right], 2)], 2).astype(np.float32)
    is_there = (asked * (seen > 0)).sum(1)
    absent = (asked * (seen == 0)).sum(1)
    summary = np.stack(
        [share.max(1, initial=0), rare_share.max(1, initial=0), is_there / total[:, 0], np.minimum(absent, 3) / 3], 1
    )
    return Encoded(
        story,
        statement,
        weights[story[:, MARKER]],
        rows,
        owner,
        np.where(rows[:, MARKER] > 0, 1 + there, 0).astype(np.int16),
        np.array(begin, np.int16),
        after,
        overlap,
        summary.astype(np.float32),
        tuple(starts),
        many,
    )


def _on_both_sides(
    in_question: NDArray[np.float32], statement: NDArray[np.int16]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """How much of the question (Q, S) stands on the left of each word in its statement, and on the right, less the further."""
    place = np.arange(len(statement)) - np.searchsorted(statement, statement)
    shape = len(in_question), int(statement.max(initial=-1)) + 1, int(place.max(initial=-1)) + 1  # words side by side
    said, left, right = np.zeros((3, *shape), np.float32)
    said[:, statement, place] = in_question
    for at in range(1, shape[2]):
        left[..., at] = (left[..., at - 1] + said[..., at - 1]) * np.float64(FADES)
        right[..., -at - 1] = (right[..., -at] + said[..., -at]) * np.float64(FADES)
    return left[:, statement, place], right[:, statement, place]


def _similarity(
    story: NDArray[np.int32],
    statement: NDArray[np.int16],
    rows: NDArray[np.int32],
    owner: NDArray[np.int16],
    there: NDArray[np.bool_],
    markers: Markers,
    shape: tuple[int, int],
) -> NDArray[np.float32]:
    """How near a word of each statement is to a question's words that the story lacks, summed, (Q, M)."""
    found = np.zeros(shape, np.float32)
    absent = np.nonzero(~there & (rows[:, ROW] > 0))[0]
    has_vector = np.nonzero((story[:, ROW] > 0) & (story[:, EMBEDDING] == 0))[0]
    if not len(absent) or not len(has_vector):
        return found
    units_of = markers.words.units_of
    near = np.maximum(units_of(rows[absent, ROW]) @ units_of(story[has_vector, ROW]).T, 0)
    near *= np.array(markers.weights, np.float32)[rows[absent, MARKER]][:, None]
    best = np.zeros((len(absent), shape[1]), np.float32)
    np.maximum.at(best, (np.arange(len(absent))[:, None], statement[has_vector]), near)
    np.add.at(found, owner[absent], best)
    return found
