"""The story parser: lines, whole texts, and how it agrees with the strict parser of the bAbI format."""

import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memnet.ask.parser import ParsedLine, Sentence, StoryParser, parse_story
from memnet.cli.plot import last_question
from memnet.tasks.simulator import PUBLISHED_TASKS, simulate
from memnet.tasks.text import parse, split_line, write
from tests.conftest import wander


def test_statements_and_questions_on_one_line():
    assert StoryParser().parse_line("Mary went home. Where is Mary? John left.").sentences == [
        Sentence("Mary went home.", False),
        Sentence("Where is Mary?", True),
        Sentence("John left.", False),
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", []),
        (" ?! \t home", []),
        ("1 Mary left.", ["Mary left."]),
        ("1 \tMary", ["1 "]),  # a number without a text is one word
        ("3 blind mice ran.", ["3 blind mice ran."]),
        ("1", ["1"]),
        ("1\tMary", ["1"]),
        ("²  Mary left.", ["²  Mary left."]),
        ("Dr. Smith met Mrs. Jones. They left.", ["Dr. Smith met Mrs. Jones.", "They left."]),
        ("Where is Mary \tkitchen\t1", ["Where is Mary "]),
    ],
)
def test_sentences_of_a_line(line: str, expected: list[str]):
    found = StoryParser().parse_line(line)
    assert [sentence.text for sentence in found.sentences] == expected
    assert [sentence.is_question for sentence in found.sentences] == ["\t" in line.strip()] * len(expected)
    assert not found.new_story


@pytest.mark.parametrize(
    ("line", "statements", "questions"),
    [
        ("Mary left.John came.Where is John?", ["Mary left.", "John came."], ["Where is John?"]),
        ("Where is Mary?where is John?", [], ["Where is Mary?", "where is John?"]),
        ("Mary left; John came;where is John", ["Mary left;", "John came;"], ["where is John"]),
        ('"Mary left." Where is Mary', ['"Mary left."'], ["Where is Mary"]),
        ("MARY WENT HOME. WHERE IS MARY", ["MARY WENT HOME."], ["WHERE IS MARY"]),
        ("mary went home, john moved on, and where is mary", ["mary went home", "john moved on"], ["where is mary"]),
        ("Mary went home, where is she?", ["Mary went home"], ["where is she?"]),
        ("Mary took the milk. What is Mary carrying.", ["Mary took the milk."], ["What is Mary carrying."]),
        ("John, who is hungry, went home.", ["John, who is hungry, went home."], []),
        ("Mary took the milk, the apple, and left it.", ["Mary took the milk.", "Mary took the apple.", "Mary left it."], []),
        ("When Mary left, John came.", ["When Mary left, John came."], []),
        ("Tell me, where is Mary", [], ["Tell me, where is Mary"]),
        ("It is 3.5 km to www.memnet.org. U.S.A. is big.", ["It is 3.5 km to www.memnet.org.", "U.S.A. is big."], []),
        ("Dr.Smith left.", ["Dr.Smith left."], []),
    ],
)
def test_as_people_type(line: str, statements: list[str], questions: list[str]):
    found = StoryParser().parse([line])[0]
    assert (found.statements, found.questions) == (statements, questions)


@pytest.mark.parametrize("part", [", and", "a is b, ", ",  ", "mary is x, where is ", "a?b", "A.B c"])
def test_a_long_line_is_soon_taken_apart(part: str):
    started = time.monotonic()
    StoryParser().parse_line((part * 100_000)[:100_000])
    assert time.monotonic() - started < 3


def test_numbers_that_follow_are_dropped_and_one_begins_a_new_story():
    parser = StoryParser()
    lines = ["1 a b.", "2 c d.", "4 e f.", "3 g h.", "1 i j.", "2 k l."]
    found = [parser.parse_line(line) for line in lines]
    assert [line.sentences[0].text for line in found] == ["a b.", "c d.", "4 e f.", "g h.", "i j.", "k l."]
    assert [line.new_story for line in found] == [False, False, False, False, True, False]
    assert StoryParser().parse_line("1 a b.") == ParsedLine([Sentence("a b.", False)], False)


