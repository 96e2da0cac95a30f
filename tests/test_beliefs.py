"""ToMi and ToM-bAbI, in their formats but with stories of our own: files, kinds, errors, and what answers follow from."""

import re
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from memnet.ask.predictor import Predictor
from memnet.encode.examples import Sizes
from memnet.errors import ConfigError, NetworkError
from memnet.measure.beliefs import Told, consistency, labelled, seen
from memnet.models.causal import CausalConfig, CausalTransformer
from memnet.nn.random import Random
from memnet.record.runs import COLUMNS, append_rows
from memnet.reports.family_page import table_of_family
from memnet.reports.of_family import FAMILY_TABLES, TableRow
from memnet.reports.select import configs_of
from memnet.tasks.families import FAMILIES, Task, find
from memnet.tasks.families.beliefs import order_of
from memnet.tasks.families.family import NotAtHand
from memnet.tasks.families.tom_babi import QUESTIONS, STORIES, TRAIN
from memnet.tasks.families.tomi import ARCHIVE
from memnet.tasks.text import Question
from memnet.training.dataset import DataSet
from memnet.training.spec import identity, specify
from memnet.training.stream import Redrawn
from tests.conftest import memnet

OUT = (
    "Ann entered the red_hall.",
    "Bob entered the red_hall.",
    "Phone rang.",
    "The fig is in the old_box.",
    "Bob exited the red_hall.",
    "Ann moved the fig to the tin_can.",
)
ASKED = (  # of OUT: the question, its answer, its kind as a trace has it
    ("Where was the fig at the beginning?", "old_box", "memory"),
    ("Where is the fig really?", "tin_can", "reality"),
    ("Where will Ann look for the fig?", "tin_can", "first_order_0_no_tom"),
    ("Where will Bob look for the fig?", "old_box", "first_order_1_tom"),
    ("Where does Ann think that Bob searches for the fig?", "old_box", "second_order_0_tom"),
    ("Where does Bob think that Ann searches for the fig?", "old_box", "second_order_1_tom"),
)


def lines(statements: tuple[str, ...], question: str, answer: str, seen_by: str = "") -> str:
    told = "".join(f"{number} {text}{seen_by}\n" for number, text in enumerate(statements, 1))
    return f"{told}{len(statements) + 1} {question}\t{answer}\t1\n"


def tomi_files(copies: int = 2) -> dict[str, str]:
    """Three parts of a story each, told once for each of its questions; other people in each copy."""
    found = {}
    for part in ("train", "val", "test"):
        text, trace = "", ""
        for copy in range(copies):
            names = {"Ann": f"Ann{'abc'[copy]}", "Bob": f"Bob{'abc'[copy]}"}
            for question, answer, kind in ASKED:
                one = lines(OUT, question, answer)
                for name, other in names.items():
                    one = one.replace(name, other)
                text += one
                trace += f"enter_agent_0,agent_1_exits,{kind},false_belief\n"
        found |= {f"fb_all_{part}.txt": text, f"fb_all_{part}.trace": trace}
    return found


def write_tomi(folder: Path, files: dict[str, str]) -> Path:
    place = folder / "families" / "tomi"
    place.mkdir(parents=True)
    with zipfile.ZipFile(place / ARCHIVE, "w") as archive:
        for name, text in files.items():
            archive.writestr(f"{ARCHIVE.removesuffix('.zip')}/{name}", text)
    return folder


def write_tom_babi(folder: Path) -> Path:
    """Stories of everybody's kind, each with its question alone; statements have numbers of those who see them."""
    root = folder / "families" / "tom-babi" / "tom_easy" / "tom_easy" / "world_large_nex_1000_0"
    root.mkdir(parents=True)
    by_question = dict(zip(QUESTIONS, (ASKED[0], ASKED[1], ASKED[3], ASKED[4]), strict=True))
    for story in STORIES:
        for question, (text, answer, _) in by_question.items():
            for part in ("val", "test"):
                (root / f"{story}_{question}_{part}_test.txt").write_text(lines(OUT, text, answer, "\t1 2"))
    (root / TRAIN).write_text("".join(lines(OUT, text, answer, "\t2") for text, answer, _ in ASKED))
    return folder


