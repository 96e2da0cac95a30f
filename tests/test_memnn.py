"""MemNN: the search and the losses against loops written from the papers, and every part of Weston et al. 2015."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from memnet.ask.predictor import Predictor
from memnet.attention import argmax
from memnet.attention.align import Tournament
from memnet.attention.reinforce import MovingMean
from memnet.attention.trace import Trace
from memnet.encode.batch import Batch, batches
from memnet.encode.examples import EDGE, Examples, examples
from memnet.encode.vocabulary import Vocabulary
from memnet.errors import ConfigError, TrainingError
from memnet.models import MemNN
from memnet.models.memnn import MemNNConfig
from memnet.models.ranking import drawn
from memnet.nn.random import Random
from memnet.tasks.families import Task
from memnet.tasks.text import Question, Story, write
from memnet.training.dataset import DataSet
from memnet.training.evaluate import evaluate, retrieval
from memnet.training.loop import train_networks
from tests.conftest import memnet, ran, read_json, refused, wander
from tests.test_memn2n import network
from tests.training import a_run, a_spec, batch_of, check_alone_as_among_others, check_goes_on

FULL = MemNNConfig(adaptive=True, ngrams=True, nonlinear=True, dim=7)
KINDS = {
    "2014": MemNNConfig(hops=2, dim=7),
    "am": MemNNConfig(adaptive=True, dim=7, blocks=0),
    "am, ng, nl": FULL,
    "age": dataclasses.replace(FULL, time="age", align="argmax"),
    "timeless": dataclasses.replace(FULL, time="none", align="argmax"),
}


def lists(seed: int, stories: int = 30) -> list[Story]:
    """People who take things; "What does Mary hold?" is answered by a list, its facts are the takings."""
    draw = np.random.default_rng(seed)
    told = []
    for _ in range(stories):
        who = [str(draw.choice(["Mary", "John"])) for _ in range(5)]
        things = draw.permutation(["milk", "apple", "ball", "hat", "book"]).tolist()
        person = who[0]
        facts = [place for place, name in enumerate(who) if name == person][:3]
        kept = facts[-1] + 1
        statements = tuple(f"{name} took the {thing}." for name, thing in zip(who, things, strict=True))[:kept]
        answer = ",".join(things[fact] for fact in facts)
        told.append(Story(statements, (Question(f"What does {person} hold?", answer, tuple(facts), kept),)))
    return told


def made(config: MemNNConfig, stories: list[Story] | None = None) -> tuple[MemNN, Examples, Vocabulary]:
    net, data, vocabulary = network(config, 2, stories or lists(1))
    assert isinstance(net, MemNN)
    with torch.no_grad():  # large weights: decisions of a network that has learned something
        for parameter in net.parameters():
            parameter.mul_(5.0)
    return net, data, vocabulary


def bag(net: MemNN, words: np.ndarray, length: int) -> list[int]:
    """Feature numbers, from the definition: known words, then 2- and 3-grams that training had."""
    told = [EDGE, *words[:length].tolist(), EDGE]
    grams = [tuple(told[i : i + n]) for n in (2, 3) for i in range(len(told) - n + 1)]
    known = {gram: net.sizes.vocabulary + place for place, gram in enumerate(net.sizes.grams)}
    return [word for word in told if word > 0] + [known[gram] for gram in grams if gram in known]


@pytest.mark.parametrize("name", KINDS)
def test_the_search_and_the_answer_against_loops(name: str):
    """O and R for each question by itself, memory by memory, as the papers write them."""
    net, data, _ = made(KINDS[name])
    batch = batch_of(net, data, range(12))
    output = net(batch, net.encode_data(data))
    u_o, u_r = net.output_map.detach().numpy()[0], net.response_map.detach().numpy()[0]

    def match(x: np.ndarray, linear: object) -> np.ndarray:
        return x if linear is None else np.tanh(x) @ linear.weight.detach().numpy()[0]

    for number in range(12):
        row = data.question[number]
        asked = bag(net, data.questions.words[row], int(data.questions.lengths[row]))
        story = data.memory[number, : data.count[number]].tolist()
        bags = [bag(net, data.sentences.words[r], int(data.sentences.lengths[r])) for r in story]
        x, said, found = u_o[0][asked].sum(0), u_r[0][asked].sum(0), []
        for hop in range(net.hops):
            e = match(x, net.output_match)
            content = []
            for place, features in enumerate(bags):
                y = u_o[1][features].sum(0)
                if net.age is not None:
                    y = y + net.age.detach().numpy()[0, 0, len(story) - 1 - place]
                content.append(float(e @ y))
            newer = 0.0
            if net.tournament is not None:
                after, one = net.tournament.order.detach().numpy()[0]
                content = [s + (float(e @ after) if found and p > found[-1] else 0.0) for p, s in enumerate(content)]
                newer = float(e @ one)
            free = [place for place in range(len(story)) if place not in found]
            if not free:
                break
            best = free[0]
            for place in free[1:]:  # algorithm 1 of the 2014 paper
                better = (
                    content[place] - content[best] + newer > 0 if net.tournament is not None else content[place] > content[best]
                )
                best = place if better else best
            if net.stop is not None and float(e @ net.stop.detach().numpy()[0]) > content[best]:
                break
            found.append(best)
            x = x + u_o[2][bags[best]].sum(0)
            said = said + u_r[1][bags[best]].sum(0)
            if net.age is not None:
                x = x + net.age.detach().numpy()[0, 1, len(story) - 1 - best]
            if hop < net.blocks:
                x = x + u_o[3 + hop][bags[best]].sum(0)
                said = said + u_r[2 + hop][bags[best]].sum(0)
        read = [
            int(trace.weights[0, number, 0].argmax()) if float(trace.null[0, number, 0]) == 0 else -1 for trace in output.traces
        ]
        assert [place for place in read if place >= 0] == found
        words = net.words.detach().numpy()[0]
        for step in range(net.sizes.answer):
            expected = words @ match(said, net.response_match)
            np.testing.assert_allclose(output.logits[0, number, 0, step].detach().numpy(), expected, rtol=1e-3, atol=1e-3)
            expected[: 2 if step == 0 else 1] = -np.inf  # neither the unknown word nor a stop begins an answer
            said = said + net.said_words.detach().numpy()[0, int(expected.argmax())]


@pytest.mark.parametrize("name", KINDS)
def test_the_losses_against_loops(name: str):
    """Margin ranking of every hop and every word, each after the true ones before it; R learns from the true facts."""
    config = dataclasses.replace(KINDS[name], scheduled_sampling=0.0, negatives=0, margin=0.7)
    net, data, _ = made(config)
    batch, codes = batch_of(net, data, range(12)), net.encode_data(data)
    step = net.objective(batch, codes, Random(0, 2), MovingMean(2))
    total = 0.0
    answers = 0.0
    for number in range(12):
        facts = [fact for fact in data.facts[number].tolist() if fact >= 0]
        told = int(data.count[number])
        listed = facts[: net.hops]
        targets = [*listed, None] if config.adaptive and len(facts) < net.hops else listed
        one = data.select(torch.tensor([number]))
        alone = next(batches(one, torch.zeros(1, 2, 1, dtype=torch.long), net.sizes.ages))
        asked, candidates, found = net.output_memory(alone, codes)
        state, last = asked.unsqueeze(2), torch.full((2, 1, 1), -1)
        free = alone.mask.unsqueeze(2).clone()
        weights = torch.zeros(2, 1, net.hops, free.shape[3])
        for hop, target in enumerate(targets):
            trace, query, stopping = net.find(net.attend.prepare(candidates, (found, hop)), state, last, free, None)
            logits = trace.logits[0, 0, 0]
            newer = 0.0 if net.tournament is None else float(net.tournament.worths(query)[1][0, 0, 0].detach())
            stop = None if stopping is None else float(stopping[0, 0, 0].detach())
            rivals = [place for place in range(told) if bool(free[0, 0, 0, place]) and place != target]
            for place in rivals:
                if target is None:
                    ahead = stop - float(logits[place].detach())
                else:
                    ahead = float((logits[target] - logits[place]).detach()) + newer * (1 if target > place else -1)
                total += max(0.0, 0.7 - ahead)
            if stop is not None and target is not None:
                total += max(0.0, 0.7 - float(logits[target].detach()) + stop)
            if target is not None:
                weights[:, 0, hop, target] = 1.0
                state = state + found.read(weights[:, :, hop : hop + 1], hop)
                last, free[..., target] = torch.full((2, 1, 1), target), False
        scores = net.response(alone, codes, weights.unsqueeze(2), one.answer.expand(2, 1, -1))[0, 0, 0].detach()
        for place, word in enumerate(one.answer[0].tolist()):
            if place == 0 or int(one.answer[0, place - 1]) != 1:
                others = [w for w in range(net.sizes.vocabulary) if w != word]
                answers += sum(max(0.0, 0.7 - float(scores[place, word] - scores[place, w])) for w in others)
    assert float(step.objective[0].detach()) == pytest.approx(total + answers, rel=1e-4)
    assert float(step.loss[0]) == pytest.approx(answers, rel=1e-4)
    assert total > 1.0
    assert answers > 1.0


def test_a_tournament_is_an_argmax_where_time_does_not_count():
    logits = torch.randn(3, 4, 2, 9, generator=torch.Generator().manual_seed(1))
    logits[0, :, :, 3:6] = float("-inf")
    logits[1, 0] = float("-inf")
    mask, query = logits.isfinite(), torch.ones(3, 4, 2, 1)

    def found(newer: float) -> torch.Tensor:
        return Tournament(torch.tensor([0.0, newer]).view(1, 2, 1).expand(3, -1, -1))(logits, mask, query)

    assert torch.equal(found(0.0).place, argmax(logits, mask).place)
    assert torch.equal(found(0.0).weights, argmax(logits, mask).weights)
    assert found(0.0).place[1, 0].tolist() == [-1, -1]
    assert found(100.0).place[0].unique().tolist() == [8]  # being newer is worth everything
    net, _, _ = made(KINDS["2014"])
    net.attend.align = Tournament(torch.tensor([0.0, 0.5]).view(1, 2, 1))
    net.stop = None
    trace = Trace(logits[2:], logits[2:], logits[2:])
    ahead = net.lead(trace, query[2:], torch.full((1, 4, 2), 4))
    assert torch.allclose(ahead[..., 2], logits[2:, ..., 4] - logits[2:, ..., 2] + 0.5)
    assert torch.allclose(ahead[..., 7], logits[2:, ..., 4] - logits[2:, ..., 7] - 0.5)


@pytest.mark.parametrize("name", KINDS)
def test_it_trains_alone_as_among_others_and_after_a_stop(name: str, tmp_path: Path):
    config = dataclasses.replace(KINDS[name], epochs=3)
    task = Task.of("own/hold", lists(1), lists(2), "0")
    check_alone_as_among_others([task], config)
    check_goes_on(lambda: a_spec([task], config, 2), tmp_path)


def test_it_learns_lists_finds_their_facts_and_needs_none_when_asked():
    task = Task.of("own/hold", lists(1, 300), lists(2, 100), "0")
    spec, data = a_spec([task], MemNNConfig(adaptive=True, nonlinear=True, epochs=20), 2)
    result = train_networks(spec, data)
    row = result.rows[result.chosen]["tasks"]["own/hold"]
    assert row["test_error"] <= 5.0
    assert row["fact_exact"] >= 0.9
    hidden = dataclasses.replace(data.test, facts=torch.full_like(data.test.facts, -1))
    assert torch.equal(evaluate(result.net, hidden).prediction, evaluate(result.net, data.test).prediction)
    beginning = Predictor(result.net.replica(result.chosen), data.vocabulary).ask(
        ("Mary took the milk.",), "What does Mary hold?"
    )
    assert (beginning.answer, beginning.runners_up[0][1] < beginning.probability) == ("milk", True)
    texts = [data.vocabulary.answer_text(numbers) for numbers in evaluate(result.net, data.test).prediction[0].tolist()]
    assert max(text.count(",") for text in texts) == 2
    story = lists(2)[0]
    answer = Predictor(result.net.replica(result.chosen), data.vocabulary).ask(story.statements, story.questions[0].text)
    assert answer.answer == story.questions[0].answer
    assert 0 < answer.probability <= 1
    facts = [hop[0].number - 1 for hop, nothing in zip(answer.hops, answer.null_weights, strict=True) if nothing == 0]
    assert sorted(facts) == sorted(story.questions[0].supporting_facts)


def test_what_it_finds_is_measured_on_the_facts():
    net, data, _ = made(MemNNConfig(adaptive=True, dim=7), wander(1))
    read = evaluate(net, data).read
    assert read.shape[2] == 1
    found = retrieval(read[0], data)
    right = (read[0, :, 0] == data.facts[:, 0]).double().mean()
    assert found.recall == pytest.approx(float(right))


def test_what_r_learns_from():
    """The true facts, O's own picks for a share of the hops, and what O finds by itself where no fact is told."""
    net, data, _ = made(dataclasses.replace(KINDS["am, ng, nl"], scheduled_sampling=0.0))
    batch, codes = batch_of(net, data, range(12)), net.encode_data(data)

    def learned(net: MemNN, batch: Batch) -> torch.Tensor:
        return net.learn_to_find(batch, codes, Random(0, 2))[1]  # (R, B, hops, M)

    true = torch.zeros(2, 12, net.hops, batch.mask.shape[2])
    for number in range(12):
        for hop, fact in enumerate(data.facts[number][data.facts[number] >= 0].tolist()):
            true[:, number, hop, fact] = 1.0
    assert torch.equal(learned(net, batch), true)
    net.config = dataclasses.replace(net.config, scheduled_sampling=1.0)
    drawn = learned(net, batch)
    assert not torch.equal(drawn, true)
    first = torch.stack([trace.weights[:, :, 0] for trace in net.search(batch, codes)[0][:1]], 2)
    assert torch.equal(drawn[:, :, :1], first)  # the first pick does not depend on true facts before it
    untold = batch._replace(facts=torch.full_like(batch.facts, -1))
    found = torch.cat([trace.weights for trace in net.search(batch, codes)[0]], 2)
    assert torch.equal(learned(net, untold)[:, :, : found.shape[2]], found)
    net, data, _ = made(dataclasses.replace(KINDS["2014"], hops=3, scheduled_sampling=0.0))  # it cannot stop
    batch, codes = batch_of(net, data, range(12)), net.encode_data(data)
    known = F.pad(batch.facts, (0, 3 - batch.facts.shape[2]), value=-1)
    weights = learned(net, batch)
    for number in range(12):
        told = int((batch.facts[0, number] >= 0).sum())
        assert weights[0, number].argmax(-1).tolist()[:told] == batch.facts[0, number, :told].tolist()
    after = torch.cat([trace.weights for trace in net.search(batch, codes, known)[0]], 2)
    assert torch.equal(weights, after)
    long = (data.count[:12] >= 3) & ((data.facts[:12] >= 0).sum(1) < 3)
    assert bool(long.any())
    assert bool((weights[:, long].sum((2, 3)) == 3).all())


