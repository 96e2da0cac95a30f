"""The LSTM with attention: against PyTorch's LSTM and the paper's formulas, and beams against every answer there is."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from memnet.ask.predictor import Predictor
from memnet.attention.reinforce import MovingMean
from memnet.encode.examples import Examples
from memnet.encode.vocabulary import STOP_NUMBER, Vocabulary
from memnet.errors import ConfigError
from memnet.models.decoders import beam_search, decode, prediction, spoken_words
from memnet.models.lstm import LSTM, LSTMConfig
from memnet.nn.random import Random
from memnet.tasks.families import Task
from memnet.tasks.text import write
from memnet.training.evaluate import evaluate
from memnet.training.loop import train_networks
from tests.by_hand import recurrent
from tests.conftest import ran, wander
from tests.test_memn2n import network
from tests.test_memnn import lists
from tests.training import a_spec, batch_of

SMALL = LSTMConfig(dim=6, dropout=0.0)


def made(config: LSTMConfig, replicas: int = 2) -> tuple[LSTM, Examples]:
    net, data, _ = network(config, replicas)
    assert isinstance(net, LSTM)
    return net, data


def told_words(data: Examples, number: int) -> tuple[list[int], list[int]]:
    """The words of a story and its question, and of which statement each is."""
    words, places = [], []
    for place, row in enumerate(data.memory[number, : data.count[number]].tolist()):
        sentence = data.sentences.words[row, : data.sentences.lengths[row]].tolist()
        words += sentence
        places += [place] * len(sentence)
    asked = int(data.question[number])
    question = data.questions.words[asked, : data.questions.lengths[asked]].tolist()
    return words + question, places + [-1] * len(question)


def test_the_source_ends_together():
    net, data = made(SMALL)
    index = [0, 9, 4]
    source = net.source(batch_of(net, data, index), net.encode_data(data))
    for row, number in enumerate(index):
        words, places = told_words(data, number)
        for replica in range(2):
            assert source.words[replica, row, -len(words) :].tolist() == words
            assert source.sentence[replica, row, -len(words) :].tolist() == places
            assert source.there[replica, row].sum() == len(words)
            assert not bool(source.there[replica, row, : -len(words)].any())


@pytest.mark.parametrize(
    ("align", "score"), [("none", "dot"), ("softmax", "dot"), ("softmax", "general"), ("softmax", "concat"), ("local_p", "dot")]
)
def test_answers_are_pytorchs_lstm_and_the_papers_formulas(align: str, score: str):
    config = replace(SMALL, align=align, score=score, window=4.0 if align == "local_p" else 0.0)
    net, data = made(config)
    index = [0, 9, 4]
    output = net(batch_of(net, data, index), net.encode_data(data))
    for replica in range(2):
        lstm, cell = recurrent(nn.LSTM, net.encoder, replica), recurrent(nn.LSTMCell, net.decoder, replica)
        for row, number in enumerate(index):
            words, places = told_words(data, number)
            states, (h, c) = lstm(net.embedding[replica, words].unsqueeze(1))
            state, _ = cell(torch.zeros(1, 6), (h[0], c[0]))
            memory, asked, a = (part.detach().numpy() for part in (states[:, 0], state[0], state[0]))
            if net.attend is not None:
                named = {name: value.detach().numpy()[replica] for name, value in net.attend.named_parameters()}
                if score == "dot":
                    logits = memory @ asked
                elif score == "general":
                    logits = memory @ (asked @ named["score.bilinear.weight"])
                else:
                    inner = asked @ named["score.query.weight"] + memory @ named["score.key.weight"] + named["score.key.bias"]
                    logits = (np.tanh(inner) @ named["score.out.weight"])[:, 0]
                weights = np.exp(logits - logits.max())
                if align == "local_p":  # Luong et al. 2015, eqs. 9 and 10
                    inner = np.tanh(asked @ named["align.own.hidden.weight"])
                    place = len(words) / (1 + np.exp(-(inner @ named["align.own.out.weight"])[0]))
                    distance = np.arange(1, len(words) + 1) - place
                    weights = weights * (np.abs(distance) <= 4.0)
                    weights = weights / weights.sum() * np.exp(-(distance**2) / (2 * 2.0**2))
                else:
                    weights = weights / weights.sum()
                combine = net.combine.weight.detach().numpy()[replica]
                a = np.tanh(np.concatenate([weights @ memory, asked]) @ combine)
                trace = output.traces[0]
                for place in set(places) - {-1}:
                    expected = weights[np.array(places) == place].sum()
                    assert float(trace.weights[replica, row, 0, place].detach()) == pytest.approx(expected, abs=1e-5)
                expected = weights[np.array(places) == -1].sum()
                assert float(trace.null[replica, row, 0].detach()) == pytest.approx(expected, abs=1e-5)
            expected = net.answer.detach().numpy()[replica] @ a
            said = output.logits[replica, row, 0, 0].detach().numpy()
            np.testing.assert_allclose(said[2:], expected[2:], rtol=1e-4, atol=1e-5)
            assert said[:2].max() < -1e30  # the unknown word and a stop are no answer
    assert len(output.traces) == (0 if align == "none" else net.sizes.answer)


@pytest.mark.parametrize("align", ["none", "softmax", "sigmoid", "sparsemax", "local_m", "local_p"])
def test_every_alignment_learns(align: str):
    net, data = made(replace(SMALL, align=align, window=5.0 if align.startswith("local") else 0.0))
    step = net.objective(batch_of(net, data, [0, 1, 2, 3]), net.encode_data(data), Random(0, 2), MovingMean(2))
    named = dict(net.named_parameters())
    gradients = torch.autograd.grad(step.objective.sum(), list(named.values()))
    for name, gradient in zip(named, gradients, strict=True):
        assert bool(gradient.isfinite().all())
        reached = bool((gradient.flatten(1).abs().amax(1) > 0).all())
        assert reached == (name != "decoder.input.weight"), name  # answers of one word: none is told before


@pytest.mark.parametrize(
    ("align", "score"), [("none", "dot"), ("softmax", "concat"), ("sigmoid", "dot"), ("local_p", "general")]
)
def test_a_replica_learns_and_is_judged_alike_alone_and_among_others(align: str, score: str):
    config = replace(SMALL, align=align, score=score, window=5.0 if align == "local_p" else 0.0, epochs=1, batch=7)
    task = Task.of("own/moves", wander(1, 30), wander(2, 13), "0")
    outcomes = []
    for restarts in (1, 3):
        spec, data = a_spec([task], config, restarts)
        outcomes.append(evaluate(train_networks(spec, data).net, data.test))
    alone, among = outcomes
    assert torch.equal(alone.loss[0], among.loss[0])
    assert torch.equal(alone.read[0], among.read[0])


def listing(config: LSTMConfig, seed: int) -> tuple[LSTM, Examples, Vocabulary]:
    """A network with large random weights that tells lists of words."""
    net, data, vocabulary = network(config, 1, lists(1))
    assert isinstance(net, LSTM)
    draw = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=draw))
    return net, data, vocabulary


@pytest.mark.parametrize("beam", [1, 3])
def test_evidence_is_what_the_words_of_the_answer_read(beam: int):
    net, data, vocabulary = listing(replace(SMALL, align="softmax", beam=beam), 14)
    outcome = evaluate(net, data)
    told = spoken_words(outcome.prediction)
    assert 0 < int((~told).sum()) < told.numel() / 6  # some lists are shorter than the longest
    assert bool((outcome.read[~told] == -1).all())
    predictor = Predictor(net, Vocabulary(vocabulary.entries, vocabulary.answer))  # any entry may answer, as in training
    for number, story in enumerate(lists(1)[:10]):
        answer = predictor.ask(story.statements, story.questions[0].text)
        assert answer.answer == vocabulary.answer_text(outcome.prediction[0, number].tolist())
        assert len(answer.hops) == len(answer.answer.split(","))
        hops = zip(answer.hops, answer.null_weights, strict=True)
        read = [hop[0].number - 1 if hop[0].weight >= nothing else -1 for hop, nothing in hops]
        assert read == outcome.read[0, number][: len(read)].tolist()


def test_with_beams_the_words_of_the_beam_are_shown_and_not_the_greedy_ones():
    for seed in range(20):
        net, data, _ = listing(replace(SMALL, align="softmax", beam=4), seed)
        batch, codes = batch_of(net, data, list(range(20))), net.encode_data(data)
        output = net(batch, codes)
        best = output.beams[0][:, :, 0]
        if not torch.equal(best, prediction(output.logits[:, :, 0])):
            break
    else:
        raise AssertionError("every beam is the greedy answer")
    again = net(batch, codes, given=best)
    for ours, others in zip(output.traces, again.traces, strict=True):
        assert torch.equal(ours.weights, others.weights)


def chain(batch: int, words: int, seed: int):
    """A decoder whose words depend on the one before, and how many were told: step and start as beam_search takes them."""
    table = torch.randn(4, words + 1, words, generator=torch.Generator().manual_seed(seed)) * 2

    def step(state: tuple[torch.Tensor, ...], word: torch.Tensor | None):
        (number,) = state
        before = torch.full(number.shape, words) if word is None else word
        return table[number, before], (number + 1,)

    return step, (torch.zeros(1, batch, 1, dtype=torch.long),), table


@pytest.mark.parametrize("seed", range(5))
def test_a_wide_beam_finds_the_likeliest_answers(seed: int):
    length, words = 3, 5
    step, start, table = chain(2, words, seed)
    found, chances = beam_search(step, start, length, words**2)
    every = {}
    for answer in product(range(1, words), repeat=length):
        if answer[0] == STOP_NUMBER:
            continue
        told = list(answer)
        if STOP_NUMBER in told:  # after the stop there are stops
            told[told.index(STOP_NUMBER) :] = [STOP_NUMBER] * (length - told.index(STOP_NUMBER))
        total, before = 0.0, words
        for place, word in enumerate(told):
            if STOP_NUMBER in told[:place]:
                break
            scores = table[place, before].clone()
            scores[: STOP_NUMBER + 1 if place == 0 else 1] = float("-inf")
            total += float(scores.log_softmax(0)[word])
            before = word
        every[tuple(told)] = total
    best = sorted(every, key=lambda answer: -every[answer])
    for row in range(2):
        told = [tuple(one) for one in found[0, row].tolist()]
        assert told[:10] == best[:10]
        torch.testing.assert_close(chances[0, row, :10], torch.tensor([every[answer] for answer in best[:10]]))


def test_a_beam_of_one_is_greedy_and_no_beam_is_likelier():
    step, start, _ = chain(3, 7, 11)
    found, chances = beam_search(step, start, 3, 1)
    greedy = decode(step, start, 3)
    assert found.tolist() == prediction(greedy).tolist()
    _, wider = beam_search(step, start, 3, 4)
    assert bool((wider[:, :, 0] >= chances[:, :, 0] - 1e-6).all())
    assert bool((wider.diff(dim=2) <= 0).all())


def test_beams_are_asked_and_evaluated(tmp_path: Path):
    (tmp_path / "moves_train.txt").write_text(write(wander(1, 60)).replace("\tgarden", "\tgarden,kitchen"), encoding="utf-8")
    (tmp_path / "moves_test.txt").write_text(write(wander(2, 20)).replace("\tgarden", "\tgarden,kitchen"), encoding="utf-8")
    options = ["--model", "lstm-attention", "--restarts", 1, "--set", "epochs=2", "--set", "beam=3"]
    ran("train", tmp_path, *options, "--out", tmp_path / "run")
    ran("ask", tmp_path / "run", "--question", "Where is Mary?", "--json", stdin="Mary went to the garden.\n")
    ran("eval", tmp_path / "run", tmp_path)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"beam": 2, "decoder": "class"}, "needs no beam"),
        ({"score": "general"}, "align=none has none"),
        ({"supervision": "facts"}, "facts are for attention"),
        ({"align": "local_p"}, "needs a window"),
        ({"replacement": True}, "set replacement=false"),
        ({"align": "softmax", "window": 3.0}, "window is for local"),
    ],
)
def test_settings_that_make_no_sense(settings: dict[str, object], message: str):
    with pytest.raises(ConfigError, match=message):
        LSTMConfig(**settings)
