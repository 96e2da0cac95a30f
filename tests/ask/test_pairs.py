"""Question-answer pairs as a key-value memory: weights by hand, paraphrases, unknown words, bad files, the command."""

import json
import math
from pathlib import Path

import pytest

from memnet.ask.pairs import MAX_PAIRS, QuestionAnswerPairs, read_pairs, render
from memnet.errors import AskError, ConfigError
from memnet.tasks.text import FormatError
from tests.conftest import memnet, ran, refused

SHOP = [
    ("How do I reset my password?", "By the link on the first page."),
    ("When do you open?", "At nine."),
    ("Where is my parcel, and when does it come?", "We mail you a link."),
    ("What are your opening hours?", "At nine."),
    ("Can I return what I bought?", "Within thirty days."),
]


@pytest.fixture
def shop() -> QuestionAnswerPairs:
    return QuestionAnswerPairs(SHOP)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "shop.csv"
    path.write_text("question,answer\n" + "".join(f'"{question}","{answer}"\n' for question, answer in SHOP), encoding="utf-8")
    return path


def test_the_weights_by_hand():
    """The idf of red, in both questions, is ln(3/3) + 1 = 1, of door and key ln(3/2) + 1, of a word in neither ln(3/1) + 1."""
    memory = QuestionAnswerPairs([("Red door?", "left"), ("Red key?", "right")], temperature=0.5, threshold=0.25)
    rare, new = math.log(1.5) + 1, math.log(3) + 1
    key = math.hypot(1, rare)
    for question, length, unseen in (("red door", key, []), ("red blue door", math.hypot(1, rare, new), ["blue"])):
        cosines = [(1 + rare * rare) / key / length, 1 / key / length]
        exponents = [math.exp(cosine / 0.5) for cosine in (*cosines, 0.25)]
        answer = memory.ask(question)
        assert [read.number for read in answer.pairs] == [1, 2]
        assert [read.weight for read in answer.pairs] == pytest.approx(
            [part / sum(exponents) for part in exponents[:2]], abs=1e-6
        )
        assert answer.unanswerable == pytest.approx(exponents[2] / sum(exponents), abs=1e-6)
        assert (answer.answer, answer.probability, answer.unknown_words) == ("left", answer.pairs[0].weight, unseen)


def test_a_word_that_is_said_twice_counts_twice():
    memory = QuestionAnswerPairs([("Red door?", "left"), ("Red key?", "right")], temperature=1.0, threshold=0.0)
    rare = math.log(1.5) + 1
    key, asked = math.hypot(1, rare), math.hypot(1, 2 * rare)
    odds = math.exp((1 + 2 * rare * rare) / key / asked - 1 / key / asked)
    first, second = memory.ask("key red key").pairs
    assert (first.number, first.weight / second.weight) == (2, pytest.approx(odds, rel=1e-5))


def test_pairs_with_one_answer_add_up(shop: QuestionAnswerPairs):
    answer = QuestionAnswerPairs(SHOP, temperature=1.0).ask("When are the opening hours, when do you open?", reads=5)
    nine = [read.weight for read in answer.pairs if read.answer == "At nine."]
    assert len(nine) == 2
    assert (answer.answer, answer.probability) == ("At nine.", pytest.approx(sum(nine), abs=1e-6))
    assert sum(read.weight for read in answer.pairs) + answer.unanswerable == pytest.approx(1, abs=1e-6)
    assert len(shop.ask("When do you open?", reads=1).pairs) == 1


@pytest.mark.parametrize("number", range(len(SHOP)))
def test_every_question_finds_its_own_answer(shop: QuestionAnswerPairs, number: int):
    answer = shop.ask(SHOP[number][0])
    assert (answer.pairs[0].number, answer.answer, answer.answerable) == (number + 1, SHOP[number][1], True)
    assert answer.pairs[0].weight > 0.99


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("I forgot my password, how can I reset it?", 1),
        ("password reset", 1),
        ("what time do you open", 2),
        ("has my parcel come?", 3),
        ("can I return a shirt", 5),
    ],
)
def test_a_paraphrase_finds_its_answer(shop: QuestionAnswerPairs, question: str, number: int):
    answer = shop.ask(question)
    assert (answer.answer, answer.answerable) == (SHOP[number - 1][1], True)
    assert render(answer).startswith(SHOP[number - 1][1])


@pytest.mark.parametrize("question", ["Quo vadis?", "Do cats like milk?", "How tall is the tower of Pisa?"])
def test_what_nobody_asked_before_has_no_answer(shop: QuestionAnswerPairs, question: str):
    answer = shop.ask(question)
    assert not answer.answerable
    assert render(answer).startswith("None of the questions is near that (")
    assert answer.as_json()["answerable"] is False


def test_unknown_words_alone_read_nothing(shop: QuestionAnswerPairs):
    answer = shop.ask("Quo vadis?")
    assert (answer.answer, answer.probability, answer.unanswerable, answer.pairs) == ("", 0.0, 1.0, [])
    assert answer.unknown_words == ["quo", "vadis"]
    assert "no question has the words quo, vadis" in render(answer)


