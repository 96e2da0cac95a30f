"""Simulated stories: the same everywhere, in the published format, true when replayed."""

import hashlib
import itertools
import re
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from memnet.tasks.families import DataError, find
from memnet.tasks.families.replay import acts, replay
from memnet.tasks.simulator import (
    FILE_TITLES,
    PUBLISHED_TASKS,
    TASKS,
    DialError,
    Dials,
    asked,
    deduction,
    module,
    shared_questions,
    simulate,
    simulated_task,
    write_tasks,
)
from memnet.tasks.text import Question, Story, parse, words, write
from tests.conftest import memnet, published_task, ran


def test_the_same_seed_gives_the_same_bytes_everywhere():
    text = "".join(write(simulate(name, 50, 7)) for name in FILE_TITLES)
    # changes with the stories: then the simulator's VERSION changes too
    assert hashlib.sha256(text.encode()).hexdigest() == "46aabec2b565f28ac52bd7db90c79415848d24e12e31974f87866ebfc3cac4c6"
    assert simulate("qa1", 5, 1) != simulate("qa1", 5, 2)


@pytest.mark.parametrize("name", FILE_TITLES)
def test_stories_are_in_the_published_format(name: str):
    stories = simulate(name, 203, 3)
    assert sum(len(story.questions) for story in stories) == 203
    assert parse(write(stories)) == stories
    spaced = name in {f"qa{number}" for number in (1, 2, 3, *range(5, 15))}
    for story in stories:
        assert story.questions[-1].after == len(story.statements)
        for question in story.questions:
            assert question.text.endswith("? " if spaced else "?") or name not in PUBLISHED_TASKS
            assert not question.text.endswith("?  ")
            assert question.supporting_facts
            assert max(question.supporting_facts) < question.after


@pytest.mark.parametrize("name", FILE_TITLES)
def test_words_and_answers_are_the_published_ones(name: str, published: Path):
    task = published_task(f"babi/{name}" if name == "qa3" else f"babi-10k/{name}", published)
    ours = simulate(name, 10_000 if name not in ("qa3", "qa2", "qa5") else 2000, 11)

    def answers(stories: list[Story]) -> Counter[str]:
        return Counter(question.answer for story in stories for question in story.questions)

    drawn, there = said(ours), said(task.train)
    assert drawn.keys() >= frequent(there)
    assert frequent(drawn) <= there.keys()
    mine, printed = answers(ours), answers(task.train)
    share = sum(printed.values()) / sum(mine.values())
    for answer in set(mine) | set(printed):
        expected = mine[answer] * share
        assert abs(printed[answer] - expected) <= 10 + 0.25 * expected, answer


def said(stories: list[Story]) -> Counter[str]:
    """How often each word is said."""
    counts = Counter[str]()
    for line, times in Counter(line for story in stories for line in story.lines()).items():
        counts.update({word: times * number for word, number in Counter(words(line)).items() if not word.isdigit()})
    return counts


def frequent(counts: Counter[str]) -> set[str]:
    """Words and answers that are seen ten times."""
    return {word for word, count in counts.items() if count >= 10}


def test_as_many_test_questions_stand_in_training_as_in_the_published_text(published: Path):
    task = find(["babi-10k/qa4"], published)[0]
    assert shared_questions(task.train, task.test) == 741
    assert abs(shared_questions(*simulated_task("qa4", 10_000, 1000, 1)) - 741) < 60


@pytest.mark.parametrize("name", FILE_TITLES)
@pytest.mark.parametrize("source", ["simulated", "published"])
def test_a_reader_confirms_answers_and_supporting_facts(name: str, source: str, request: pytest.FixtureRequest):
    if source == "simulated":
        stories = simulate(name, 1000, 5)
    else:
        task = published_task(f"babi/{name}", request.getfixturevalue("published"))
        stories = task.train + task.test
    asked, confirmed, ambiguous = replay(name, stories)
    assert confirmed == asked == sum(len(story.questions) for story in stories)
    assert (ambiguous > 0) == (name in ("qa5", "qa16"))


def test_a_reader_does_not_confirm_what_is_wrong():
    story = simulate("qa1", 5, 0)[0]
    first = story.questions[0]
    other = "kitchen" if first.answer != "kitchen" else "garden"
    for wrong in (replace(first, answer=other), replace(first, supporting_facts=(first.supporting_facts[0] ^ 1,))):
        assert replay("qa1", [replace(story, questions=(wrong,))]) == (1, 0, 0)


