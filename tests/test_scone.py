"""SCONE: how its files are read and refused, how states are judged, and a memory network that writes on made-up worlds."""

import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random as Draw

import pytest
import torch

from memnet.encode.batch import batches
from memnet.models.states import Blocks, lost, rewritten
from memnet.models.writable import WritableConfig, WritableMemory
from memnet.nn.random import Random
from memnet.tasks import DataError, find
from memnet.tasks.families import NotAtHand, Task, scone
from memnet.tasks.scores import SCORES, Answered
from memnet.tasks.text import Question, Story
from memnet.training.dataset import DataSet
from memnet.training.evaluate import evaluate
from tests.conftest import memnet

MADE_UP = {
    "alchemy": (
        "1:gg 2:_ 3:r 4:_ 5:_ 6:oooo 7:_",
        [
            ("pour  the red one into the first", "1:ggr 2:_ 3:_ 4:_ 5:_ 6:oooo 7:_"),
            *[("it turns brown", "1:bbb 2:_ 3:_ 4:_ 5:_ 6:oooo 7:_")] * 4,
        ],
    ),
    "scene": (
        "1:__ 2:bo 3:__ 4:__ 5:__ 6:__ 7:__ 8:__ 9:__ 10:__",
        [("he leaves his hat", "1:__ 2:b_ 3:__ 4:__ 5:__ 6:__ 7:__ 8:__ 9:__ 10:__")] * 5,
    ),
    "tangrams": (
        "1:B 2:A 3:C 4:E 5:D",
        [("drop the first", left) for left in ("1:A 2:C 3:E 4:D", "1:C 2:E 3:D", "1:E 2:D", "1:D", "")],
    ),
}


def sequence(member: str, name: str = "made-up-1") -> dict[str, object]:
    first, steps = MADE_UP[member]
    utterances = [{"instruction": told, "after_env": after, "actions": []} for told, after in steps]
    return {"identifier": name, "initial_env": first, "utterances": utterances}


STEPS: list[dict[str, object]] = sequence("alchemy")["utterances"]  # type: ignore[assignment]


def folder_of(path: Path, member: str, changed: object = None) -> Path:
    folder = path / scone.FOLDER / member
    folder.mkdir(parents=True)
    for part, file in scone.FILES.items():
        saved = changed if changed is not None and part == "valid" else [sequence(member)] * 2
        (folder / file).write_text(json.dumps(saved), encoding="utf-8")
    return path


@pytest.mark.parametrize("member", list(scone.WORLDS))
def test_a_file_is_read_as_slots_instructions_and_the_state_after_each(member: str, tmp_path: Path):
    (task,) = find([f"scone/{member}"], folder_of(tmp_path, member))
    assert (len(task.train), len(task.valid or ()), len(task.test)) == (2, 2, 2)
    story, places = task.train[0], scone.WORLDS[member].number
    assert len(story.statements) == places + len(MADE_UP[member][1])
    assert len(story.questions) == places * len(MADE_UP[member][1])
    assert {question.kind for question in story.questions} == {f"after {n + 1}" for n in range(len(MADE_UP[member][1]))}


def test_what_stories_say(tmp_path: Path):
    alchemy = scone.story_of(sequence("alchemy"), scone.WORLDS["alchemy"])
    assert alchemy.statements[:3] == ("Beaker 1 has green, green.", "Beaker 2 has nothing.", "Beaker 3 has red.")
    assert alchemy.statements[7] == "pour the red one into the first"
    assert [question.answer for question in alchemy.questions[:3]] == ["green,green,red", "nothing", "nothing"]
    scene = scone.story_of(sequence("scene"), scone.WORLDS["scene"])
    assert (scene.statements[1], scene.questions[1].answer) == ("Place 2 has blue, orange.", "blue")
    tangrams = scone.story_of(sequence("tangrams"), scone.WORLDS["tangrams"])
    assert [question.answer for question in tangrams.questions[:5]] == ["shape-a", "shape-c", "shape-e", "shape-d", "nothing"]
    assert {question.answer for question in tangrams.questions[-5:]} == {"nothing"}


