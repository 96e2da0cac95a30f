"""Styles of bAbI's statements, and BABILong as plain text."""

import re
from random import Random

import pytest

from memnet.tasks.families import Task
from memnet.tasks.plain_texts import ALL_LENGTHS, PlainText, asked_of, plain_texts
from memnet.tasks.text import Question, Story
from memnet.tasks.text.background import Background, BackgroundError
from memnet.tasks.text.styles import HALVES, LISTS, PEOPLE, SAID, STYLES, THINGS, of_others, styled

STATEMENTS = (
    "Mary went to the kitchen.",
    "Then she journeyed to the office.",
    "Mary and John moved to the garden.",
    "John grabbed the milk there.",
    "Following that they travelled to the hallway.",
    "Fred discarded the apple.",
    "Bill gave the football to Jeff.",
    "The office is north of the kitchen.",
)
STORY = Story(STATEMENTS[:4], (Question("Where is the milk?", "garden", (2, 3), 4),))
OTHER = Story(
    ("Sandra moved to the garden.", "Sandra got the apple there."), (Question("Where is the apple?", "garden", (1,), 2),)
)
BOOKS = Background([[f"It was a dark and stormy night number {number} in the old town." for number in range(200)]])


def test_the_lists_are_long_enough_and_the_halves_share_nothing():
    least = {"go": 25, "take": 12, "drop": 12, "give": 6, "before": 12, "behind": 12, "speakers": 8, "others": 12, "things": 8}
    for name, number in least.items():
        train, test = (set(LISTS[f"{half} {name}"]) for half in HALVES)
        assert min(len(train), len(test)) >= number
        assert not train & test
    verbs = {
        half: {word for kind in SAID for form in LISTS[f"{half} {kind}"] for word in re.sub(r"\{\w+\}", "", form).split()}
        for half in HALVES
    }
    assert {"strode", "ambled", "relinquished"} <= verbs["test"] - verbs["train"]
    names = {name for half in HALVES for kind in ("speakers", "others", "things") for name in LISTS[f"{half} {kind}"]}
    assert not names & (PEOPLE | THINGS)


def test_no_paraphrase_is_a_sentence_of_babi():
    for half in HALVES:
        for kind in SAID:
            for form in LISTS[f"{half} {kind}"]:
                said = form.format(who="Mary", place="the kitchen", thing="the milk", other="John", has="has", was="was")
                assert not any(way.fullmatch(said[:1].upper() + said[1:]) for way in SAID.values()), form


def test_styles_by_hand():
    assert styled(Random(0), STATEMENTS[:1], "small") == ["mary went to the kitchen."]
    assert styled(Random(0), STATEMENTS[:1], "plain") == list(STATEMENTS[:1])
    for seed in range(30):
        clause, quoted, said = (styled(Random(seed), STATEMENTS, style) for style in ("clause", "quoted", "dialogue"))
        assert all(re.fullmatch(r"[A-Z].*, .*\.", one) for one in clause)
        assert all(re.sub(r'["“”]', "", one) == was for one, was in zip(quoted, STATEMENTS, strict=True))
        for one, was in zip(said, STATEMENTS, strict=True):
            assert was.rstrip(".") in one
            assert any(name in one for name in LISTS["test speakers"])
        assert any(one.startswith("After a long pause, then she") or "humming" in one or "," in one for one in clause)


def test_what_is_paraphrased():
    for half in HALVES:
        for seed in range(40):
            told = styled(Random(seed), STATEMENTS, "paraphrased", half)
            assert told[7] == STATEMENTS[7]
            for one, was in zip(told[:7], STATEMENTS[:7], strict=True):
                assert one != was
                assert one.endswith(".")
                assert one[0].isupper()
                for name in re.findall(r"Mary|John|Fred|Bill|Jeff|the (?:kitchen|milk|garden|apple|football)", was):
                    assert name.lower() in one.lower()
            assert told[1].startswith("Then she ")
            assert " has " not in told[2]
            assert " by they" not in told[4]


def test_another_style():
    with pytest.raises(ValueError, match="expected a style of plain"):
        styled(Random(0), STATEMENTS, "loud")


def test_others_have_other_names_in_the_same_rooms():
    told = of_others(Random(1), [STATEMENTS, OTHER.statements], 50)
    assert len(told) == 50
    said = set(re.findall(r"\w+", " ".join(told)))
    assert not said & (PEOPLE | THINGS)
    assert {"garden", "kitchen"} & said


def texts(style: str, length: int = 400, others: int | None = None, member: str = "qa2") -> list[PlainText]:
    task = Task.of(f"babi/{member}", [], [STORY, OTHER])
    return plain_texts(task, BOOKS, length, style, others, number=2)


def test_a_plain_text_is_the_sentences_of_its_sample():
    for text in texts("plain"):
        whole = "".join(text.parts(BOOKS))
        assert whole == " ".join(sentence for sentence, _ in text.sample.text(BOOKS))
        assert "\n" not in whole


def test_statements_keep_their_order_in_every_style():
    for style in STYLES:
        for text in texts(style):
            whole = "".join(text.parts(BOOKS))
            places = [whole.find(one.lower() if style == "small" else one) for one in text.statements]
            assert -1 not in places
            assert places == sorted(places)
            assert (whole == whole.lower()) == (style == "small")


@pytest.mark.parametrize("length", [0, 400])
def test_others_stand_among_the_statements(length):
    for text in texts("same-rooms", length, 30):
        sentences = list(text.sentences(BOOKS))
        assert len(sentences) == text.sample.count + len(text.statements) + 30
        kept = [one for one in sentences if one in text.statements]
        assert kept == list(text.statements)
        first = sentences.index(text.statements[0])
        assert first > 0 or sentences[-1] != text.statements[-1]


def test_others_are_not_for_every_task():
    with pytest.raises(BackgroundError, match="qa4 is not about who is in which room"):
        texts("same-rooms", member="qa4")


def test_the_same_seed_gives_the_same_text():
    assert texts("clause") == texts("clause")


def test_lengths():
    assert ALL_LENGTHS["100M"] == 100_000_000
    assert [asked_of(ALL_LENGTHS[name]) for name in ("0k", "128k", "1M", "10M", "100M")] == [100, 100, 100, 20, 5]
