"""The panel of a network on the page, its folded story, its picture, and what things are called."""

from __future__ import annotations

import base64
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest

from memnet.ask.answer import Answer, Read
from memnet.ask.hub import packaged
from memnet.ask.predictor import Predictor
from memnet.serve.labels import TITLES, card_errors, network_label, network_labels, task_label
from memnet.show.folding import Fold, story_parts
from memnet.show.panel import answer_html, answer_notes, hop_text, mark_unknown, story_html
from memnet.show.picture import picture
from memnet.tasks.simulator import PUBLISHED
from tests.ask.serving import TAGS, Parsed

MARK = "\N{BLACK RIGHT-POINTING TRIANGLE}"
SHORT = Answer(
    "office",
    0.9,
    [("kitchen", 0.1)],
    [[Read(2, "b <i>", 0.75), Read(1, "a", 0.25)], [Read(1, "a", 0.1), Read(2, "b <i>", 0.0)]],
    [0.0, 0.9],
    {"x<b>": ["y"]},
    1,
)


def long_answer(weights: list[float]) -> Answer:
    """An answer whose only hop read statement n with the weight at place n - 1."""
    reads = [Read(number, f"s{number}", weight) for number, weight in enumerate(weights, 1)]
    return Answer("a", 0.9, [], [sorted(reads, key=lambda read: -read.weight)], [0.0], {}, 0)


def test_a_line_a_sentence_and_a_cell_a_hop_blank_where_nothing_was_read():
    seen = Parsed(story_html(SHORT))
    assert seen.lines == [
        ["", "1", "a", "25", "10"],
        [MARK, "2", "b <i>", "75", ""],
        ["", "", "no sentence", "", "90"],
    ]
    assert not any(seen.folded)
    html = story_html(SHORT)
    assert 'data-reads="0.750 0.000" style="--read:0.750"' in html
    assert 'class="read" style="--read:0.250">25<' in html
    assert "no attention to show" in story_html(replace(SHORT, hops=[], null_weights=[]))


def test_a_hop_in_words():
    assert hop_text(SHORT, 1) == "Hop 1 read sentence 2 most (75%): b <i>"
    assert hop_text(SHORT, 2) == "Hop 2 read no sentence (90%)."
    assert hop_text(replace(SHORT, passes=1), 2) == "Hop 2 read nothing more: the hops end here (90%)."


def test_there_is_a_button_a_hop_where_there_are_several():
    assert re.findall(r'data-step="(\d)" aria-pressed="(\w+)"', story_html(SHORT)) == [
        ("0", "true"),
        ("1", "false"),
        ("2", "false"),
    ]
    assert re.findall(r'data-of="(\d)"( hidden)?', story_html(SHORT)) == [("0", ""), ("1", " hidden"), ("2", " hidden")]
    one = story_html(replace(SHORT, hops=SHORT.hops[:1], null_weights=[0.0]))
    assert "data-step" not in one
    assert "Hop 1 read sentence 2 most" in one


def test_what_a_long_story_has_that_was_not_read_is_folded_where_it_stands():
    weights = [0.0, 0.0, 0.0, 0.6, 0.0, 0.3, 0.01, 0.0, 0.01, 0.0, 0.0, 0.0, 0.0]
    parts = story_parts(long_answer(weights))
    assert [part.text if isinstance(part, Fold) else part.number for part in parts] == [
        "3 sentences not read",
        4,
        5,  # one alone is no shorter folded
        6,
        "7 sentences read less than 2% each",
    ]
    seen = Parsed(story_html(long_answer(weights)))
    assert seen.folded == [True] * 3 + [False] * 3 + [True] * 7
    assert len(seen.lines) == 13
    assert all(not isinstance(part, Fold) for part in story_parts(long_answer(weights[:12])))


def test_a_fold_holds_no_evidence():
    hard = replace(
        long_answer([0.001] * 40), hops=[[Read(7, "s", 0.012), *(Read(n, "s", 0.001) for n in range(1, 41) if n != 7)]]
    )
    parts = story_parts(hard)
    assert [len(part.rows) if isinstance(part, Fold) else part.number for part in parts] == [6, 7, 33]