@pytest.mark.parametrize(
    ("member", "state", "what"),
    [
        ("alchemy", "1:gg 2:_", "it has 2 places, expected 7"),
        ("alchemy", "1:gg 3:_ 3:r 4:_ 5:_ 6:o 7:_", "expected place 2 as '2:b', found '3:_'"),
        ("alchemy", "1:gq 2:_ 3:r 4:_ 5:_ 6:o 7:_", "place 1 has 'q', expected one of b g o p r y or _"),
        ("alchemy", "1:ggggg 2:_ 3:r 4:_ 5:_ 6:o 7:_", "place 1 has 5 letters, expected at most 4"),
        ("alchemy", "1 2:_", "expected place 1 as '1:b', found '1'"),
        ("scene", "1:_r 2:__ 3:__ 4:__ 5:__ 6:__ 7:__ 8:__ 9:__ 10:__", "place 1 is '_r': what is empty comes after"),
        ("tangrams", "1:A 2:B 3:C 4:D 5:E 6:A", "it has 6 places, expected 5"),
        ("tangrams", "1:A 2:B", "its first state has 2 places, expected 5"),
    ],
)
def test_a_strange_state_is_refused_with_file_and_sequence(member: str, state: str, what: str, tmp_path: Path):
    broken = sequence(member, "made-up-7") | {"initial_env": state}
    with pytest.raises(DataError, match="sequence made-up-7") as refusal:
        find([f"scone/{member}"], folder_of(tmp_path, member, [sequence(member), broken]))
    assert what in str(refusal.value)
    assert scone.FILES["valid"] in str(refusal.value)


@pytest.mark.parametrize(
    ("saved", "what"),
    [
        ({}, "expected a list of sequences"),
        ([], "expected a list of sequences"),
        ([{"identifier": "x-3"}], "sequence x-3: it has no 'initial_env'"),
        (["nothing"], "sequence 1: "),
        ([{"initial_env": MADE_UP["alchemy"][0], "utterances": []}], "sequence 1: it has 0 instructions, expected 5"),
        ([sequence("alchemy") | {"utterances": STEPS[:2]}], "sequence made-up-1: it has 2 instructions, expected 5"),
        ([sequence("alchemy") | {"utterances": [STEPS[0] | {"instruction": " "}] * 5}], "instruction 1 is empty"),
        ([sequence("alchemy") | {"utterances": [STEPS[0] | {"after_env": "1:g"}] * 5}], "it has 1 places, expected 7"),
    ],
)
def test_another_file_is_refused_in_a_sentence(saved: object, what: str, tmp_path: Path):
    with pytest.raises(DataError) as refusal:
        find(["scone/alchemy"], folder_of(tmp_path, "alchemy", saved))
    assert what in str(refusal.value)


def test_a_row_of_shapes_that_is_cut_short_is_refused(tmp_path: Path):
    short = sequence("tangrams")
    short["utterances"] = [{"instruction": "drop the first", "after_env": "1:A 2:C"}] * 5
    with pytest.raises(DataError, match="the state after instruction 1 has 2 places, expected about 5"):
        find(["scone/tangrams"], folder_of(tmp_path, "tangrams", [short]))


def test_no_file_and_no_json_are_refused(tmp_path: Path):
    with pytest.raises(NotAtHand, match=r"train_sequences\.json"):
        find(["scone/alchemy"], tmp_path)
    folder_of(tmp_path, "alchemy")
    (tmp_path / scone.FOLDER / "alchemy" / scone.FILES["test"]).write_text("{", encoding="utf-8")
    with pytest.raises(DataError, match="is not a file of SCONE"):
        find(["scone/alchemy"], tmp_path)


def test_a_state_is_right_when_every_place_is():
    story = scone.story_of(sequence("tangrams"), scone.WORLDS["tangrams"])
    right = [Answered(0, question, question.answer) for question in story.questions]
    wrong = [one._replace(answer="shape-b") if one.question is story.questions[0] else one for one in right]
    assert SCORES["state"](right + [one._replace(story=1) for one in wrong]).share == 1.0  # the last state of both is right
    first = [one for one in wrong if one.question.kind == "after 1"]
    assert SCORES["state"](first).share == 0.0


@pytest.mark.parametrize(
    ("member", "sizes"), [("alchemy", (3657, 245, 899)), ("scene", (3352, 198, 1035)), ("tangrams", (4189, 199, 800))]
)
def test_the_published_files_are_read(member: str, sizes: tuple[int, int, int]):
    try:
        (task,) = find([f"scone/{member}"])
    except NotAtHand as error:
        pytest.skip(f"its files are shipped by nobody: {error}")
    assert (len(task.train), len(task.valid or ()), len(task.test)) == sizes
    assert all(len(story.questions) == 5 * scone.WORLDS[member].number for story in task.test)


