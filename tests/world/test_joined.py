"""Stories told in the middle of others."""

from __future__ import annotations

from random import Random

from memnet.tasks.world.padding import joined
from memnet.tasks.world.told import draw_told, parse

PETS = (
    "# kind: pets\nAnn feeds the parrot.\nShe bought it in May.\n"
    "? Who feeds the parrot? -> Ann\n? When did she buy it? -> May\n"
)
CARS = "# kind: cars\nBob parked the van.\n? Who parked the van? -> Bob\n? Who feeds the ducks? -> not told\n"


def test_a_story_in_the_middle_of_another_leaves_answers_and_pronouns_as_they_were():
    pets, cars = (draw_told(Random(3), next(parse(text))) for text in (PETS, CARS))
    places = set()
    for seed in range(40):
        story = joined(pets, cars, Random(seed))
        lines = [line.text for line in story.statements]
        assert sorted(lines) == ["Ann feeds the parrot", "Bob parked the van", "She bought it in May"]
        assert lines.index("She bought it in May") == lines.index("Ann feeds the parrot") + 1
        said = {question.text: question.answer for question in story.questions}
        assert said.keys() == {"Who feeds the parrot?", "Who parked the van?"}  # of the others each could mean both
        for text, name in (("Who feeds the parrot?", "Ann"), ("Who parked the van?", "Bob")):
            ((at, first, last),) = said[text].spans
            assert story.statements[at].words[first:last] == (name,)
        places.add(lines.index("Bob parked the van"))
    assert places == {0, 2}


def test_stories_with_a_name_or_a_speaker_in_common_stay_apart():
    mine = "# kind: x\nI saw Ann.\nI fed the cat.\n? Who fed the cat? -> I\n"
    other = "# kind: y\nI met Tom.\n? Who met Tom? -> I\n"
    one, two = (draw_told(Random(1), next(parse(text))) for text in (mine, other))
    assert joined(one, two, Random(1)) is one
