"""Stories scattered through books."""

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memnet.tasks.babilong import LENGTHS, fits, json_line, questions_of, samples
from memnet.tasks.simulator import simulate
from memnet.tasks.text.background import Background, BackgroundError, sentences, tokens
from memnet.tasks.text.confusing import FOR_TESTING, FOR_TRAINING, confusing_lines, retold

BOOKS = [
    [f"In book {book} the {number}th sentence speaks of nothing that matters here at all." for number in range(50)]
    for book in "AB"
]
EACH = tokens(BOOKS[0][0])


def test_sentences_of_a_book_are_split_where_they_end_and_not_at_mr() -> None:
    text = "Then Mr. Smith went\nhome. Nobody was there.\n\nMary got the milk. said the maid."
    assert sentences(text) == ["Then Mr. Smith went home.", "Nobody was there.", "Mary got the milk.", "said the maid."]


def test_a_folder_of_books_is_read_in_order_and_short_sentences_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text("Short one. This second sentence of the book is long enough to stay in.", encoding="utf-8")
    (tmp_path / "a.txt").write_text("Of the first book there is one sentence, and it is not short at all.", encoding="utf-8")
    found = Background.read(tmp_path)
    assert [one.split()[0] for one in found.sentences] == ["Of", "This"]
    assert found.tokens == pytest.approx(sum(map(tokens, found.sentences)))


@pytest.mark.parametrize("make", [lambda folder: folder / "none", lambda folder: folder])
def test_a_folder_without_books_is_one_sentence(tmp_path: Path, make) -> None:
    with pytest.raises(BackgroundError, match=r"expected"):
        Background.read(make(tmp_path))


@given(st.integers(0, 99), st.integers(0, round(300 * EACH)))
def test_a_span_has_as_many_sentences_as_its_tokens_allow(first: int, budget: int) -> None:
    background = Background(BOOKS)
    count = background.span(first, budget, repeat=True)
    told = [tokens(one) for one in background.from_place(first, count + 1)]
    assert sum(told[:-1]) <= budget + 1e-6
    assert sum(told) > budget - 1e-6


def test_too_little_background_says_how_much_there_is() -> None:
    background = Background(BOOKS)
    with pytest.raises(BackgroundError, match="begin again"):
        background.span(0, background.tokens + 1)


@pytest.mark.parametrize("confusing", [0.0, 0.2])
def test_a_sample_tells_the_statements_in_order_among_sentences_that_follow_each_other(confusing: float) -> None:
    background, stories = Background(BOOKS), simulate("qa1", 20, 0)
    for sample in samples("qa1", stories, background, 1500, 10, 0, confusing):
        text = list(sample.text(background))
        assert [line for line, number in text if number >= 0] == list(sample.statements)
        assert [number for _, number in text if number >= 0] == list(range(len(sample.statements)))
        others = [line for line, number in text if number < 0 and line in background.sentences]
        assert others == list(background.from_place(sample.first, sample.count))
        assert len(text) - len(others) - len(sample.statements) == len(sample.confusing)
        assert 1500 - 2 * EACH < sum(tokens(line) for line, _ in text) <= 1500
        assert len(sample.confusing) / (len(sample.confusing) + sample.count) == pytest.approx(confusing, abs=0.05)


def test_length_zero_is_the_story_alone_and_the_same_seed_the_same_samples() -> None:
    background, stories = Background(BOOKS), simulate("qa1", 20, 0)
    (alone,) = samples("qa1", stories, background, 0, 1, 0)
    assert [line for line, _ in alone.text(background)] == list(alone.statements)
    assert samples("qa1", stories, background, 1000, 5, 3) == samples("qa1", stories, background, 1000, 5, 3)
    assert samples("qa1", stories, background, 1000, 5, 3) != samples("qa1", stories, background, 1000, 5, 4)


def test_stories_that_are_longer_than_the_text_are_left_out_and_none_left_is_an_error() -> None:
    stories = simulate("qa3", 20, 0)
    short = [one for story in stories for one in story.questions if fits(story, one, 100)]
    assert len(short) < 20
    with pytest.raises(BackgroundError, match="fit in 5 tokens"):
        samples("qa3", stories, Background(BOOKS), 5, 10, 0)


def test_lengths_and_numbers_of_questions_are_the_benchmarks() -> None:
    assert list(LENGTHS) == ["0k", "1k", "2k", "4k", "8k", "16k", "32k", "64k", "128k", "256k", "512k", "1M", "10M"]
    assert [questions_of(LENGTHS[name]) for name in ("0k", "32k", "64k", "10M")] == [1000, 1000, 100, 100]


def test_a_line_of_json_has_what_the_benchmarks_data_sets_have() -> None:
    background, stories = Background(BOOKS), simulate("qa1", 5, 0)
    (sample,) = samples("qa1", stories, background, 500, 1, 0)
    found = json.loads(json_line(sample, background))
    assert found["question"] == sample.question.text.strip()
    assert found["target"] == sample.question.answer
    assert found["input"] == " ".join(line for line, _ in sample.text(background))


def test_confusing_sentences_are_told_in_other_ways_in_training_and_never_as_the_statement_itself() -> None:
    assert set(FOR_TRAINING).isdisjoint(FOR_TESTING)
    told = [one for story in simulate("qa1", 50, 0) for one in story.statements]
    assert set(confusing_lines(Random(0), told, 500)).isdisjoint(told)
    assert retold(
        Random(0), "The office is north of the kitchen.", ("{name}'s {other} {rest}.", "He knew that {said}."), ["x"]
    ) == ("He knew that the office is north of the kitchen.")
    assert retold(Random(0), "Mary went home.", ("{name}'s {other} {rest}.",), ["aunt"]) == "Mary's aunt went home."
