"""Sentences as sums of their words' vectors, each word times what its place makes of it, in numpy.

As in :mod:`memnet.models.encoders`, but a sentence at a time: nothing is trained, so no table saves a product.
"""

from __future__ import annotations

import math

import numpy as np

from memnet.encode.sentences import Sentences
from memnet.infer.attention import Bools, Floats, Integers


def there(sentences: Sentences) -> Bools:
    """Where a word is, (U, L)."""
    return np.asarray(np.arange(sentences.words.shape[1]) < sentences.lengths[:, None])


def positions(sentences: Sentences, encoding: str, dim: int, longest: int) -> Floats:
    """l_kj of word j and dimension k, both from 1, zero after a sentence's end: (U, L, D).

    ``bow``      1
    ``pe``       (1 - j/J) - (k/d) (1 - 2j/J)                        J the sentence's own length
    ``pe_code``  1 + 4 (k - (d+1)/2) (j - (J+1)/2) / (d J)           J = ``longest`` of the training text
    """
    here: Floats = there(sentences)[..., None].astype(np.float32)
    if encoding == "bow":
        return here
    j = np.arange(1, sentences.words.shape[1] + 1, dtype=np.float32)[None, :, None]
    k = np.arange(1, dim + 1, dtype=np.float32)
    if encoding == "pe":
        share = j / np.maximum(sentences.lengths, 1).astype(np.float32)[:, None, None]
        return np.asarray((1 - share - k / np.float32(dim) * (1 - 2 * share)) * here, np.float32)
    factor = np.float32(4) * (k - np.float32((dim + 1) / 2)) / np.float32(dim)
    return np.asarray((1 + factor * (j - np.float32((longest + 1) / 2)) / np.float32(longest)) * here, np.float32)


def slots(sentences: Sentences, first_name: int, longest: int) -> Integers:
    """The slot of each word, (U, L): the k-th name of a sentence has 2 k - 1, words after k names 2 k; ``longest`` slots.

    Names are the entries from ``first_name`` on.
    """
    is_name = sentences.words >= first_name
    return np.asarray(np.minimum(2 * is_name.cumsum(1) - is_name, longest - 1))


def places(sentences: Sentences, longest: int) -> Integers:
    """The place of each word, (1, L), those past ``longest`` the last."""
    return np.minimum(np.arange(sentences.words.shape[1]), longest - 1)[None]


def chirps(number: int, prime: int = 13) -> Floats:
    """Fixed codes of so many things, (number, 2 prime), of length 1: cosines and sines of 2 pi (a j^2 + b j) / prime.

    Thing e has a = e // prime and b = e % prime (Alltop 1980).
    """
    thing, place = np.arange(number)[:, None], np.arange(prime)
    angle = 2 * math.pi * ((thing // prime * place**2 + thing % prime * place) % prime / prime)
    return (np.concatenate([np.cos(angle), np.sin(angle)], 1) / math.sqrt(prime)).astype(np.float32)


def bags(sentences: Sentences, grams: tuple[tuple[int, ...], ...], vocabulary: int) -> Floats:
    """Sentences as bags of features, (U, F): their known words, then the n-grams that are named."""
    found = np.zeros((len(sentences.words), vocabulary + len(grams)), np.float32)
    number = {gram: vocabulary + place for place, gram in enumerate(grams)}
    longest = max((len(gram) for gram in grams), default=1)
    for row, length in enumerate(sentences.lengths):
        known = [word for word in sentences.words[row, :length].tolist() if word > 0]
        features = known + [number[gram] for gram in sentences.ngrams(row, longest) if gram in number]
        np.add.at(found[row], np.array(features, np.int64), np.float32(1))
    return found
