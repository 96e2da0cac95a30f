"""Asking from Python: arguments that are mixed up, calls as of pipelines, and how networks and answers show themselves."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import memnet
from memnet.api import Trained
from memnet.ask.arguments import check_order, story_statements
from memnet.ask.predictor import Predictor
from memnet.errors import AskError, NetworkError
from tests.ask.serving import STORY, STORY_TEXT, answered


@pytest.fixture
def network(networks: dict[str, Predictor]) -> Predictor:
    return networks["sure"]


QUESTION = "Where is Mary?"
TOLD = ["Mary went to the kitchen.", STORY, STORY_TEXT, tuple(STORY), "mary went to the kitchen"]


@pytest.mark.parametrize("story", TOLD, ids=str)
@pytest.mark.parametrize("question", [QUESTION, "where is mary", [QUESTION], "Where is Mary? Where is John?"], ids=str)
def test_a_swapped_story_and_question_are_found_out(network: Predictor, story: Any, question: Any):
    with pytest.raises(AskError, match=r"swapped.*ask\(story, question\).*context="):
        network.ask(question, story)
    with pytest.raises(AskError, match="swapped"):
        network(story, question)
    with pytest.raises(AskError, match=r"question 2: .*swapped"):
        network.ask_many([(STORY, QUESTION), (question, story)])
    check_order(story, question)


@pytest.mark.parametrize(
    ("story", "question"),
    [("", ""), ("", QUESTION), (QUESTION, QUESTION), (STORY, "mary"), (QUESTION, ""), (None, QUESTION), (QUESTION, None)],
    ids=str,
)
def test_what_is_not_swapped_is_not_called_so(story: Any, question: Any):
    check_order(story, question)


def test_two_questions_at_once_are_not_half_answered(network: Predictor):
    with pytest.raises(AskError, match=r"2 questions; ask one after another: 'Where is Mary\?'"):
        network.ask(STORY, "Where is Mary? Where is John?")
    assert network.ask(STORY, "I lost her. Where is Mary??").answer == network.ask(STORY, "Where is Mary?").answer


@pytest.mark.parametrize("story", [None, 5, b"Mary left.", {"Mary": "left"}, ["Mary left.", None], [["Mary left."]]], ids=str)
def test_a_story_that_is_no_text_is_named(network: Predictor, story: Any):
    for ask in (
        lambda: network.ask(story, QUESTION),
        lambda: network(question=QUESTION, context=story),
        lambda: network.encode_story(story),
        lambda: network.ask_many([(story, QUESTION)]),
    ):
        with pytest.raises(AskError, match="A story is a text or a list of sentences"):
            ask()


@pytest.mark.parametrize("question", [None, 5, b"Where?", [None]], ids=str)
def test_a_question_that_is_no_text_is_named(network: Predictor, question: Any):
    for ask in (lambda: network.ask(STORY, question), lambda: network(question=question, context=STORY)):
        with pytest.raises(AskError, match="A question is a text"):
            ask()


@pytest.mark.parametrize("pair", [QUESTION, None, (STORY,), (STORY, QUESTION, 3)], ids=str)
def test_what_is_no_pair_is_named(network: Predictor, pair: Any):
    with pytest.raises(AskError, match=r"question 1: .*pair, \(story, question\)"):
        network.ask_many([pair])


def test_a_story_of_any_kind_is_its_statements():
    assert story_statements(STORY_TEXT + f"\n{QUESTION}") == STORY
    assert story_statements(iter(STORY)) == story_statements(tuple(STORY)) == STORY


def test_contractions_are_spelled_out_where_they_are_unknown(network: Predictor):
    asked = network.ask(STORY, QUESTION)
    for question in ("Where's Mary?", "where’s mary", "WHERE'S MARY?"):
        assert network.ask(STORY, question) == asked
        assert network.ask_many([(STORY, question)])[0].answer == asked.answer


@pytest.mark.parametrize("context", [STORY, STORY_TEXT, " ".join(STORY)], ids=["list", "lines", "text"])
def test_a_network_is_called_as_a_pipeline_is(network: Predictor, context: Any):
    answer = network(question=QUESTION, context=context, runners_up=1, reads=2)
    assert answer == network.ask(STORY, QUESTION, runners_up=1, reads=2)
    assert len(answer.runners_up) == 1
    assert {len(hop) for hop in answer.hops} == {2}
    assert network(QUESTION, network.encode_story(STORY)).answer == "office"


OTHER = ["John went to the garden."]


@pytest.mark.parametrize(
    ("question", "context"),
    [
        ([QUESTION, "Where is John?"], [STORY, OTHER]),
        ([QUESTION, "Where is John?"], [" ".join(STORY), OTHER[0]]),
        ([{"question": QUESTION, "context": STORY}, {"question": "Where is John?", "context": OTHER, "id": 7}], None),
        ((QUESTION, "Where is John?"), " ".join([*STORY, *OTHER])),
    ],
    ids=["lists", "texts", "dicts", "one text"],
)
def test_several_questions_are_asked_as_of_a_pipeline(network: Predictor, question: Any, context: Any):
    first, second = network(question, context)
    assert first["answer"] == network.ask(STORY, QUESTION).answer
    assert second["answer"] == "garden"
    assert [*first, *first][:3] == ["answer", "probability", "runners_up"]


def test_a_dict_is_one_question(network: Predictor):
    assert network({"question": QUESTION, "context": STORY}) == network.ask(STORY, QUESTION)


def test_printed_an_answer_says_what_the_prompt_says():
    qa, unsure = memnet.load(), memnet.load(sure=1.0)
    took = ["Mary took the milk.", "Mary took the apple."]
    assert str(qa.ask(took, "What is Mary carrying?")) == "milk and apple"
    refused = unsure.ask(took, "Who has the milk?")
    assert (refused.answerable, refused.text) == (False, "Mary")  # the answer that is not given
    assert str(refused) == refused.refusal != refused.text
    assert qa.ask(took, "Who has the milk?").refusal == ""
    assert repr(refused) == f"<Answer: {refused.refusal}; my guess: 'Mary'>"
    unmentioned = qa.ask(took, "Where is Dave?")
    assert str(unmentioned) == "I cannot tell: the story does not mention Dave"
    assert repr(unmentioned) == f"<Answer: {unmentioned}>"


def test_the_likeliest_answers_are_a_list(network: Predictor):
    best, second = network(question=QUESTION, context=STORY, top_k=2)
    (runner_up,) = network.ask(STORY, QUESTION, runners_up=1).runners_up
    assert (best["answer"], second["answer"]) == ("office", runner_up[0])
    assert second["score"] == pytest.approx(runner_up[1], rel=1e-3)
    assert best["score"] == best.chance > second["score"]
    (of_list,) = network(question=[QUESTION], context=[STORY], top_k=2)
    assert [one.answer for one in of_list] == [best.answer, second.answer]
    assert dict(best)["score"] == best.chance
    with pytest.raises(KeyError, match="an answer has no 'start'; it has answer, probability"):
        best["start"]


@pytest.mark.parametrize(
    ("question", "context", "said"),
    [
        (QUESTION, None, "A story is a text or a list of sentences, not None"),
        ([QUESTION, QUESTION], [*STORY, *OTHER], "2 questions and . contexts"),
        ({"question": QUESTION}, None, "a dict with question and context"),
        ([{"question": QUESTION, "context": STORY}], STORY, "a dict with question and context, and nothing beside it"),
        ([QUESTION, "Where is John?"], [STORY, None], "question 2: A story is a text"),
    ],
)
def test_a_call_that_is_unclear_says_what_is_expected(network: Predictor, question: Any, context: Any, said: str):
    with pytest.raises(AskError, match=said):
        network(question, context)
    with pytest.raises(AskError, match="top_k is how many"):
        network(question, context, top_k=0)


@pytest.mark.parametrize("name", ["", " ", 5, b"runs"], ids=repr)
def test_a_name_that_names_nothing_says_what_is_expected(name: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.chdir(tmp_path)
    for load in (memnet.load, Predictor.from_pretrained):
        with pytest.raises(NetworkError, match=r"expected the folder of a run.*owner/name"):
            load(name)


def test_a_network_in_a_line(network: Predictor):
    said = repr(network)
    assert re.fullmatch(r"<memn2n, trained on own/moves \(own\); 12 words and answers; [\d,]+ parameters>", said)
    numbers = sum(value.numel() for value in network.net.state_dict().values())
    assert f"{numbers:,} parameters" in said
    assert repr(memnet.load()).count("20 data sets (") == 1
    assert "trained on" not in repr(Predictor(network.net, network.vocabulary))


# Answers


def test_an_answer_in_a_line():
    answer = answered([[0.9, 0.1], [0.2, 0.8]])
    assert repr(answer) == "<Answer 'kitchen' (99%), evidence: 1 'Mary left.', 2 'Mary left.'>"
    assert repr(replace(answer, hops=[], null_weights=[])) == "<Answer 'kitchen' (99%), evidence: none>"
    long = repr(answered([[1.0]], sentence="word " * 300))
    assert len(long) < 120
    assert "…" in long
    refused = repr(replace(answer, unanswerable=0.999))
    assert refused.startswith("<Answer: ")
    assert "evidence: 1" not in refused
    assert "\x1b" not in repr(replace(answer, answer="\x1b[31mred"))


def test_what_is_no_list_of_questions_is_refused(network: Predictor):
    for asked in (None, "Where is Mary?", 3):
        with pytest.raises(AskError, match="a list of pairs"):
            network.ask_many(asked)  # type: ignore[arg-type]


def test_a_trained_network_is_called_too(network: Predictor):
    class Alone(Trained):
        def __init__(self) -> None:
            self.predictor = network

    assert Alone()(question=QUESTION, context=STORY, reads=1) == network.ask(STORY, QUESTION, reads=1)
