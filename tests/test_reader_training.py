"""How the reader of ordinary English is trained: the loss, training that goes on, ends in time or runs in parts; growing."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from memnet.errors import ConfigError
from memnet.reading.collate import collate
from memnet.reading.examples import MIX_SHARE, TOLD_SHARE, Targets, batch, books_but, example
from memnet.reading.graphed import RIGHT, SHAPES, GraphedSteps, Stream, padded, smallest, train_graphed
from memnet.reading.hiding import may_hide
from memnet.reading.kinds import ANSWERS, WIDEST
from memnet.reading.muon import Muon
from memnet.reading.network import Batch, Output, Reader
from memnet.reading.tokens import OVERLAPS, ROW, encode
from memnet.reading.training import Batches, ReaderTraining, Settings, drawn_together, loss
from memnet.reading.widening import grown, shortened, widened
from memnet.reading.words import Words
from memnet.tasks.world import Dials, draw, split
from memnet.tasks.world.event_books import books
from tests.small_reader import SMALL, TOLD, reader, told


@pytest.fixture(scope="module")
def words() -> Words:
    return Words.load()


def test_only_names_and_things_are_hidden_or_exchanged(words: Words):
    """What answers hang on stays: in training "sold" is never read as "bought", nor "oldest" as "youngest"."""
    story, asked = [split("Grumpy Yusuf sold the oldest suitcase .")], [(split("Who sold it ?"), 1)]
    before = encode(story, asked, words).story[:, ROW]
    differ = np.zeros(len(before), bool)
    for seed in range(30):
        differ |= encode(story, asked, words, Random(seed), hide=0.3, swap=0.6).story[:, ROW] != before
    assert [word for word, other in zip(story[0], differ, strict=False) if other] == ["Yusuf", "suitcase"]
    assert not may_hide("aunts")


def test_the_loss_by_hand(words: Words):
    examples = [made for seed in range(8) if (made := example(draw(Random(seed), Dials(statements=(3, 4))), words))]
    inputs = collate([made.encoded for made in examples], np.random.default_rng(0), 8)
    right = Targets(examples, inputs.after.shape[1], inputs.story.shape[1])
    shape, width = (len(examples), inputs.after.shape[1]), inputs.story.shape[1]
    even = torch.full((*shape, width, WIDEST), -4.0)  # every span has the log-probability -4
    output = Output(torch.zeros(*shape, len(ANSWERS)), torch.zeros(*shape, 13), even, torch.zeros(*shape, width))
    found = float(loss(output, right, Settings(evidence=0, reason=0)))
    spans = (right.answer >= 0) & (right.answer < 6)
    places = right.named[spans].sum(-1)
    each = [np.mean([4 - np.log(int(count)) for count in row if count]) for row in places]
    assert found == pytest.approx(np.log(len(ANSWERS)) + np.mean(each), rel=1e-5)


def test_training_that_is_stopped_goes_on_to_the_same_network(words: Words, tmp_path: Path):
    settings = Settings(seed=3, steps=6, warmup=2, words=300)
    whole = ReaderTraining(reader(words), words, settings)
    losses = [whole.step() for _ in range(4)]
    first = ReaderTraining(reader(words), words, settings)
    assert not first.resume(tmp_path / "run")
    assert [first.step(), first.step()] == losses[:2]
    first.save(tmp_path / "run")
    second = ReaderTraining(reader(words, seed=5), words, settings)
    assert second.resume(tmp_path / "run")
    assert second.steps == 2
    for one, other in ((first.reader, second.reader), (first.average, second.average)):
        assert all(map(torch.equal, one.parameters(), other.parameters()))
    for one, other in zip(first.optimizers, second.optimizers, strict=True):
        mine, loaded = (optimizer.state_dict()["state"] for optimizer in (one, other))
        assert mine.keys() == loaded.keys()
        assert all(torch.equal(value, loaded[at][name]) for at, state in mine.items() for name, value in state.items())
    assert [second.step(), second.step()] == pytest.approx(losses[2:], rel=1e-4)
    wider = ReaderTraining(Reader(replace(SMALL, dim=32), words.vectors), words, settings)
    with pytest.raises(ConfigError, match="other sizes"):
        wider.resume(tmp_path / "run")


def test_processes_learn_from_the_mean_of_their_gradients(words: Words, monkeypatch: pytest.MonkeyPatch):
    settings = Settings(seed=3, steps=2, words=300)
    mine, second, both = reader(words), reader(words), reader(words)
    training = ReaderTraining(mine, words, settings)
    first, other = training.batches[0], Batches(settings, words, SMALL.marker_dim, process=1)[0]
    assert not torch.equal(first[0].story, other[0].story)
    loss(second(other[0]), other[1], settings).backward()

    def all_reduce(gradients: torch.Tensor) -> None:
        gradients += torch.cat(
            [torch.zeros_like(x).flatten() if x.grad is None else x.grad.flatten() for x in second.parameters()]
        )

    group = SimpleNamespace(is_initialized=lambda: True, get_world_size=lambda: 2, all_reduce=all_reduce)
    monkeypatch.setattr("memnet.reading.training.dist", group)
    training.step(first)
    ((loss(both(first[0]), first[1], settings) + loss(both(other[0]), other[1], settings)) / 2).backward()
    torch.nn.utils.clip_grad_norm_(both.parameters(), settings.clip)
    for one, expected in zip(mine.parameters(), both.parameters(), strict=True):
        assert torch.allclose(one.grad, torch.zeros_like(one) if expected.grad is None else expected.grad, atol=1e-6)


def test_muon_of_many_matrices_at_once_is_that_of_each():
    generator = torch.Generator().manual_seed(1)
    shapes = [(6, 4), (4, 6), (6, 4), (5, 5), (4, 6)]
    first = [torch.randn(shape, generator=generator) for shape in shapes]
    mine, others = ([torch.nn.Parameter(one.clone()) for one in first] for _ in range(2))
    settings = {"lr": 0.1, "weight_decay": 0.2, "momentum": 0.8}
    ours, torchs = Muon(mine, **settings), torch.optim.Muon(others, **settings)
    for step in range(4):
        for one, other in zip(mine, others, strict=True):
            one.grad = other.grad = torch.randn(one.shape, generator=generator)
        if step == 2:
            mine[1].grad = others[1].grad = None  # of which nothing is learned in a step
        ours.step()
        torchs.step()
        for one, other in zip(mine, others, strict=True):
            assert torch.allclose(one, other, atol=0.02)  # both are orthogonal in bfloat16
    assert torch.equal(ours.state[mine[3]]["momentum_buffer"], torchs.state[others[3]]["momentum_buffer"])
    assert not torch.allclose(mine[0], first[0], atol=0.1)


def test_batches_that_are_drawn_together_are_drawn_once():
    assert drawn_together(0, 20) == [[*range(8)], [*range(8, 16)], [*range(16, 20)]]
    assert drawn_together(11, 16) == [[*range(11, 16)]]
    assert drawn_together(11, 11) == []


def test_training_ends_in_time(words: Words, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Rates fall by the clock. A training that goes on counts the minutes before, and one that is over learns nothing more."""
    settings = Settings(seed=3, steps=1000, warmup=1, words=300, minutes=3)
    assert settings.rate(5, minutes=1) == 1
    assert settings.rate(5, minutes=3) == pytest.approx(0.03)
    assert settings.rate(700) == pytest.approx(settings.rate(5, minutes=2.1))
    clock = iter(range(0, 6000, 60))
    monkeypatch.setattr("memnet.reading.training.time.monotonic", lambda: next(clock))
    log: list[str] = []
    training = ReaderTraining(reader(words), words, settings)
    training.run(tmp_path, log.append, every=2, workers=0)
    assert (training.steps, len(log)) == (3, 2)
    later = ReaderTraining(reader(words), words, replace(settings, minutes=5))
    assert later.resume(tmp_path)
    later.run(tmp_path, log.append, every=2, workers=0)
    assert (later.steps, later.minutes) == (5, 5.0)
    later.run(tmp_path, log.append, every=2, workers=0)
    assert (later.steps, log[-1]) == (5, "step 5: the training is over")


