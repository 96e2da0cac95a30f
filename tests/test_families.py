"""Families of data sets: names, a person's own folder, splits, candidates, and a family that a plugin brings."""

import json
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from memnet.record.runs import read_rows
from memnet.tasks import DataError, find
from memnet.tasks.families import FAMILIES, Family, Name, Task, all_of, dyna, family_of, member_of, title_of
from memnet.tasks.families.old_names import full_names, modern
from memnet.tasks.families.remarks import remarks
from memnet.tasks.scores import SCORES, Answered, Score
from memnet.tasks.text import Question, Story, write
from memnet.training.evaluate import ranked
from tests.conftest import memnet, ran, read_json, read_lines, refused, wander

TOY = """
from random import Random
from pathlib import Path

from memnet.tasks.families import FAMILIES, Family, Task
from memnet.tasks.text import Question, Story

HOMES = {"fox": "den", "bird": "nest", "bee": "hive", "cow": "barn"}


def stories(seed: int, number: int, distance: int) -> list[Story]:
    draw = Random(f"{seed} {distance}")
    found = []
    for _ in range(number):
        animals = draw.sample(list(HOMES), distance)
        asked = draw.choice(animals)
        told = tuple(f"the {animal} lives in the {HOMES[animal]}" for animal in animals)
        kind = "insect" if asked == "bee" else "other"
        homes = (*HOMES.values(), "castle")
        found.append(Story(told, (Question(f"where does the {asked} live", HOMES[asked], (), distance, homes, kind),)))
    return found


def load(member: str, seed: int = 0, data: Path | None = None) -> Task:
    splits = {f"of {distance}": stories(2 * seed + 1, 20, distance) for distance in (1, 2, 3)}
    return Task(f"homes/{member}" + (f"@{seed}" if seed else ""), stories(2 * seed, 120, 2), splits, f"homes{seed}")


FAMILIES["homes"] = Family("homes", "where animals live", {"all-animals": "four animals"}, load, "drawn", seeds=range(9),
                           fails_above=50.0, licence="none")
"""
pytestmark = pytest.mark.usefixtures("no_plugins")
PRONOUNS = {"she": ("Mary", "Sandra", "Julie"), "he": ("John", "Daniel", "Bill", "Fred", "Jeff")}
PRONOUNS["they"] = PRONOUNS["she"] + PRONOUNS["he"]
QUICK = ("--restarts", 2, "--set", "epochs=8", "--set", "linear_start=0")


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    path = tmp_path / "homes_plugin.py"
    path.write_text(TOY, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", list(FAMILIES))
def test_every_family_says_what_it_is_and_refuses_what_it_has_not(name: str):
    family = FAMILIES[name]
    assert family.name == name
    assert family.title
    assert family.score in SCORES
    assert (family.fetch is None) or family.licence
    assert all(title_of(f"{name}/{member}") for member in family.members)
    with pytest.raises(DataError):
        family.task("nobody")
    for member in list(family.members)[:1]:
        with pytest.raises(DataError, match="take no seed" if family.seeds is None else "has stories"):
            family.task(member, 10**9)


def test_names_are_read_and_written():
    assert [str(Name.read(text)) for text in ("sim/qa1@3", "babi-10k/qa2", "sim/qa1@0")] == [
        "sim/qa1@3",
        "babi-10k/qa2",
        "sim/qa1",
    ]
    assert Name.read("qa1") is None
    assert (member_of("3"), member_of("QA3"), member_of("21"), member_of("x")) == ("qa3", "qa3", "", "")
    assert family_of("sim/qa1@2").name == "sim"
    with pytest.raises(DataError, match="no family of data sets called 'nosuch'"):
        family_of("nosuch/qa1")


BABI = ("babi", "babi-10k", "babi-hn", "babi-hn-10k", "babi-shuffled", "babi-shuffled-10k")
OLD = [(size, variant) for variant in ("en", "hn", "shuffled") for size in ("1k", "10k")]


@pytest.mark.parametrize(("family", "old"), [*zip(BABI, OLD, strict=True)])
def test_each_of_the_old_names_has_a_family(family: str, old: tuple[str, str]):
    assert full_names(["qa1", "qa20"], *old, "published") == (f"{family}/qa1", f"{family}/qa20")


def test_what_an_older_version_saved_is_read():
    saved = {
        "tasks": ["qa1"],
        "size": "1k",
        "variant": "en",
        "source": "simulated",
        "data_hash": "x",
        "story_seed": 3,
        "seed": 1,
    }
    assert modern(saved) == {"data": ["sim/qa1@3"], "hash": "x", "seed": 1}
    assert modern({"data": ["sim/qa1"]}) == {"data": ["sim/qa1"]}
    with pytest.raises(ValueError, match="story_seed"):
        modern({**saved, "story_seed": "3"})


def test_all_of_a_family(published: Path):
    assert [task.member for task in find(["sim/all"])] == all_of(FAMILIES["babi"])
    assert find(["babi-hn"], published)[4].name == "babi-hn/qa5"
    long = find(["babilong/qa1"], published)[0]
    assert list(long.splits) == ["0k", "1k", "2k", "4k", "8k"]
    story = long.splits["1k"][3]
    fact = story.questions[0].supporting_facts[-1]
    assert story.questions[0].answer in story.statements[fact]
    assert len(story.statements) > 10


def test_a_folder_has_splits_and_candidates(tmp_path: Path):
    for name, seed in (("train", 1), ("test_near", 2), ("test_far", 3)):
        (tmp_path / f"moves_{name}.txt").write_text(write(wander(seed, stories=4)), encoding="utf-8")
    (tmp_path / "moves_candidates.txt").write_text("kitchen\n\ngarden\noffice\nmoon\n", encoding="utf-8")
    (task,) = find([str(tmp_path)])
    assert (task.name, list(task.splits)) == ("own/moves", ["far", "near"])
    assert task.test == [*task.splits["far"], *task.splits["near"]]
    assert task.train[0].questions[0].candidates == ("kitchen", "garden", "office", "moon")
    plain = {part: wander(seed, stories=4) for part, seed in (("near", 2), ("far", 3))}
    assert {part: [story.statements for story in stories] for part, stories in task.splits.items()} == {
        part: [story.statements for story in stories] for part, stories in plain.items()
    }
    (run := tmp_path / "run")
    ran("train", tmp_path, *QUICK, "--out", run)
    report = json.loads(memnet("eval", run, tmp_path, "--json").stdout)["tasks"]["own/moves"]
    assert set(report["splits"]) == {"far", "near"}
    assert 0 < report["mean_reciprocal_rank"] <= 1
    assert "candidates, which are ranked as they are written" in refused("train", tmp_path, "--set", "decoder=words")


def answers(*given: tuple[int, str, str, int]) -> list[Answered]:
    """Of stories by number: what was given, what was expected, after so many statements."""
    return [Answered(story, Question("what?", expected, (), after, ("a", "b")), text) for story, text, expected, after in given]


@pytest.mark.parametrize(
    ("score", "right", "asked"),
    [("exact", 2, 4), ("set", 3, 4), ("path", 2, 4), ("dialog", 1, 2), ("state", 1, 2), ("hits@1", 0, 4)],
)
def test_scores_computed_by_hand(score: str, right: int, asked: int):
    told = answers((0, "A", "a", 1), (0, "b,a", "a,b", 2), (0, "c", "a", 2), (1, " c ", "c", 5))
    assert SCORES[score](told) == Score(right, asked)


def test_ranks_computed_by_hand():
    told = [one._replace(rank=rank) for one, rank in zip(answers(*[(0, "", "", 1)] * 4), (1, 2, 6, 0), strict=True)]
    assert [SCORES[name](told).right for name in ("hits@1", "hits@5", "hits@10")] == [1, 2, 3]
    assert SCORES["mean_reciprocal_rank"](told).right == pytest.approx(1 + 1 / 2 + 1 / 6)


@given(st.lists(st.booleans(), max_size=20), st.integers(0, 20))
def test_fractions_add(right: list[bool], cut: int):
    told = answers(*[(number, "a" if one else "b", "a", 1) for number, one in enumerate(right)])
    for name in ("exact", "set", "path", "dialog", "state"):
        assert SCORES[name](told[:cut]) + SCORES[name](told[cut:]) == SCORES[name](told)


def test_a_family_of_a_plugin_is_trained_evaluated_and_recorded(toy: Path, tmp_path: Path):
    assert "no data set is called 'nosuch/all'" in refused("--plugin", toy, "train", "nosuch/all")
    run, out, results = tmp_path / "run", tmp_path / "out.jsonl", tmp_path / "runs.csv"
    done = ran("--plugin", toy, "train", "homes/all-animals@2", *QUICK, "--out", run)
    assert read_json(run / "config.json")["data"] == ["homes/all-animals@2"]
    done = ran("--plugin", toy, "eval", run, "--predictions", out)
    assert all(said in done.stdout for said in ("of 1", "of 3", "insect", "of candidates: hits@1"))
    lines = read_lines(out)
    assert len(lines) == 60
    assert {line["split"] for line in lines} == {"of 1", "of 2", "of 3"}
    report = json.loads(memnet("--plugin", toy, "eval", run, "--json").stdout)["tasks"]["homes/all-animals@2"]
    assert report["test_error"] == pytest.approx(100 * sum(not line["right"] for line in lines) / 60, abs=1e-3)
    assert report["hits@1"] == pytest.approx(sum(line["rank"] == 1 for line in lines) / 60, abs=1e-3)
    assert all(line["right"] == (line["answer"] == line["expected"]) for line in lines)
    assert "it exists already" in refused("--plugin", toy, "eval", run, "--predictions", out)
    ran("--plugin", toy, "sweep", "homes/all-animals", *QUICK, "--results", results, "--work", tmp_path / "work")
    row = read_rows(results)[0]
    assert (row["data"], row["hash"]) == ("homes/all-animals", "homes0")
    splits = dict(part.split("=") for part in row["splits"].split(";"))
    assert list(splits) == ["of_1", "of_2", "of_3"]
    assert sum(map(float, splits.values())) / 3 == pytest.approx(float(row["test_error"]), abs=1e-2)
    for by, rows in (("split", ["of 1", "of 2", "of 3"]), ("kind", ["insect", "other"])):
        shown = ran("--plugin", toy, "table", "--results", results, "--by", by)
        cells = [line.strip("| ").split(" | ") for line in shown.stdout.splitlines() if line.startswith("| all-animals")]
        assert [row[0] for row in cells] == [f"all-animals, {name}" for name in rows]
        assert "failed (> 50 %)" in shown.stdout
        assert "epochs=8 linear_start=0" in shown.stdout.replace("False", "0")


def test_ranks_are_of_the_networks_own_scores(toy: Path, tmp_path: Path):
    """A candidate that training never had as an answer is ranked too; one that is not among the candidates has no rank."""
    logits = torch.tensor([[[[0.0, 3.0, 2.0, 9.0]], [[0.0, 1.0, 5.0, 9.0]], [[0.0, 1.0, 5.0, 9.0]]]])  # (R, B, 1, V)
    said = logits.argmax(-1)
    choice, candidates = torch.tensor([0, 0, -1]), [torch.tensor([1, 2, -1])]
    answer = torch.tensor([[[1], [1], [3]]])
    found, rank = ranked(logits, said, answer, choice, candidates)
    assert found.flatten().tolist() == [1, 2, 3]
    assert rank.flatten().tolist() == [1, 2, 0]


def test_predictions_are_in_the_words_of_the_story(own_folder: Path, tmp_path: Path):
    run, out = tmp_path / "run", tmp_path / "out.jsonl"
    done = memnet(
        "train", own_folder, "--open-vocabulary", "--restarts", 1, "--set", "epochs=2", "--set", "linear_start=0", "--out", run
    )
    assert done.returncode == 0, done.stderr
    ran("eval", run, own_folder, "--predictions", out)
    lines = read_lines(out)
    assert not any("entity" in line["answer"] for line in lines)
    report = json.loads(memnet("eval", run, own_folder, "--json").stdout)["tasks"]["own/moves"]
    assert report["test_error"] == pytest.approx(100 * sum(not line["right"] for line in lines) / len(lines), abs=1e-3)


def test_mixes_ask_each_kind_as_often_as_the_paper(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(dyna, "QUESTIONS", {"train": 6, "test": 36})
    for member, shares in dyna.SHARES.items():
        (task,) = find([f"dyna/{member}@4"])
        again, other = find([f"dyna/{member}@4"])[0], find([f"dyna/{member}@5"])[0]
        assert task.hash == again.hash != other.hash
        assert {split: len(stories) for split, stories in task.splits.items()} == {
            split: round(36 * share) for split, share in shares.items()
        }
        for split, stories in task.splits.items():
            for story in stories:
                (question,) = story.questions
                assert (question.kind, question.after) == (split, len(story.statements))
                if split[-1].isdigit():
                    assert len(question.supporting_facts) == int(split[-1])
                    assert question.answer in story.statements[question.supporting_facts[0]] + " ".join(story.statements)


def places(statements: tuple[str, ...]) -> dict[str, str]:
    """Where everybody and everything is at the end of a T7 story, as far as a simple reading knows."""
    where: dict[str, str] = {}
    holders: dict[str, str] = {}
    people: list[str] = []
    for statement in statements:
        words = statement.rstrip(".").split()
        meant = [word for word in words if word in PRONOUNS]
        people = (
            [one for one in people if one in PRONOUNS[meant[0]]] if meant else [one for one in words if one in PRONOUNS["they"]]
        )
        thing = next((word for word in words if word in ("football", "milk", "apple")), "")
        if not thing:
            where |= dict.fromkeys(people, words[-1])
            where |= {carried: words[-1] for carried, holder in holders.items() if holder in people}
        elif any(word in ("dropped", "discarded", "left", "put") for word in words):
            where[thing] = where.get(holders.pop(thing), "")
        else:
            holders[thing] = people[-1]
            where[thing] = where.get(people[-1], "")
    return where


def test_a_mix_answers_where_its_statements_put_people_and_things(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(dyna, "QUESTIONS", {"train": 2, "test": 60})
    (task,) = find(["dyna/T7@2"])
    known = []
    for split in ("where 1", "where 2", "where 3", "where_thing 2", "where_thing 3"):
        for story in task.splits[split]:
            question = story.questions[0]
            found = places(story.statements).get(question.text.rstrip("?").split()[-1], "")
            known.append(bool(found))
            assert found in ("", question.answer), "\n".join(story.lines())
    assert sum(known) > 0.7 * len(known)


def test_a_ranking_score_needs_candidates():
    told = [Story(("Ann left.",), (Question("Who left?", "Ann", (0,), 1),))]
    family = Family("ranks", "Ranked", {"a": "one"}, lambda *_: Task.of("ranks/a", told, told), "own", score="hits@1")
    with pytest.raises(DataError, match="has no candidates, among which hits@1 ranks answers"):
        family.task("a")


def test_validation_questions_that_stand_in_the_test_set_are_said_whatever_their_letters():
    told, other = ([Story((f"{who} left.",), (Question("Who left?", who, (0,), 1),))] for who in ("Ann", "Bob"))
    loud = [Story(("BOB LEFT.",), (Question("WHO LEFT?", "Bob", (0,), 1),))]
    said = " ".join(remarks(Task.of("own/x", told, loud, valid=other)))
    assert "1 of the 1 validation questions, by which is chosen, also stand in the test set" in said
    assert "all test questions also stand in training" in " ".join(remarks(Task.of("own/x", other, loud)))


BROKEN = """
from memnet.tasks.families import FAMILIES, Family
given = dict(name="toys", title="Toys", members={{"a": "one toy"}}, load=lambda *_: None, made="drawn")
FAMILIES[{!r}] = Family(**given | {!r})
"""


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("toys", {"members": {"a": ""}}, "the family 'toys' lacks the title of its member 'a'"),
        ("toys", {"members": ["a"]}, "the family 'toys' needs members that are a dict of titles by name"),
        ("toys", {"members": {"a/b": "two"}}, "the family 'toys' has the member 'a/b'; use letters"),
        ("toys", {"members": {" a": "two"}}, "the family 'toys' has the member ' a'; use letters"),
        ("toys", {"members": {"all": "two"}}, "the family 'toys' has the member 'all'; use letters"),
        ("my toys", {"name": "my toys"}, "the family 'my toys' has a name that nobody can type"),
        ("my/toys", {"name": "my/toys"}, "the family 'my/toys' has a name that nobody can type"),
        ("toys", {"load": "toys.txt"}, "the family 'toys' needs a function as load, not 'toys.txt'"),
        ("toys", {"names": 3}, "the family 'toys' needs a function as names, not 3"),
        ("toys", {"title": ""}, "the family 'toys' has the title ''; expected words"),
        ("toys", {"score": "exactly"}, "the family 'toys' has the score 'exactly'; expected exact, "),
        ("toys", {"fails_above": "5"}, "the family 'toys' fails above '5' %; expected 0 to 100"),
        ("toys", {"seeds": 3}, "the family 'toys' has the seeds 3; expected some, such as range(10)"),
        ("toys", {"symmetric": {"b": []}}, "the family 'toys' has no member 'b', of which symmetric speaks"),
        ("toy", {}, "FAMILIES['toy'] is a family called 'toys'; give it one name"),
        ("babi", {"name": "babi"}, "FAMILIES['babi'] is another family already; give the plugin's another name"),
        ("qa1", {"name": "qa1"}, "FAMILIES['qa1'] has the name of data sets; give it another"),
        ("toys", {"members": 3, "surprise": 1}, "unexpected keyword argument 'surprise'"),
    ],
)
def test_a_broken_family_of_a_plugin_is_named_in_one_sentence(name: str, change: dict[str, object], said: str, tmp_path: Path):
    plugin = tmp_path / "broken_toys.py"
    plugin.write_text(BROKEN.format(name, change), encoding="utf-8")
    (line,) = refused("--plugin", plugin, "presets").splitlines()
    assert line.startswith(f"memnet: {plugin} cannot be loaded: ")
    assert said in line
