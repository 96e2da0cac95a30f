"""Sentence encodings against values worked out by hand."""

import numpy as np
import pytest
import torch

from memnet.encode.examples import Sentences
from memnet.models.encoders import (
    ENCODINGS,
    SelfAttentionPooling,
    code,
    dictionary,
    encoded,
    factors,
    position_coefficients,
    redundancy,
)
from memnet.nn.random import Random


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


def test_self_attention_pooling_against_numpy():
    sentences = Sentences(np.array([[1, 2, 1], [3, 0, 0]]), np.array([3, 1]))
    pool = SelfAttentionPooling(5, 2, 3, Random(0, 2))
    torch.manual_seed(0)
    embedding = torch.randn(2, 4, 5)
    found, weights = pool(embedding, code(sentences, "self_attention", 4, 3, 0.0))
    assert found.shape == (2, 2, 5)
    assert weights.shape == (2, 2, 2, 3)
    for replica in range(2):
        place, inner, rows, out = (
            each[replica].detach().numpy() for each in (pool.place, pool.inner.weight, pool.rows, pool.out.weight)
        )
        for number, length in enumerate((3, 1)):
            words = embedding[replica, sentences.words[number, :length]].numpy() + place[:length]  # H (L, D)
            logits = (np.tanh(words @ inner) @ rows).T
            attention = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)  # A (rows, L)
            expected = (attention @ words).reshape(-1) @ out
            np.testing.assert_allclose(found[replica, number].detach().numpy(), expected, rtol=1e-4, atol=1e-6)
            np.testing.assert_allclose(weights[replica, number, :, :length].detach().numpy(), attention, rtol=1e-4)
            assert bool((weights[replica, number, :, length:] == 0).all())
            gram = attention @ attention.T - np.eye(2)
            np.testing.assert_allclose(float(redundancy(weights.detach())[replica, number]), (gram**2).sum(), rtol=1e-4)


def test_redundant_rows_cost_and_different_ones_do_not():
    same, apart = torch.tensor([[[[1.0, 0.0], [1.0, 0.0]]]]), torch.tensor([[[[1.0, 0.0], [0.0, 1.0]]]])
    assert redundancy(same).item() == 2.0
    assert redundancy(apart).item() == 0.0
