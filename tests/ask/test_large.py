"""A story of 50,000 statements, asked of every network of the package: ``python -m pytest -s`` prints what it takes."""

import multiprocessing
import time
from random import Random

import pytest

from memnet.ask.hub import packaged
from memnet.ask.predictor import Predictor
from memnet.measure.speed import peak

STATEMENTS, MEMORY = 50_000, 300  # and MiB that asking may take beside the network
TASKS = "{} went to the {}.", ["Mary", "John", "Sandra"], ["garden", "office", "hallway"]
ENGLISH = "{} put the key on the table in the {}.", ["The old man", "A young baker", "Anna"], ["garden", "office", "attic"]


def asked(name: str, form: tuple[str, list[str], list[str]]) -> tuple[str, float, float]:
    """What a network answers to where Mary is, who went last; seconds of a core, and MiB more than with a short story."""
    draw, last, question = Random(1), "Mary went to the kitchen.", "Where is Mary?"
    story = [form[0].format(*map(draw.choice, form[1:])) for _ in range(STATEMENTS - 1)]
    network = Predictor.from_name(name)
    network.ask([*story[:5], last], question)
    before, started = peak(), time.process_time()
    answer = network.ask([*story, last], question, reads=3)
    return answer.answer, time.process_time() - started, peak() - before


@pytest.mark.slow
@pytest.mark.parametrize("form", [TASKS, ENGLISH], ids=["tasks", "english"])
@pytest.mark.parametrize("name", packaged())
def test_fifty_thousand_statements(name: str, form: tuple[str, list[str], list[str]]):
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        answer, seconds, memory = pool.apply(asked, (name, form))
    print(f"\n{name}: {STATEMENTS:,} statements, answer {answer}, {seconds:.1f} s of a core, {memory:.0f} MiB")
    assert memory < MEMORY
    assert answer == "kitchen" or (form is ENGLISH and name != "memnet"), "what the others know of such words is little"
