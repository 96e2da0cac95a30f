"""Dialogs: their format, what is a name, what a network composes, ranks and copies."""

from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
import torch

from memnet.composing.answers import accuracy, by_name, ranks
from memnet.composing.bot import Trained
from memnet.composing.examples import NO, OF_BOT, OF_ROW, batch_of, dialog
from memnet.composing.lexicon import NAME, NUMBER, STOP, Lexicon, is_row, tokens
from memnet.composing.network import Composer, ComposerConfig
from memnet.composing.training import CHECKPOINT, Course, Learner, train
from memnet.errors import TrainingError
from memnet.tasks import DataError, find
from memnet.tasks.dialogs import parse_candidates, parse_dialogs
from memnet.tasks.families import Task
from memnet.tasks.families.family import NotAtHand
from memnet.tasks.text import FormatError, Story

TEXT = """1 hello\twhich boat would you like
2 a red one please\tin which harbour
3 in oslo\tapi_call red oslo
4 boat_a R_stars 3
5 boat_a R_phone boat_a_phone
6 boat_b R_stars 7
7 boat_b R_phone boat_b_phone
8 <SILENCE>\twhat about boat_b
9 what is its phone\there it is boat_b_phone

1 hello\tin which harbour|which boat would you like
2 in oslo\twhich boat would you like
"""
COLOURS, HARBOURS = ("red", "blue", "green", "white", "black"), ("oslo", "rome", "nice", "bari", "cadiz")
NEW = (("pink", "brown"), ("kiel", "genoa"))  # that training never has


def made_up(number: int, seed: int, colours: tuple[str, ...] = COLOURS, harbours: tuple[str, ...] = HARBOURS) -> list[Story]:
    """Dialogs about boats, drawn: a call, the boat with the most stars, its phone."""
    draw, lines = Random(seed), list[str]()
    for _ in range(number):
        colour, harbour = draw.choice(colours), draw.choice(harbours)
        lines += [
            "1 hello\twhich colour",
            f"2 {colour} please\tin which harbour",
            f"3 in {harbour}\tapi_call {colour} {harbour}",
        ]
        stars = draw.sample(range(1, 9), 3)
        boats = [f"boat_{draw.randrange(10_000)}" for _ in stars]
        for boat, star in zip(boats, stars, strict=True):
            for relation, value in (("R_stars", star), ("R_phone", f"{boat}_phone")):
                lines.append(f"{len(lines) - last_start(lines) + 1} {boat} {relation} {value}")
        best = boats[stars.index(max(stars))]
        at = len(lines) - last_start(lines) + 1
        lines += [f"{at} <SILENCE>\twhat about {best}", f"{at + 1} its phone please\there it is {best}_phone", ""]
    return parse_dialogs("\n".join(lines), "made up")


def last_start(lines: list[str]) -> int:
    return max(at for at, line in enumerate(lines) if line.startswith("1 "))


def boats(train: int = 120) -> Task:
    task = Task(
        "dialog/task5", made_up(train, 0), {"test": made_up(20, 2), "oov": made_up(20, 3, *NEW)}, "made-up", made_up(20, 1)
    )
    everything = tuple({one.answer for part in (task.train, task.test) for story in part for one in story.questions})
    for stories in task.splits.values():
        stories[:] = [
            replace(story, questions=tuple(replace(one, candidates=everything) for one in story.questions)) for story in stories
        ]
    return task


# The format


def test_a_dialog_is_read_as_a_story():
    first, second = parse_dialogs(TEXT, "f", several=True)
    assert first.statements[:2] == ("user: hello", "bot: which boat would you like")
    assert first.statements[6:8] == ("boat_a R_stars 3", "boat_a R_phone boat_a_phone")
    assert [one.after for one in first.questions] == [0, 2, 4, 10, 12]
    assert first.questions[3].text == "<SILENCE>"
    assert second.questions[0].answer == "in which harbour"
    assert second.questions[0].also == ("which boat would you like",)
    assert "|" in parse_dialogs(TEXT, "f")[1].questions[0].answer  # elsewhere a bar is a bar


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f:1: the file is empty"),
        ("hello\tyes", "f:1: expected a number"),
        ("1 hello\tyes\n3 no\tyes", "f:2: line number 3 is out of order; expected 2, or 1"),
        ("2 hello\tyes", "f:1: line number 2 is out of order; expected 1"),
        ("1 hello\tyes\tno", "f:1: expected a number"),
        ("1 hello\t ", "f:1: expected a number"),
        ("1 hello\tyes||no", "f:1: an utterance between bars is empty"),
        ("1 ", "f:1: expected a number"),
        (
            "1 hello\tyes\n2 good bye",
            "f:2: expected a number, a space and what the user says, a tab, what the bot says, or a row",
        ),
        ("1 a R_b c\n2 d R_e f\n1 hello\tyes", "f:2: a dialog ends here that has rows alone"),
        ("1 hello\tyes\n1 a R_b c\n", "f:3: a dialog ends here that has rows alone"),
    ],
)
def test_what_is_no_dialog_is_refused_with_its_line(text: str, message: str):
    with pytest.raises(FormatError) as error:
        parse_dialogs(text, "f", several=True)
    assert str(error.value).startswith(message)


