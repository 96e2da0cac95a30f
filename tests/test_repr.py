"""What a person sees of an object: one short line, whatever it holds, and no address."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

import memnet
from memnet.ask.answer import Answer, Read
from memnet.ask.pairs import QuestionAnswerPairs
from memnet.attention import ALIGNS, READS, SCORES, Attention, MultiHead, dot, softmax, weighted_sum
from memnet.attention.align import Alignment
from memnet.encode.batch import batches
from memnet.encode.examples import Examples, examples
from memnet.encode.vocabulary import OpenVocabulary, Vocabulary
from memnet.models import MODELS
from memnet.models.memn2n import MemN2NConfig
from memnet.nn.random import Random
from memnet.papers import PAPERS, PRESETS
from memnet.tasks import find
from memnet.tasks.families import Task
from memnet.tasks.text import LINE, Question, Story, one_line
from memnet.training.dataset import DataSet
from memnet.training.result import Result
from memnet.training.spec import specify
from tests.conftest import wander
from tests.test_memn2n import network

STORIES = wander(1)
LONG = "Mary went to the kitchen and " * 100


def check(thing: object) -> str:
    """The short form, on one line, at most a hundred characters long and without an address."""
    said = repr(thing)
    assert "\n" not in said
    assert len(said) <= LINE, said
    assert not re.search(r"0x[0-9a-f]+|tensor\(|object at", said), said
    return said


def data() -> tuple[Examples, Vocabulary]:
    vocabulary = Vocabulary.of(STORIES)
    return examples([STORIES], vocabulary, 50), vocabulary


def test_every_configuration():
    for config in PRESETS.values():
        assert check(config).startswith(type(config).__name__ + "(")


@pytest.mark.parametrize("name", MODELS)
def test_every_network(name: str):
    net = network(PRESETS[MODELS[name].presets[0]])[0]
    assert f"<{type(net).__name__}, replicas: 2, parameters of each: " in check(net)


@pytest.mark.parametrize("registry", [SCORES, ALIGNS, READS], ids=["scores", "aligns", "reads"])
def test_every_part_of_the_core(registry: dict[str, Any]):
    assert {check(kind).partition("(")[0] for kind in registry.values()} == {"Kind"}


@pytest.mark.parametrize("paper", PAPERS.values(), ids=list(PAPERS))
def test_every_paper(paper: Any):
    assert f"presets: {len(paper.presets)}" in check(paper)


def test_what_the_core_makes():
    attend = Attention(dot, softmax, weighted_sum)
    assert check(attend) == "Attention(dot, softmax, weighted_sum)"
    assert check(MultiHead(4, 2, attend, Random(0, 1))) == f"MultiHead(2 heads, {attend})"
    query, key = torch.ones(1, 1, 2, 4), torch.ones(1, 1, 3, 4)
    assert check(attend.prepare(key)) == "<Memory, read by softmax: .ask(query) gives a Trace>"
    trace = attend(query, key)
    assert check(trace) == "<Trace: output (1, 1, 2, 4), weights (1, 1, 2, 3), logits (1, 1, 2, 3)>"
    assert check(Alignment(trace.weights)) == "<Alignment: weights (1, 1, 2, 3)>"
    assert "2 heads" in check(MultiHead(4, 2, attend, Random(0, 1)).prepare(key))


def test_what_training_is_made_of():
    known, vocabulary = data()
    assert check(vocabulary) == f"<Vocabulary of {len(vocabulary)} words and answers>"
    people = frozenset({"mary", "john", "sandra"})
    assert check(OpenVocabulary.open(STORIES, people)).endswith("40 of them markers of names>")
    assert check(known).startswith(f"<Examples: {len(known)} questions, each about at most 6 of ")
    assert check(known.sentences) == f"<Sentences: {len(known.sentences.words)} distinct ones of at most 5 words>"
    assert check(known.sizes(vocabulary, 3)).endswith(" n-grams>")
    batch = next(batches(known, torch.zeros(1, 2, 5, dtype=torch.long), 6))
    assert check(batch).startswith("<Batch: 5 questions for each of 2 replicas, about at most ")
    task = Task.of("own/moves", STORIES, STORIES, "0" * 12)
    assert check(task) == "<Task own/moves: 60 training and 60 test questions>"
    assert (
        check(DataSet.of([task], MemN2NConfig())) == "<DataSet of own/moves: 54 training, 6 validation and 60 test questions>"
    )
    assert check(replace(task, name="n" * 500))
    assert check(specify([task], "pe-ls-rn", replace(MemN2NConfig(), dim=7), 3)).startswith(
        "<Spec: memn2n pe-ls-rn on own/moves, seed 3"
    )
    result = Result(torch.nn.Linear(1, 1), 0, [{"tasks": {"moves": {"test_error": 12.34}}}], 5.2)  # type: ignore[arg-type]
    assert check(result) == "<Result: number 0 of 1 chosen, test error 12.3 %; 5 s>"


def test_a_simulated_task():
    assert check(find(["sim/qa1"])[0]) == "<Task sim/qa1: 1,000 training and 1,000 test questions>"


def test_stories_and_questions():
    assert check(Story(("Mary left.",), (Question("Where is Mary? ", "home", (0,), 1),))) == (
        "<Story of 1 statements, 1 questions; 'Mary left.' ...>"
    )
    assert check(Question("Where is Mary? ", "home", (0, 2), 3)) == "<Question 'Where is Mary?' 'home', facts: 1, 3>"
    assert check(Question(LONG, LONG, (), 1))
    assert check(Story((LONG,), ()))
    assert check(Story((), ()))


def test_answers_and_who_gives_them():
    bundled = memnet.load()
    check(bundled)
    check(bundled.net)
    answer = bundled.ask("Mary went to the kitchen.", "Where is Mary?")
    assert check(answer) == "<Answer 'kitchen' (100%), evidence: 1 'Mary went to the kitchen.'>"
    assert check(answer.evidence[0]).startswith("Read(number=1, sentence='Mary went to the kitchen.', weight=")
    assert check(bundled.ask("Mary went to the kitchen.", "Where is Bob?")).startswith("<Answer: I cannot tell: ")
    assert check(bundled.encode_story([LONG, "Mary left."])).startswith("<EncodedStory of 2 statements")
    assert check(bundled.vocabulary.bind())
    assert check(Read(1, LONG, 0.123456)).endswith("…', weight=0.1235)")
    assert check(Answer(LONG, 0.5, [], [[Read(number, LONG, 0.5) for number in range(9)]], [0.0], {}, 0))
    faq = QuestionAnswerPairs([(LONG, LONG)] * 2)
    assert check(faq) == "<QuestionAnswerPairs: 2 questions, 1 answers>"
    assert check(faq.ask("Mary?")).startswith("<PairAnswer 'Mary went")
    assert check(faq.ask("Bob?")).startswith("<PairAnswer: none of the questions is near")
    assert check(faq.ask("Mary?").pairs[0])


def test_a_trained_network(own_folder: Path):
    trained = memnet.train(own_folder, epochs=1, linear_start=0, restarts=1)
    said = check(trained)
    assert said.startswith("<memn2n pe-ls-rn on own/moves: error % train ")
    assert {"validation", "test"} <= set(said.split())
    check(trained.predictor)


@pytest.mark.parametrize(
    ("text", "width", "said"), [("a b c", 5, "a b c"), ("a b c d", 5, "a b…"), ("a\nb", 9, "a\\nb"), ("", 3, "")]
)
def test_a_text_on_one_line(text: str, width: int, said: str):
    assert one_line(text, width) == said