def test_the_stories_of_a_text():
    text = "It rained.\n1 Mary left. \n2 Where is Mary?\tout\t1\n1 John came.\n2 John sat. Who sat?\n"
    first, last = StoryParser().parse(text)
    assert (first.statements, first.questions) == (["It rained.", "Mary left."], ["Where is Mary?"])
    assert (last.statements, last.questions) == (["John came.", "John sat."], ["Who sat?"])
    assert parse_story(text) == last
    assert StoryParser().parse("") == StoryParser().parse([]) == [parse_story("")]
    assert StoryParser().parse(["a\x0bb."])[0].statements == ["a\x0bb."]  # lines are taken as they are given


def test_what_stands_before_the_last_question():
    story = parse_story("Mary left. Who left? John came.\nWho came? Sandra sang.")
    assert story.before_last_question() == ["Mary left.", "John came."]
    with pytest.raises(IndexError):
        parse_story("Mary left.").before_last_question()


@pytest.mark.parametrize("task", PUBLISHED_TASKS)
def test_every_task_is_read_as_the_strict_parser_reads_it(task: str):
    text = write(simulate(task, 12, 4))
    strict, found = parse(text), StoryParser().parse(text)
    assert len(found) == len(strict)
    for story, expected in zip(found, strict, strict=True):
        sentences = [each.strip() for statement in expected.statements for each in parse_story(statement).statements]
        assert story.statements == sentences
        assert [question.strip() for question in story.questions] == [one.text.strip() for one in expected.questions]


@given(st.text(alphabet="12 \tab.?", max_size=30))
def test_a_line_is_split_without_a_loss(line: str):
    digits, fields = split_line(line)
    assert "\t".join([f"{digits} " * bool(digits) + fields[0], *fields[1:]]) == line
    assert not digits or digits.isdigit()


@given(st.text(max_size=200))
def test_nothing_that_is_typed_is_refused(text: str):
    for story in StoryParser().parse(text):
        assert len(story.statements) + len(story.questions) == len(story.sentences)


def test_the_last_question_of_a_file(tmp_path: Path):
    file = tmp_path / "story"
    file.write_text("1 Mary left.\n2 Who left?\n1 John came.\n", encoding="utf-8")
    assert last_question(file) == (["Mary left."], "Who left?", [], None)
    file.write_text(write(wander(3, 2)), encoding="utf-8")
    last = wander(3, 2)[1].questions[-1]
    assert last_question(file) == (
        list(wander(3, 2)[1].statements[: last.after]),
        last.text,
        [*last.supporting_facts],
        last.answer,
    )


def test_the_stories_in_everyday_words_are_ten_of_each_kind():
    """What asking in one's own words is measured on: a question at the end, a tab, and its answers."""
    blocks = (Path(__file__).parents[1] / "everyday_stories.txt").read_text(encoding="utf-8").strip().split("\n\n")
    kinds = Counter(int(block.splitlines()[0].removeprefix("# kind ")) for block in blocks)
    assert kinds == dict.fromkeys(range(1, 21), 10)
    for block in blocks:
        *statements, asked = block.splitlines()[1:]
        text, answers = asked.split("\t")
        assert "\t" not in "".join(statements)
        assert len(StoryParser().parse([*statements, text])[-1].sentences) >= 3
        assert answers == answers.lower()
        assert all(answer.strip() for answer in answers.split(" | "))


@pytest.mark.parametrize(
    ("line", "statements", "questions"),
    [
        ("J. R. R. Tolkien wrote it. He was old.", ["J. R. R. Tolkien wrote it.", "He was old."], []),
        ("George W. Bush came. I saw room B. She left.", ["George W. Bush came.", "I saw room B.", "She left."], []),
        ("He works at the U.S. Embassy. He sings.", ["He works at the U.S. Embassy.", "He sings."], []),
        ("He lives in the U.S. He sings.", ["He lives in the U.S.", "He sings."], []),
        ("It opens at 7 a.m. and closes at 9 p.m. on Monday.", ["It opens at 7 a.m. and closes at 9 p.m. on Monday."], []),
        ("Take No. 5. It is Ann vs. Bob.", ["Take No. 5.", "It is Ann vs. Bob."], []),
        ("1. Mary went home.", ["Mary went home."], []),
        ("- Mary went home.", ["Mary went home."], []),
        ("Ann is in Rome… Bob is in Oslo.", ["Ann is in Rome…", "Bob is in Oslo."], []),
        ("Mary went to the hall John ran to the yard", ["Mary went to the hall", "John ran to the yard"], []),
        ("I know the day Mary went to Rome.", ["I know the day Mary went to Rome."], []),
        ("When I got home, the cat was gone", ["When I got home, the cat was gone"], []),
        ("Have a nice day", ["Have a nice day"], []),
        ("Do not touch the vase", ["Do not touch the vase"], []),
        ("Did you know that Tom lives in Rome?", ["Tom lives in Rome."], []),
        ("Did you know where Tom lives?", [], ["Did you know where Tom lives?"]),
        ("Ann is in Rome.\tBob is in Oslo.", ["Ann is in Rome.", "Bob is in Oslo."], []),
        ("1 Where is Ann?\tRome\t1", [], ["Where is Ann?"]),
        ("Where is Ann\tRome", [], ["Where is Ann"]),
    ],
)
def test_full_stops_that_end_nothing_and_statements_that_begin_like_questions(
    line: str, statements: list[str], questions: list[str]
):
    found = StoryParser().parse([line])[0]
    assert (found.statements, found.questions) == (statements, questions)


