"""Sentence encodings that are linear in the word embeddings, and the memories made of them.

A word's part in a sentence is its embedding times a coefficient, for each of a few constant
vectors ("factors") over the dimensions. Bag of words has one factor, all ones. In the position
encoding l_kj is linear in the dimension k, so two factors do. With the *dictionary* of a network,

    [E * factor_1; E * factor_2; ages]   (R, C V + S, D)

every memory is a sum of a few of its rows, and no sentence is ever encoded: see
:class:`~memnet.attention.Rows`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from memnet.attention import Attention, Rows, dot, softmax, weighted_sum
from memnet.encode.batch import Batch
from memnet.encode.examples import Sentences, Sizes, numbers
from memnet.nn.modules import Linear, most
from memnet.nn.random import Random

FEW = 1024  # distinct sentences, all of which are encoded at every step
MANY_WORDS = 8192  # in a vocabulary of which only those of a batch are looked at, where its sentences are listed

ENCODINGS = {
    "self_attention": "self-attention pooling, Lin et al. 2017, section 2.1",
    "bow": "bag of words",
    "pe": "position encoding, as printed in Sukhbaatar et al. 2015, section 4.1",
    "pe_code": "position encoding, as computed by its authors' code",
}


def factors(encoding: str, dim: int) -> Tensor:
    """The constant vectors over the dimensions, (C, D)."""
    k = torch.arange(1, dim + 1, dtype=torch.float32)
    if encoding in ("bow", "self_attention"):
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
    length = lengths.unsqueeze(1).float().clamp(min=1)  # (U, 1)
    if encoding in ("bow", "self_attention"):
        parts = [torch.ones_like(j)]
    elif encoding == "pe":
        parts = [1 - j / length, -(1 - 2 * j / length)]
    else:
        parts = [torch.ones_like(j), (j - (longest + 1) / 2) / longest]
    return torch.stack(parts, 1) * (j <= lengths.unsqueeze(1)).unsqueeze(1)


class Code(NamedTuple):
    """Distinct sentences as sums of dictionary rows: listed, or as a matrix where that is faster."""

    row: Tensor  # (U, C L)  dictionary rows
    coefficient: Tensor  # (U, C L)
    lengths: Tensor  # (U,)
    words: int  # C V, the dictionary rows that are words
    dense: Tensor | None  # (U, C V)  the same as a matrix

    def to(self, device: torch.device | str) -> Code:
        """On another device."""
        dense = None if self.dense is None else self.dense.to(device)
        return Code(self.row.to(device), self.coefficient.to(device), self.lengths.to(device), self.words, dense)

    def select(self, number: Tensor) -> Code:
        """The sentences numbered, listed."""
        return Code(self.row[number], self.coefficient[number], self.lengths[number], self.words, None)


def code(sentences: Sentences, encoding: str, vocabulary: int, longest: int, per_story: float) -> Code:
    """The code of every sentence of a table, of which a story holds ``per_story`` on average.

    A product with the (U, C V) matrix costs a hundredth of the picks and sums it replaces, measured
    per element on a CPU; the smaller cost decides which of the two is used.
    """
    words = numbers(sentences.words)  # (U, L)
    lengths = numbers(sentences.lengths)
    coefficient = position_coefficients(encoding, lengths, words.shape[1], longest)  # (U, C, L)
    kinds = coefficient.shape[1]
    row = words.unsqueeze(1) + vocabulary * torch.arange(kinds).view(1, -1, 1)  # (U, C, L)
    return listed(row.flatten(1), coefficient.flatten(1), lengths, kinds * vocabulary, per_story)


def placed(sentences: Sentences, vocabulary: int, longest: int, per_story: float) -> Code:
    """Sentences as words in places, for a factor a place: word w in place j is dictionary row j V + w.

    Places past the ``longest`` of training share its factor.
    """
    words, lengths = numbers(sentences.words), numbers(sentences.lengths)
    place = torch.arange(words.shape[1])
    row = words + vocabulary * place.clamp(max=longest - 1)
    coefficient = (place < lengths.unsqueeze(1)).float()
    return listed(row, coefficient, lengths, longest * vocabulary, per_story)


def slotted(sentences: Sentences, vocabulary: int, entities: int, longest: int, per_story: float) -> Code:
    """Sentences as words in slots, for a factor a slot: before, between and after the names, and the names themselves.

    The k-th name of a sentence has slot 2 k - 1, and words after k names have slot 2 k: "went back to the" between two names is
    one slot, however many words it has. Names are the last ``entities`` entries; slots past the ``longest`` share its factor.
    """
    words, lengths = numbers(sentences.words), numbers(sentences.lengths)
    is_name = words >= vocabulary - entities
    slot = (2 * is_name.cumsum(1) - is_name.long()).clamp(max=longest - 1)
    coefficient = (torch.arange(words.shape[1]) < lengths.unsqueeze(1)).float()
    return listed(words + vocabulary * slot, coefficient, lengths, longest * vocabulary, per_story)


def chirps(number: int, prime: int = 13) -> Tensor:
    """Fixed codes of so many things, (number, 2 prime), of length 1: cosines and sines of 2 pi (a j^2 + b j) / prime.

    Thing e has a = e // prime and b = e % prime. Things of one ``a`` are orthogonal, and the product of any two is at most
    1 / sqrt(prime) (Alltop 1980, "Complex sequences with low periodic correlations"). Raises ValueError for more than prime^2.
    """
    if number > prime**2:
        raise ValueError(f"{number} things have no codes of {2 * prime} numbers; at most {prime**2} have")
    thing, place = torch.arange(number).unsqueeze(1), torch.arange(prime)
    turns = (thing // prime * place**2 + thing % prime * place) % prime / prime
    angle = 2 * math.pi * turns
    return torch.cat([angle.cos(), angle.sin()], 1) / math.sqrt(prime)


def listed(row: Tensor, coefficient: Tensor, lengths: Tensor, words: int, per_story: float) -> Code:
    """The code of sentences given as dictionary rows (U, J) and their coefficients, and as a matrix where that is cheaper."""
    dense = None
    if len(row) * words <= 100 * per_story * row.shape[1]:
        dense = torch.zeros(len(row), words).scatter_add_(1, row, coefficient)
    return Code(row, coefficient, lengths, words, dense)


def feature_code(sentences: Sentences, sizes: Sizes, per_story: float) -> Code:
    """Sentences as bags of features, their words and the n-grams that ``sizes`` names; what is unknown counts nothing.

    Feature numbers: V words, then the n-grams.
    """
    number = {gram: sizes.vocabulary + place for place, gram in enumerate(sizes.grams)}
    features = sizes.vocabulary + len(sizes.grams)
    if torch.compiler.is_exporting() and not sizes.grams:
        words, lengths = numbers(sentences.words), numbers(sentences.lengths)
        counts = (words > 0) & (torch.arange(words.shape[1]) < lengths.unsqueeze(1))
        return listed(words, counts.float(), lengths, features, per_story)
    longest = max((len(gram) for gram in sizes.grams), default=1)
    bags = []
    for place, length in enumerate(sentences.lengths):
        known = [word for word in sentences.words[place, :length].tolist() if word > 0]
        bags.append(known + [number[gram] for gram in sentences.ngrams(place, longest) if gram in number])
    row = torch.zeros(len(bags), max([1, *map(len, bags)]), dtype=torch.long)
    coefficient = torch.zeros(row.shape)
    for place, bag in enumerate(bags):
        row[place, : len(bag)] = torch.tensor(bag, dtype=torch.long)
        coefficient[place, : len(bag)] = 1.0
    return listed(row, coefficient, numbers(sentences.lengths), features, per_story)


class StoryWords(NamedTuple):
    """Stories as lists of all their words, W at most."""

    words: Tensor  # (R, B, W)  zero after the end
    sentence: Tensor  # (R, B, W)  the place of the sentence that a word is of, zero after the end
    ends: Tensor  # (R, B, M)  how many words stand before the end of each sentence

    @classmethod
    def of(cls, words: Tensor, lengths: Tensor, rows: Tensor, mask: Tensor) -> StoryWords:
        """Of sentences ``words (U, L)`` and ``lengths (U,)``, stories of ``rows (R, B, M)`` where ``mask`` is."""
        length = lengths[rows].clamp(min=1) * mask
        ends = length.cumsum(2)
        places = torch.arange(words.shape[1], device=rows.device)  # (L,)
        there = places < length.unsqueeze(3)  # (R, B, M, L)
        filled = torch.zeros(
            2, *rows.shape[:2], max(1, most(ends, words.shape[1] * rows.shape[2])), dtype=torch.long, device=rows.device
        )
        replica, question, sentence, place = there.nonzero(as_tuple=True)
        where = replica, question, (ends - length)[replica, question, sentence] + place
        filled[0][where], filled[1][where] = words[rows[replica, question, sentence], place], sentence
        return cls(filled[0], filled[1], ends)

    @property
    def there(self) -> Tensor:
        """Where a word is, (R, B, W) bool."""
        return torch.arange(self.words.shape[2], device=self.words.device) < self.ends[..., -1:]


def dictionary(words: Tensor, ages: Tensor, factors: Tensor) -> Tensor:
    """(..., V, D), (..., S, D) and (C, D) -> (..., C V + S, D)."""
    return torch.cat([words * factor for factor in factors] + [ages], -2)


def table(dictionary: Tensor, code: Code) -> Tensor:
    """Every sentence of a table, once: sums of rows of a ``dictionary (R, C V, D)``, (R, U, D)."""
    if code.dense is not None:
        return code.dense @ dictionary
    return (dictionary[:, code.row] * code.coefficient.unsqueeze(-1)).sum(2)


def batch_table(dictionary: Tensor, code: Code, sentence: Tensor) -> tuple[Tensor, Tensor]:
    """The encoded sentences that a batch needs, (R, U', D), and which of them are its ``sentence (R, ...)``.

    All of a data set that has few, else those of the batch alone: a step costs what its batch costs.
    """
    if len(code.row) <= FEW:
        return table(dictionary, code), sentence
    distinct, place = sentence.unique(return_inverse=True)
    return table(dictionary, code.select(distinct)), place


def encoded(dictionary: Tensor, code: Code, sentence: Tensor) -> Tensor:
    """Sentences by number, (R, B) -> (R, B, D): sums of rows of a ``dictionary (R, C V + S, D)``."""
    replicas, batch = sentence.shape
    spread = dictionary.new_zeros(replicas, batch, code.words)
    spread.scatter_add_(2, code.row[sentence], code.coefficient[sentence])
    return spread @ dictionary[:, : code.words]


class EncodedData(NamedTuple):
    """The sentences and the questions of a data set, encoded as far as no parameter is needed."""

    sentences: Code
    questions: Code

    def to(self, device: torch.device | str) -> EncodedData:
        """On another device."""
        return EncodedData(self.sentences.to(device), self.questions.to(device))


def of_batch(data: EncodedData, batch: Batch, vocabulary: int) -> tuple[Tensor, EncodedData, Batch]:
    """The words of a batch's sentences and questions, (V',), and these and the batch with those words alone: 0 to V' - 1.

    A ``vocabulary`` of V words costs a step nothing then but as answers.
    """
    (sentences, sentence), (questions, question) = (
        number.unique(return_inverse=True) for number in (batch.sentence, batch.question)
    )
    codes = [data.sentences.select(sentences), data.questions.select(questions)]
    words, place = torch.cat([code.row.flatten() for code in codes]).remainder(vocabulary).unique(return_inverse=True)
    for number, part in enumerate(place.split([code.row.numel() for code in codes])):
        factor = codes[number].row.div(vocabulary, rounding_mode="floor")
        row, count = part.view_as(factor) + len(words) * factor, codes[number].words // vocabulary
        codes[number] = codes[number]._replace(row=row, words=count * len(words))
    return words, EncodedData(*codes), batch._replace(sentence=sentence, question=question)


class SelfAttentionPooling(nn.Module):
    """A sentence as what several attention rows read of its words (Lin et al. 2017, arXiv 1703.03130, eq. 5 to 7).

    A = softmax(W2 tanh(W1 H^T)) over the words, M = A H, and here a linear map of M to one vector.
    H are word embeddings with a vector for the place in the sentence added, in place of the paper's LSTM states.
    """

    def __init__(self, dim: int, rows: int, longest: int, random: Random, std: float = 0.1) -> None:
        super().__init__()
        self.place = nn.Parameter(random.normal(max(1, longest), dim, std=std))
        self.inner = Linear(dim, dim, random, bias=False, std=dim**-0.5)
        self.rows = nn.Parameter(random.normal(dim, rows, std=dim**-0.5))  # W2: what each row asks for, (R, D, rows)
        self.out = Linear(rows * dim, dim, random, bias=False, std=(rows * dim) ** -0.5)
        self.attend = Attention(dot, softmax, weighted_sum)

    def forward(self, embedding: Tensor, code: Code) -> tuple[Tensor, Tensor]:
        """Words ``embedding (R, V, D)`` and U sentences -> (R, U, D), and the weights A (R, U, rows, L)."""
        width = code.row.shape[1]
        place = self.place[:, torch.arange(width, device=code.row.device).clamp(max=self.place.shape[1] - 1)]
        words = embedding[:, code.row] + place.unsqueeze(1)  # (R, U, L, D)
        there = torch.arange(width, device=code.row.device) < code.lengths.clamp(min=1).unsqueeze(1)  # (U, L)
        keys, query = self.inner(words).tanh(), self.rows.transpose(1, 2).unsqueeze(1)  # (R, 1, rows, D)
        trace = self.attend(query.expand(-1, len(code.row), -1, -1), keys, words, there.unsqueeze(1))
        return self.out(trace.output.flatten(2)), trace.weights


def redundancy(weights: Tensor) -> Tensor:
    """||A A^T - I||^2 of each sentence (Lin et al. 2017, eq. 8): (R, U, rows, L) -> (R, U)."""
    product = weights @ weights.transpose(2, 3)
    return (product - torch.eye(product.shape[-1], device=product.device)).square().sum((2, 3))


def table_memories(tables: Sequence[Tensor], ages: Tensor, batch: Batch) -> list[Rows]:
    """One memory per table of encoded sentences (R, U, D), with ``ages (R, K, S, D)``: K :class:`Rows` of shape (R, B, M)."""
    sentence = (batch.story * tables[0].shape[1] + batch.sentence).unsqueeze(1)
    coefficient = torch.ones_like(sentence, dtype=tables[0].dtype)
    age = batch.story * batch.ages + batch.age
    replicas, stories, places = batch.mask.shape
    return [
        Rows(
            torch.cat([table, aged], 1), None, sentence, coefficient, age, batch.place, (replicas, stories, places), batch.ages
        )
        for table, aged in zip(tables, ages.unbind(1), strict=True)
    ]


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
