"""Stories as templates: slots, alternatives, answers that stand in the story; the lexicon's own are of the form."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memnet.tasks.files import DataError
from memnet.tasks.text.tokens import NUMBER_WORDS
from memnet.tasks.world.complaints import complaints
from memnet.tasks.world.lexicon import training_texts
from memnet.tasks.world.slots import slotted
from memnet.tasks.world.sums import number, resolved, total
from memnet.tasks.world.told import TemplateError, draw_told, idle_lines, parse, written

ROOT = Path(__file__).parent.parent.parent
LOAN = """# kind: loan
{m:Kwabena} [borrowed|took] our {t:ladder} {w:in March} because {m his} gutter was leaking.
~ The neighbours were having a barbecue.
? Does {m} have a {t}? -> yes
{m He} brought it back {w2:on Sunday}.
? Why did {m} [need|borrow|take] the {t}? -> {m his} gutter was leaking
? When did the {t} come back? -> {w2}
? How many {x:barbecues} were there? -> 1
? Who painted the {t}? -> not told
"""


def test_an_installed_package_says_that_texts_to_learn_from_are_in_the_source():
    assert [*training_texts("told")] == sorted(training_texts("told"))
    with pytest.raises(DataError, match="tasks/world/lexicon/untold, which readers learn from, are not part of an installed"):
        training_texts("untold")


def loan(text: str = LOAN):
    (template,) = parse(text)
    return template


def test_a_story_of_a_template():
    seen = set()
    for seed in range(40):
        story = draw_told(Random(seed), loan())
        first = story.statements[0].words
        assert first[1] in ("borrowed", "took")
        assert [one.idle for one in story.statements] in ([False, True, False], [False, False])
        has, why, when, count, who = story.questions
        assert has.after == len(story.statements) - 1
        assert why.after == len(story.statements)
        assert (has.answer.kind, count.answer.number, who.answer.kind) == ("yes", 1, "untold")
        assert who.answer.reason == "Nothing says who"
        for question in (why, when):
            ((at, begin, end),) = question.answer.spans
            told = story.statements[at].words[begin:end]
            assert " ".join(told).lower() == question.answer.text.lower()
        assert first[0] in why.words
        assert why.answer.spans[0][2] == len(first)
        seen.add((first[0], first[3]))
    assert len(seen) > 10


def test_pronouns_follow_the_name_and_a_becomes_an():
    text = "# kind: pets\n{p:Ann} has a {a:dog}. {p He} feeds it.\n? Who has a {a}? -> {p}\n"
    told = [[one.text for one in draw_told(Random(seed), loan(text)).statements] for seed in range(60)]
    assert {second for _, second in told} == {"He feeds it", "She feeds it"}  # each sentence is a statement, as a reader has it
    stories = [first for first, _ in told]
    assert all((" an " in one) == (one.split(" has ")[1].split()[1][0] in "aeiou") for one in stories if "uni" not in one)


def test_names_and_nouns_without_a_slot_are_slots_too():
    text = "# kind: x\nMary put the hammer in the attic. Mary left.\n? Where is the hammer? -> the attic\n? Who left? -> Mary\n"
    stories = {draw_told(Random(seed), slotted(loan(text))).statements[0].text for seed in range(30)}
    assert len(stories) > 10
    for seed in range(30):
        story = draw_told(Random(seed), slotted(loan(text)))
        words = [word for line in story.statements for word in line.words]
        assert words[0] == words[words.index("left") - 1]
        assert story.questions[1].answer.text == words[0]


KETTLE = """# kind: kettle
My new kettle is broken. Anneli's dog sat on the kettle.
Anneli cried in the kitchen.
? Whose is the small kettle? -> Anneli
? Who broke Anneli's kettle? -> not told
"""
KETTLES = "# kind: kettles\nThe kettle is broken. Two kettles stood in the kitchen.\n? What stood there? -> Two kettles\n"
FRED = "# kind: fred\n{m:old Fred} left. Old Fred has no car.\n? Who left? -> {m}\n"


def test_a_word_is_a_slot_wherever_it_stands():
    (template,) = parse(KETTLE)
    text = slotted(template).text
    assert "kettle}" in text
    assert "Anneli}'s dog" in text
    assert re.findall(r"kettle|Anneli", text) == ["kettle", "Anneli"]  # the examples alone
    stories = [draw_told(Random(seed), slotted(template)) for seed in range(30)]
    assert any("kettle" not in story.statements[0].words for story in stories)
    for story in stories:
        thing, owner = story.statements[0].words[2:-2], story.statements[1].words[0]
        assert story.statements[1].words[6:] == thing == story.questions[0].words[4:] == story.questions[1].words[4:]
        assert owner == story.statements[2].words[0] == story.questions[1].words[2]


@pytest.mark.parametrize("text", [KETTLES, FRED])
def test_a_word_that_stands_in_another_form_or_outside_its_slot_stays(text: str):
    (template,) = parse(text)
    first = {story.statements[0].text for story in (draw_told(Random(seed), slotted(template)) for seed in range(30))}
    assert first <= {"The kettle is broken", "old Fred left"}


def test_no_word_of_the_lexicon_is_a_slot_here_and_a_word_there():
    for template in written()[::40]:
        text = slotted(template).text
        examples = {found[2] for found in re.finditer(r"\{[a-z]+9\d\d(:([^{}]*))?\}", text) if found[2]}
        outside = re.sub(r"\{[^{}]*\}", " ", text)
        assert not [one for one in examples if re.search(rf"(?<!\w){re.escape(one)}(?!\w)", outside)], template.text


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("? Who left? -> Bob", "does not stand"),
        ("? Who is {p9}? -> yes", "no example"),
        ("? Who is [he|she? -> yes", "not closed"),
    ],
)
def test_what_is_wrong_is_said(line: str, complaint: str):
    (found,) = {one.split(":")[0] for one in complaints(f"# kind: x\nAnn left.\n{line}\n")} or {""}
    assert found.startswith("story 1 (x)")
    assert any(complaint in one for one in complaints(f"# kind: x\nAnn left.\n{line}\n"))


def test_a_question_without_an_answer_names_its_line():
    with pytest.raises(TemplateError, match="line 3"):
        list(parse("# kind: x\nAnn left.\n? Who left?\n"))


@pytest.mark.parametrize("step", [24, pytest.param(1, marks=pytest.mark.slow)])
def test_the_templates_of_the_lexicon_can_all_be_drawn(step: int):
    asked, some = 0, written()[::step]
    for seed, template in enumerate(some):
        story = draw_told(Random(seed), slotted(template))
        assert story.statements
        assert not any(set(one.text.replace(" | ", " ")) & set("{}[]|") for one in story.statements)  # columns of a register
        asked += len(story.questions)
    assert asked > 5 * len(some)
    assert idle_lines()


RUN = 8  # words


def runs(line: str) -> set[tuple[str, ...]]:
    """The words of a line but its answer, each with the seven that follow; each of its alternatives, and slots as written."""
    text = re.sub(r"\{[a-z]+\d*(?::| )([^{}]*)\}", r"\1", line.partition("->")[0])
    most = max((found.count("|") for found in re.findall(r"\[[^\[\]]*\]", text)), default=0)
    found = set()
    for which in range(most + 1):
        one = re.sub(r"\[([^\[\]]*)\]", lambda choice, which=which: (parts := choice[1].split("|"))[which % len(parts)], text)
        words = re.findall(r"[a-z0-9']+", one.lower())
        found |= {tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)}
    return found


@pytest.mark.slow
def test_no_template_shares_eight_words_in_a_row_with_a_story_that_is_tested_on():
    files = [*(ROOT / "tests" / "own_words").glob("*.txt"), ROOT / "tests" / "everyday_stories.txt"]
    tested = set().union(*(runs(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()))
    assert len(tested) > 5000
    for file in sorted((ROOT / "tasks" / "world" / "lexicon" / "told").glob("*.txt")):
        shared = [
            number
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
            if not tested.isdisjoint(runs(line))
        ]
        assert shared == [], f"{file.name}: {shared}"


EGGS = """# kind: sums
{p:Ana} had {n:nine} eggs. {p She} gave {n2:four} to {p2:Bo}.
? How many eggs does {p} have left? -> = {n} - {n2}
? Who has more now? -> {n} - {n2} > {n2} ? {p} : {p2}
? Does {p2} have more? -> {n} - {n2} < {n2} ? yes : no
"""


def test_answers_hang_on_the_numbers_of_each_story():
    seen = set()
    for seed in range(60):
        story = draw_told(Random(seed), loan(EGGS))
        had, gave = (number(statement.words[2]) for statement in story.statements)
        person, other = story.statements[0].words[0], story.statements[1].words[-1]
        asked = {question.text: question.answer for question in story.questions}
        left = asked.get("How many eggs does Ana have left?".replace("Ana", person))
        assert (left is None) == (had < gave)
        assert left is None or (left.kind, left.number) == ("number", had - gave)
        assert ("Who has more now?" in asked) == (had != 2 * gave)
        if had != 2 * gave:
            assert asked["Who has more now?"].text == (person if had > 2 * gave else other)
            assert asked[f"Does {other} have more?"].kind == ("no" if had > 2 * gave else "yes")
        seen.add((had, gave))
    assert len(seen) > 20


@pytest.mark.parametrize("answer", ["= {n} - {n9}", "= {n} - eggs", "eggs > {n} ? yes : no", "= {n} -"])
def test_a_sum_that_is_none_is_complained_of(answer: str):
    assert list(complaints(EGGS + f"? What? -> {answer}"))
    assert not list(complaints(EGGS))


@given(st.integers(0, 20), st.integers(0, 20), st.integers(0, 5))
def test_sums_are_those_of_python(one: int, other: int, third: int):
    value = one - other * third + other
    assert total(f"{one} - {NUMBER_WORDS[other]} * {third} + {other}") == value
    assert resolved(f"= {NUMBER_WORDS[one]} - {other} * {third} + {other}") == (str(value) if 0 <= value <= 20 else None)