def test_a_new_task_is_one_file_and_one_line(monkeypatch: pytest.MonkeyPatch):
    def story(draw: Random, dials: Dials) -> Story:
        place = draw.choice(["den", "nest"])
        return Story((f"The fox is in the {place}.",), (Question("Where is the fox?", place, (0,), 1),))

    monkeypatch.setitem(sys.modules, "memnet.tasks.simulator.fox", SimpleNamespace(story=story, DIALS=frozenset()))
    monkeypatch.setitem(TASKS, "fox", "where-is-the-fox")
    monkeypatch.setitem(FILE_TITLES, "fox", "where-is-the-fox")
    task = find(["fox"])[0]
    assert (task.name, len(task.train), len(task.test)) == ("sim/fox", 1000, 1000)
    with pytest.raises(DataError, match="babi has no 'fox'"):
        find(["babi/fox"])
    with pytest.raises(DialError, match=r"qa1 to qa20.*, fox"):
        simulate("wolf", 3, 0)
    monkeypatch.setitem(
        sys.modules, "memnet.tasks.simulator.fox", SimpleNamespace(story=lambda *_: Story(("It is.",), ()), DIALS=frozenset())
    )
    module.cache_clear()
    with pytest.raises(DialError, match="fox asks nothing"):
        simulate("fox", 3, 0)
    monkeypatch.setitem(TASKS, "owl", "nowhere")
    with pytest.raises(DialError, match=r"tasks/simulator/owl\.py is not found"):
        simulate("owl", 3, 0)
    module.cache_clear()


def test_dials_go_beyond_the_published_stories():
    wide = simulate("qa1", 500, 0, Dials(people=12, places=20, statements=30))
    assert min(story.questions[0].after for story in wide) >= 30
    assert len({question.text for story in wide for question in story.questions}) == 12
    assert len({question.answer for story in wide for question in story.questions}) == 20
    assert all(len(q.supporting_facts) == 5 for s in simulate("qa3", 50, 0, Dials(facts=5)) for q in s.questions)
    assert simulate("qa1", 20, 0, Dials(facts=2))[0].questions[0].text.startswith("Where is the ")
    assert all(len(q.supporting_facts) == 4 for s in simulate("qa18", 50, 0, Dials(chain=4)) for q in s.questions)
    assert simulate("qa7", 60, 0, Dials(objects=17, people=2, places=2, statements=60))
    assert all(q.answer.count(",") == 3 for s in simulate("qa19", 50, 0, Dials(path=4)) for q in s.questions)


def test_a_world_of_fewer_or_more_kinds_has_as_many_fears():
    for people, kinds in ((1, 2), (3, 4), (6, 8)):
        for story in simulate("qa15", 40, 0, Dials(people=people, kinds=kinds)):
            fears = dict(re.findall(r"([a-z]+) are afraid of ([a-z]+)", " ".join(story.statements).lower()))
            assert len(fears) == kinds
            assert len(story.statements) == kinds + people
            for question in story.questions:
                is_a, afraid = (story.statements[fact] for fact in question.supporting_facts)
                kind = re.fullmatch(r"\w+ is a (\w+)\.", is_a)[1]
                plural = afraid.lower().split()[0]
                assert (deduction.PLURAL | deduction.MORE)[kind] == plural
                assert (deduction.PLURAL | deduction.MORE)[question.answer] == fears[plural]


def test_neighbours_are_asked_about_one_statement():
    opposite = {"above": "below", "below": "above", "to the left of": "to the right of", "to the right of": "to the left of"}
    sides = "|".join(opposite)
    for story in simulate("qa17", 200, 0, Dials(path=1)):
        for question in story.questions:
            (fact,) = question.supporting_facts
            one, side, other = re.fullmatch(rf"The (.+) is ({sides}) the (.+)\.", story.statements[fact]).groups()
            first, asked, second = re.fullmatch(rf"Is the (.+) ({sides}) the (.+)\?", question.text).groups()
            assert (first, second) in ((one, other), (other, one))
            assert question.answer == ("yes" if asked == (side if first == one else opposite[side]) else "no")