def test_candidates_are_read_once_each():
    assert parse_candidates("1 yes\n1  no  way\n1 yes\n", "f") == ("yes", "no way")
    with pytest.raises(FormatError, match="f:2: expected a number"):
        parse_candidates("1 yes\nno\n", "f")
    with pytest.raises(FormatError, match="f:1: the file is empty"):
        parse_candidates("\n", "f")


def write_set(folder: Path, text: str = TEXT) -> None:
    for part in ("trn", "dev", "tst", "tst-OOV"):
        (folder / f"dialog-babi-task5{part}.txt").write_text(text)
    said = [line.partition("\t")[2] for line in text.splitlines() if "\t" in line]
    (folder / "dialog-babi-candidates.txt").write_text("".join(f"1 {one}\n" for one in said))


def test_a_folder_of_files_is_a_data_set(tmp_path: Path):
    write_set(tmp_path)
    (task,) = find(["dialog/task5"], tmp_path)
    assert list(task.splits) == ["test", "oov"]
    assert task.train[0].questions[0].candidates[1:4] == ("in which harbour", "api_call red oslo", "what about boat_b")
    full = "dialog-babi-task5-full-dialogs-{}.txt"
    for part in ("trn", "dev", "tst", "tst_updated"):
        (tmp_path / full.format(part)).write_text(TEXT)
    (permuted,) = find(["dialog-permuted/task5"], tmp_path)
    assert permuted.train[1].questions[0].also == ("which boat would you like",)
    changed = {
        "which boat would you like": "which vessel",
        "api_call red oslo": "api_call blue oslo",
        "here it is": "there it is",
    }
    new = TEXT
    for one, other in changed.items():
        new = new.replace(one, other)
    (tmp_path / full.format("tst_updated")).write_text(new)
    (natural,) = find(["dialog-naturalistic/task5"], tmp_path)
    asked = [one.answer for story in natural.splits["naturalistic"] for one in story.questions]
    assert asked == ["in which harbour", "what about boat_b"]  # what no candidate answers is told
    assert len(natural.splits["naturalistic"][0].statements) == 14


def test_what_is_missing_or_broken_is_said_in_a_sentence(tmp_path: Path):
    with pytest.raises(NotAtHand, match=r"dialog-babi-task5trn.txt is not here .* get it from https://"):
        find(["dialog/task5"], tmp_path)
    write_set(tmp_path)
    (tmp_path / "dialog-babi-task5dev.txt").write_text("1 hello\tyes\n3 yes\n")
    with pytest.raises(DataError, match=r"task5dev.txt:2: line number 3 is out of order"):
        find(["dialog/task5"], tmp_path)
    (tmp_path / "dialog-babi-task5dev.txt").write_text("1 hello\twhich boat\n")
    with pytest.raises(
        DataError, match=r"task5dev.txt:1: 'which boat' is no candidate of .*candidates.txt; get both files anew"
    ):
        find(["dialog/task5"], tmp_path)
    (tmp_path / "dialog-babi-task5dev.txt").unlink()
    with pytest.raises(DataError, match=r"task5dev\.txt cannot be read"):
        find(["dialog/task5"], tmp_path)


# Words


def test_names_are_what_answers_repeat():
    stories = made_up(60, 0)
    lexicon = Lexicon.of(stories)
    assert set(COLOURS) | set(HARBOURS) <= lexicon.names
    assert not {"please", "which", "colour", "phone", "api_call", "R_phone", "it", "its"} & lexicon.names
    assert not lexicon.names & set(lexicon.spoken)
    assert lexicon.spoken[0] == STOP
    assert lexicon.is_name("kiel")
    assert not lexicon.is_name("7")
    assert lexicon.entry("7") == NUMBER
    assert lexicon.entry("kiel") == NAME
    assert Lexicon.loaded(lexicon.saved()) == lexicon


def test_a_word_that_nothing_else_ever_replaces_is_no_name():
    """ "a" is always repeated after "a table", but stands alone in its place."""
    stories = [story for city in ("oslo", "rome") for story in parse_dialogs(f"1 a table in {city}\ta cuisine of {city}", "f")]
    assert Lexicon.of(stories).names == {"oslo", "rome"}


