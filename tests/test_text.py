"""The text format: lossless, and every malformed file one error with file, line and expectation."""

import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memnet.tasks.families.archive import text_folder
from memnet.tasks.text import QUESTION_MARKS, FormatError, Question, Story, parse, read, words, write
from tests.conftest import some

FOLDERS = ("en", "hn", "en-10k", "hn-10k", "shuffled", "shuffled-10k", "en-valid", "en-valid-10k")  # of the published text
STORY = """\
1 Mary moved to the bathroom.
2 John went to the hallway.
3 Where is Mary? \tbathroom\t1
4 Daniel took the apple, and the milk.
5 What is Daniel carrying? \tapple,milk\t4 2
1 A new story.
2 Is it new?\tyes\t1
"""


def test_a_story_reads_as_it_stands():
    first, second = parse(STORY)
    assert first.statements == (
        "Mary moved to the bathroom.",
        "John went to the hallway.",
        "Daniel took the apple, and the milk.",
    )
    assert first.questions == (
        Question("Where is Mary? ", "bathroom", (0,), 2),
        Question("What is Daniel carrying? ", "apple,milk", (2, 1), 3),  # order kept, line numbers count questions
    )
    assert second.questions[0].after == 1
    assert write([first, second]) == STORY


@pytest.mark.parametrize("folder", [some(folder, ("en", "hn")) for folder in FOLDERS])
def test_every_published_file_round_trips(published: Path, folder: str):
    files = sorted((text_folder(published) / folder).glob("*.txt"))
    if not files and folder != "en":
        pytest.skip(f"{folder} is not at hand")
    assert files
    for path in files:
        assert write(read(path)).encode() == path.read_bytes(), path


def test_the_oddities_of_the_published_text(published: Path):
    root = text_folder(published)
    if not (root / "hn").is_dir():
        pytest.skip("the Hindi stories are not at hand")
    hindi = [story for path in root.glob("hn/*.txt") for story in read(path)]
    assert any(statement.endswith(" ?.") for story in hindi for statement in story.statements)
    assert any(" " in question.answer for story in hindi for question in story.questions)


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("", 1, "the file is empty"),
        ("\n \n", 1, "the file is empty"),
        ("Mary went home.\n", 1, "expected a line number"),
        ("1 Mary went home.\n\n2 John too.\n", 2, "expected a line number"),
        ("1 Mary went home.\n3 John too.\n", 2, "out of order; expected 2"),
        ("2 Mary went home.\n", 1, "out of order; expected 1"),
        ("1 Mary went home.\n2 Where is Mary?\n", 2, "needs a tab"),
        ("1 Mary went home.\n2 John left\tlate\n", 2, "a question ends with a question mark"),
        ("1 Mary went home.\n2 Where is Mary?\thome\t1\tx\n", 2, "found 4 fields"),
        ("1 Mary went home.\n2 Where is Mary?\thome\t7\n", 2, "supporting line '7'"),
        ("1 Mary went home.\n2 Where is Mary?\thome\tone\n", 2, "supporting line 'one'"),
        ("1 Mary went home.\n2 Who?\tMary\t1\n3 Where?\thome\t2\n", 3, "supporting line '2'"),
        ("1 Mary went home.\n2 Where is Mary?\t \t1\n", 2, "expected an answer"),
        ("1 Mary went home.\n2 ?\thome\t1\n", 2, "expected a question"),
        ("1 Where is Mary?\thome\t\n", 1, "before any statement"),
        ("1 Mary went home.\n1 Where is Mary?\thome\t\n", 2, "before any statement"),
        ("1  \n", 1, "expected a sentence"),
        *(
            (f"1 Mary went home.\n2 Where is Mary?\thome\t1\n3 Where is Mary?{typed}\n", 3, "with no tab between them")
            for typed in ("    home    1", " home 1", " home", ", home, 1", ",home", r"\thome\t1", ";home;1", " | home | 1")
        ),
        ("1 Mary went home.\n2 玛丽在哪里？ 家\n", 2, "with no tab between them"),
        ("1 Mary went home.\n2 أين ماري؟\n", 2, "needs a tab"),
        ("1 Mary went home.\n2 Mary went\thome.\t\n", 2, "a statement has no tab, found '2 Mary went"),
        ("1 Mary went home.\n2 Mary went home.\tlate\t\n", 2, "a question ends with a question mark"),
        ("1 Mary went home.\n2 Mary\twent home.\n", 2, "a statement has no tab"),
        ("1 Mary went home.\t\t\n", 1, "before any statement"),
        ("1 Mary went home.\n2 John left.\t\t\n", 2, "a statement has no tab"),
    ],
)
def test_a_malformed_file_is_one_error_with_file_and_line(text: str, line: int, expected: str, tmp_path: Path):
    path = tmp_path / "bad_train.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        read(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert expected in str(caught.value)


def test_the_line_of_a_wrong_encoding(tmp_path: Path):
    path = tmp_path / "latin.txt"
    path.write_bytes("1 Mary went home.\n2 Zoë too.\n".encode("latin-1"))
    with pytest.raises(FormatError, match=r"latin\.txt:2: byte 0xeb is not UTF-8"):
        read(path)


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_files_of_other_systems_read(end: str):
    assert parse(STORY.replace("\n", end)) == parse(STORY)


@pytest.mark.parametrize(
    "line",
    [
        'She asked "where?" and left.',
        '"Where is Mary?", he asked.',
        "Who knows? Mary left.",
        "Where is Mary\thome\t",
        "Where is Mary\thome",
        "Mary is in the ___.\thome",
        "玛丽在哪里？\t家",
        "Tell me where Mary is.\thome\t",
        "Mary is in the ___.\thome\t",
        "Where is Mary?\tat home.\t",
        "玛丽在哪里\t家\t",
        "أين ماري؟\tالبيت\t1",
    ],
)
def test_what_looks_odd_and_is_meant(line: str):
    (story,) = parse(f"1 Mary went home.\n2 {line}\n")
    assert len(story.questions) == ("\t" in line)


