"""Questions with a "not": what answers the question without it is no answer."""

import pytest

from memnet import load
from memnet.ask.predictor import Predictor


@pytest.fixture(scope="module")
def network() -> Predictor:
    return load()


@pytest.mark.parametrize(
    ("story", "question", "reason"),
    [
        ("Mary went to the kitchen.", "Where isn't Mary?", "nothing says where Mary is not"),
        ("Mary went to the kitchen.", "Where isn\u2019t Mary?", "nothing says where Mary is not"),
        ("The keys are under the mat.", "Where are the keys not?", "nothing says where the keys are not"),
    ],
)
def test_what_is_so_is_not_what_is_not_so(network: Predictor, story: str, question: str, reason: str):
    answer = network.ask([story], question)
    assert not answer.answerable
    assert answer.reason == reason


@pytest.mark.parametrize(
    ("story", "question", "right"),
    [
        (["Ann drinks tea.", "Ben does not drink tea."], "Who doesn't drink tea?", "ben"),
        (["Mary is not in the kitchen."], "Where isn't Mary?", "kitchen"),
        (["Tom won't come.", "Ann will."], "Who won't come?", "tom"),
    ],
)
def test_what_is_not_so_is_answered_where_the_story_tells_it(network: Predictor, story: list[str], question: str, right: str):
    answer = network.ask(story, question)
    assert answer.answerable
    assert answer.text.lower() == right
