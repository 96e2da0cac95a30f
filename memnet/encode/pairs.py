"""What statements say of pairs of names, as numbers: a text seen from two of its names, whatever these are called.

"Ann is above Bob" is two forms, "SUBJECT is above OBJECT" and "OBJECT is above SUBJECT"; further names are OTHER. Names are the
markers of an open vocabulary, and their first three entries stand for the three roles. A relation may span two neighbouring
statements, one of which names one person alone ("Ann has a son. His name is Bob.").
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from memnet.encode.batch import Batch
from memnet.encode.examples import Examples
from memnet.encode.sentences import Integers, Sentences

SUBJECT, OBJECT, OTHER = range(3)  # of the markers
AROUND, LONGEST = 6, 40  # words that a form has before the first and after the last of its two names; words of a form
FARTHEST = 16  # words from the first time that a name is said to the first time that the other is
MOST = 6  # names of a text that are paired
END = -1  # fills a row


class Texts(NamedTuple):
    """Texts with their names by the order in which they come: U rows."""

    words: Integers  # (U, L)  a word, or V + k for the k-th name, END after the last
    names: Integers  # (U, MOST)  which marker the k-th name is, END after the last

    @classmethod
    def of(cls, words: Integers, there: np.ndarray, entities: int, vocabulary: int) -> Texts:
        """Of words (U, L) where ``there`` is; the last ``entities`` of the vocabulary are markers."""
        first = vocabulary - entities
        told = np.where(there, words, END)
        left = np.where(there & (words >= first), words - first, END)  # markers not yet numbered
        found = np.full((len(words), MOST), END, np.int64)
        rows = np.arange(len(words))
        for number in range(MOST):
            place = (left >= 0).argmax(1)
            marker = left[rows, place]
            if not (marker >= 0).any():
                break
            same = (left == marker[:, None]) & (marker >= 0)[:, None]
            told = np.where(same, vocabulary + number, told)
            left = np.where(same, END, left)
            found[:, number] = marker
        return cls(np.where(left >= 0, vocabulary + MOST, told), found)


class Facts(NamedTuple):
    """Of each of U texts at most P facts: which form it has, and the names that are its subject and object."""

    form: Tensor  # (U, P)  END after the last
    subject: Tensor  # (U, P)  a marker
    object: Tensor  # (U, P)

    def to(self, device: torch.device | str) -> Facts:
        """On another device."""
        return Facts(*(part.to(device) for part in self))


class Pairs(NamedTuple):
    """The forms of a data set's statements, the facts of each, those of neighbours, and the names of its questions."""

    words: Tensor  # (F, L)  entries, the first three markers in the place of names
    lengths: Tensor  # (F,)
    turned: Tensor  # (F,)  the form of the same text from its other name
    single: Facts  # of each statement
    joined: Facts  # of each pair of neighbours
    neighbours: Tensor  # (D,)  the pairs of neighbours, first * U + second, in order
    named: Tensor  # (U, MOST)  markers of each statement
    asked: Tensor  # (Q, 2)  the first two markers of each question; one alone stands twice

    def to(self, device: torch.device | str) -> Pairs:
        """On another device."""
        return Pairs(
            self.words.to(device),
            self.lengths.to(device),
            self.turned.to(device),
            self.single.to(device),
            self.joined.to(device),
            self.neighbours.to(device),
            self.named.to(device),
            self.asked.to(device),
        )


class Forms:
    """The forms met so far, by their words."""

    def __init__(self, vocabulary: int, entities: int) -> None:
        self.vocabulary, self.first = vocabulary, vocabulary - entities
        self.number: dict[tuple[int, ...], int] = {}

    def form(self, text: list[int], subject: int, obj: int) -> int:
        """The number of the form that a text has, seen from two of its names."""
        roles = {self.vocabulary + subject: self.first + SUBJECT, self.vocabulary + obj: self.first + OBJECT}
        told = [roles.get(word, self.first + OTHER if word >= self.vocabulary else word) for word in text]
        places = [place for place, word in enumerate(text) if word in roles]  # every time that one of the two is named
        start = max(0, places[0] - AROUND)
        end = min(places[-1] + AROUND + 1, start + LONGEST)
        return self.number.setdefault(tuple(told[start:end]), len(self.number))

    def facts(self, texts: Texts, split: int | None = None) -> Facts:
        """Of each text; of two joined at the word ``split``, those of a name of each."""
        distinct, place = np.unique(texts.words, axis=0, return_inverse=True)
        told = [self.facts_of(row, split) for row in distinct]
        width = max([1, *map(len, told)])
        table = np.full((len(told), width, 3), END, np.int64)
        for row, found in zip(table, told, strict=True):
            row[: len(found)] = np.array(found, np.int64).reshape(-1, 3)
        form, *names = np.moveaxis(table[place.reshape(-1)], 2, 0)
        markers = (np.take_along_axis(texts.names, np.maximum(ranks, 0), 1) for ranks in names)
        return Facts(*map(torch.from_numpy, (form, *markers)))

    def facts_of(self, row: Integers, split: int | None) -> list[tuple[int, int, int]]:
        """Of a text, its names by their order: form, subject, object."""
        text = row[row != END].tolist()
        names = sorted({word - self.vocabulary for word in text if self.vocabulary <= word < self.vocabulary + MOST})
        pairs = [(one, other) for one in names for other in names if one != other]
        if split is not None:
            parts = [set(part.tolist()) for part in (row[:split], row[split:])]
            told = [{name for name in names if self.vocabulary + name in part} for part in parts]
            if min(map(len, told)) != 1:
                return []
            pairs = [pair for pair in pairs if not any(told_in.issuperset(pair) for told_in in told)]
        near = [pair for pair in pairs if self.distance(text, *pair) <= FARTHEST]
        return [(self.form(text, *pair), *pair) for pair in near]

    def distance(self, text: list[int], one: int, other: int) -> int:
        """How many words are from the first time one name is said to the first time another is."""
        return abs(text.index(self.vocabulary + one) - text.index(self.vocabulary + other)) + 1

    def table(self) -> tuple[Tensor, Tensor, Tensor]:
        """The words (F, L) and lengths (F,) of all forms, and the number of each seen from its other name (F,)."""
        forms = list(self.number) or [(self.first,)]
        roles = {self.first + SUBJECT: self.first + OBJECT, self.first + OBJECT: self.first + SUBJECT}
        turned = [self.number.get(tuple(roles.get(word, word) for word in form), 0) for form in forms]
        words = np.zeros((len(forms), max(map(len, forms))), np.int64)
        for row, form in zip(words, forms, strict=True):
            row[: len(form)] = form
        return torch.from_numpy(words), torch.tensor([len(form) for form in forms]), torch.tensor(turned)