@pytest.mark.parametrize(
    ("line", "statements", "questions"),
    [
        ('Mary said "where is my hat?" and left.', ['Mary said "where is my hat?" and left.'], []),
        ("Mary said “Where is it? I need it.” She left.", ["Mary said “Where is it? I need it.”", "She left."], []),
        ("Mary said 'where's my hat?' and left. Who left?", ["Mary said 'where's my hat?' and left."], ["Who left?"]),
        ("« Is it cold? » asked Tom. Is it?", ["« Is it cold? » asked Tom."], ["Is it?"]),
        ('"Is it cold?" Tom asked. He left.', ['"Is it cold?" Tom asked.', "He left."], []),
        ('"is it cold" asked mary', ['"is it cold" asked mary'], []),
        ('"Is it cold?" Tom left.', ["Tom left."], ['"Is it cold?"']),
        ("Is it cold? asked Tom.", ["Is it cold? asked Tom."], []),
        ("Is it cold? Tom asked Ann. Who asked?", ["Is it cold? Tom asked Ann."], ["Who asked?"]),
        ("Is it cold? Tom said that it is.", ["Tom said that it is."], ["Is it cold?"]),
        ("Eva asked: where is my charger? Bob has it.", ["Eva asked: where is my charger?", "Bob has it."], []),
        ("Mary went home, Tom asked: where is she?", ["Mary went home", "Tom asked: where is she?"], []),
        ("The man asked Ann, where is it?", ["The man asked Ann, where is it?"], []),
        ("Mary said hello, where is she?", [], ["Mary said hello, where is she?"]),
        ("Tell me: where is Mary?", [], ["Tell me: where is Mary?"]),
        ('Mary said "John came, Ann is here and Bob left."', ['Mary said "John came, Ann is here and Bob left."'], []),
        ('Ann left (who saw her? Bob). "Where is Ann?"', ["Ann left (who saw her? Bob)."], ['"Where is Ann?"']),
        ('Who said "Where is Ann?"', [], ['Who said "Where is Ann?"']),
        ('Did Tom ask "is it cold?" Ann left.', ["Ann left."], ['Did Tom ask "is it cold?"']),
        ('A 5" pipe is here. Where is the 6" pipe?', ['A 5" pipe is here.'], ['Where is the 6" pipe?']),
        ('mary said "I am ill." john left.', ['mary said "I am ill."', "john left."], []),
    ],
)
def test_what_somebody_in_a_story_asks_is_no_question(line: str, statements: list[str], questions: list[str]):
    found = StoryParser().parse([line])[0]
    assert (found.statements, found.questions) == (statements, questions)


@pytest.mark.parametrize(
    "line",
    [
        "Mary went to the hall " * 5_000,
        *(part * 20_000 for part in ('"a', "'a ", '"a? and ', ' ?" a', '." b')),
        "a" * 100_000 + ". Bob left.",
        "J. " * 20_000 + "Smith left.",
        "x" + " " * 100_000,
    ],
)
def test_long_lines_take_no_time_and_no_depth(line: str):
    assert StoryParser().parse([line])[0].sentences


