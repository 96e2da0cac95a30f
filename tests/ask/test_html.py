"""An answer as HTML on the page and in a notebook: its story, folded where it is long, its hops, its colours."""

import re
from dataclasses import replace
from html import unescape

import pytest

from memnet.ask.answer import Answer, Read
from memnet.ask.predictor import Predictor
from memnet.show import html
from memnet.show.rows import SHORT_STORY, fold_title, folded
from tests.ask.serving import STORY, TAGS, Parsed, answered

SHORT = Answer(
    "office",
    0.9,
    [("kitchen", 0.1)],
    [[Read(2, "b <i>", 0.75), Read(1, "a", 0.25)], [Read(1, "a", 0.1), Read(2, "b <i>", 0.0)]],
    [0.0, 0.9],
    {"x<b>": ["y"]},
    1,
)
ONE_HOP = replace(SHORT, hops=SHORT.hops[:1], null_weights=[0.0])
BLIND = replace(SHORT, hops=[], null_weights=[])


def test_a_line_a_sentence_and_a_cell_a_hop_blank_where_nothing_was_read():
    page = html.story_html(SHORT)
    assert Parsed(page).lines == [
        ["", "1", "a", "25", "10"],
        [html.MARK, "2", "b <i>", "75", ""],
        ["", "", "(nothing)", "", "90"],
    ]
    assert not any(Parsed(page).folded)
    assert 'data-reads="0.750 0.000" style="--read:0.750"' in page
    assert "no attention to show" in html.story_html(BLIND)
    assert "the answer rests on it" in page
    assert "rests" not in html.story_html(replace(SHORT, unanswerable=1.0))


def test_a_hop_in_words():
    assert html.hop_text(SHORT, 1) == "Hop 1 read sentence 2 most (75%): b <i>"
    assert html.hop_text(SHORT, 2) == "Hop 2 read no sentence (90%)."
    assert html.hop_text(replace(SHORT, passes=1), 2) == "Hop 2 read nothing more: the hops end here (90%)."


def test_there_is_a_button_a_hop_where_there_are_several():
    steps = [("0", "true"), ("1", "false"), ("2", "false")]
    assert re.findall(r'data-step="(\d)" aria-pressed="(\w+)"', html.story_html(SHORT, buttons=True)) == steps
    hidden = [("0", ""), ("1", " hidden"), ("2", " hidden")]
    assert re.findall(r'data-of="(\d)"( hidden)?', html.story_html(SHORT, buttons=True)) == hidden
    assert "data-step" not in html.story_html(ONE_HOP, buttons=True)
    assert "Hop 1 read sentence 2 most" in html.story_html(ONE_HOP, buttons=True)
    assert "<button" not in html.notebook_html(SHORT), "nothing would happen"


LONG = [0.0, 0.0, 0.0, 0.6, 0.0, 0.3, 0.01, 0.0, 0.01, 0.0, 0.0, 0.0, 0.0]
HARD = [0.001] * 6 + [0.012] + [0.001] * 33


@pytest.mark.parametrize(
    ("weights", "parts"),
    [
        (LONG, ["3 sentences not read", 4, 5, 6, "7 sentences read less than 2% each"]),  # one alone is no shorter folded
        (HARD, ["6 sentences not read", 7, "33 sentences not read"]),  # evidence stays
        (LONG[:SHORT_STORY], [*range(1, SHORT_STORY + 1)]),
    ],
    ids=["long", "hard", "short"],
)
def test_what_a_long_story_has_that_was_not_read_is_folded_where_it_stands(weights: list[float], parts: list[object]):
    answer = answered([weights])
    found = folded(answer)
    assert [fold_title(part) if len(part) > 1 else part[0].number for part in found] == parts
    seen = Parsed(html.story_html(answer))
    assert seen.folded == [len(part) > 1 for part in found for _ in part]
    assert [line[1] for line in seen.lines] == [str(number) for number in range(1, len(weights) + 1)]