def test_it_learns(words: Words, monkeypatch: pytest.MonkeyPatch):
    """The same few stories again and again are learned; a batch is the same whenever it is drawn."""
    fixed = batch(1, 7, words, size=300)
    assert [each.encoded.story.tolist() for each in fixed] == [
        each.encoded.story.tolist() for each in batch(1, 7, words, size=300)
    ]
    monkeypatch.setattr("memnet.reading.training.batch", lambda *_: fixed)
    training = ReaderTraining(reader(words), words, Settings(steps=60, lr=1e-2, warmup=5))
    losses = [training.step() for _ in range(40)]
    assert np.mean(losses[-5:]) < 0.6 * losses[0]


def test_learning_rates_fall_to_the_end_and_again_in_what_follows():
    settings = Settings(steps=1000, again=200, warmup=100)
    rates = [settings.rate(step) for step in range(settings.last)]
    assert len(rates) == 1200
    assert (rates[0], rates[99], rates[400]) == (0.01, 1.0, 1.0)
    assert rates[999] == pytest.approx(0.03, abs=0.002)
    assert rates[1000] == pytest.approx(0.4 / 30)
    assert max(rates[1000:]) == pytest.approx(0.4, rel=0.06)
    assert rates[-1] == pytest.approx(0.02)
    assert rates[1100] == pytest.approx(0.2)


