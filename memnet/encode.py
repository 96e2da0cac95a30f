"""Sentence encodings that are linear in the word embeddings, and the memories made of them.

A word's part in a sentence is its embedding times a coefficient, for each of a few constant
vectors ("factors") over the dimensions. Bag of words has one factor, all ones. In the position
encoding l_kj is linear in the dimension k, so two factors do. With the *dictionary* of a network,

    [E * factor_1; E * factor_2; ages]   (R, C V + S, D)

every memory is a sum of a few of its rows, and no sentence is ever encoded: see
:class:`~memnet.attention.Rows`.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from memnet.attention import Rows
from memnet.batch import Batch, Sentences

ENCODINGS = {
    "bow": "bag of words",
    "pe": "position encoding, as printed in Sukhbaatar et al. 2015, section 4.1",
    "pe_code": "position encoding, as computed by its authors' code",
}


def factors(encoding: str, dim: int) -> Tensor:
    """The constant vectors over the dimensions, (C, D)."""
    k = torch.arange(1, dim + 1, dtype=torch.float32)
    if encoding == "bow":
        return torch.ones(1, dim)
    if encoding == "pe":
        return torch.stack([torch.ones(dim), k / dim])
    return torch.stack([torch.ones(dim), 4 * (k - (dim + 1) / 2) / dim])


def position_coefficients(encoding: str, lengths: Tensor, width: int, longest: int) -> Tensor:
    """What the word at each place counts for each factor, (U, C, width), zero after a sentence's end.

    l_kj of a sentence of J words, word j of it and dimension k of d (all counted from 1), is
    sum_c coefficient[c, j] * factor[c, k]:

    ``bow``      1
    ``pe``       (1 - j/J) - (k/d) (1 - 2j/J)                        J the sentence's own length
    ``pe_code``  1 + 4 (k - (d+1)/2) (j - (J+1)/2) / (d J)           J = ``longest`` of the training text
    """
    j = torch.arange(1, width + 1, dtype=torch.float32).expand(len(lengths), width)  # (U, width)
    own = lengths.unsqueeze(1).float().clamp(min=1)  # (U, 1)
    if encoding == "bow":
        parts = [torch.ones_like(j)]
    elif encoding == "pe":
        parts = [1 - j / own, -(1 - 2 * j / own)]
    else:
        parts = [torch.ones_like(j), (j - (longest + 1) / 2) / longest]
    return torch.stack(parts, 1) * (j <= lengths.unsqueeze(1)).unsqueeze(1)


class Code(NamedTuple):
    """Distinct sentences as sums of dictionary rows: listed, or as a matrix where that is faster."""

    row: Tensor  # (U, C L)  dictionary rows
    coefficient: Tensor  # (U, C L)
    words: int  # C V, the dictionary rows that are words
    dense: Tensor | None  # (U, C V)  the same as a matrix

    def to(self, device: torch.device | str) -> Code:
        """On another device."""
        dense = None if self.dense is None else self.dense.to(device)
        return Code(self.row.to(device), self.coefficient.to(device), self.words, dense)


def code(sentences: Sentences, encoding: str, vocabulary: int, longest: int, per_story: float) -> Code:
    """The code of every sentence of a table, of which a story holds ``per_story`` on average.

    A product with the (U, C V) matrix costs a hundredth of the picks and sums it replaces, measured
    per element on a CPU; the smaller cost decides which of the two is used.
    """
    words = torch.from_numpy(sentences.words)  # (U, L)
    lengths = torch.from_numpy(sentences.lengths)
    coefficient = position_coefficients(encoding, lengths, words.shape[1], longest)  # (U, C, L)
    kinds = coefficient.shape[1]
    row = words.unsqueeze(1) + vocabulary * torch.arange(kinds).view(1, -1, 1)  # (U, C, L)
    row, coefficient = row.flatten(1), coefficient.flatten(1)
    dense = None
    if len(words) * kinds * vocabulary <= 100 * per_story * row.shape[1]:
        dense = torch.zeros(len(words), kinds * vocabulary).scatter_add_(1, row, coefficient)
    return Code(row, coefficient, kinds * vocabulary, dense)


def dictionary(words: Tensor, ages: Tensor, factors: Tensor) -> Tensor:
    """(..., V, D), (..., S, D) and (C, D) -> (..., C V + S, D)."""
    return torch.cat([words * factor for factor in factors] + [ages], -2)


def encoded(dictionary: Tensor, code: Code, sentence: Tensor) -> Tensor:
    """Sentences by number, (R, B) -> (R, B, D): sums of rows of a ``dictionary (R, C V + S, D)``."""
    replicas, batch = sentence.shape
    spread = dictionary.new_zeros(replicas, batch, code.words)
    spread.scatter_add_(2, code.row[sentence], code.coefficient[sentence])
    return spread @ dictionary[:, : code.words]


def memories(dictionaries: Tensor, code: Code, batch: Batch) -> list[Rows]:
    """One memory per dictionary: (R, K, C V + S, D) -> K :class:`Rows` of shape (R, B, M)."""
    if code.dense is not None:
        sentence, coefficient = batch.story * len(code.dense) + batch.sentence, None
    else:
        sentence = (batch.story * code.words).unsqueeze(1) + code.row[batch.sentence]  # (N, C L)
        coefficient = code.coefficient[batch.sentence]
    age = batch.story * batch.ages + batch.age
    replicas, stories, places = batch.mask.shape
    shape = (replicas, stories, places)
    return [
        Rows(each, code.dense, sentence, coefficient, age, batch.place, shape, batch.ages) for each in dictionaries.unbind(1)
    ]