def test_copies_of_a_story_are_one_with_the_kinds_of_the_traces(tmp_path: Path):
    (task,) = find(["tomi/order-2"], write_tomi(tmp_path, tomi_files()))
    assert len(task.train) == 2
    assert len(task.valid or []) == 2
    assert {split: len(stories) for split, stories in task.splits.items()} == {"false belief": 2}  # and none without stories
    first = task.splits["false belief"][0]
    assert first.statements[3] == "The fig is in the old-box."
    assert [(one.answer, one.kind, one.after, one.supporting_facts) for one in first.questions] == [
        ("old-box", "memory", 6, ()),
        ("tin-can", "reality", 6, ()),
        ("tin-can", "first order, true belief", 6, ()),
        ("old-box", "first order, false belief", 6, ()),
        ("old-box", "second order, false belief", 6, ()),
        ("old-box", "second order, false belief", 6, ()),
    ]


def test_order_1_learns_and_is_chosen_without_second_order_and_is_tested_with_it(tmp_path: Path):
    second, first = find(["tomi/order-2", "tomi/order-1"], write_tomi(tmp_path, tomi_files()))
    assert first.splits == second.splits
    for stories in (first.train, first.valid or []):
        assert [order_of(one) for story in stories for one in story.questions] == 2 * [
            "memory",
            "reality",
            "first order",
            "first order",
        ]


def test_tom_babi_knows_whether_a_belief_is_true_from_where_the_thing_is(tmp_path: Path):
    (task,) = find(["tom-babi/easy"], write_tom_babi(tmp_path))
    assert task.train[0].statements[0] == "Ann entered the red-hall."
    assert [one.kind for story in task.train for one in story.questions][2:5] == [
        "first order, true belief",
        "first order, false belief",
        "second order, false belief",
    ]
    assert [len(stories) for stories in task.splits.values()] == [4, 4, 4]
    (order_1,) = find(["tom-babi/order-1"], tmp_path)
    assert len(order_1.train[0].questions) == 4


def asked(text: str) -> Question:
    return Question(text, "", (), 0)


A_OF_B, B_OF_A = "Where does Ann think that Bob searches for the fig?", "Where does Bob think that Ann searches for the fig?"


@pytest.mark.parametrize(
    ("after", "before", "by_sight", "as_labelled"),
    [
        ((), (), ("old", "old", "old"), ("old", "old")),
        (("Bob entered the hall.",), (), ("new", "new", "new"), ("new", "new")),  # back: both see it, and each other
        (("Ann exited the hall.", "Bob entered the hall."), (), ("new", "old", "old"), ("new", "new")),
        (("Bob entered the attic.",), (), ("old", "old", "old"), ("old", "old")),
        (("Cleo entered the hall.",), (), ("old", "old", "old"), ("new", "new")),  # a third makes ToMi's answer the last place
        ((), ("Cleo entered the hall.", "Cleo exited the hall."), ("old", "old", "old"), ("new", "new")),
    ],
)
def test_what_people_saw_and_what_tomi_answers(after, before, by_sight: tuple[str, str, str], as_labelled: tuple[str, str]):
    told = Told.of(
        (
            *("Ann entered the hall.", "Bob entered the hall.", *before, "The fig is in the old."),
            *("Bob exited the hall.", "Ann moved the fig to the new.", *after),
        )
    )
    questions = [asked(text) for text in ("Where will Bob look for the fig?", A_OF_B, B_OF_A)]
    assert tuple(seen(told, one) for one in questions) == by_sight
    assert tuple(labelled(told, one) for one in questions[1:]) == as_labelled
    assert seen(told, asked("Where was the fig at the beginning?")) == "old"
    assert seen(told, asked("Where is the fig really?")) == "new"


