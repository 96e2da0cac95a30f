"""Where somebody is not, is not where they are: "Where isn't Mary?" has no answer in "Mary went to the kitchen."

A reader takes little notice of a "not" beside "where". So such a question is asked without it, too: what would answer both
answers neither. Questions for who, what and which are left as they are: of the nine in the stories to develop with, five were
right and would be lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from memnet.reading.answers import Reply, TrainedReader
from memnet.reading.spans import plain
from memnet.tasks.text.english import of_class
from memnet.tasks.text.tokens import split

NOT = of_class("not never n't")
WHOLE = {"wo": "will", "ca": "can", "sha": "shall", "ai": "is"}  # of "won't", "can't", "shan't", "ain't"


def affirmed(question: str) -> str:
    """The question without its "not"; empty where it has none, or asks for something else than where.

    >>> affirmed("Where isn't Mary?"), affirmed("Where is he not?"), affirmed("Where won't they go?")
    ('Where is Mary', 'Where is he', 'Where will they go')
    >>> affirmed("Why isn't Mary here?"), affirmed("Where is Mary?")
    ('', '')
    """
    words = [word.replace("\u2019", "'") for word in split(question)]
    low = [word.lower() for word in words]
    if low[:1] != ["where"] or NOT.isdisjoint(low):
        return ""
    follows = dict(pairwise(low))
    said = (WHOLE.get(one, word) if follows.get(one) == "n't" else word for one, word in zip(low, words, strict=True))
    return " ".join(word for word in said if word.lower() not in NOT)


def answer_apart(reader: TrainedReader, statements: Sequence[str], question: str, runners_up: int) -> Reply:
    """A reader's reply; to "where" with a "not" it is none that answers the question without it, too."""
    reply, without = reader.answer(statements, question, runners_up), affirmed(question)
    if not without or (len(reply.spans) != 1 and reply.kind != "untold"):
        return reply
    other = reader.answer(statements, without, runners_up)
    if reply.kind == "untold":
        guess, probability = (*reply.runners_up[:1], ("", 0.0))[0]
        if not denied(guess, statements) or plain(guess) in map(plain, other.spans):
            return reply
        return replace(reply, kind="span", text=guess, spans=(guess,), probability=probability, runners_up=reply.runners_up[1:])
    if plain(reply.text) not in map(plain, other.spans):
        return reply
    return replace(reply, kind="untold", text="", spans=(), untold=max(reply.untold, other.probability), runners_up=())


def denied(place: str, statements: Sequence[str]) -> bool:
    """Whether a statement with a "not" has the place.

    >>> denied("kitchen", ["Mary is not in the kitchen."]), denied("kitchen", ["Mary is in the kitchen."])
    (True, False)
    """
    told = (f" {' '.join(split(text)).lower()} " for text in statements if not NOT.isdisjoint(map(str.lower, split(text))))
    return bool(place) and any(f" {plain(place)} " in text for text in told)
