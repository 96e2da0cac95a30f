"""Sentence encodings against values worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from memnet.batch import Sentences
from memnet.encode import ENCODINGS, code, dictionary, encoded, factors, position_coefficients


def encoding_matrix(encoding: str, length: int, dim: int, longest: int) -> torch.Tensor:
    """l_kj as (J, d), put together from coefficients and factors."""
    coefficient = position_coefficients(encoding, torch.tensor([length]), length, longest)[0]  # (C, J)
    return torch.einsum("cj,cd->jd", coefficient, factors(encoding, dim))


def test_the_printed_position_encoding():
    # l_kj = (1 - j/J) - (k/d)(1 - 2j/J), J = 2, d = 4:  j = 1: 1/2;  j = 2: k/4
    expected = [[0.5, 0.5, 0.5, 0.5], [0.25, 0.5, 0.75, 1.0]]
    torch.testing.assert_close(encoding_matrix("pe", 2, 4, 9), torch.tensor(expected))


def test_the_authors_position_encoding():
    # 1 + 4 (k - (d+1)/2)(j - (J+1)/2) / (d J), J = 3 the longest, d = 2: (k - 1.5) = -+0.5, (j - 2) = -1, 0
    expected = [[1 + 4 * 0.5 / 6, 1 - 4 * 0.5 / 6], [1.0, 1.0]]
    torch.testing.assert_close(encoding_matrix("pe_code", 2, 2, 3), torch.tensor(expected))


def test_a_bag_of_words_counts():
    torch.testing.assert_close(encoding_matrix("bow", 3, 2, 3), torch.ones(3, 2))


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_nothing_counts_after_a_sentences_end(encoding: str):
    coefficient = position_coefficients(encoding, torch.tensor([2, 0, 4]), 4, 4)
    assert bool((coefficient[0, :, 2:] == 0).all())
    assert bool((coefficient[1] == 0).all())


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_question_is_the_weighted_sum_of_its_words(encoding: str):
    torch.manual_seed(0)
    sentences = Sentences(np.array([[1, 2, 1], [3, 0, 0]]), np.array([3, 1]))
    table = torch.randn(2, 4 + 2, 5)  # R = 2, V = 4 words, 2 ages
    rows = dictionary(table[:, :4], table[:, 4:], factors(encoding, 5))
    known = code(sentences, encoding, 4, 3, 0.0)
    found = encoded(rows, known, torch.tensor([[0, 1], [1, 0]]))
    whole = encoding_matrix(encoding, 3, 5, 3)
    torch.testing.assert_close(found[0, 0], (table[0, [1, 2, 1]] * whole).sum(0))
    torch.testing.assert_close(found[1, 0], table[1, 3] * encoding_matrix(encoding, 1, 5, 3)[0])