@pytest.mark.parametrize("path", [2, 4])
def test_an_object_is_carried_through_so_many_rooms_before_the_one_asked_about(path: int):
    for story in simulate("qa3", 100, 0, Dials(people=2, path=path)):
        for question in story.questions:
            thing, room = re.fullmatch(r"Where was the (\w+) before the (\w+)\? ", question.text).groups()
            last, arrival, before = question.supporting_facts
            done = acts([" ".join(words(text)) for text in story.statements])
            holder, got = done[last].person, max(act.line for act in done[:arrival] if act.thing == thing)
            assert done[got].person == holder == done[arrival].person
            moves = [act.line for act in done[got:arrival] if act.person == holder and act.kind == "move"]
            assert len(moves) >= path
            assert moves[-1] == before
            assert story.statements[arrival].endswith(f" {room}.")
            assert story.statements[before].endswith(f" {question.answer}.")


@pytest.mark.parametrize("name", ["qa1", "qa15", "qa19"])
def test_distractors_change_no_answer(name: str):
    for story in simulate(name, 300, 2, Dials(distractors=7)):
        for question in story.questions:
            cited = " ".join(words(" ".join(story.statements[fact] for fact in question.supporting_facts)))
            assert all(idle not in cited for idle in ("sun", "raining", "clock", "dog", "phone"))
        assert len(story.statements) >= 12


def bigger_links(story: Story, number: int) -> int:
    """The fewest statements that lead from one size to the other of a question of task 18."""
    question = story.questions[number]
    smaller: dict[str, set[str]] = {}
    for text in story.statements[: question.after]:
        one, other = re.fullmatch(r"The ([\w ]+) (?:is bigger than|fits inside) the ([\w ]+)\.", text).groups()
        big, small = (one, other) if "bigger" in text else (other, one)
        smaller.setdefault(big, set()).add(small)
    ends = re.fullmatch(r"(?:Is|Does) the ([\w ]+) (?:bigger than|fit in) the ([\w ]+)\?", question.text).groups()
    for start, end in (ends, ends[::-1]):
        reached, links = {start}, 0
        while reached and end not in reached:
            reached, links = {small for big in reached for small in smaller.get(big, ())}, links + 1
        if end in reached:
            return links
    raise AssertionError(question.text)


@pytest.mark.parametrize("links", [1, 2, 3, 4, 5])
def test_no_shorter_way_answers_a_long_chain(links: int):
    for story in simulate("qa18", 100, 0, Dials(chain=links)):
        for number, question in enumerate(story.questions):
            assert bigger_links(story, number) == links == len(question.supporting_facts)


@pytest.mark.parametrize("steps", [2, 4, 8, 20])
def test_a_long_path_is_nowhere_twice(steps: int):
    step = {"n": (0, 1), "s": (0, -1), "e": (1, 0), "w": (-1, 0)}
    for story in simulate("qa19", 100, 0, Dials(path=steps, places=steps + 1)):
        cells = [(0, 0)]
        for way in story.questions[0].answer.split(","):
            cells.append((cells[-1][0] + step[way][0], cells[-1][1] + step[way][1]))
        assert len(set(cells)) == len(cells) == steps + 1


def test_distractors_stand_next_to_questions_and_never_before_a_pronoun():
    beside = 0
    for story in simulate("qa11", 300, 2, Dials(distractors=9)):
        for question in story.questions:
            beside += question.after - 1 not in {fact for q in story.questions for fact in q.supporting_facts}
        for before, text in itertools.pairwise(story.statements):
            if {"he", "she"} & set(words(text)):
                assert words(before)[0] in {"mary", "john", "sandra", "daniel"}
        assert max(q.after for q in story.questions) == len(story.statements)  # none is told in vain
    assert beside > 100


def test_new_names_are_only_in_the_test_stories():
    train, test = simulated_task("qa20", 300, 300, 0, Dials(new_names=True))
    assert not {"Jason", "jason"} & {word.strip("?.") for story in test for line in story.lines() for word in line.split()}
    assert any("Jason" in line for story in train for line in story.lines())
    same = simulated_task("qa20", 300, 300, 0)[1]
    assert [q.answer for s in test for q in s.questions] == [q.answer for s in same for q in s.questions]


@pytest.mark.parametrize("source", ["simulated", "published"])
def test_gives_go_by_a_fixed_order(source: str, request: pytest.FixtureRequest):
    """The first object whose holder has company is given, to the first in the order: so it is in the published text."""
    order, things = ("mary", "fred", "bill", "jeff"), ("apple", "football", "milk")
    checked = 0
    if source == "simulated":
        stories = simulate("three_relations", 3000, 1)
    else:
        stories = find(["babi-10k/qa5"], request.getfixturevalue("published"))[0].train
    for story in stories:
        place: dict[str, str] = {}
        held: dict[str, str] = {}
        for act in acts([" ".join(words(text)) for text in story.statements]):
            if act.kind == "give" and len(place) == 4:
                near = {held[one]: [o for o in order if o != held[one] and place[o] == place[held[one]]] for one in held}
                company = [(one, near[held[one]][0]) for one in things if one in held and near[held[one]]]
                assert (act.thing, act.receiver) == company[0]
                checked += 1
            if act.kind == "move":
                place[act.person] = act.thing
            elif act.kind == "drop":
                held.pop(act.thing, None)
            else:
                held[act.thing] = act.receiver or act.person
    assert checked > 1000


