"""Answers as classes and word by word: vocabularies, losses, and the GRU decoder against numpy and finite differences."""

import dataclasses
from itertools import permutations

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from memnet.encode.vocabulary import STOP, UNKNOWN, Vocabulary
from memnet.models.decoders import WordByWord, answer_mask, decode, prediction
from memnet.models.memn2n import MemN2NConfig
from memnet.models.network import answer_loss
from memnet.nn.random import Random
from memnet.tasks.families import Task
from memnet.tasks.text import Question, Story
from memnet.training.loop import train_networks
from tests.by_hand import gru
from tests.training import a_spec

TOLD = [Story(("Mary got milk.",), tuple(Question("What?", answer, (0,), 1) for answer in ("milk", "Apple, milk", "nothing")))]


def test_an_answer_of_several_words_is_one_class_or_words_and_a_stop():
    classes, by_word = Vocabulary.of(TOLD), Vocabulary.of(TOLD, by_word=True)
    assert "apple,milk" in classes.entries
    assert classes.answer == 1
    assert by_word.entries[:2] == (UNKNOWN, STOP)
    assert "apple,milk" not in by_word.entries
    assert by_word.answer == 2
    milk, apple = by_word["milk"], by_word["apple"]
    assert by_word.answer_numbers("MILK") == [milk, 1]
    assert by_word.answer_numbers("apple, milk") == [apple, milk]
    assert by_word.answer_numbers("apple,milk,milk") == [apple, -1]  # longer than any it learned: no right answer
    assert by_word.answer_numbers("apple,moon") == [apple, -1]
    assert by_word.answer_text([apple, 1]) == "apple"
    assert by_word.answer_text([apple, milk]) == "apple,milk"
    assert classes.answer_text(classes.answer_numbers("apple,milk")) == "apple,milk"
    with pytest.raises(ValueError, match="second entry"):
        Vocabulary([UNKNOWN, "a"], answer=2)


def test_words_after_the_first_stop_count_nothing():
    answer = torch.tensor([[4, 1, 1], [4, 3, 2], [1, 3, 1]])
    assert answer_mask(answer).tolist() == [[True, True, False], [True] * 3, [True, False, False]]
    assert answer_mask(torch.tensor([[1], [0]])).all()  # one class, whatever its number
    logits = torch.randn(3, 3, 6, generator=torch.Generator().manual_seed(0))
    each = F.cross_entropy(logits.flatten(0, 1), answer.flatten(), reduction="none").view(3, 3)
    assert answer_loss(logits, answer).tolist() == pytest.approx(
        [float(each[0, :2].sum()), float(each[1].sum()), float(each[2, 0])]
    )
    told = F.one_hot(torch.tensor([[4, 1, 3], [2, 2, 2]]), 6).float()
    assert prediction(told).tolist() == [[4, 1, 1], [2, 2, 2]]
    mute = torch.tensor([[[9.0, 8.0, 1.0], [9.0, 8.0, 1.0]]])  # the unknown word is never said, and a stop not at first
    assert prediction(mute).tolist() == [[2, 1]]


def test_spelling_follows_the_given_words_or_its_own():
    def step(state: int, word: torch.Tensor | None) -> tuple[torch.Tensor, int]:
        heard.append(None if word is None else int(word))
        return F.one_hot(torch.tensor(2 + state), 6).float(), state + 1

    heard: list[int | None] = []
    assert decode(step, 0, 3).argmax(-1).tolist() == [2, 3, 4]
    assert heard == [None, 2, 3]
    heard.clear()
    decode(step, 0, 3, torch.tensor([5, 0, 1]))
    assert heard == [None, 5, 0]
    heard.clear()
    decode(step, 0, 3, torch.tensor([5, -1, -1]))  # the first word given, the rest its own
    assert heard == [None, 5, 3]


def test_the_gru_decoder_against_numpy():
    dim, context = 4, 3
    decoder = WordByWord(dim, Random(0, 2), context, std=0.7)
    draw = torch.Generator().manual_seed(0)
    state, words, asked = (torch.randn(2, *shape, generator=draw) for shape in ((3, dim), (5, dim), (3, context)))
    told = decoder(state, words, 3, context=asked)

    for question in range(3):
        h, before = state[1, question].numpy(), np.zeros(dim)
        for place in range(3):
            h = gru(decoder.cell, np.concatenate([before, asked[1, question].numpy()]), h, 1)
            scores = words[1].numpy() @ h
            np.testing.assert_allclose(told[1, question, place].detach().numpy(), scores, rtol=1e-4, atol=1e-5)
            scores[: 2 if place == 0 else 1] = -np.inf
            before = words[1, int(scores.argmax())].numpy()


def test_the_gradients_of_the_decoder_by_finite_differences():
    decoder = WordByWord(3, Random(0, 2), 3, std=0.7).double()
    draw = torch.Generator().manual_seed(0)
    state, words, asked = (torch.randn(2, 4, 3, generator=draw, dtype=torch.float64).requires_grad_() for _ in range(3))
    given = torch.tensor([[[1, 2], [3, 0], [1, 1], [2, 2]]] * 2)
    assert torch.autograd.gradcheck(lambda s, w, q: answer_loss(decoder(s, w, 2, given, q), given), (state, words, asked))
    names = dict(decoder.named_parameters())

    def loss(*values: torch.Tensor) -> torch.Tensor:
        return answer_loss(
            torch.func.functional_call(
                decoder, dict(zip(names, values, strict=True)), (state.detach(), words.detach(), 2, given, asked.detach())
            ),
            given,
        )

    assert torch.autograd.gradcheck(loss, tuple(names.values()))


def two_things(held_out: bool) -> list[Story]:
    """Mary takes two of ten things; the answer lists them in order. Every sixth of the 90 answers is held out."""
    things = ("apple", "ball", "book", "cake", "coin", "cup", "hat", "key", "lamp", "milk")
    return [
        Story(tuple(f"Mary took the {thing}." for thing in two), (Question("What?", ",".join(two), (0, 1), 2),))
        for number, two in enumerate(permutations(things, 2))
        if (number % 6 == 0) == held_out
    ]


def test_memn2n_tells_lists_that_training_never_had():
    """As one class an answer that training never had is never right; word by word it can be, in the median of five restarts."""
    told = two_things(False)
    task = Task.of("own/hold", told, two_things(True), valid=told[::8])
    config = MemN2NConfig(hops=1, encoding="bow", linear_start=0, epochs=60, halve_every=30, batch=8, lr=0.02)
    errors = {}
    for decoder, epochs in (("class", 1), ("words", 60)):
        spec, data = a_spec([task], dataclasses.replace(config, decoder=decoder, epochs=epochs), 5)
        errors[decoder] = [row["tasks"]["own/hold"]["test_error"] for row in train_networks(spec, data).rows]
    assert errors["class"] == [100.0] * 5
    assert sorted(errors["words"])[2] <= 50.0
