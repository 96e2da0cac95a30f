"""Published tasks told with other names: what changes, what stays, and that nobody has met the names."""

import re
from pathlib import Path

import pytest

import memnet as package
from memnet.tasks import simulator
from memnet.tasks.families import find
from memnet.tasks.families.renaming import (
    REVERSED_TASKS,
    SYSTEMATIC_TASKS,
    names_of,
    new_words,
    rename_everything,
    rename_people,
    rename_systematically,
)
from memnet.tasks.simulator import PUBLISHED_TASKS, Dials, simulate
from memnet.tasks.text import Question, Story, words
from memnet.tasks.text.english import plural, singular
from memnet.tasks.text.entities import EntityReader
from memnet.tasks.text.renaming import rename_story, rename_text

LISTS = names_of()


def told(story: Story) -> list[str]:
    return [*story.statements, *(part for one in story.questions for part in (one.text, one.answer))]


def all_words(stories: list[Story]) -> set[str]:
    return {word for story in stories for text in told(story) for word in words(text)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mary moved to the box.", "Priya moved to the shopping cart."),
        ("What is mary afraid of?", "What is priya afraid of?"),
        ("The box of chocolates fits inside the box.", "The jar of cookies fits inside the shopping cart."),
        ("Mice are afraid of wolves.", "Polar bears are afraid of wolves."),
        ("The boxer is Rosemary.", "The boxer is Rosemary."),
        ("mary,box", "priya,shopping cart"),
        ("", ""),
    ],
)
def test_names_in_a_text(text: str, expected: str):
    names = {"mary": "Priya", "box": "shopping cart", "box of chocolates": "jar of cookies", "mice": "polar bears"}
    assert rename_text(text, names) == expected
    assert rename_text(text, {}) == text


def test_a_story_is_renamed_whole_and_its_facts_stay():
    story = Story(
        ("Mary got the milk.", "Mary and Daniel went to the kitchen."),
        (Question("What is Mary carrying? ", "milk,football", (0,), 2), Question("Is Daniel here?", "no", (1,), 2)),
    )
    assert rename_story(story, {"Mary": "Noor", "milk": "bag of flour"}) == Story(
        ("Noor got the bag of flour.", "Noor and Daniel went to the kitchen."),
        (Question("What is Noor carrying? ", "bag of flour,football", (0,), 2), Question("Is Daniel here?", "no", (1,), 2)),
    )


@pytest.mark.parametrize("task", PUBLISHED_TASKS)
def test_every_name_is_new_and_the_story_is_the_same(task: str):
    stories = simulate(task, 60, 7)
    renamed = rename_everything(task, stories)
    rooms = set(LISTS["published places"]) if task == "qa20" else set()  # the hungry go to the kitchen
    left = all_words(renamed) & simulator.entity_words()
    assert left <= rooms
    assert all_words(renamed) & new_words()
    function = all_words(stories) - simulator.entity_words()
    assert all_words(renamed) <= function | new_words() | rooms | {"of"}
    for old, new in zip(stories, renamed, strict=True):
        assert [(one.supporting_facts, one.after) for one in old.questions] == [
            (one.supporting_facts, one.after) for one in new.questions
        ]
        names: dict[str, str] = {}
        for before, after in zip(told(old), told(new), strict=True):
            assert before[:1].isupper() == after[:1].isupper()
            assert re.sub(r"[\w ]", "", before) == re.sub(r"[\w ]", "", after)
            pair = [re.sub(r"\W*$", "", text).lower() for text in (before, after)]
            assert names.setdefault(pair[0], pair[1]) == pair[1], "the same words become the same words"
        assert len(set(names.values())) == len(names), "what differs still differs"


