"""Dialogs as numbers: statements of words, the names among them as memories to copy, and the answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from memnet.composing.lexicon import BOT, NAME, PAD, USER, Lexicon, is_row, tokens
from memnet.errors import ConfigError
from memnet.tasks.dialogs import speaker
from memnet.tasks.text import Story

Numbers = NDArray[np.int64]
OF_USER, OF_BOT, OF_ROW, OF_OTHERS = range(4)
LONGEST = 32  # words of a statement that are read
FEATURES = 16
NO = -1


@dataclass(frozen=True)
class Dialog:
    """A dialog of S statements of L words, N names in them, T turns that are answered in A words."""

    words: Numbers  # (S, L)
    value: NDArray[np.float32]  # (S, L) of words of digits
    who: Numbers  # (S,)
    turn: Numbers  # (S,) how many exchanges came before
    place: Numbers  # (N, 2) statement and word of each name
    name: Numbers  # (N,) which of the dialog's names it is
    subject: Numbers  # (N,) the name that its row is about, or NO
    surface: tuple[str, ...]  # of the names by their number, as they are written
    asked: Numbers  # (T,) the statement that is answered
    answers: tuple[tuple[tuple[str, ...], ...], ...]  # the words of the right ones of each turn
    features: NDArray[np.float32]  # (T, N, FEATURES)


def dialog(story: Story, lexicon: Lexicon, asked: Sequence[int] | None = None) -> Dialog:
    """A story as a dialog; ``asked`` are the statements to answer, those of its questions where it is None.

    Raises :class:`~memnet.errors.ConfigError` for a story that is no dialog.
    """
    if asked is None and any(question.after >= len(story.statements) for question in story.questions):
        raise ConfigError("a composer answers the turns of a dialog, and these stories have none: choose another --model")
    names: dict[str, int] = {}
    surface: list[str] = []
    place, name, subject = [], [], []
    texts, who, turn = [], [], []
    turns = 0
    for number, statement in enumerate(story.statements):
        by, rest = speaker(statement)
        row = is_row(statement)
        kind = {USER: OF_USER, BOT: OF_BOT}.get(by, OF_ROW if row else OF_OTHERS)
        written = tokens(rest)[:LONGEST]
        words = [word.lower() for word in written]
        texts.append(words)
        who.append(kind)
        turn.append(turns)
        turns += kind == OF_BOT
        about = NO
        for at, word in enumerate(words):
            if not lexicon.is_name(word):
                continue
            if word not in names:
                names[word] = len(surface)
                surface.append(written[at])
            about = names[word] if row and at == 0 else about
            place.append((number, at))
            name.append(names[word])
            subject.append(about)
    table = np.full((len(texts), max([1, *map(len, texts)])), PAD, np.int64)
    value = np.zeros(table.shape, np.float32)
    for number, words in enumerate(texts):
        table[number, : len(words)] = [lexicon.entry(word) for word in words]
        value[number, : len(words)] = [min(float(word), 99) / 10 if word.isdigit() else 0 for word in words]
    at_turn = np.array([question.after for question in story.questions] if asked is None else asked, np.int64)
    answers = tuple(tuple(tuple(one.split()) for one in (q.answer, *q.also)) for q in story.questions) if asked is None else ()
    found = [np.array(each, np.int64) for each in (who, turn, name, subject)]
    spots = np.array(place, np.int64).reshape(-1, 2)
    features = features_of(found[0], found[1], spots, found[2], found[3], at_turn, len(surface))
    return Dialog(table, value, found[0], found[1], spots, found[2], found[3], tuple(surface), at_turn, answers, features)


def features_of(
    who: Numbers, turn: Numbers, place: Numbers, name: Numbers, subject: Numbers, asked: Numbers, names: int
) -> NDArray[np.float32]:
    """Of each turn and name (T, N, 16): whether and how long ago bot and user had it, and the name that its row is about.

    Ages are in turns. The last four: the age of the word itself, in three forms, and whether it is of a row.
    """
    times, of, now = turn[place[:, 0]], who[place[:, 0]], turn[asked]
    never = -1000
    parts = []
    for kind in (OF_BOT, OF_USER):
        last = np.full((len(asked), names + 1), never, np.int64)  # the row at the end is of no name
        for at, statement in enumerate(asked):
            seen = (of == kind) & (place[:, 0] <= statement)
            np.maximum.at(last[at], name[seen], times[seen])
        age = now[:, None] - last
        said = last > never
        each = np.stack([said, np.where(said, np.minimum(age, 32) / 4, 0), np.where(said, 1 / (1.0 + age.clip(0)), 0)], -1)
        parts += [each[:, name], each[:, subject]]
    age = (now[:, None] - times[None]).clip(0, 32)
    row = np.broadcast_to(of[None] == OF_ROW, age.shape)
    parts.append(np.stack([age / 4, np.log1p(age), 1 / (1.0 + age), row], -1))
    return np.concatenate(parts, -1).astype(np.float32)


class Batch(NamedTuple):
    """B dialogs, padded; their U distinct statements stand in a table of their own."""

    words: Tensor  # (U, L)
    value: Tensor  # (U, L)
    by: Tensor  # (U,)
    number: Tensor  # (B, S) the row of each statement
    who: Tensor  # (B, S)
    turn: Tensor  # (B, S)
    there: Tensor  # (B, S) bool
    place: Tensor  # (B, N) the place of each name among the U L words
    statement: Tensor  # (B, N) that it stands in
    name: Tensor  # (B, N), NO after the last
    asked: Tensor  # (B, T), NO after the last
    features: Tensor  # (B, T, N, FEATURES)
    spoken: Tensor  # (B, T, A) the words of answers that are generated, NO where there is none
    copied: Tensor  # (B, T, A) the names in them, NO where there is none


def batch_of(
    dialogs: Sequence[Dialog], lexicon: Lexicon, draw: Random | None = None, names: float = 1.0, words: float = 0.0
) -> Batch:
    """Dialogs side by side. ``names`` and ``words`` are the shares of names, and of other words, that are read as any name.

    ``draw`` chooses them, a dialog at a time, and one of several right answers; without it every name is any name where
    ``names`` is 1, each name is itself where it is less, and the first answer is taken.
    """
    size = len(dialogs)
    long = [max(getattr(one, part).shape[at] for one in dialogs) for part, at in (("words", 0), ("words", 1))]
    most, turns = max([1, *(len(one.name) for one in dialogs)]), max([1, *(len(one.asked) for one in dialogs)])
    arrays = {"words": np.zeros((size, *long), np.int64), "value": np.zeros((size, *long), np.float32)}
    arrays |= {part: np.zeros((size, long[0]), np.int64) for part in ("who", "turn")}
    arrays |= {"there": np.zeros((size, long[0]), bool), "features": np.zeros((size, turns, most, FEATURES), np.float32)}
    arrays |= {"place": np.zeros((size, most), np.int64), "statement": np.zeros((size, most), np.int64)}
    arrays |= {"name": np.full((size, most), NO), "asked": np.full((size, turns), NO)}
    chosen = [[draw.choice(each) if draw else each[0] for each in one.answers] for one in dialogs]
    answer = 1 + max([0, *(len(each) for one in chosen for each in one)])
    spoken, copied = np.full((size, turns, answer), NO), np.full((size, turns, answer), NO)
    for at, one in enumerate(dialogs):
        statements, width = one.words.shape
        n, t = len(one.name), len(one.asked)
        arrays["words"][at, :statements, :width] = hidden(one, lexicon, draw, names, words)
        arrays["value"][at, :statements, :width] = one.value
        for part in ("who", "turn"):
            arrays[part][at, :statements] = getattr(one, part)
        arrays["there"][at, :statements] = True
        arrays["place"][at, :n] = one.place[:, 1]
        arrays["statement"][at, :n], arrays["name"][at, :n] = one.place[:, 0], one.name
        arrays["asked"][at, :t], arrays["features"][at, :t, :n] = one.asked, one.features
        names_of = {name.lower(): place for place, name in enumerate(one.surface)}
        for turn, words_of in enumerate(chosen[at]):
            spoken[at, turn, : len(words_of)] = [lexicon.number.get(word, NO) for word in words_of]
            copied[at, turn, : len(words_of)] = [names_of.get(word.lower(), NO) for word in words_of]
            spoken[at, turn, len(words_of)] = 0
    table, number = distinct(arrays.pop("words"), arrays.pop("value"), arrays["who"])
    arrays["number"], arrays["spoken"], arrays["copied"] = number, spoken, copied
    arrays["place"] += long[1] * np.take_along_axis(number, arrays["statement"], 1)
    return Batch(**{part: torch.from_numpy(array) for part, array in (arrays | table).items()})


def distinct(words: Numbers, value: NDArray[np.float32], who: Numbers) -> tuple[dict[str, NDArray[Any]], Numbers]:
    """The distinct ones of statements (B, S, L), as a table, and the row of each, (B, S)."""
    whole = np.concatenate([words, (value * 10).astype(np.int64), who[..., None]], 2)
    rows, number = np.unique(whole.reshape(-1, whole.shape[2]), axis=0, return_inverse=True)
    width = words.shape[2]
    table = {"words": rows[:, :width], "value": (rows[:, width:-1] / 10).astype(np.float32), "by": rows[:, -1]}
    return {part: np.ascontiguousarray(array) for part, array in table.items()}, number.reshape(words.shape[:2])


def hidden(one: Dialog, lexicon: Lexicon, draw: Random | None, names: float, words: float) -> Numbers:
    """The words of a dialog, with names and some others read as any name, the same in all of the dialog, (S, L)."""
    table = np.arange(len(lexicon.known) + 3)
    for word, number in lexicon.known.items():
        share = names if word in lexicon.names else words
        if share >= 1 or (draw is not None and share > 0 and draw.random() < share):
            table[number] = NAME
    return table[one.words]