def test_words():
    assert words("Where is Mary? ") == ("where", "is", "mary")
    assert words("The cat's half-eaten apple,milk -- 'yes'!") == ("the", "cat's", "half-eaten", "apple", "milk", "yes")
    assert words("Über हिंदी ?.") == ("über", "हिंदी")
    assert words(" ?. ") == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("玛丽去了厨房。", "玛 丽 去 了 厨 房"),
        ("iPhone手机在2020年", "iphone 手 机 在 2020 年"),
        ("メアリーは台所へ。", "メアリー は 台 所 へ"),
        ("😀 went to the 🏠.", "😀 went to the 🏠"),
        ("👩‍🚀👨‍👩‍👧🇩🇪👍🏽❤️✈️!", "👩‍🚀 👨‍👩‍👧 🇩🇪 👍🏽 ❤️ ✈️"),
        ("© 2020 Mary™ → ☺", "2020 mary"),
        ("أين ماري؟ ذهبت إلى المطبخ.", "أين ماري ذهبت إلى المطبخ"),
        ("मैरी दफ़्तर में गई।", "मैरी दफ़्तर में गई"),
        ("Zoë ging in die Straße.", "zoë ging in die straße"),
        ("L’hôtel d'Aimée, c'est où ?", "l’hôtel d'aimée c'est où"),
        ("메리는 부엌에 갔다.", "메리는 부엌에 갔다"),
    ],
)
def test_words_of_other_scripts(text: str, expected: str):
    assert words(text) == tuple(unicodedata.normalize("NFC", expected).split())


def words_between_spaces(text: str) -> tuple[str, ...]:
    """The words of version 0.2.0, which knew spaces and punctuation alone."""
    joiners = "'’-\u200c\u200d"
    kept = "".join(
        one if unicodedata.category(one)[0] in "LMN" or one in joiners else " "
        for one in unicodedata.normalize("NFC", text.lower())
    )
    return tuple(word for word in (part.strip(joiners) for part in kept.split()) if word)


def test_no_word_of_the_published_text_has_changed(published: Path):
    root = text_folder(published)
    texts = {text for path in root.glob("*/*.txt") for text in re.split(r"[\n\t]", path.read_text(encoding="utf-8"))}
    assert len(texts) > 100_000
    assert all(words(text) == words_between_spaces(text) for text in texts)


@given(st.text(st.characters(max_codepoint=0x2FF, exclude_categories=["Cs", "So", "Cn"]), max_size=40))
@example("Mary’s half-eaten “apple” – 5 € …")
@example("Être ou ne pas être: l’œuvre ﬁnie")
def test_no_word_of_a_text_in_latin_letters_has_changed(text: str):
    assert words(text) == words_between_spaces(text)


line_text = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20).filter(
    lambda text: bool(words(text)) and not set(text) & set(QUESTION_MARKS) and "\r" not in text
)


@st.composite
def stories(draw: st.DrawFn) -> Story:
    statements = tuple(draw(st.lists(line_text, min_size=1, max_size=5)))
    after = sorted(draw(st.lists(st.integers(1, len(statements)), max_size=4)))
    return Story(
        statements,
        tuple(
            Question(draw(line_text) + "?", draw(line_text), tuple(draw(st.lists(st.integers(0, told - 1), max_size=3))), told)
            for told in after
        ),
    )


@given(
    st.sampled_from(["Where is Mary?", "أين ماري؟", "玛丽在哪里？", "Is it?"]),
    st.sampled_from(["  ", "    ", "\u3000\u3000", ",", ", ", ";", " | ", r"\t", r" \t "]),
    st.lists(st.sampled_from(["home", "the attic", "3", "家", "البيت", "north-east", "1 2"]), min_size=1, max_size=3),
)
def test_a_question_whose_tab_was_typed_otherwise_is_no_statement(question: str, typed: str, fields: list[str]):
    with pytest.raises(FormatError, match=r"^<text>:2: a question and its answer with no tab between them"):
        parse(f"1 Mary went home.\n2 {typed.join([question, *fields])}\n")


@given(st.lists(stories(), min_size=1, max_size=3))
def test_what_is_written_reads_back(told: list[Story]):
    assert parse(write(told)) == told


@pytest.mark.parametrize(
    "typed",
    ["? attic.", '? "attic"', "? -> attic", "? => attic", "?: attic", "? - attic", "?=attic", "? (attic)", "\\tattic\\t1"],
)
def test_an_answer_without_its_tab_is_found_however_it_is_typed(typed: str):
    with pytest.raises(FormatError, match=r"^<text>:2: a question and its answer with no tab between them"):
        parse(f"1 Ann went to the attic.\n2 Where is Ann{typed}\n3 Where is Ann?\tattic\t1\n")


@pytest.mark.parametrize("typed", [", attic, 1", "    attic    1"])
def test_fields_that_are_parted_by_other_keys_are_found(typed: str):
    with pytest.raises(FormatError, match="with no tab between them"):
        parse(f"1 Ann went to the attic.\n2 Where is Ann{typed}\n")


@pytest.mark.parametrize("answer", ["attic   1", "attic, 1"])
def test_the_number_of_a_statement_at_the_end_of_an_answer_is_found(answer: str):
    with pytest.raises(FormatError, match="ends with the number of a statement"):
        parse(f"1 Ann went to the attic.\n2 Where is Ann?\t{answer}\n")
    assert parse("1 Ann has 1 hat.\n2 What has Ann?\troom 1\n")[0].questions[0].answer == "room 1"