@pytest.mark.parametrize("task", PUBLISHED_TASKS)
def test_people_keep_their_gender_and_everything_else_stays(task: str):
    stories = simulate(task, 60, 7)
    renamed = rename_people(task, stories)
    women, men = LISTS["published women"], LISTS["published men"]
    people = {name.lower() for name in (*women, *men)}
    assert not all_words(renamed) & people
    for old, new in zip(stories, renamed, strict=True):
        for before, after in zip(told(old), told(new), strict=True):
            for first, second in zip(words(before), words(after), strict=True):
                if first in people:
                    assert second.capitalize() in LISTS["women" if first.capitalize() in women else "men"]
                else:
                    assert second == first
    assert (renamed == stories) == (task in ("qa4", "qa17", "qa18", "qa19"))


def test_names_are_drawn_anew_for_every_story_and_the_same_for_the_same_seed():
    stories = simulate("qa1", 100, 7)
    first = rename_everything("qa1", stories)
    assert first == rename_everything("qa1", stories)
    assert first != rename_everything("qa1", stories, 1)
    assert len(all_words(first) & new_words()) > 40


def test_sheep_are_animals_whose_plural_is_their_singular():
    story = Story(("Sheep are afraid of wolves.", "Emily is a sheep."), (Question("What is emily afraid of?", "wolf", (), 2),))
    new = rename_everything("qa15", [story])[0]
    kind, fear = words(new.statements[0])[0], new.questions[0].answer
    assert kind in LISTS["animals whose plural is their singular"]
    assert words(new.statements[1])[-1] == kind
    assert new.statements[0].endswith(f"afraid of {plural(fear)}.")


def test_plurals_have_the_singular_that_names_are_told_apart_by():
    many = [plural(one) for one in LISTS["animals"]]
    assert {"geese", "butterflies", "polar bears", "walruses"} < set(many)
    assert tuple(" ".join((*one.split()[:-1], singular(one.split()[-1]))) for one in many) == LISTS["animals"]


def test_no_new_name_stands_in_any_story_or_is_known_to_the_network_of_the_package():
    assert not new_words() & simulator.entity_words()
    simulated = {
        word
        for task in PUBLISHED_TASKS
        for dials in (Dials(distractors=2), Dials(phrasing=1.0))
        for word in all_words(simulate(task, 200, 11, dials))
    }
    assert not new_words() & simulated
    assert not new_words() & set(package.load().known_words)
    assert all(len(set(kind)) == len(kind) for kind in LISTS.values())
    reader = EntityReader(frozenset({"the", "a"}))
    for name in (*LISTS["places"], *LISTS["objects"], *LISTS["containers"], *LISTS["containers of sweets"]):
        assert [unit.text for unit in reader.units(f"the {name}") if unit.is_entity] == [name]


def test_no_new_name_stands_in_the_published_text(published: Path):
    for task in find(["all"], data=published):
        assert not new_words() & all_words([*task.train, *task.test])


def test_in_the_published_text_nothing_keeps_its_name(published: Path):
    for task in find(["all"], data=published):
        left = all_words(rename_everything(task.member, task.test[:50])) & simulator.entity_words()
        assert left <= (set(LISTS["published places"]) if task.member == "qa20" else set())


def test_systematic_bAbI_changes_three_names_to_those_of_other_tasks():
    story = Story(("Daniel met Bill.", "John, Mary and Sandra left."), (Question("Who met Bill?", "Daniel", (0,), 2),))
    back = Story(("Daniel met Daniel.", "John, Mary and Sandra left."), (Question("Who met Daniel?", "Daniel", (0,), 2),))
    assert rename_systematically("qa1", [story])[0].statements == ("Bill met Bill.", "Fred, Mary and Julie left.")
    assert rename_systematically("qa5", [story]) == [back]
    assert rename_systematically("qa4", [story]) == [story]
    changed = [task for task in PUBLISHED_TASKS if rename_systematically(task, [story]) != [story]]
    assert changed == sorted((*SYSTEMATIC_TASKS, *REVERSED_TASKS), key=PUBLISHED_TASKS.index)
    assert len(changed) == 13