def test_a_form_with_two_answers_is_counted(tmp_path: Path):
    files = tomi_files()
    before, _, rest = files["fb_all_train.txt"].rpartition("old_box\t1")  # of the second copy's last question
    files["fb_all_train.txt"] = f"{before}tin_can\t1{rest}"
    (task,) = find(["tomi/order-2"], write_tomi(tmp_path, files))
    found = {line.kind: line for line in consistency(task)}
    mistaken = found["second order, false belief"]
    assert (mistaken.questions, mistaken.forms) == (8, 2)
    assert (mistaken.most, mistaken.seen, mistaken.labelled) == (87.5, 87.5, 87.5)
    assert found["reality"].most == 100


def test_markers_in_order_are_the_same_in_every_epoch(tmp_path: Path):
    (task,) = find(["tomi/order-2"], write_tomi(tmp_path, tomi_files()))
    data = {
        order: DataSet.of([task], CausalConfig(open_vocabulary=True, marker_order=order))
        for order in ("drawn", "story", "question")
    }
    read = {order: [one.vocabulary.prepare(task.train, seed) for seed in (3, 4)] for order, one in data.items()}
    assert [order for order, one in data.items() if one.stream is not None] == ["drawn"]
    assert [order for order, (one, other) in read.items() if one != other] == ["drawn"]
    assert [len(one) for one, _ in read.values()] == [2, 2, 12]
    assert read["story"][0][0].statements[:2] == ("entity1 entered the entity2", "entity3 entered the entity2")
    about = read["question"][0][4]  # where Ann thinks that Bob searches
    assert about.questions[0].text == "where does entity1 think that entity2 searches for the entity3"
    assert about.statements == (
        "entity1 entered the entity5",
        "entity2 entered the entity5",
        "entity7 rang",
        "the entity3 is in the entity6",
        "entity2 exited the entity5",
        "entity1 moved the entity3 to the entity4",
    )
    assert about.questions[0].answer == "entity6"


def test_gaps_leave_markers_out_in_order_and_others_in_every_epoch(tmp_path: Path):
    (task,) = find(["tomi/order-2"], write_tomi(tmp_path, tomi_files()))
    data = DataSet.of([task], CausalConfig(open_vocabulary=True, marker_order="question", marker_gaps=0.5))
    assert isinstance(data.stream, Redrawn)
    vocabulary, found = data.vocabulary, set()
    for seed in (3, 4):
        for plain, read in zip(vocabulary.prepare(task.train, 0), vocabulary.prepare(task.train, seed, 0.5), strict=True):
            pairs = {
                (int(one), int(other))
                for text, gapped in zip(
                    (*plain.statements, plain.questions[0].text), (*read.statements, read.questions[0].text), strict=True
                )
                for one, other in zip(re.findall(r"entity(\d+)", text), re.findall(r"entity(\d+)", gapped), strict=True)
            }
            assert [other for _, other in sorted(pairs)] == sorted({other for _, other in pairs})  # in the same order
            found.add(tuple(sorted(pairs)))
            assert read.questions[0].answer in " ".join(read.statements)
    assert len(found) > 12
    epochs = [data.stream.epoch(number, vocabulary) for number in (0, 1)]
    assert epochs[0].sentences.words.tolist() != epochs[1].sentences.words.tolist()
    assert vocabulary.prepare(task.test, 3) == vocabulary.prepare(task.test, 4)  # none where it is tested
    with pytest.raises(ConfigError, match="marker_gaps are of markers in order"):
        CausalConfig(open_vocabulary=True, marker_gaps=0.5)
    with pytest.raises(ConfigError, match="marker_order is of the markers of open_vocabulary=true"):
        CausalConfig(marker_order="story")