def test_the_threshold_is_a_cosine():
    pairs = [("Red door?", "left"), ("Red key?", "right")]
    cosine = 1 / math.hypot(1, math.log(1.5) + 1)  # of "red" and either question
    for threshold, expected in ((cosine - 0.001, True), (cosine + 0.001, False)):
        assert QuestionAnswerPairs(pairs, threshold=threshold).ask("red").answerable is expected


def test_what_makes_no_sense_is_refused(shop: QuestionAnswerPairs):
    for question, reads in (("", 3), ("?!", 3), ("When?", 0)):
        with pytest.raises(AskError):
            shop.ask(question, reads)
    for pairs, options in (
        ([], {}),
        ([("Who?", " ")], {}),
        ([("?", "x")], {}),
        (SHOP, {"temperature": 0.0}),
        (SHOP, {"temperature": 1e-300}),
        (SHOP, {"threshold": 1.1}),
        ([("Who?", "x")] * (MAX_PAIRS + 1), {}),
    ):
        with pytest.raises(ConfigError):
            QuestionAnswerPairs(pairs, **options)


def test_a_file_of_pairs(file: Path, tmp_path: Path):
    assert read_pairs(file) == SHOP
    other = tmp_path / "shop.tsv"
    other.write_text("\ufeffid\tAnswer\tQuestion\r\n\r\n1\tAt nine, or so.\tWhen do you open?\r\n", encoding="utf-8")
    assert read_pairs(other) == [("When do you open?", "At nine, or so.")]
    other.write_text('question,answer\nWho?,"one\ntwo"\nWhen?,now\n', encoding="utf-8")
    assert read_pairs(other) == [("Who?", "one\ntwo"), ("When?", "now")]


@pytest.mark.parametrize(
    ("content", "line", "expected"),
    [
        (b"", 1, "expected the columns question and answer"),
        (b"frage,antwort\nWer?,ich\n", 1, "expected the columns question and answer"),
        (b"question|answer\nWho?|me\n", 1, "expected the columns question and answer"),
        (b"question,answer\n\nWho?,me\nWhen?\n", 4, "expected 2 fields as in the first line, found 1"),
        (b"question,answer\nWho?,me, you\n", 2, "expected 2 fields as in the first line, found 3"),
        (b'question,answer\nWho?,"me\nand you"\nWhen?, \n', 4, "the answer is empty"),
        (b"question,answer\n?,me\n", 2, "the question is empty"),
        (b"question,answer\nWho?,me\nwho,you\n", 3, "the question is that of line 2"),
        (b'question,answer\nWho?,"me\n', 2, "unexpected end of data"),
        (b"question,answer\nWho\xff?,me\n", 2, "is not UTF-8 text"),
        (b"question,answer\n", None, "expected 1 to 10,000 pairs below the first line, found 0"),
    ],
)
def test_a_file_that_holds_no_pairs_is_refused_in_one_sentence(content: bytes, line: int | None, expected: str, tmp_path: Path):
    path = tmp_path / "pairs.csv"
    path.write_bytes(content)
    with pytest.raises(FormatError) as error:
        read_pairs(path)
    assert str(error.value).startswith(f"{path}:{line}: " if line else f"{path}: ")
    assert expected in str(error.value)
    said = refused("faq", path, "--question", "Who?")
    assert said.startswith("memnet: ")
    assert len(said.splitlines()) == 1
    assert expected in said


def test_the_command(file: Path, tmp_path: Path):
    answer = json.loads(ran("faq", file, "--question", "I forgot my password", "--json").stdout)
    assert (answer["answer"], answer["answerable"], answer["pairs"][0]["number"]) == (SHOP[0][1], True, 1)
    assert answer == QuestionAnswerPairs(SHOP).ask("I forgot my password").as_json()
    assert "there is no file" in refused("faq", tmp_path / "no.csv", "--question", "Who?")
    assert "it has no words" in refused("faq", file, "--question", "?")
    strict = memnet("faq", file, "--question", "I forgot my password", "--threshold", 0.9)
    assert strict.returncode == 1
    assert strict.stdout.startswith("None of the questions is near that")


def test_questions_through_a_pipe(file: Path):
    assert ran("faq", file, stdin="when do you open\n").stdout.startswith("At nine.")
    assert memnet("faq", file, stdin="\n").returncode == 1  # nothing is asked
    done = memnet("faq", file, stdin=b"Wh\xffn?\nwhen do you open\n\n?\nQuo vadis?\n")
    assert done.returncode == 1
    assert done.stdout.startswith("At nine.")
    assert "None of the questions is near that" in done.stdout
    assert "That is no question" in done.stderr
    assert "memnet: line 1 of what is piped in is left out, it is not UTF-8 text: b'Wh\\xffn?" in done.stderr


def test_nothing_that_a_terminal_would_obey_is_printed():
    assert "\x1b" not in render(QuestionAnswerPairs([("Who \x1b[2J?", "\x1b]0;me\x07")]).ask("who"))
