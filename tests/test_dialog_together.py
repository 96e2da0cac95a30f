"""Composers that answer together: the mean of their chances, the choice among their answers, the best in validation."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from memnet.composing.answers import answer_all, likeliest, numbered, ranks
from memnet.composing.bot import Trained
from memnet.composing.examples import NO, batch_of, dialog
from memnet.composing.making import best_of, make
from memnet.composing.network import Ensemble
from memnet.composing.training import Course, Progress
from memnet.errors import ConfigError, NetworkError
from memnet.tasks.families import Task
from tests.test_dialog import boats


def test_an_ensemble_answers_by_the_mean_of_its_members_chances(composer: tuple[Path, Task]):
    folder, task = composer
    one, lexicon = Trained.load(folder).net, Trained.load(folder).lexicon
    torch.manual_seed(1)
    other, twice = type(one)(one.config).eval(), Ensemble([one, one])
    story = task.splits["oov"][0]
    assert list(answer_all(twice, lexicon, [story])) == list(answer_all(one, lexicon, [story]))
    batch = batch_of([dialog(story, lexicon)], lexicon)
    with torch.no_grad():
        chances = []
        for net in (one, other, Ensemble([one, other])):
            told = net.read(batch)
            _, speak, copy = net.step(told, *net.beginning(told))
            chances.append(torch.cat([speak, copy], 2).softmax(2))
    assert torch.allclose(chances[2], (chances[0] + chances[1]) / 2, atol=1e-6)
    assert ranks(twice, lexicon, story) == ranks(one, lexicon, story)
    both, words, alone = Ensemble([one, other]), torch.tensor([[1, 2, 0], [3, 0, NO]]), torch.full((2, 3), NO)
    with torch.no_grad():
        each = [net.scores(net.read(batch), words, alone).exp() for net in (one, other)]
        assert torch.allclose(both.scores(both.read(batch), words, alone).exp(), (each[0] + each[1]) / 2, atol=1e-6)
        told, (hidden, said) = both.read(batch), both.beginning(both.read(batch))
        after, _, _ = both.step(told, hidden, said)
        assert torch.equal(after[1], other.step(told[1], hidden[1], said)[0])


def test_of_the_answers_of_several_the_one_of_the_greatest_chance_is_given(composer: tuple[Path, Task]):
    folder, task = composer
    one, lexicon = Trained.load(folder).net, Trained.load(folder).lexicon
    torch.manual_seed(5)
    other = type(one)(one.config).eval()
    together, story = Ensemble([one, other]), task.splits["oov"][0]
    given = [dialog(story, lexicon)]
    batch = batch_of(given, lexicon)
    told = together.read(batch)
    said = [likeliest(net, each, batch, given, lexicon)[0] for net, each in zip((one, other), told, strict=True)]
    said.append(likeliest(together, told, batch, given, lexicon)[0])
    with torch.no_grad():
        chances = torch.stack([together.chance_of(told, *numbered([each], batch, given, lexicon))[0] for each in said])
    best = [said[at][turn] for turn, at in enumerate(chances.argmax(0).tolist())]
    (answers,) = answer_all(together, lexicon, [story])
    ties = [abs(float(chances[:, turn].topk(2).values.diff())) < 1e-6 for turn in range(len(answers))]
    assert [answers[turn] for turn, tied in enumerate(ties) if not tied] == [
        best[turn] for turn, tied in enumerate(ties) if not tied
    ]
    assert {*said[0]} != {*said[1]}


def test_the_best_in_validation_answer_together():
    learners = [SimpleNamespace(best=best) for best in (0.5, 0.7, 0.6, 0.7)]
    assert [one.best for one in best_of(learners, 0)] == [0.5, 0.7, 0.6, 0.7]
    assert best_of(learners, 2) == [learners[1], learners[3]]  # in their order
    assert best_of(learners, 3) == learners[1:]
    with pytest.raises(ConfigError, match="together at most as many"):
        Course(networks=2, together=3)
    assert [one.together for one in Course(networks=3, together=2).members()] == [0, 0, 0]


def test_networks_that_answer_together_are_trained_kept_and_opened(tmp_path: Path):
    task, course = boats(24), Course(epochs=2, batch=8, dim=16, chosen_by=4, networks=2, seed=3)
    assert [one.seed for one in course.members()] == [6, 7]
    stopped = 3

    def stop(progress: Progress) -> None:
        if progress.epoch == stopped:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make(task, course, tmp_path / "stopped", stop)
    told: list[int] = []
    make(task, course, tmp_path / "stopped", lambda progress: told.append(progress.epoch))
    make(task, course, tmp_path / "whole")
    assert told == [4]  # the first network was whole, the second was stopped after its first epoch
    first, second = (Trained.load(tmp_path / name) for name in ("stopped", "whole"))
    assert list(first.answers(task.test)) == list(second.answers(task.test))
    assert {path.name for path in (tmp_path / "whole").iterdir()} == {"config.json", "model.safetensors", "README.md", ".lock"}
    for weight, alone in zip(first.net.parameters(), second.net.parameters(), strict=True):
        assert torch.equal(weight, alone)
    saved = json.loads((tmp_path / "whole" / "config.json").read_text())
    (tmp_path / "whole" / "config.json").write_text(json.dumps({**saved, "networks": 0}))
    with pytest.raises(NetworkError, match="its networks are 0; expected 1 to 100"):
        Trained.load(tmp_path / "whole")
