"""Word vectors from a file in GloVe's format: a word and its numbers on each line (Pennington et al. 2014)."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor

from memnet.encode.vocabulary import Vocabulary
from memnet.errors import ConfigError


class Vectors(NamedTuple):
    """The vectors of a vocabulary's words."""

    values: Tensor  # (V, D)  zero where the file has none
    known: Tensor  # (V,)  bool
    hash: str  # of the vectors used


def read_vectors(path: Path, vocabulary: Vocabulary, dim: int) -> Vectors:
    """The vectors that the words of a vocabulary have in a file. Raises :class:`~memnet.errors.ConfigError`.

    Words are compared in lower case; of several lines for one word the first counts.
    """
    values, known = torch.zeros(len(vocabulary), dim), torch.zeros(len(vocabulary), dtype=torch.bool)
    with open(path, encoding="utf-8-sig", errors="replace") as file:
        for number, line in enumerate(file, 1):
            word, *numbers = line.split() or [""]
            if number == 1 and len(numbers) == 1 and word.isdigit():
                continue  # word2vec's first line: how many words, how wide
            entry = vocabulary[word.lower()]
            if not entry or bool(known[entry]):
                continue
            if len(numbers) != dim:
                raise ConfigError(f"{path}:{number}: expected a word and dim={dim} numbers, found {len(numbers)}")
            try:
                values[entry] = torch.tensor([float(value) for value in numbers])
            except ValueError as error:
                raise ConfigError(f"{path}:{number}: expected a word and {dim} numbers: {error}") from error
            known[entry] = True
    if not bool(known.any()):
        raise ConfigError(f"{path} has none of the {len(vocabulary)} words; expected on each line a word and its numbers")
    if not bool(values.isfinite().all()):
        raise ConfigError(f"{path} has numbers that are not finite")
    return Vectors(values, known, hashlib.sha256(values.numpy().tobytes()).hexdigest()[:12])
