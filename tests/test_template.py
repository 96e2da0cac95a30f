"""``memnet data make``: stories from a table of one's own."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memnet.tasks.families import DataError
from memnet.tasks.families.folder import own_tasks
from memnet.tasks.table import Row, read_table
from memnet.tasks.template import Templates, combined_stories, facts, from_facts, from_stories, stories_of_rows
from memnet.tasks.text import FormatError, Story, read
from tests.conftest import memnet, ran, refused

MOVES = (
    "who,thing,place\nInes,drill,van\nOmar,drill,workshop\nInes,ladder,roof\nRavi,cable,cellar\nOmar,ladder,van\n"
    "Ravi,saw,workshop\nLena,drill,roof\nLena,cable,van\nRavi,ladder,cellar\nInes,saw,roof\n"
)
TOLD, ASKED, ANSWERED = "{who} took the {thing} to the {place}.", "Where is the {thing}?", "{place}"
FIXED = ("--statement", TOLD, "--question", ASKED, "--answer", ANSWERED)
TEMPLATES = Templates.of([TOLD], [ASKED], [ANSWERED])


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "tools.csv"
    path.write_text(MOVES, encoding="utf-8")
    return path


def test_the_newest_row_that_agrees_answers():
    rows = [
        Row(2, {"who": "Ines", "thing": "drill", "place": "van"}),
        Row(3, {"who": "Omar", "thing": "saw", "place": "shed"}),
        Row(4, {"who": "Ravi", "thing": "drill", "place": "roof"}),
    ]
    where, who = Templates.of([TOLD], [ASKED, "Who has the {thing} of {place}?"], [ANSWERED, "{who}"]).asked
    assert where.of(rows, rows[0]).answer == "roof"
    assert where.of(rows, rows[0]).supporting_facts == (2,)
    assert where.of(rows, rows[1]).answer == "shed"
    assert where.of(rows[:2], rows[0]).answer == "van"
    assert who.of(rows, rows[0]).text == "Who has the drill of van?"
    assert who.of(rows, rows[0]).answer == "Ines"  # the newest drill is on the roof: it does not agree in the place


def agrees(story: Story) -> None:
    """Fail where the answer is not that of the newest statement about the thing asked."""
    (question,) = story.questions
    thing = question.text.removeprefix("Where is the ").removesuffix("?")
    newest = max(place for place, text in enumerate(story.statements) if f" the {thing} " in text)
    assert story.statements[newest].endswith(f" to the {question.answer}.")
    assert question.supporting_facts == (newest,)
    assert question.after == len(story.statements) >= 2


@given(st.integers(0, 10_000), st.integers(2, 9), st.booleans())
def test_every_story_is_answered_by_its_newest_fact(seed: int, longest: int, combine: bool):
    rows = [Row(0, dict(zip(("who", "thing", "place"), line.split(","), strict=True))) for line in MOVES.splitlines()[1:]]
    make = combined_stories if combine else stories_of_rows
    for story in make(rows, TEMPLATES, 5, longest, Random(seed)):
        agrees(story)
        assert len(story.statements) <= longest


def test_rows_that_follow_each_other_are_told_and_the_last_fifth_is_tested(table: Path):
    parts = from_facts(table, TEMPLATES, 50, 20, 4, combine=False, seed=0)
    lines = [TEMPLATES.statements[0].fill(row.cells) for row in facts(table, TEMPLATES)]
    (whole,) = parts["story"]
    assert list(whole.statements) == lines
    for part, part_lines in (("train", lines[:-2]), ("test", lines[-2:])):
        for story in parts[part]:
            first = part_lines.index(story.statements[0])
            assert list(story.statements) == part_lines[first : first + len(story.statements)]
    assert [len(parts[part]) for part in ("train", "test")] == [50, 20]


def test_columns_that_are_combined_make_what_no_row_says(table: Path):
    told = {
        text for story in from_facts(table, TEMPLATES, 200, 20, 6, combine=True, seed=0)["train"] for text in story.statements
    }
    assert len(told) > 30
    assert len(told) <= 4 * 4 * 4


def test_a_column_is_found_in_any_letters(tmp_path: Path):
    path = tmp_path / "t.tsv"
    path.write_text("\ufeffWho\tThing\nInes\tdrill\n", encoding="utf-8")
    templates = Templates.of(["{WHO} has the { thing }."], ["Who has the {thing}?"], ["{Who}"])
    assert templates.statements[0].fill(facts(path, templates)[0].cells) == "Ines has the drill."


def test_the_command_makes_a_folder_that_is_trained_on(table: Path, tmp_path: Path):
    out = tmp_path / "own"
    done = ran("data", "make", table, *FIXED, "--combine", "--train", 30, "--test", 10, "--out", out)
    assert "30 training and 10 test questions" in done.stdout
    assert sorted(path.name for path in out.iterdir()) == ["names.txt", "story.txt", "tools_test.txt", "tools_train.txt"]
    (task,) = own_tasks(out)
    assert (task.name, len(task.train), len(task.test), task.unused) == ("own/tools", 30, 10, ())
    assert (out / "story.txt").read_text().splitlines()[0] == "Ines took the drill to the van."
    shown = done.stdout.splitlines()
    assert [line.strip() for line in shown[: len(task.train[0].statements)]] == list(task.train[0].statements)
    again = tmp_path / "again"
    memnet("data", "make", table, *FIXED, "--combine", "--train", 30, "--test", 10, "--out", again)
    assert read(again / "tools_train.txt") == task.train
    assert "exists already" in refused("data", "make", table, *FIXED, "--out", out)


def test_several_ways_to_tell_and_to_ask(table: Path, tmp_path: Path):
    more = ("--statement", "The {thing} is in the {place}.", "--question", "Who had the {thing}?", "--answer", "{who}")
    memnet("data", "make", table, *FIXED, *more, "--train", 60, "--out", tmp_path / "own")
    stories = read(tmp_path / "own" / "tools_train.txt")
    assert {text.split()[-4] for story in stories for text in story.statements} & {"is", "drill"} == {"is", "drill"}
    assert {question.text.split()[0] for story in stories for question in story.questions} == {"Where", "Who"}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (("Omar,ladder,van", "Omar,ladder"), "tools.csv:6: expected 3 fields as in the first line, found 2"),
        (("Omar,ladder,van", "Omar,,van"), "tools.csv:6: the column 'thing' is empty"),
        (("Omar,ladder,van", "Omar,ladder,van?"), "tools.csv:6: 'van?' has a tab, a line break or a question mark"),
        (("Omar,ladder,van", 'Omar,ladder,"v\nan"'), "tools.csv:6: 'v\\nan' has a tab, a line break"),
        (("who,thing,place", "who,thing,room"), "tools.csv:1: there is no column 'place', which '{who} took the"),
        (("Ravi,cable", '"Ravi,cable'), "tools.csv:5: unexpected end of data"),
        (("Lena", "\udcff"), "is not UTF-8 text"),
    ],
)
def test_what_is_wrong_in_a_table_is_named_with_its_line(changed: tuple[str, str], said: str, table: Path, tmp_path: Path):
    table.write_bytes(MOVES.replace(*changed).encode("utf-8", "surrogateescape"))
    assert said in refused("data", "make", table, *FIXED, "--out", tmp_path / "own")
    assert not (tmp_path / "own").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (FIXED[:4], "an answer for each question"),
        (("--statement", "{who took the {thing}.", *FIXED[2:]), "has a brace without its partner; a column is written {name}"),
        (("--statement", "Is {who} in?", *FIXED[2:]), "is a question; a statement ends with a full stop"),
        ((*FIXED[:4], "--answer", "{thing}"), "must name a column in braces that its question"),
        ((*FIXED[:4], "--answer", "yes"), "must name a column in braces that its question"),
        (("--combine",), "--combine is for a table of facts"),
        ((), "tools.csv:1: expected the columns story and text and answer, for example 'story,text,answer' in the first line"),
    ],
)
def test_options_that_make_no_sense(options: tuple[str, ...], said: str, table: Path, tmp_path: Path):
    assert said in refused("data", "make", table, *options, "--out", tmp_path / "own")


def test_a_table_with_few_rows_is_combined_or_refused(table: Path, tmp_path: Path):
    table.write_text("\n".join(MOVES.splitlines()[:4]) + "\n", encoding="utf-8")
    assert "has 3 rows; expected 10 or more" in refused("data", "make", table, *FIXED, "--out", tmp_path / "own")
    ran("data", "make", table, *FIXED, "--combine", "--out", tmp_path / "own")
    table.write_text("who,thing,place\n", encoding="utf-8")
    assert "no row below its first line" in refused("data", "make", table, *FIXED, "--combine", "--out", tmp_path / "b")


STORIES = (
    "story,text,answer,facts\n"
    "1,Ann has the key.,,\n1,Ben took it from her.,,\n1,Who has the key?,Ben,2\n"
    "2,The box is red.,,\n2,What colour is the box?,red,1\n2,The box is blue.,,\n2,What colour is the box?,blue,2\n"
)


def test_a_table_of_stories(tmp_path: Path):
    path = tmp_path / "mine.csv"
    path.write_text(STORIES, encoding="utf-8")
    parts = from_stories(path)
    assert [story.statements for story in parts["train"]] == [("Ann has the key.", "Ben took it from her.")]
    assert [(one.text, one.answer, one.supporting_facts, one.after) for one in parts["test"][0].questions] == [
        ("What colour is the box?", "red", (0,), 1),
        ("What colour is the box?", "blue", (1,), 2),
    ]
    done = memnet("data", "make", path, "--out", tmp_path / "own")
    assert "1 training and 2 test questions" in done.stdout
    assert read(tmp_path / "own" / "mine_test.txt") == parts["test"]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (("1,Ann has the key.,,", "1,,,"), "mine.csv:2: expected a sentence in the column 'text'"),
        (("Who has the key?,Ben,2", "Who has the key?,,"), "mine.csv:4: a question needs its answer in the column 'answer'"),
        (("key?,Ben,2", "key?,Ben,3"), "mine.csv:4: the supporting fact '3' is no statement told before; expected 1 to 2"),
        (("2,The box is red.,,\n", ""), "mine.csv:5: a question before any statement of its story"),
        (("2,What colour is the box?,red,1", "2,?,red,1"), "mine.csv:6: expected a question in the column 'text'"),
        ((STORIES[STORIES.index("2,The") :], ""), "has 1 stories; expected two or more"),
    ],
)
def test_what_is_wrong_in_a_table_of_stories_is_named_with_its_line(changed: tuple[str, str], said: str, tmp_path: Path):
    path = tmp_path / "mine.csv"
    path.write_text(STORIES.replace(*changed), encoding="utf-8")
    assert said in refused("data", "make", path, "--out", tmp_path / "own")


def test_errors_are_of_the_kinds_that_are_promised(tmp_path: Path):
    with pytest.raises(DataError):
        Templates.of([], [], [])
    (tmp_path / "a.csv").write_text("")
    with pytest.raises(FormatError, match=r"a\.csv:1: expected a first line that names the columns"):
        read_table(tmp_path / "a.csv", ())