def texts_of(sentences: Sentences, vocabulary: int, entities: int) -> Texts:
    """A table of sentences with their names by order."""
    there = np.arange(sentences.words.shape[1]) < sentences.lengths[:, None]
    return Texts.of(sentences.words, there, entities, vocabulary)


def neighbours_of(data: Examples) -> Integers:
    """Which statements stand beside which, first * U + second, each pair once, in order."""
    memory, count = data.memory.numpy(), data.count.numpy()
    beside = np.arange(1, memory.shape[1]) < count[:, None]
    return np.unique((memory[:, :-1] * len(data.sentences.words) + memory[:, 1:])[beside])


def pairs_of(data: Examples, vocabulary: int, entities: int, window: int) -> Pairs:
    """The facts of a data set; with a ``window`` of two those that span two neighbouring statements too."""
    forms, told, asked = Forms(vocabulary, entities), texts_of(data.sentences, vocabulary, entities), data.questions
    single = forms.facts(told)
    neighbours = neighbours_of(data) if window > 1 else np.zeros(0, np.int64)
    first, second = np.divmod(neighbours, max(1, len(data.sentences.words)))
    words, lengths = data.sentences.words, data.sentences.lengths
    both = np.concatenate([words[first], words[second]], 1)
    there = np.arange(words.shape[1])
    joined_there = np.concatenate([there < lengths[first][:, None], there < lengths[second][:, None]], 1)
    joined = forms.facts(Texts.of(both, joined_there, entities, vocabulary), words.shape[1])
    names = texts_of(asked, vocabulary, entities).names[:, :2]
    names[:, 1] = np.where(names[:, 1] == END, names[:, 0], names[:, 1])
    return Pairs(
        *forms.table(), single, joined, torch.from_numpy(neighbours), torch.from_numpy(told.names), torch.from_numpy(names)
    )


class Told(NamedTuple):
    """The facts of a batch, F of them: where they stand, and whom they are about by a story's own numbers of its names."""

    replica: Tensor
    story: Tensor
    statement: Tensor  # the first, where two state it
    subject: Tensor
    object: Tensor
    form: Tensor
    joined: Tensor  # bool, two state it
    names: int  # N, the most names of a story
    asked: Tensor  # (R, B, 2)
    counts: Tensor  # (R, B)  names of each story
    present: Tensor  # (R, B, markers)  bool, the markers that a story has, and none after the last of all
    number: Tensor  # (R, B, markers)  the number of each

    @property
    def pair(self) -> tuple[Tensor, ...]:
        """Where a fact stands among the pairs of names."""
        return self.replica, self.story, self.subject, self.object


def facts_of(pairs: Pairs, batch: Batch) -> Told:
    """The facts that a batch tells, and its names by number: 0, 1 ... in each story, in the order of their markers."""
    rows, there = batch.rows(), batch.mask
    named = torch.where(there.unsqueeze(3), pairs.named[rows], -1).flatten(2)
    named = torch.cat([named, pairs.asked[batch.question]], 2)  # (R, B, M MOST + 2)
    present = torch.zeros(*named.shape[:2], int(named.max()) + 2, dtype=torch.long, device=rows.device)
    present.scatter_(2, named + 1, 1)
    present[..., 0] = 0
    number = present.cumsum(2) - 1
    parts = [found(pairs.single, rows, there)]
    if len(pairs.neighbours):
        beside = rows[..., :-1] * len(pairs.named) + rows[..., 1:]
        place = torch.searchsorted(pairs.neighbours, beside).clamp(max=len(pairs.neighbours) - 1)
        parts.append(found(pairs.joined, place, there[..., 1:]))
    (replica, story, statement), subject, obj, form = (torch.cat(part, -1) for part in zip(*parts, strict=True))
    joined = torch.arange(len(form), device=form.device) >= len(parts[0][3])
    one, other = (number[replica, story, marker + 1] for marker in (subject, obj))
    asked = number.gather(2, pairs.asked[batch.question].clamp(min=-1) + 1).clamp(min=0)
    counts = present.sum(2)
    names = max(1, int(counts.max()))
    there_are = present[..., 1:] > 0
    return Told(replica, story, statement, one, other, form, joined, names, asked, counts, there_are, number[..., 1:])


def found(facts: Facts, text: Tensor, there: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The facts of texts (R, B, M) where they are ``there``: place (3, F), subject, object and form (F,)."""
    form = torch.where(there.unsqueeze(3), facts.form[text], -1)
    where = (form >= 0).nonzero(as_tuple=True)
    which = text[where[:3]], where[3]
    return torch.stack(where[:3]), facts.subject[which], facts.object[which], form[where]