def test_the_commands_of_the_page_run_on_made_up_files(tmp_path: Path):
    page = (Path(__file__).parent.parent / "docs" / "families" / "scone.md").read_text(encoding="utf-8")
    assert "memnet train scone/alchemy --preset writable-states --set epochs=24 --set dropout=0.2 --out runs/alchemy\n" in page
    assert "memnet eval runs/alchemy\n" in page
    folder = folder_of(tmp_path / "data", "alchemy")
    narrow = [word for one in ("epochs=1", "dim=16", "hidden=16", "layers=1", "batch=28") for word in ("--set", one)]
    run = tmp_path / "alchemy"
    said = memnet("train", "scone/alchemy", "--preset", "writable-states", "--out", run, "--data", folder, *narrow).stdout
    assert "interchangeable words: green orange red" in said
    assert re.findall(r"after \d", memnet("eval", run, "--data", folder).stdout) == [f"after {n}" for n in range(1, 6)]
    assert "memnet bench family scone --results results/families/scone.csv\n" in page
    results, name = tmp_path / "scone.csv", "scone/alchemy"
    memnet("sweep", name, "--preset", "writable-states", "--results", results, "--data", folder, "--jobs", 1, *narrow)
    said = memnet("table", "--results", results, "--by", "kind").stdout
    assert re.findall(r"alchemy after \d|after \d", said)


# The network, on worlds of three boxes whose instructions move what they hold.

COLOURS = ("red", "green", "blue")


def world(draw: Draw, steps: int = 2) -> Story:
    """Three boxes; "empty box B", "move box A to box B" and "undo"."""
    boxes: list[str] = [draw.choice((*COLOURS, "nothing")) for _ in range(3)]
    told = [f"Box {number} has {held}." for number, held in enumerate(boxes, 1)]
    questions, past = [], [tuple(boxes)]
    for _ in range(steps):
        one, other = draw.sample(range(3), 2)
        deed = draw.choice(("empty", "move", "undo") if len(past) > 1 else ("empty", "move"))
        if deed == "undo":
            boxes = list(past[-2])
            told.append("undo")
        elif deed == "move":
            boxes[other], boxes[one] = boxes[one], "nothing"
            told.append(f"move box {one + 1} to box {other + 1}")
        else:
            boxes[one] = "nothing"
            told.append(f"empty box {one + 1}")
        past.append(tuple(boxes))
        questions += [Question(f"Box {number} has?", held, (), len(told)) for number, held in enumerate(boxes, 1)]
    return Story(tuple(told), tuple(questions))


@pytest.fixture(scope="module")
def data() -> DataSet:
    draw = Draw(0)
    task = Task.of("scone/alchemy", [world(draw) for _ in range(40)], [world(draw) for _ in range(6)])
    return DataSet.of([task], SMALL)


SMALL = WritableConfig(dim=16, heads=2, hidden=16, layers=2, epochs=1, batch=30)


def network(data: DataSet, replicas: int = 1, **changes: object) -> WritableMemory:
    config = replace(SMALL, **changes)  # type: ignore[arg-type]
    return WritableMemory(config, WritableMemory.measure(config, data.train, data.vocabulary), Random(0, replicas, "weights"))


def test_slots_and_states_are_told_from_instructions(data: DataSet):
    net = network(data)
    states = net.encode_data(data.train)
    story = data.train.story[0]
    here = data.train.story == story
    first = data.train.memory[here][0]
    assert (states.slot[first[:3]] >= 0).all()
    assert states.slot[first[3]] == -1
    answers = data.train.answer[here]
    assert states.given[story].flatten(0, 1).tolist() == answers.tolist()
    words = [data.vocabulary.entries[number] for number in net.entries.tolist()]
    assert words[0] == "nothing"
    assert set(words) == {"nothing", *COLOURS}


def test_stories_without_slots_are_read_as_instructions():
    stories = [Story(("Mary went home.", "John left."), (Question("Where is Mary?", "home", (0,), after),)) for after in (1, 2)]
    data = DataSet.of([Task.of("own/x", stories * 5, stories)], SMALL)
    net = network(data)
    assert not net.encode_data(data.train).named
    batch = next(batches(data.test, torch.arange(2).view(1, 1, -1), net.sizes.ages))
    both = net(batch, net.encode_data(data.test))
    assert both.traces[0].weights.shape == (1, 2, 1, 2)
    assert both.traces[0].weights[0, 0, 0, 1] == 0  # not told yet
    alone = next(batches(data.test, torch.zeros(1, 1, 1, dtype=torch.long), net.sizes.ages))
    assert torch.allclose(net(alone, net.encode_data(data.test)).logits, both.logits[:, :1], atol=1e-5)