def test_the_answer_in_words():
    said = answer_html(SHORT, "Where is Mary?", "Network", 2)
    assert "<strong>office</strong>" in said
    assert "<summary>confidence 90%</summary>" in said
    assert "other answers: kitchen 10%</small>" in said
    several = replace(SHORT, runners_up=[("e,s", 0.25), ("<c>", 0.001)])
    assert "other answers: east, then south 25% · &lt;c&gt; &lt;1%</small>" in answer_html(several, "Q?", "N")
    assert "Nobody checked" in said
    assert "of answers with 90% about nine in ten are right" in answer_html(replace(SHORT, calibrated_on="some"), "Q?", "N")
    assert answer_notes(SHORT, 2) == [
        "I do not know 'x<b>' (near it: y).",
        "1 older sentence is beyond my memory.",
        "2 questions are among the statements, and left out.",
    ]
    assert Parsed(said).tags <= TAGS
    unsure = answer_html(
        replace(SHORT, answer="milk,apple", unanswerable=0.8, reason="nobody said so", unknown_words={}), "Where?", "N"
    )
    assert "<strong>I cannot tell (80%): nobody said so</strong> <small>my guess: milk and apple</small>" in unsure
    assert "confidence" not in unsure


def test_unknown_words_are_marked_where_they_stand():
    assert mark_unknown("The Gardn & the gardnx", {"gardn": 'near "it"'}) == (
        'The <u title="near &quot;it&quot;">Gardn</u> &amp; the gardnx'
    )
    answer = replace(SHORT, unknown_words={}, typing_errors={"B": ["by"]})
    assert '<u title="not known; near it: by">b</u>' in story_html(answer)


def drawn(answer: Answer, question: str = "Where is Mary?") -> tuple[list[str], list[float]]:
    """The texts of the picture, and the opacity of its shades."""
    root = ElementTree.fromstring(picture(answer, question, "A network", story_parts(answer)))
    name = "{http://www.w3.org/2000/svg}"
    shades = [float(one.get("fill-opacity", "0")) for one in root.iter(f"{name}rect")]
    return ["".join(one.itertext()) for one in root.iter(f"{name}text")], [one for one in shades if one]


def test_the_picture_shows_question_answer_story_and_hops():
    texts, shades = drawn(SHORT)
    assert texts[:3] == ["Where is Mary?", "office (90%)", "A network"]
    assert texts[3:] == ["hop 1", "hop 2", "1", "a", "25%", "10%", f"{MARK} 2", "b <i>", "75%", "", "no sentence", "90%"]
    assert shades == pytest.approx([0.55 * w for w in (0.25, 0.25, 0.1, 0.75, 0.75, 0.9, 0.9)], abs=0.006)


def test_a_picture_of_anything_is_xml():
    strange = "\x00\x1b[31m \ufffe \ud83d ]]> & <script> " + "w" * 300 + " 玛丽" * 40
    answer = replace(SHORT, answer=strange, hops=[[Read(1, strange, 1.0)]], null_weights=[0.0])
    texts, _ = drawn(answer, strange)
    assert any("<script>" in one for one in texts)
    assert max(map(len, texts)) < 120
    assert drawn(replace(SHORT, hops=[], null_weights=[]))[0][0] == "Where is Mary?"


def test_every_line_of_a_picture_is_inside_it():
    answer = long_answer([0.5, *[0.0] * 30, 0.5])
    root = ElementTree.fromstring(picture(answer, "Q?", "N", story_parts(answer)))
    height = float(root.get("height", "0"))
    assert all(0 < float(one.get("y", "0")) < height for one in root.iter("{http://www.w3.org/2000/svg}text"))


def test_the_picture_is_in_its_link():
    found = re.search(r'download="memnet.svg" href="data:image/svg\+xml;base64,([^"]*)"', answer_html(SHORT, "Q?", "N"))
    assert found
    assert ElementTree.fromstring(base64.b64decode(found[1])).tag.endswith("svg")


CARD = """
| task | train error % | test error % |
| --- | --- | --- |
| qa1 | 1.0 | 0.0 |
| qa19 | 2.0 | 13.9 |
| qa2 | 3.0 |  |
| mean | x | y |

| qa3 | only two |
"""


def test_errors_are_those_of_the_card():
    assert card_errors(CARD) == {"qa1": 0.0, "qa19": 13.9}
    assert card_errors(None) == card_errors("| qa1 | 3.0 |") == {}
    assert task_label("qa19", card_errors(CARD)) == "19 path finding (86.1% right)"


@pytest.mark.parametrize("name", packaged())
def test_the_cards_of_the_package_have_an_error_for_every_task(name: str):
    network = Predictor.from_name(name)
    assert list(card_errors(network.card)) == list(PUBLISHED) == list(TITLES)
    assert len(network_label(network)) < 45


def test_networks_of_one_kind_are_told_apart_by_their_names():
    one, other = Predictor.from_name("memn2n"), Predictor.from_name("memnn")
    assert network_labels({"a": one, "b": other}) == [
        ("End-to-end memory network", "a"),
        ("Strongly supervised memory network", "b"),
    ]
    assert network_labels({"a": one, "b": one}) == [
        ("End-to-end memory network (a)", "a"),
        ("End-to-end memory network (b)", "b"),
    ]