def test_no_overlap():
    train, test = simulated_task("qa4", 2000, 500, 0, overlap=False)
    assert shared_questions(train, test) == 0
    known = {one for story in train for one in asked(story)}
    assert len(known) > 1000
    with pytest.raises(DialError, match="qa4 has too few stories"):
        simulated_task("qa4", 60_000, 5000, 0, overlap=False)


@pytest.mark.parametrize(
    ("name", "dials", "expected"),
    [
        ("qa21", {}, "no task is called 'qa21'"),
        ("qa4", {"people": 3}, "qa4 has no dial 'people'; it has background, distractors, new_names, phrasing, places"),
        ("qa1", {"people": 0}, "people must be 1 to"),
        ("qa12", {"people": 1}, "people must be 2 to"),
        ("qa1", {"places": 500}, "places must be 2 to"),
        ("qa19", {"path": 5, "places": 4}, "path must be"),
        ("qa19", {"path": 1, "places": 20}, "places must be at most"),
        ("qa18", {"chain": 9}, "chain must be 1 to 5"),
        ("qa17", {"path": 3}, "path must be 1 or 2"),
        ("qa3", {"path": 0}, "path must be 1 to 20"),
        ("qa3", {"path": 2, "facts": 2}, "leave path out"),
        ("qa15", {"kinds": 1}, "kinds must be 2 to 8"),
        ("qa1", {"kinds": 3}, "qa1 has no dial 'kinds'"),
        ("qa2", {"facts": 99}, "facts must be 1 to 8"),
        ("qa2", {"facts": 1, "objects": 3}, "with facts 1 there are no objects"),
        ("qa1", {"people": 12, "new_names": True}, "leave people out"),
        ("qa1", {"distractors": -1}, "distractors must be 0 or more"),
        ("qa4", {"new_names": True}, "qa4 has no people who could have new names"),
    ],
)
def test_dials_that_cannot_be_are_one_sentence(name: str, dials: dict[str, int], expected: str):
    with pytest.raises(DialError, match=re.escape(expected)):
        simulated_task(name, 10, 10, 0, Dials(**dials))


def test_writing_is_all_or_nothing(tmp_path: Path):
    out = tmp_path / "sim"
    with pytest.raises(DialError, match="no task is called 'qa0'"):
        write_tasks(["qa1", "qa0"], out, 10, 10, 0, Dials(), True)
    assert list(tmp_path.iterdir()) == []
    assert write_tasks(["qa1"], out, 10, 10, 0, Dials(), True)[0][:2] == ("qa1", 10)
    assert sorted(path.name for path in out.iterdir()) == [
        "qa1_single-supporting-fact_test.txt",
        "qa1_single-supporting-fact_train.txt",
    ]
    with pytest.raises(DataError, match="exists already"):
        write_tasks(["qa1"], out, 10, 10, 0, Dials(), True)


def test_training_without_data_simulates_and_says_so(tmp_path: Path):
    quick = ["--restarts", 1, "--set", "epochs=2", "--set", "linear_start=1", "--out", tmp_path / "run"]
    done = ran("train", "qa1", *quick, MEMNET_DATA="")
    assert "qa1 is sim/qa1: simulated stories" in done.stdout
    assert "the published text is not at hand;" in done.stdout
    wrong = tmp_path / "no \x1b[2Jfolder"
    named = ran("train", "qa1", *quick[:-1], tmp_path / "other", MEMNET_DATA=str(wrong)).stdout
    assert f"the published text is not in MEMNET_DATA ({tmp_path}/no \\x1b[2Jfolder), nor fetched; 'memnet data" in named
    assert "sim/qa1: error % train" in done.stdout
    assert '"made": "simulated"' in memnet("eval", tmp_path / "run", "--json").stdout
    shown = memnet("data", "show", "sim/qa16", "-n", 2).stdout
    assert shown.count("-- sim/qa16\n") == 2
    assert "because" in shown
