"""The gate before the reader of facts: what says of whereabouts passes, and what books say does not."""

from itertools import islice, product
from random import Random

import pytest
import torch

from memnet.facts.examples import Sentence, sentence
from memnet.facts.gate import GateCourse, outside_names, said, text_of, train_gate
from memnet.facts.kinds import NONE
from memnet.models.retriever import Retriever

COURSE = GateCourse(statements=800, steps=160, batch=96, known=800, passes=0.05, held_out=0.25)
WHO = ("The old man", "She", "His heart", "The evening", "My dear lady", "That proud family", "The silent moon")
DOES = ("was weary of", "remembered", "loved", "seemed to forgive", "could never forget", "sighed at", "believed in")
WHAT = ("such sorrow", "the long summers", "a foolish promise", "her own pride", "the beauty of music", "those kind words")
BOOKS = [f"{who} {does} {what}." for who, does, what in product(WHO, DOES, WHAT)]  # made up
MOVES = ("Ann went to the {}.", "The box is in the {}.", "Bob moved the ladder to the {}.", "We left the keys in the {}.")
MEANT = [form.format(place) for form in MOVES for place in ("kitchen", "garage", "office", "cellar")]


@pytest.fixture(scope="module")
def gate() -> Retriever:
    books = list(BOOKS)
    Random(1).shuffle(books)
    return train_gate(books, COURSE, lambda step, loss: None)


def passing(gate: Retriever, texts: list[str]) -> float:
    """The share that passes."""
    with torch.no_grad():
        return float((gate.scores(texts) > 0).float().mean())


def test_a_gate_learns_to_tell_whereabouts_from_books(gate: Retriever):
    draw = Random(9)
    fresh = [text_of(one, draw) for one in islice(said(77), 200)]
    assert passing(gate, fresh) > 0.9
    assert passing(gate, MEANT) > 0.9
    assert passing(gate, BOOKS) < 0.15
    assert passing(gate, [text.lower() for text in MEANT]) > 0.9


def test_the_threshold_lets_the_share_of_fresh_sentences_through(gate: Retriever):
    books = list(BOOKS)
    Random(1).shuffle(books)
    fresh = books[-round(COURSE.held_out * len(books)) :]
    assert passing(gate, fresh) == pytest.approx(COURSE.passes, abs=1.5 / len(fresh))


def test_what_is_to_pass_says_of_whereabouts():
    for one in islice(said(3), 200):
        assert not one.asks
        assert one.kinds[0] != NONE


def test_words_are_counted_outside_names():
    one: Sentence = sentence(("Ann", "took", "the", "red", "lamp"), False, [("take", {"who": (0, 1), "what": (3, 5)})])
    assert outside_names([one, one]) == {"took": 2, "the": 2}