@pytest.mark.parametrize(
    ("line", "questions"),
    [
        ("Where is the milk and who has the ball?", ["Where is the milk?", "Who has the ball?"]),
        ("Where is the milk, and where do I live?", ["Where is the milk?", "Where do I live?"]),
        ("where's the milk and who's in the hall", ["Where's the milk?", "Who's in the hall?"]),
        ("Is Ann at home and is Bob at work?", ["Is Ann at home?", "Is Bob at work?"]),
        ("Is the milk cold and where is the bread?", ["Is the milk cold?", "Where is the bread?"]),
        ("Who lives in Oslo and is Ann there?", ["Who lives in Oslo?", "Is Ann there?"]),
        ("What happened and who was there?", ["What happened?", "Who was there?"]),
        ("How old is Ann and how many people live here?", ["How old is Ann?", "How many people live here?"]),
        ("Which dog barked and where did it go?", ["Which dog barked?", "Where did it go?"]),
        ("Are Ann and Bob at home and who has the keys?", ["Are Ann and Bob at home?", "Who has the keys?"]),
        ("Tell me where Ann is and who has the ball.", ["Tell me where Ann is?", "Who has the ball?"]),
        ("Isn't Ann home, and don’t you know Bob?", ["Isn't Ann home?", "Don’t you know Bob?"]),
        ("Where is Ann, where is Bob and who has the milk?", ["Where is Ann?", "Where is Bob?", "Who has the milk?"]),
        ("Bob left. Where is Bob and who left?", ["Where is Bob?", "Who left?"]),
        ("Tell me where A is and where B is", ["Tell me where A is?", "Tell me where B is?"]),
        ("Can you tell me where Ann is and what Bob has?", ["Can you tell me where Ann is?", "Can you tell me what Bob has?"]),
        ("I wonder where Ann went, and how old Bob is.", ["I wonder where Ann went?", "I wonder how old Bob is?"]),
        ("Do you know where Ann is and who has the ball?", ["Do you know where Ann is?", "Who has the ball?"]),
        (
            "So tell me what Bob has, where Ann is and who left.",
            ["So tell me what Bob has?", "Tell me where Ann is?", "Who left?"],
        ),
        ("Where is the ball and tell me who has the milk?", ["Where is the ball?", "Tell me who has the milk?"]),
        ("Tell me where Ann is and tell me where Bob is.", ["Tell me where Ann is?", "Tell me where Bob is?"]),
        ("where is Ann, where is Bob", ["Where is Ann?", "Where is Bob?"]),
        ("Where is Ann? and where do I live", ["Where is Ann?", "and where do I live"]),
        ("Ann moved to Oslo, and where do I live", ["where do I live"]),
        ("So is Bob there and do I know Ann", ["So is Bob there?", "Do I know Ann?"]),
    ],
)
def test_two_questions_that_and_joins_are_two(line: str, questions: list[str]):
    assert StoryParser().parse([line])[0].questions == questions


@pytest.mark.parametrize(
    "line",
    [
        "Who is taller, Ann and Bob?",
        "Are Ann and Bob at home?",
        "Where are the keys and the phone?",
        "What happened and why?",
        "Where and when did Ann meet Bob?",
        "Where is and who has the ball?",
        "Who is at home and has a dog?",
        "Who is tall and can swim?",
        "Who was the winner and was the best player in town?",
        "Does Ann live in Oslo and have a dog there?",
        "Did Ann go home and do it again?",
        "Did Ann and Will go home?",
        "Which car is new and is red all over?",
        "Do you know where Ann is and what she has?",
        "Is it true that Ann went home and had a bath there?",
        "What did Ann do after she came home and was tired of it all?",
        "Who is the man who lives in Oslo and who has a dog?",
        "Where is John, who lives in Paris and whose dog barked?",
        "Who is taller and who is older, Ann or Bob?",
        'Who said "Where is Ann and where is Bob?"',
        "What is the difference between what is said and what is done?",
        "Where is Ann and, who?",
        "Tell me where the keys and where the phone are.",
        "Tell me where and when Ann met Bob.",
        "Tell me what happened and why.",
        "Tell me who owns the house where Ann lived and where Bob lives.",
        "Tell me who has the keys and where they are.",
        "Do you know, where is Ann?",
        "When Ann left, where was Bob?",
    ],
)
def test_a_question_with_and_in_it_is_one(line: str):
    assert StoryParser().parse([line])[0].questions == [line]


@pytest.mark.parametrize(
    "line", ["and is at home", "and did it well", "so do it", "Now will you", "So is Ann.", "and when Ann came"]
)
def test_what_goes_on_with_a_statement_asks_nothing(line: str):
    assert not StoryParser().parse([line])[0].questions


def test_a_line_of_a_file_with_an_answer_is_one_question():
    """Questions of a data set stay as they are."""
    line = "1 Where is the milk and who has the ball?\tkitchen,Ann\t1 2"
    assert StoryParser().parse([line])[0].questions == ["Where is the milk and who has the ball?"]
