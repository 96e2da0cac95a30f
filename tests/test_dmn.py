"""Dynamic memory networks: every module against numpy written from the papers, and what must change no answer."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
import torch

from memnet.encode.batch import batches
from memnet.encode.examples import Examples
from memnet.errors import ConfigError
from memnet.models import DMN, model_of
from memnet.models.checkpoint import load_network
from memnet.models.dmn import DMNConfig, whole_stories
from memnet.papers import PRESETS
from memnet.tasks.families import Task
from memnet.training.evaluate import evaluate, retrieval
from memnet.training.loop import bucket_by_length, train_networks
from tests.by_hand import array, gru, linear, sigmoid
from tests.conftest import ran, refused, tell, wander
from tests.test_memn2n import network
from tests.test_memnn import lists
from tests.training import a_run, a_spec, batch_of, check_alone_as_among_others, first_of_each_kind

PRESET = [name for name, config in PRESETS.items() if model_of(config) == "dmn"]
KINDS = {name: dataclasses.replace(PRESETS[name], dim=8) for name in PRESET} | {
    "stop": DMNConfig(dim=8, stop=True),
    "words": DMNConfig(dim=8, decoder="words"),
}


def made(name: str) -> tuple[DMN, Examples]:
    net, data, _ = network(KINDS[name], 2, lists(1))
    assert isinstance(net, DMN)
    return net, data


def facts_of(net: DMN, sentences: list[np.ndarray]) -> list[np.ndarray]:
    """The facts of a story: its sentences by place and read both ways, or the states after their last words."""
    words, d = array(net.embedding), net.config.dim
    k = np.arange(1, d + 1)
    if net.config.input == "fusion":
        encoded = []
        for sentence in sentences:
            length = len(sentence)
            parts = [words[w] * ((1 - j / length) - (k / d) * (1 - 2 * j / length)) for j, w in enumerate(sentence, 1)]
            encoded.append(sum(parts))
        there, back = [np.zeros(d)], [np.zeros(d)]
        for x in encoded:
            there.append(gru(net.forwards, x, there[-1]))
        for x in reversed(encoded):
            back.append(gru(net.backwards, x, back[-1]))
        return [f + b for f, b in zip(there[1:], back[:0:-1], strict=True)]
    h, facts = np.zeros(d), []
    for sentence in sentences:
        for word in sentence:
            h = gru(net.forwards, words[word], h)
        facts.append(h)
    return facts


def gate(net: DMN, c: np.ndarray, m: np.ndarray, q: np.ndarray) -> float:
    z = [c * q, c * m, abs(c - q), abs(c - m)]
    if net.config.features == "kumar":
        bilinear = array(net.attend.score.bilinear.weight)
        z = [c, m, q, *z, [c @ (q @ bilinear)], [c @ (m @ bilinear)]]
    return float(linear(net.attend.score.out, np.tanh(linear(net.attend.score.hidden, np.concatenate(z))))[0])


def episode(net: DMN, facts: list[np.ndarray], gates: np.ndarray) -> np.ndarray:
    d = net.config.dim
    e = np.zeros(d)
    for share, f in zip(gates, facts, strict=True):
        a, u = linear(net.attend.read.input, f), linear(net.attend.read.hidden, e)
        r = sigmoid(a[:d] + u[:d])
        new = np.tanh(a[-d:] + r * u[-d:])
        if net.config.read == "gated_gru":
            z = sigmoid(a[d : 2 * d] + u[d : 2 * d])
            new = (1 - z) * new + z * e
        e = share * new + (1 - share) * e
    return e


def decoded(net: DMN, m: np.ndarray, q: np.ndarray) -> list[np.ndarray]:
    """The logits of an answer, of each word."""
    if net.config.decoder == "class":
        return [array(net.answer) @ np.concatenate([m, q])]
    h, before, found = m, np.zeros(net.config.dim), list[np.ndarray]()
    for _ in range(net.sizes.answer):
        h = gru(net.decoder.cell, np.concatenate([before, q]), h)
        found.append(array(net.answer) @ h)
        allowed = found[-1].copy()
        allowed[: 2 if len(found) == 1 else 1] = -np.inf
        before = array(net.answer)[int(allowed.argmax())]
    return found


@pytest.mark.parametrize("name", KINDS)
def test_networks_against_numpy(name: str):
    net, data = made(name)
    config = net.config
    output = net(batch_of(net, data, range(12)), net.encode_data(data))
    for number in range(12):
        story = data.memory[number, : data.count[number]].tolist()
        facts = facts_of(net, [data.sentences.words[row, : data.sentences.lengths[row]] for row in story])
        q, row = np.zeros(config.dim), data.question[number]
        for word in data.questions.words[row, : data.questions.lengths[row]]:
            q = gru(net.question, array(net.embedding)[word], q)
        m, going = q, True
        for number_of_pass in range(config.passes):
            logits = np.array([gate(net, f, m, q) for f in facts])
            if config.align == "sigmoid":
                g = sigmoid(logits)
            else:
                every = np.append(logits, gate(net, array(net.end), m, q)) if config.stop else logits
                powers = np.exp(every - every.max())
                g = (powers / powers.sum())[: len(facts)]
                going = going and not (config.stop and 1 - g.sum() >= g.max())
            np.testing.assert_allclose(
                output.traces[number_of_pass].weights[0, number, 0, : len(facts)].detach().numpy(), g, rtol=1e-3, atol=1e-5
            )
            e = episode(net, facts, g)
            if config.update == "gru":
                changed = gru(net.cell, e, m)
            else:
                changed = np.maximum(linear(net.layers[number_of_pass], np.concatenate([m, e, q])), 0)
            m = changed if going else m
        np.testing.assert_allclose(
            output.logits[0, number, 0].detach().numpy(), np.stack(decoded(net, m, q)), rtol=1e-3, atol=1e-4
        )


@pytest.mark.parametrize("name", first_of_each_kind(KINDS))
def test_it_trains_alone_as_among_others(name: str):
    many_words = KINDS[name].permute or KINDS[name].canonical
    told = wander(1, stories=190) if many_words else lists(1, 60)  # enough to find interchangeable words
    task = Task.of("own/hold", told, lists(2), "0")
    config = dataclasses.replace(KINDS[name], epochs=1 if many_words else 2, batch=32 if many_words else 8)
    check_alone_as_among_others([task], config)


def test_what_begins_the_next_questions_story_is_read_once():
    rows = torch.tensor([[[5, 0, 0], [5, 6, 7], [5, 6, 8], [5, 6, 8], [0, 0, 0], [5, 0, 0]]])
    mask = torch.arange(3) < torch.tensor([[1, 3, 2, 3, 0, 1]]).unsqueeze(2)
    with torch.no_grad():
        whole, of_question = whole_stories(rows, mask)
        other = torch.cat([rows, rows + torch.tensor([0, 0, 1, 0, 0, 0]).view(-1, 1)])  # the third story of a second network
        apart, _ = whole_stories(other, mask.expand(2, -1, -1))
    assert whole.tolist() == [1, 3, 5]
    assert of_question.tolist() == [0, 0, 1, 1, 2, 2]
    assert apart.tolist() == [1, 2, 3, 5]
    assert whole_stories(rows, mask) == (slice(None), slice(None))  # while it trains


@pytest.mark.parametrize("name", KINDS)
def test_stories_read_once_are_answered_as_each_by_itself(name: str):
    net, data, _ = network(KINDS[name], 2, wander(1))
    with torch.no_grad():
        codes = net.encode_data(data)
        batch = batch_of(net, data, range(20))
        whole, _ = whole_stories(batch.rows(), batch.mask)
        assert len(whole) < 10
        together = net(batch, codes)
        for number in (0, 1, 5, 19):
            alone = net(next(batches(data, torch.full((1, 2, 1), number), net.sizes.ages)), codes)
            torch.testing.assert_close(together.logits[:, number], alone.logits[:, 0], rtol=1e-4, atol=1e-5)


def test_batches_are_of_like_length_and_alike_in_every_replica():
    count = torch.randint(1, 30, (103,), generator=torch.Generator().manual_seed(0))
    picks = torch.stack([torch.randperm(103, generator=torch.Generator().manual_seed(r)) for r in (1, 2)])
    batches = bucket_by_length(picks, count, 10, epoch=3)
    assert batches.shape == (2, 10, 10)
    lengths = count[batches]
    assert torch.equal(lengths[0], lengths[1])
    assert not torch.equal(batches[0], batches[1])
    spans = lengths[0].amax(1) - lengths[0].amin(1)
    assert int(spans.max()) <= 6
    assert len(batches[0].unique()) == 100
    alone = bucket_by_length(picks[1:], count, 10, epoch=3)
    assert torch.equal(alone[0], batches[1])


def test_it_stops_when_validation_does_not_improve():
    spec, data = a_run(DMNConfig(dim=8, epochs=40, patience=2, lr=0.05, batch=20), restarts=3)
    rows = train_networks(spec, data).rows
    assert all(row["epochs"] < 40 for row in rows)


def test_stop_and_gates_do_not_go_together():
    with pytest.raises(ConfigError, match="stop needs an alignment that can read nothing"):
        DMNConfig(stop=True, align="sigmoid")


def test_passes_are_counted_until_the_end_is_signalled():
    net, data = made("stop")
    batch = batch_of(net, data, range(4))
    output = net(batch, net.encode_data(data))
    reads = torch.stack([trace.null.squeeze(2) < trace.weights.squeeze(2).amax(-1) for trace in output.traces])
    assert torch.equal(output.passes, reads.float().cumprod(0).sum(0))


@pytest.mark.parametrize("passes", [3, pytest.param(6, marks=pytest.mark.slow)])
def test_one_fact_takes_one_pass_once_that_is_learned(passes: int):
    task = Task.of("own/moves", wander(1, 150, 4, 2), wander(2, 40, 4, 2), "0")
    config = DMNConfig(dim=16, passes=passes, stop=True, supervision="facts", epochs=8, lr=0.01, batch=20, dropout=0.0)
    spec, data = a_spec([task], config, 3)
    outcome = evaluate(train_networks(spec, data).net, data.test)
    assert bool(((outcome.passes.mean(1) >= 0.9) & (outcome.passes.mean(1) <= 1.1)).all())
    assert retrieval(outcome.read[0], data.test).recall > 0.5


@pytest.mark.parametrize("name", ["dmn", "dmn-plus", "stop"])
def test_an_early_question_has_no_story(name: str):
    net, data, _ = network(KINDS[name], 1, wander(1))
    none = dataclasses.replace(data, count=torch.zeros_like(data.count))
    batch = batch_of(net, none, range(3))
    assert bool(net(batch, net.encode_data(none)).logits.isfinite().all())


def test_word_vectors_are_trained_or_kept(tmp_path: Path):
    file = tmp_path / "glove.txt"
    file.write_text("7 4\nMary 1 2 3 4\nkitchen 5 6 7 8\nmary 0 0 0 0\nsomething 1 1 1 1\n", encoding="utf-8")
    folder = tmp_path / "tasks"
    folder.mkdir()
    tell(folder, wander(1), wander(2))
    quick = ["--model", "dmn", "--restarts", 2, "--set", "dim=4", "--set", "epochs=2"]
    for kept in (True, False):
        options = ["--vectors", file, *(["--set", "vectors=keep"] if kept else [])]
        run = tmp_path / f"run{kept}"
        done = ran("train", folder, *quick, *options, "--out", run)
        assert "2 of the 12 words that it learns from have vectors in" in done.stdout
        net, vocabulary, _ = load_network(run)
        assert isinstance(net, DMN)
        words = net.semantic_memory()[0]
        same = torch.equal(words[vocabulary["mary"]], torch.tensor([1.0, 2.0, 3.0, 4.0]))
        assert same == kept
        assert torch.allclose(words[vocabulary["kitchen"]], torch.tensor([5.0, 6.0, 7.0, 8.0]), atol=0.5)
        ran("ask", run, "--question", "Where is Mary?", stdin="Mary went to the garden.\n")
    file.write_text("mary 1 2 3\n")
    for options, said in (
        (["--vectors", file], "glove.txt:1: expected a word and dim=4 numbers, found 3"),
        (["--vectors", tmp_path / "none"], "there is no file"),
        (["--set", "vectors=keep"], "vectors=keep needs a file"),
    ):
        assert said in refused("train", folder, *quick, *options, "--out", tmp_path / "no")
    assert "--vectors is for the model dmn" in refused("train", folder, "--vectors", file, "--out", tmp_path / "no")
    assert "leave one out" in refused("train", folder, *quick, "--set", "vectors=none", "--vectors", file)
    assert "'memnet train --vectors FILE'" in refused("sweep", folder, *quick, "--set", "vectors=keep")
    file.write_text("mary 1\n")
    assert "expected a word and dim=4 numbers, found 1" in refused("train", folder, *quick, "--vectors", file)
    file.write_text("else 1 2 3 4\n")
    assert "none of the" in refused("train", folder, *quick, "--vectors", file, "--out", tmp_path / "no2")
