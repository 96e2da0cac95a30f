"""Asking from Python: arguments that are mixed up, calls as of pipelines, and how networks and answers show themselves."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import memnet
from memnet.ask.answer import Answer, Read
from memnet.ask.arguments import check_order, story_statements
from memnet.ask.predictor import Predictor
from memnet.errors import AskError, NetworkError
from memnet.show.notebook import BLUE, MOST_LISTED, SHORT_STORY, STRONGEST, answer_html, cell_html, story_html
from tests.ask.serving import STORY, STORY_TEXT


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


@pytest.mark.parametrize("name", ["", " ", 5, b"runs"], ids=repr)
def test_a_name_that_names_nothing_says_what_is_expected(name: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.chdir(tmp_path)
    for load in (memnet.load, Predictor.from_pretrained):
        with pytest.raises(NetworkError, match=r"expected the folder of a run.*owner/name"):
            load(name)


def test_a_network_in_a_line(network: Predictor):
    said = repr(network)
    assert re.fullmatch(r"<memn2n, trained on moves \(own\); 12 words and answers; [\d,]+ parameters>", said)
    numbers = sum(value.numel() for value in network.net.state_dict().values())
    assert f"{numbers:,} parameters" in said
    assert repr(memnet.load()).count("20 tasks (") == 1
    assert "trained on" not in repr(Predictor(network.net, network.vocabulary))


# Answers


def answered(hops: list[list[float]], null: list[float] | None = None, sentence: str = "Mary left.", **more: Any) -> Answer:
    """An answer whose hops read so much of the statements 1, 2, ..."""
    reads = [[Read(i, sentence, weight) for i, weight in enumerate(hop, 1)] for hop in hops]
    reads = [sorted(hop, key=lambda read: -read.weight) for hop in reads]
    given: dict[str, Any] = {"answer": "kitchen", "probability": 0.98765, "runners_up": [("garden", 0.01)]} | more
    return Answer(hops=reads, null_weights=null or [0.0] * len(hops), unknown_words={}, truncated=0, **given)


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


def cells(html: str) -> list[list[str]]:
    """The texts of the table's rows."""
    body = html.partition("<tbody>")[2].partition("</tbody>")[0]
    return [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr[^>]*>(.*?)</tr>", body)]


def test_an_answer_in_a_notebook():
    answer = answered([[0.9, 0.002], [0.0, 0.25]], null=[0.098, 0.75])
    html = answer._repr_html_()
    assert html == answer_html(answer)
    assert "<strong>kitchen</strong> (99%; then garden 1%)" in html
    assert cells(html) == [
        ["*", "1", "90", "", "Mary left."],
        ["", "2", "", "25", "Mary left."],
        ["", "", "10", "75", "(nothing)"],
    ]
    assert "the answer relied on it" in html
    assert "relied" not in answer_html(replace(answer, unanswerable=1.0))
    assert "<table" not in answer_html(replace(answer, hops=[], null_weights=[]))


def test_nothing_of_a_story_is_html():
    bad = "<script>alert('&')</script>"
    html = answer_html(answered([[1.0]], sentence=bad, answer=bad, runners_up=[(bad, 0.01)]))
    assert "<script" not in html
    assert html.count("&lt;script&gt;alert(&#x27;&amp;&#x27;)&lt;/script&gt;") == 3


def test_a_long_story_shows_what_was_read_and_counts_the_rest():
    weights = [0.0] * 40
    weights[6], weights[30] = 0.75, 0.25
    html = answer_html(answered([weights]))
    assert [row[1] for row in cells(html)] == ["7", "31"]
    assert "<details><summary>38 other statements were not read</summary>" in html
    folded = html.partition("</summary>")[2].partition("</details>")[0]
    assert re.findall(r"(\d+) Mary left\.", folded) == [str(number) for number in range(1, 41) if number not in (7, 31)]
    short = answer_html(answered([weights[:SHORT_STORY]]))
    assert len(cells(short)) == SHORT_STORY
    assert "not read" not in short
    assert len(cells(answer_html(answered([[0.01] * 100])))) == 50
    assert "50 other statements were read less" in answer_html(answered([[0.01] * 100]))
    assert "3 older statements are beyond" in answer_html(replace(answered([weights]), truncated=3))


def test_the_question_and_the_story_stand_in_the_notebook(network: Predictor):
    html = network.ask(STORY, QUESTION)._repr_html_()
    assert html.index(QUESTION) < html.index("<strong>office</strong>") < html.index("<table")
    assert [row[-1] for row in cells(html)][: len(STORY)] == STORY
    assert "question" not in network.ask(STORY, QUESTION).as_json()
    assert "story" not in network.ask(STORY, QUESTION).as_json()
    blind = replace(network.ask(STORY, QUESTION), hops=[], null_weights=[])
    assert "<table" not in blind._repr_html_()
    assert re.findall(r"(\d+) (.*?)(?:<br>|</div>)", story_html(blind)) == [(str(n), text) for n, text in enumerate(STORY, 1)]


def test_of_a_very_long_story_the_last_statements_are_listed():
    listed = story_html(replace(answered([]), story=["<b>"] * (MOST_LISTED + 5)))
    assert "(5 more)" in listed
    assert listed.count("&lt;b&gt;") == MOST_LISTED
    assert "<b>" not in listed
    assert story_html(answered([])) == ""


def test_nothing_in_the_notebook_has_a_colour_of_its_own_but_the_blue_of_what_was_read():
    """So it is legible on white and on black: text inherits the page's colour, borders and cells let its background through."""
    html = answered([[1.0] + [0.0] * 39])._repr_html_()
    colours = re.findall(r"(?<![\w-])(?:color|background|border)\s*:\s*([^;}\"]+)", html)
    assert colours
    for colour in colours:
        assert colour == "inherit" or re.search(r"rgba\([\d,]+,0?\.\d+\)", colour), colour


def test_what_is_no_list_of_questions_is_refused(network: Predictor):
    for asked in (None, "Where is Mary?", 3):
        with pytest.raises(AskError, match="a list of pairs"):
            network.ask_many(asked)  # type: ignore[arg-type]


def luminance(colour: list[float]) -> float:
    """The relative luminance of a colour, 0 to 255 a channel, by WCAG 2."""
    linear = [(c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4) for c in (part / 255 for part in colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("page", [255, 17], ids=["light", "dark"])
@pytest.mark.parametrize("weight", [0.005, 0.3, 1.0, -1.0, 4.0])
def test_cells_are_legible_on_white_and_on_black(page: int, weight: float):
    """The page's own text, black or white, has a contrast of 4.5 at least to a cell of any weight."""
    style = re.search(r"rgba\((\d+),(\d+),(\d+),([\d.]+)\)", cell_html(weight))
    assert style
    assert tuple(map(int, style.groups()[:3])) == BLUE
    alpha = float(style[4])
    assert alpha == pytest.approx(STRONGEST * min(1.0, abs(weight)), abs=0.006)
    ground = luminance([alpha * part + (1 - alpha) * page for part in BLUE])
    text = luminance([255.0 - page] * 3)
    assert (max(ground, text) + 0.05) / (min(ground, text) + 0.05) >= 4.5
    assert "color:" not in cell_html(weight).replace("background-color", "")


def test_a_trained_network_is_called_too(network: Predictor):
    from memnet.api import Trained

    class Alone(Trained):
        def __init__(self) -> None:
            self.predictor = network

    assert Alone()(question=QUESTION, context=STORY, reads=1) == network.ask(STORY, QUESTION, reads=1)