def test_words_and_rows():
    assert tokens('do you know "resto_rome"?') == ["do", "you", "know", "resto_rome"]
    assert is_row("boat_a R_stars 3")
    assert not is_row("api_call no result")
    assert not is_row("user: boat_a R_stars")


# Numbers


def test_a_dialogs_names_with_who_said_them_and_when():
    story = parse_dialogs(TEXT, "f")[0]
    lexicon = Lexicon.of(made_up(60, 0))
    one = dialog(story, lexicon)
    names = [one.surface[number] for number in one.name]
    assert names.count("boat_b") == 3  # of two rows, and said by the bot
    at = next(at for at, name in enumerate(names) if name == "boat_b_phone")
    assert one.surface[one.subject[at]] == "boat_b"
    before, after = one.features[3, at], one.features[4, at]  # when it is proposed, and when its phone is asked
    assert before[3] == 0  # no bot has said the boat that the row is about
    assert (after[3], after[4], after[5]) == (1, 0.25, 0.5)  # one has, a turn ago
    assert one.features[4, at, 15] == 1  # of a row
    assert list(one.who[:2]) == [0, OF_BOT]
    assert one.who[6] == OF_ROW
    assert one.value[6, 2] == np.float32(0.3)


def test_no_turn_sees_what_comes_after_it():
    """The loss of a dialog's first turns is the same whatever follows them."""
    stories = made_up(8, 5)
    lexicon = Lexicon.of(made_up(60, 0))
    torch.manual_seed(0)
    net = Composer(ComposerConfig(len(lexicon.known) + 3, len(lexicon.spoken), dim=16)).eval()
    cut = [Story(story.statements[:6], story.questions[:3]) for story in stories]
    whole = [replace(story, questions=story.questions[:3]) for story in stories]
    losses = [net.loss(batch_of([dialog(one, lexicon) for one in part], lexicon)).item() for part in (cut, whole)]
    assert losses[0] == pytest.approx(losses[1], rel=1e-5)


def test_padding_changes_no_answer(composer: tuple[Path, Task]):
    folder, task = composer
    net = Trained.load(folder)
    alone = [next(iter(net.answers([story]))) for story in task.test[:6]]
    assert list(net.answers(task.test[:6])) == alone


def test_chances_of_a_name_add_up():
    copy, name = torch.tensor([[[1.0, 2.0, 3.0]]]), torch.tensor([[0, 1, 0]])
    expected = torch.tensor([1.0, 3.0]).logsumexp(0)
    assert torch.allclose(by_name(copy, name, 2)[0, 0], torch.stack([expected, torch.tensor(2.0)]))
    assert by_name(copy, torch.tensor([[0, NO, NO]]), 2)[0, 0, 1] < -1000


# Learning


def test_words_never_trained_on_are_copied(composer: tuple[Path, Task]):
    folder, task = composer
    net = Trained.load(folder)
    for split, stories in task.splits.items():
        responses, dialogs = accuracy(stories, net.answers(stories))
        assert responses.share > 0.97, split
        assert dialogs.share > 0.85, split
    said = " ".join(text for answers in net.answers(task.splits["oov"]) for text in answers)
    assert all(word in said for word in (*NEW[0], *NEW[1]))


def test_the_right_one_of_the_candidates_is_ranked_first(composer: tuple[Path, Task]):
    folder, task = composer
    net = Trained.load(folder)
    found = [rank for story in task.splits["oov"] for rank in ranks(net.net, net.lexicon, story)]
    assert sum(rank == 1 for rank in found) / len(found) > 0.95
    assert max(found) < 50


def test_one_of_several_right_answers_is_enough():
    (story,) = parse_dialogs("1 hello\tyes|no\n2 bye\tbye\n", "f", several=True)
    assert [score.share for score in accuracy([story], [["no", "bye"]])] == [1.0, 1.0]
    assert [score.share for score in accuracy([story], [["maybe", "bye"]])] == [0.5, 0.0]


def test_a_training_that_was_stopped_ends_the_same(tmp_path: Path):
    task, course = boats(24), Course(epochs=3, batch=8, dim=16, chosen_by=4, distractors=0.3)
    whole = [learner for learner, _ in train(task, course)][-1]
    for _, progress in train(task, course, tmp_path):
        if progress.epoch == 2:
            break
    assert (tmp_path / CHECKPOINT).exists()
    resumed = [learner for learner, _ in train(task, course, tmp_path)][-1]
    for name, one in whole.net.state_dict().items():
        assert torch.equal(one, resumed.net.state_dict()[name]), name
    with pytest.raises(TrainingError, match="is of another training"):
        Learner.of(task, replace(course, dim=32)).resume(tmp_path / CHECKPOINT)