def test_the_answer_in_words():
    said = html.answer_html(SHORT, questions=2)
    assert "<strong>office</strong>" in said
    assert "<summary>confidence 90%</summary>" in said
    assert "other answers: kitchen 10%</small>" in said
    several = replace(SHORT, runners_up=[("e,s", 0.25), ("<c>", 0.001)])
    assert "other answers: east, then south 25% · &lt;c&gt; &lt;1%</small>" in html.answer_html(several)
    assert "Nobody checked" in said
    assert "of answers with 90% about nine in ten are right" in html.answer_html(replace(SHORT, calibrated_on="some"))
    assert [unescape(note) for note in re.findall(r'<p class="note">(.*?)</p>', said)] == [
        "I do not know the word 'x<b>' (near: y).",
        "1 older statement is beyond my memory.",
        "2 questions are among the statements, and left out.",
        f"{html.MARK} the answer rests on it",
    ]
    assert Parsed(said).tags <= TAGS
    unsure = html.answer_html(replace(SHORT, answer="milk,apple", unanswerable=0.8, reason="nobody said so", unknown_words={}))
    assert "<strong>I cannot tell (80%): nobody said so</strong> <small>my guess: milk and apple</small>" in unsure
    assert "confidence" not in unsure
    surely_none = replace(SHORT, answer="milk,apple", unanswerable=0.97, reason="nobody said so", unknown_words={})
    assert surely_none.guess == ""
    assert "<strong>I cannot tell (97%): nobody said so</strong> </div>" in html.answer_html(surely_none)


def test_unknown_words_are_marked_where_they_stand():
    assert html.mark_unknown("The Gardn & the gardnx", {"gardn": 'near "it"'}) == (
        'The <u title="near &quot;it&quot;">Gardn</u> &amp; the gardnx'
    )
    answer = replace(SHORT, unknown_words={}, typing_errors={"B": ["by"]})
    assert '<u title="not known; near it: by">b</u>' in html.story_html(answer)


def test_nothing_of_a_story_is_html():
    bad = "<script>alert('&')</script>"
    page = html.notebook_html(answered([[1.0]], sentence=bad, answer=bad, runners_up=[(bad, 0.01)], question=bad, story=[bad]))
    assert "<script" not in page
    assert page.count("&lt;script&gt;alert(&#x27;&amp;&#x27;)&lt;/script&gt;") == 4


def test_the_question_and_the_story_stand_in_the_notebook(networks: dict[str, Predictor]):
    answer = networks["sure"].ask(STORY, "Where is Mary?")
    page = answer._repr_html_()
    assert page == html.notebook_html(answer)
    assert page.index("Where is Mary?") < page.index("<strong>office</strong>") < page.index("<table")
    assert [line[2] for line in Parsed(page.partition("</style>")[2]).lines][: len(STORY)] == STORY
    blind = replace(answer, hops=[], null_weights=[])._repr_html_()
    assert "<table" not in blind
    listed = [(str(n), text) for n, text in enumerate(STORY, 1)]
    assert re.findall(r"(\d+) ([A-Z].*?)(?:<br>|</div>)", blind.partition("</p><div>")[2]) == listed


def test_of_a_very_long_story_the_last_statements_are_listed():
    listed = html.numbered(["<b>"] * (html.MOST_LISTED + 5))
    assert "(5 more)" in listed
    assert listed.count("&lt;b&gt;") == html.MOST_LISTED
    assert "<b>" not in listed
    assert html.numbered([]) == ""


def test_nothing_in_the_notebook_has_a_colour_of_its_own_but_the_blue_of_what_was_read():
    """So it is legible on white and on black: text inherits the page's colour, borders and cells let its background through."""
    page = html.notebook_html(answered([[1.0] + [0.0] * 39]))
    colours = re.findall(r"(?<![\w-])(?:color|background|border|border-left)\s*:\s*([^;}\"]+)", page)
    assert len(colours) > 5
    for colour in colours:
        thin = re.search(r"rgba\([\d,]+,(0?\.\d+|calc\(var\(--read\) \* .55\))\)", colour)
        assert thin or colour.removesuffix(" !important") in ("inherit", "none"), colour


def luminance(colour: list[float]) -> float:
    """The relative luminance of a colour, 0 to 255 a channel, by WCAG 2."""
    linear = [(c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4) for c in (part / 255 for part in colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("page", [255, 17], ids=["light", "dark"])
@pytest.mark.parametrize("weight", [0.005, 0.3, 1.0, -1.0, 4.0])
def test_cells_are_legible_on_white_and_on_black(page: int, weight: float):
    """The page's own text, black or white, has a contrast of 4.5 at least to a cell of any weight."""
    style = re.search(r"rgba\((\d+),(\d+),(\d+),([\d.]+)\)", html.cell_html(weight, 1))
    assert style
    assert tuple(map(int, style.groups()[:3])) == html.BLUE
    alpha = float(style[4])
    assert alpha == pytest.approx(html.STRONGEST * min(1.0, abs(weight)), abs=0.006)
    ground = luminance([alpha * part + (1 - alpha) * page for part in html.BLUE])
    text = luminance([255.0 - page] * 3)
    assert (max(ground, text) + 0.05) / (min(ground, text) + 0.05) >= 4.5
    assert "color:" not in html.cell_html(weight, 1).replace("background-color", "")