def test_answers_do_not_depend_on_the_answers_or_on_the_batch(data: DataSet):
    net = network(data)
    whole = evaluate(net, data.test)
    parts = evaluate(net, data.test, batch=7)
    assert torch.equal(whole.prediction, parts.prediction)
    blind = replace(data.test, answer=torch.full_like(data.test.answer, -1))
    assert torch.equal(evaluate(net, blind).prediction, whole.prediction)


def test_later_instructions_change_no_earlier_state(data: DataSet):
    net = network(data)
    early = data.test.count == 4  # after the first of two instructions
    alone = data.test.select(early.nonzero().flatten())
    assert torch.equal(evaluate(net, alone).prediction, evaluate(net, data.test).prediction[:, early])


def test_true_states_are_given_while_training_alone(data: DataSet):
    net = network(data)
    batch = next(batches(data.train, torch.arange(6).view(1, 1, -1), net.sizes.ages))
    encoded = net.encode_data(data.train)
    asked, taught = net(batch, encoded).logits, net(batch, encoded, given=batch.answer).logits
    assert torch.allclose(asked[:, :3], taught[:, :3], atol=1e-5)  # nothing is written before the first instruction
    assert not torch.allclose(asked[:, 3:], taught[:, 3:], atol=1e-5)


def test_a_word_that_was_said_is_written_by_pointing_at_it(data: DataSet):
    net = network(data)
    writer, red = net.write, data.vocabulary.number["red"]
    words = torch.tensor([[red, 0]]).view(1, 1, 1, 2)
    blocks = Blocks(
        first=torch.zeros(1, 1, 1, 1, dtype=torch.long),
        slots=torch.ones(1, 1, 1, 1, dtype=torch.bool),
        words=words,
        there=torch.ones_like(words, dtype=torch.bool),
        given=torch.zeros(1, 1, 1, 1, 1, dtype=torch.long),
        source=torch.zeros(1, 1, 1, 3, dtype=torch.long),
        block=torch.zeros(1, 1, dtype=torch.long),
        slot=torch.zeros(1, 1, dtype=torch.long),
    )
    listed = torch.zeros(1, len(net.entries), 16)
    slots, said, states = torch.zeros(1, 1, 1, 1, 16), torch.zeros(1, 1, 1, 2, 16), torch.zeros(1, 1, 1, 1, 1, dtype=torch.long)
    with torch.no_grad():
        before = writer(slots, said, blocks, states, listed, net.entries).flatten()
        writer.since += 20.0  # what was said just now is preferred to all else
        after = writer(slots, said, blocks, states, listed, net.entries).flatten()
        writer.since -= 20.0
    place = net.entries.tolist().index(red)
    assert before[place] < 0.9 < after[place]  # the second word is of no answer, and is not pointed at


def test_what_was_rewritten_and_when():
    states = torch.tensor([[1, 1], [2, 1], [2, 1], [2, 3]]).view(1, 1, 4, 2, 1)
    found = rewritten(states, 5)[0, 0]  # (J, S, ages)
    assert found[:, 0].nonzero().tolist() == [[1, 0], [2, 1], [3, 2]]  # rewritten by the first instruction
    assert found[:, 1].nonzero().tolist() == [[3, 0]]


def test_what_is_lost_is_held_by_no_slot():
    states = torch.tensor([[1, 2], [2, 3], [1, 3]]).view(1, 1, 3, 2, 1)
    assert lost(states)[0, 0, 1].tolist() == [[True, False], [False, False], [True, False]]  # before the second instruction
    assert lost(states)[0, 0, 2].tolist() == [[False, True], [True, False], [False, False]]


@pytest.mark.slow
def test_it_learns_to_move_and_to_undo(tmp_path: Path):
    from memnet.training.loop import train_networks
    from memnet.training.spec import Spec

    draw = Draw(1)
    task = Task.of("scone/alchemy", [world(draw) for _ in range(400)], [world(draw) for _ in range(40)])
    config = replace(SMALL, dim=32, heads=4, hidden=64, epochs=25, lr=0.005, batch=60)
    result = train_networks(Spec(("scone/alchemy",), "0", "writable", config, 0, 1, "writable"), DataSet.of([task], config))
    assert result.rows[0]["tasks"]["scone/alchemy"]["test_error"] <= 10
