"""Questions made of plain sentences, and stories told in the middle of others."""

from __future__ import annotations

from random import Random

import pytest

from memnet.tasks.text.tokens import split
from memnet.tasks.world.cloze import asked_of, made, of_book, passages
from memnet.tasks.world.padding import joined
from memnet.tasks.world.told import draw_told, parse


def asked(sentence: str) -> set[tuple[str, str]]:
    """Every question that is made of a sentence, with its answer."""
    words = split(sentence)
    found = (made(words, Random(seed)) for seed in range(40))
    return {(" ".join(one.words), " ".join(words[one.first : one.end])) for one in found if one}


@pytest.mark.parametrize(
    ("sentence", "question", "answer"),
    [
        ("The captain opened the letter", "What did the captain open ?", "the letter"),
        ("The captain opened the letter", "Who opened the letter ?", "The captain"),
        ("The cake was decorated by the twins", "What was the cake decorated by ?", "the twins"),
        ("She hid the key in the drawer", "Where did she hide the key ?", "the drawer"),
        ("They will leave at noon", "When will they leave ?", "noon"),
    ],
)
def test_a_phrase_of_a_sentence_is_asked_for(sentence, question, answer):
    assert (question, answer) in asked(sentence)


def test_an_answer_is_quoted_and_a_question_of_another_text_is_not_told():
    here = [split("The captain opened the letter"), split("His wife sold the horse to a farmer")]
    elsewhere = [split("Two sailors mended the torn sail")]
    kinds = set()
    for seed in range(80):
        story = asked_of(here, elsewhere, Random(seed))
        for question in story.questions:
            kinds.add(question.answer.kind)
            for at, first, last in question.answer.spans:
                said = " ".join(story.statements[at].words[first:last])
                assert said
                assert not {word.lower() for word in said.split()} <= {word.lower() for word in question.words}
            if "sail" in question.words:
                assert question.answer.kind == "untold"
    assert kinds == {"span", "untold"}


@pytest.mark.parametrize("wrapped", [True, False])
def test_books_are_read_by_paragraphs_whether_their_lines_are_wrapped_or_not(tmp_path, wrapped):
    told = "The captain opened the letter.", "His wife sold the horse to Mr. Lee.", "The old cook kept the silver spoon."
    (tmp_path / "book.txt").write_text(("\n" if wrapped else " ").join(told) + "\n\nShort.\n", encoding="utf-8")
    (paragraph,) = passages(tmp_path)
    assert [" ".join(words) for words in paragraph] == [
        "The captain opened the letter",
        "His wife sold the horse to Mr Lee",
        "The old cook kept the silver spoon",
    ]
    assert of_book(Random(1), tmp_path) == of_book(Random(1), tmp_path)


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