def test_a_reader_twice_as_wide_answers_the_same_and_its_copies_part(words: Words):
    narrow = reader(words)
    wide = widened(narrow)
    assert (wide.config.dim, wide.config.heads, wide.config.hidden) == (32, 4, 32)
    inputs = collate(
        [told(words, TOLD, "Where is the lamp?", "What does Bob have?")], np.random.default_rng(0), SMALL.marker_dim
    )
    for mine, other in zip(narrow(inputs), wide(inputs), strict=True):
        assert torch.allclose(mine, other, atol=1e-3, rtol=1e-4)
    wide(inputs).answer.logsumexp(-1).sum().backward()
    first, second = (wide.layers[0].hidden.weight.grad[:, half] for half in (slice(16), slice(16, 32)))  # type: ignore[index, union-attr]
    assert torch.allclose(first, second, atol=1e-5)  # features are equal as long as weights are
    query = wide.layers[0].query.weight
    assert not torch.allclose(query[:, :16], query[:, 16:])  # what tells them apart


def test_a_reader_that_grew_answers_the_same_and_all_of_it_learns(words: Words):
    small = reader(words)
    large = grown(small, small.config.layers + 2, 3 * small.config.hidden)
    inputs = collate(
        [told(words, TOLD, "Where is the lamp?", "What does Bob have?")], np.random.default_rng(0), SMALL.marker_dim
    )
    for mine, other in zip(small(inputs), large(inputs), strict=True):
        assert torch.allclose(mine, other, atol=1e-5)
    large(inputs).answer.logsumexp(-1).sum().backward()
    added = large.layers[small.config.layers - small.config.hops]  # the first new one, before the hops
    assert not added.out.weight.any()  # type: ignore[union-attr]
    assert float(added.out.weight.grad.abs().sum()) > 0  # type: ignore[union-attr]
    wider = large.layers[0].again.weight.grad[:, small.config.hidden :]  # type: ignore[union-attr, index]
    assert float(wider.abs().sum()) > 0


def test_a_reader_that_grows_by_nothing_stays_and_none_shrinks(words: Words):
    small = reader(words)
    assert grown(small).config == small.config
    with pytest.raises(ValueError, match="cannot shrink"):
        grown(small, hidden=small.config.hidden - 1)


def test_a_step_that_is_recorded_for_a_gpu_is_that_of_the_same_batch(words: Words, monkeypatch: pytest.MonkeyPatch):
    """Padded to a shape, in tensors that stay; without a GPU it is done as it is. Markers are left out, as they are drawn."""
    monkeypatch.setattr("memnet.reading.graphed.SHAPES", SHAPES[:3])
    settings = Settings(seed=3, steps=9, warmup=2, words=500)
    number, parts = next(iter(Stream(settings, words, SMALL.marker_dim, 0)))
    rows = SHAPES[number].rows(500)
    assert len(parts[0]) == rows
    first, second = (ReaderTraining(reader(words), words, settings) for _ in range(2))
    for training in (first, second):
        torch.nn.init.zeros_(training.reader.from_marker.weight).requires_grad_(False)
    names = Batch._fields[:-1]
    inputs = Batch(*parts[: len(names)], torch.zeros(rows, 100, SMALL.marker_dim))
    right = object.__new__(Targets)
    vars(right).update(zip(RIGHT, parts[len(names) :], strict=True))
    losses = [float(first.learn(inputs, right)) for _ in range(3)]
    steps = GraphedSteps(second)
    for _ in range(3):
        steps.learn(number, parts)
    assert steps.total.item() == pytest.approx(sum(losses), rel=1e-3)
    assert second.steps == 3
    for one, other in zip(first.average.parameters(), second.average.parameters(), strict=True):
        assert torch.allclose(one, other, atol=5e-3)  # Muon computes in bfloat16