@pytest.mark.parametrize("setting", ["negatives", "negative_words"])
def test_rivals_are_drawn(setting: str):
    config = dataclasses.replace(KINDS["am, ng, nl"], scheduled_sampling=0.0, margin=100.0)  # every rival costs
    costs = []
    for number in (0, 1, 3):
        net, data, _ = made(dataclasses.replace(config, **({"negatives": 0, "negative_words": 0} | {setting: number})))
        step = net.objective(batch_of(net, data, range(12)), net.encode_data(data), Random(0, 2), MovingMean(2))
        costs.append(float(step.objective[0].detach()))
    assert costs[0] > costs[2] > costs[1]
    rival = torch.ones(2, 5, 3, 8, dtype=torch.bool)
    few = drawn(rival, 2, torch.tensor([4]).view(1, 1, 1, 1), Random(0, 2))
    assert int(few.sum(3).max()) <= 2
    assert not bool(few[..., 4:].any())
    assert torch.equal(drawn(rival, 0, 8, Random(0, 2)), rival)


def test_facts_of_a_tenth_and_none():
    spec, data = a_run(MemNNConfig(facts=0.1, epochs=2, adaptive=True), stories=40)
    assert int((data.train.facts[:, 0] >= 0).sum()) == round(0.1 * len(data.train))
    assert train_networks(spec, data).rows
    story = Story(("Mary went home.",) * 2, tuple(Question(f"Who {w}?", "mary", (), 2) for w in ("a", "b", "c")))
    with pytest.raises(TrainingError, match="lists a supporting fact"):
        DataSet.of([Task.of("own/none", [story], [story], "0")], MemNNConfig())
    with pytest.raises(ConfigError, match="set supervision=facts"):
        MemNNConfig(supervision="answers")