def test_who_is_asked_reads_names_as_training_did(tmp_path: Path):
    (task,) = find(["tomi/order-2"], write_tomi(tmp_path, tomi_files()))
    config = CausalConfig(open_vocabulary=True, marker_order="question", dim=8, hidden=8, heads=2, steps=1)
    vocabulary = DataSet.of([task], config).vocabulary
    sizes = Sizes(len(vocabulary), 6, 12, entities=len(vocabulary.markers))
    predictor = Predictor(CausalTransformer(config, sizes, Random(0, 1, "weights")), vocabulary)
    story = task.train[0]
    for question, read in zip(story.questions, vocabulary.prepare([story], 0), strict=True):
        about, asked = predictor.read_pair(predictor.encode_story(list(story.statements)), question.text)
        assert tuple(about.as_read) == read.statements
        assert about.binding is not None
        assert about.binding.asked(asked) == read.questions[0].text
        assert about.named(read.questions[0].answer) == question.answer
    assert predictor.ask(list(story.statements), "Where will Zoe look for the fig?").answer


def rows(task: Task, right: Sequence[float]) -> list[dict[str, str]]:
    """Of networks of the table, as a file of runs has them."""
    (part,) = FAMILY_TABLES["tomi"].rows["MemN2N"].runs("tomi", ["order-2"])
    ((preset, config),) = configs_of(part).items()
    known = dict(zip(COLUMNS, identity(specify([task], preset, config, 0, part.restarts)), strict=False))
    found = {"chosen": "0", "seconds": "2.0", "code": "c", "torch": "t"}
    return [
        dict.fromkeys(COLUMNS, "")
        | known
        | found
        | {
            "replica": str(number),
            "test_error": f"{100 - one:g}",
            "kinds": f"memory={100 - one:g};first_order,_true_belief=50",
        }
        for number, one in enumerate(right)
    ]


def test_the_table_has_the_mean_over_networks_by_kind_of_question(tmp_path: Path):
    (task,) = find(["tomi/order-2"], write_tomi(tmp_path, tomi_files()))
    append_rows(tmp_path / "runs.csv", rows(task, (90, 70, 80, 80, 80)))
    table = table_of_family("tomi", tmp_path / "runs.csv")
    assert "| network | first order, true belief | memory | all | networks | seconds each |" in table
    assert "| MemN2N | 50.0 ± 0.0 | 80.0 ± 7.1 | 80.0 ± 7.1 | 5 | 2 |" in table
    assert "5 networks, made by code" in table
    with pytest.raises(NetworkError, match="has no run of the table of tom-babi"):
        table_of_family("tom-babi", tmp_path / "runs.csv")


def test_a_row_has_five_seeds_and_one_of_a_member_that_takes_long():
    row = TableRow("causal", once=("long",))
    assert [(part.seed, part.all_tasks) for part in row.runs("tomi", ["long", "short"])] == [
        (0, ("long", "short")),
        *[(seed, ("short",)) for seed in range(1, 5)],
    ]


def test_the_commands_say_what_they_would_train_and_what_answers_follow_from(tmp_path: Path):
    data = write_tomi(tmp_path, tomi_files())
    planned = memnet("bench", "family", "tomi", "--dry-run", "--member", "order-2", "--data", str(data))
    assert planned.returncode == 0, planned.stderr
    assert "0 of them done already" in planned.stdout
    assert "FAMILY must be tomi or tom-babi" in memnet("bench", "family", "tomy").stderr
    counted = memnet("bench", "beliefs", "tomi/order-2", "--data", str(data), "--write", str(tmp_path / "found.csv"))
    assert "second order, false belief" in counted.stdout
    assert (tmp_path / "found.csv").read_text().count("tomi/order-2") == 5


@pytest.mark.parametrize("family", ["tomi", "tom-babi"])
def test_the_real_files_are_read_where_they_are_at_hand(family: str):
    try:
        task = FAMILIES[family].task(next(iter(FAMILIES[family].members)))
    except NotAtHand as error:
        pytest.skip(str(error))
    kinds = {one.kind for story in task.test for one in story.questions}
    assert kinds == {
        *("memory", "reality"),
        *(f"{order} order, {belief} belief" for order in ("first", "second") for belief in ("true", "false")),
    }
    assert {len(story.questions) for story in task.test} == ({6} if family == "tomi" else {1})
