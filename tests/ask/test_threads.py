"""Threads that ask one network at the same time get the answers that they would get alone."""

import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import pytest

from memnet.ask.example import example_of
from memnet.ask.hub import packaged
from memnet.ask.predictor import Predictor
from memnet.tasks.simulator import PUBLISHED_TASKS

THREADS = 8
OWN = (
    (["Zub took the gronk to the shed.", "Zub left the gronk there."], "Where is the gronk?"),
    (["My sister Anna baked a cake for her husband because he was sad.", "He ate it in the garden."], "Who baked the cake?"),
)


def ways(network: Predictor) -> list[Callable[[], Any]]:
    """Everything that may be asked of a network, about stories of all tasks and of one's own words."""
    examples = [example_of(task, seed) for seed, task in enumerate(list(PUBLISHED_TASKS)[::5])]
    pairs = [*((list(one.statements), one.question) for one in examples), *OWN]

    def way(story: list[str], question: str) -> list[Callable[[], Any]]:
        return [
            lambda: network.ask(story, question).as_json(),
            lambda: network.ask(pickle.loads(pickle.dumps(network.encode_story(story))), question).as_json(),
            lambda: network.ask_many([(story, question), *pairs[:2]], runners_up=3, reads=None)[0].text,
            lambda: network.unknown_words(*story, question),
        ]

    return [each for pair in pairs for each in way(*pair)]


@pytest.mark.parametrize("name", packaged())
def test_answers_do_not_depend_on_who_else_asks(name: str):
    asked = ways(Predictor.from_name(name))
    alone = [each() for each in asked]
    order = [number for number in range(len(asked)) for _ in range(2)]
    Random(1).shuffle(order)
    fresh = ways(Predictor.from_name(name))  # nothing of it was computed before the threads come
    with ThreadPoolExecutor(THREADS) as pool:
        found = list(pool.map(lambda number: (number, fresh[number]()), order))
    assert all(answer == alone[number] for number, answer in found)


def test_one_encoded_story_is_asked_by_many(networks: dict[str, Predictor]):
    for network in networks.values():
        story = network.encode_story(["Mary went to the kitchen.", "John went to the garden.", "Mary went to the office."])
        asked = ["Where is Mary?", "Where is John?"] * 40
        alone = [network.ask(story, question).as_json() for question in asked]
        with ThreadPoolExecutor(THREADS) as pool:
            assert (
                list(pool.map(lambda question, network=network, story=story: network.ask(story, question).as_json(), asked))
                == alone
            )