def test_as_a_user(tmp_path: Path):
    """Train, evaluate, ask, and what does not go together."""
    (tmp_path / "hold_train.txt").write_text(write(lists(1, 200)), encoding="utf-8")
    (tmp_path / "hold_test.txt").write_text(write(lists(2, 40)), encoding="utf-8")
    run = tmp_path / "run"
    done = ran("train", tmp_path, "--model", "memnn", "--restarts", 1, "--set", "hops=2", "--set", "epochs=20", "--out", run)
    assert "more than there are hops (the first are learned)" in done.stdout
    assert read_json(run / "config.json")["answer"] == 3
    report = memnet("eval", run, tmp_path)
    assert "facts: precision  recall  exact  by hop" in report.stdout
    assert memnet("ask", run, "--question", "What does Mary hold?", stdin="Mary took the milk.\n").stdout.startswith("milk")
    config = run / "config.json"
    config.write_text(config.read_text().replace('"grams": [', '"grams": [[1, 2], [1, 2],', 1))
    assert "grams must name every n-gram once" in memnet("eval", run, tmp_path).stderr
    for options, said in (
        (["--model", "memnn", "--preset", "pe-ls-rn"], "is of the model memn2n, not memnn"),
        (["--model", "memnn", "--supervision", "answers"], "set supervision=facts"),
        (["--model", "memnn", "--align", "softmax"], "a MemNN picks one memory a hop"),
        (["--model", "baseline", "--restarts", "3"], "a baseline draws nothing"),
        (["--model", "baseline", "--supervision", "facts"], "supervision is for networks that are trained step by step"),
        (["--set", "questions=1000"], "has 200 training questions, not 1000"),
    ):
        assert said in refused("train", tmp_path, *options, "--out", tmp_path / "no")
        assert not (tmp_path / "no").exists()


def test_the_first_questions_alone():
    task = Task.of("own/moves", wander(1), wander(2), "0")
    few = DataSet.of([task], MemNNConfig(questions=10))
    assert len(few.train) + len(few.valid) == 10
    whole = examples([wander(1)], few.vocabulary, 50)
    assert torch.equal(few.train.answer, whole.answer[: len(few.train)])