def test_stories_fill_the_shape_that_they_fit(words: Words):
    inputs, right = smallest(words, 8)
    parts = padded(inputs, right, SHAPES[3])
    names = (*Batch._fields[:-1], *RIGHT)
    shapes = {name: tuple(part.shape[1:]) for name, part in zip(names, parts, strict=True)}
    assert (shapes["story"], shapes["owner"], shapes["overlap"]) == ((48, 6), (80,), (len(OVERLAPS), 12, 48))
    assert (shapes["named"], shapes["evidence"], shapes["summary"]) == ((12, 6, 6), (12, 48), (12, 4))
    beyond = {name: part[:, -1] for name, part in zip(names, parts, strict=True)}
    assert (beyond["statement"] == -1).all()
    assert (beyond["owner"] == -1).all()
    assert (beyond["answer"] == -1).all()
    assert (beyond["after"] == 0).all()
    assert not beyond["evidence"].any()


def test_a_recorded_training_writes_checkpoints_and_ends(words: Words, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("memnet.reading.graphed.SHAPES", SHAPES[:3])
    log: list[str] = []
    training = ReaderTraining(reader(words), words, Settings(seed=3, steps=3, words=300, half=True))
    train_graphed(training, tmp_path, log.append, every=2, workers=0)
    assert [line.split("  ")[0] for line in log] == ["step 2", "step 3"]
    later = ReaderTraining(reader(words), words, Settings(seed=3, steps=4, words=300, half=True))
    assert later.resume(tmp_path)
    train_graphed(later, tmp_path, log.append, every=2, workers=0)
    assert later.steps == 4
    train_graphed(later, tmp_path, log.append, every=2, workers=0)
    assert (later.steps, log[-1]) == (4, "step 4: the training is over")
    clock = iter(range(0, 6000, 60))
    monkeypatch.setattr("memnet.reading.graphed.time.monotonic", lambda: next(clock))
    timed = ReaderTraining(reader(words), words, Settings(seed=3, steps=99, words=300, minutes=2))
    train_graphed(timed, tmp_path / "timed", log.append, every=50, workers=0)
    assert timed.steps == 2


def test_what_optimizers_know_outlives_the_recording(words: Words):
    settings = Settings(seed=3, steps=9, warmup=2, words=300)
    training = ReaderTraining(reader(words), words, settings)
    kept = training.moments()
    assert not any(kept)
    training.step()
    kept, first = training.moments(), training.optimizers[1].param_groups[0]["params"][0]
    before = training.optimizers[1].state[first]["momentum_buffer"].clone()
    training.step()
    assert not torch.equal(training.optimizers[1].state[first]["momentum_buffer"], before)
    training.remember(kept)
    assert torch.equal(training.optimizers[1].state[first]["momentum_buffer"], before)
    training.remember([{} for _ in kept])
    assert not training.optimizers[1].state[first]["momentum_buffer"].any()


def test_how_many_stories_are_of_tasks_and_mixes_is_a_setting(words: Words, monkeypatch: pytest.MonkeyPatch):
    def written(*_: object) -> None:
        raise AssertionError("a written story")

    monkeypatch.setattr("memnet.reading.examples.draw_told", written)
    settings = Settings(seed=3, steps=9, words=300, mixed=TOLD_SHARE + MIX_SHARE)
    assert Batches(settings, words, SMALL.marker_dim)[0]
    assert next(iter(Stream(settings, words, SMALL.marker_dim, 0)))
    with pytest.raises(AssertionError, match="a written story"):
        Batches(replace(settings, mixed=0.0), words, SMALL.marker_dim)[0]


def test_a_shortened_reader_has_the_first_layers_and_the_hops(words: Words):
    whole = Reader(replace(SMALL, layers=5, hops=2), words.vectors)
    short = shortened(whole, 3)
    assert short.config == replace(whole.config, layers=3)
    for name, weight in short.named_parameters():
        place = re.match(r"layers\.(\d+)\.(.*)", name)
        origin = f"layers.{int(place[1]) + 2 * (int(place[1]) > 0)}.{place[2]}" if place else name
        assert torch.equal(weight, whole.get_parameter(origin)), name


def test_entries_are_drawn_of_all_books_but_those_apart(words: Words):
    drawn = batch(1, 0, words, size=400, entries=1.0, apart=books()[0].file)
    assert all(len(one.story.statements) == 1 for one in drawn)
    assert {one.file for one in books_but(books()[0].file)} == {one.file for one in books()} - {books()[0].file}
    assert any(len(one.story.statements) > 1 for one in batch(1, 0, words, size=400))
