"""Speed, measured: anyone can run it, nothing is asserted."""

from __future__ import annotations

import contextlib
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from memnet.ask.predictor import Predictor
from memnet.attention import ALIGNS, READS, SCORES, Attention, MultiHead, dot, hard, weighted_sum
from memnet.attention.reinforce import BASELINES, MovingMean, baseline, surrogate
from memnet.config import Training
from memnet.encode.examples import Sizes
from memnet.encode.vocabulary import UNKNOWN, Vocabulary
from memnet.models import MemN2N, model_of
from memnet.models.memn2n import MemN2NConfig
from memnet.nn.random import Random
from memnet.tasks.families import Task
from memnet.training.dataset import DataSet
from memnet.training.loop import make_networks, one_epoch
from memnet.training.process import prepare
from memnet.training.state import State


class Speed(NamedTuple):
    """Of training: examples a second summed over replicas, milliseconds a step, peak memory of the process in MiB."""

    examples: float
    milliseconds: float
    peak: float


def training(tasks: Sequence[Task], config: Training, restarts: int, seconds: float) -> Speed:
    """Whole epochs as ``memnet train`` does them - batches, encoding, clipping, update - for about so long.

    The median over slices of at most 28 steps, one thread.
    """
    torch.set_num_threads(1)
    prepare()
    data = DataSet.of(tasks, config)
    net = make_networks(model_of(config), config, data, Random(0, restarts, "weights"))
    state = State.start(net, Random(0, restarts), config)
    encoded_data = net.encode_data(data.train)
    picks = torch.randperm(len(data.train), generator=torch.Generator().manual_seed(0))
    part = data.train.select(picks[: 28 * config.batch])
    lr = torch.full((restarts,), config.lr)
    one_epoch(state, part, encoded_data, config, lr)
    times: list[float] = []
    while sum(times) < seconds:
        started = time.perf_counter()
        one_epoch(state, part, encoded_data, config, lr)
        times.append(time.perf_counter() - started)
    size = min(config.batch, len(part))
    step = sorted(times)[len(times) // 2] / (len(part) // size)
    return Speed(restarts * size / step, 1000 * step, peak())


def peak() -> float:
    """The most memory that this process has had, MiB.

    On Linux what ``getrusage`` counts passes on to a program that another starts; what the system notes of its memory does not.
    """
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


class Answering(NamedTuple):
    """Of questions about a long story: seconds to take it in, milliseconds an answer, peak memory of the process in MiB."""

    statements: int
    encoding: float
    milliseconds: float
    peak: float


def answering(sizes: Sequence[int], seconds: float, dim: int = 20, hops: int = 3) -> Iterator[Answering]:
    """A MemN2N with its first weights asked about stories of distinct statements, one thread; the median over questions."""
    torch.set_num_threads(1)
    people, places = 1000, -(-max(sizes) // 1000)
    who, where = ([f"{kind}{number}" for number in range(many)] for kind, many in (("person", people), ("place", places)))
    vocabulary = Vocabulary([UNKNOWN, *sorted({"went", "to", "where", "is", *who, *where})])
    config = MemN2NConfig(dim=dim, hops=hops, null="none", memory_size=max(sizes))
    net = MemN2N(config, Sizes(len(vocabulary), 50, 4), Random(0, 1, "weights"))
    predictor = Predictor(net, vocabulary)
    for size in sizes:
        story = [f"{who[number % people]} went to {where[number // people]}." for number in range(size)]
        started = time.perf_counter()
        encoded = predictor.encode_story(story)
        encoding = time.perf_counter() - started
        times: list[float] = []
        while sum(times) < seconds or len(times) < 3:
            started = time.perf_counter()
            predictor.ask(encoded, f"Where is {who[len(times) % people]}?", reads=3)
            times.append(time.perf_counter() - started)
        yield Answering(size, encoding, 1000 * sorted(times)[len(times) // 2], peak())


class Cost(NamedTuple):
    """Of one attention forward and backward: milliseconds, the median, and what is kept for the backward pass in MiB."""

    milliseconds: float
    kept: float


def cost(step: Callable[[], Tensor], seconds: float) -> Cost:
    """Time ``step`` with the backward pass of its sum for about so long, at least three times."""
    seen: dict[int, int] = {}

    def keep(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        seen[storage.data_ptr()] = storage.nbytes()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        step().sum().backward()
    times: list[float] = []
    while sum(times) < seconds or len(times) < 3:
        started = time.perf_counter()
        step().sum().backward()
        times.append(time.perf_counter() - started)
    return Cost(1000 * sorted(times)[len(times) // 2], sum(seen.values()) / (1 << 20))


def attention_members(width: int, heads: int) -> dict[str, tuple[nn.Module, int]]:
    """Every score, alignment and read beside the plainest others, with the width of its query."""
    random = Random(0, 1)

    def made(score: str = "dot", align: str = "softmax", read: str = "weighted_sum", dim: int = width) -> tuple[Attention, int]:
        query = 2 * dim if score == "interaction" else dim
        part = Attention(SCORES[score](query, dim, random), ALIGNS[align](query, random, 5.0), READS[read](dim, random))
        return part, query

    members: dict[str, tuple[nn.Module, int]] = {f"{name} softmax weighted_sum": made(score=name) for name in SCORES}
    members |= {f"dot {name} weighted_sum": made(align=name) for name in ALIGNS if name != "softmax"}
    members |= {f"dot softmax {name}": made(read=name) for name in READS if name != "weighted_sum"}
    inner, _ = made("scaled_dot", dim=width // heads)
    members[f"MultiHead, {heads} heads"] = MultiHead(width, heads, inner, random), width
    return members


def attention(
    sizes: Sequence[int], seconds: float, width: int = 32, batch: int = 4, heads: int = 4
) -> Iterator[tuple[str, int, Cost]]:
    """Cost of every member over memories of each size, one query a story, with plain products and PyTorch's own beside."""
    torch.set_num_threads(1)
    random = Random(1, 1)
    for size in sizes:
        torch.manual_seed(0)
        memory = torch.randn(1, batch, size, width, requires_grad=True)
        query = torch.randn(1, batch, 1, width, requires_grad=True)

        def plain(query: Tensor = query, memory: Tensor = memory) -> Tensor:
            return (query @ memory.transpose(-1, -2)).softmax(-1) @ memory

        theirs = nn.MultiheadAttention(width, heads, batch_first=True)

        def pytorch(query: Tensor = query, memory: Tensor = memory, module: nn.MultiheadAttention = theirs) -> Tensor:
            output: Tensor = module(query[0], memory[0], memory[0], need_weights=True)[0]
            return output

        yield "plain matmul softmax matmul", size, cost(plain, seconds)
        for name, (member, wide) in attention_members(width, heads).items():
            asked = torch.cat([query] * (wide // width), -1)
            drawn = random if " hard " in name else None

            def step(
                member: nn.Module = member, asked: Tensor = asked, memory: Tensor = memory, drawn: Random | None = drawn
            ) -> Tensor:
                trace = member(asked.detach().requires_grad_(), memory, random=drawn)
                output: Tensor = trace.output if trace.log_prob is None else trace.output + trace.log_prob.unsqueeze(-1)
                return output

            yield name, size, cost(step, seconds)
        yield f"torch MultiheadAttention, {heads} heads, weights", size, cost(pytorch, seconds)


class Estimate(NamedTuple):
    """Of the gradient of hard attention, over many estimates; lengths are relative to the exact gradient's."""

    baseline: str
    samples: int
    memories: int
    bias: float  # length of the mean error
    chance: float  # the length that an unbiased mean of so many would have on average
    deviation: float  # root mean squared length of one estimate's error
    milliseconds: float  # one estimate


def estimates(
    sizes: Sequence[int], samples: Sequence[int], number: int, questions: int = 16, width: int = 8, classes: int = 10
) -> Iterator[Estimate]:
    """Estimates against the exact gradient, one hop, summed over all addresses; questions differ in their expected loss."""
    torch.set_num_threads(1)
    for size in sizes:
        torch.manual_seed(0)
        query = torch.randn(1, questions, 1, width, dtype=torch.float64)
        memory = torch.randn(1, questions, size, width, dtype=torch.float64, requires_grad=True)
        out = torch.randn(width, classes, dtype=torch.float64)
        target = torch.randint(classes, (1, questions, 1))

        def losses(read: Tensor, query: Tensor = query, out: Tensor = out, target: Tensor = target) -> Tensor:
            logits = (query + read) @ out  # (1, B, T, classes)
            many = target.expand(logits.shape[:-1])
            return F.cross_entropy(logits.flatten(0, 2), many.flatten(), reduction="none").view(many.shape)

        chance = (query @ memory.transpose(-1, -2)).softmax(-1).squeeze(2)  # (1, B, M)
        (true,) = torch.autograd.grad((chance * losses(memory)).sum(-1).mean(), memory)
        attend = Attention(dot, hard, weighted_sum)
        for name in BASELINES:
            for count in samples:
                if name == "loo" and count == 1:
                    continue
                random, mean = Random(0, 1), MovingMean(1)
                total, squares, started = torch.zeros_like(true), 0.0, time.perf_counter()
                for _ in range(number):
                    trace = attend(query.expand(-1, -1, count, -1), memory, random=random)
                    loss = losses(trace.output)
                    assert trace.log_prob is not None
                    objective = surrogate(loss, trace.log_prob, baseline(name, loss, mean)).mean()
                    mean.see(loss)
                    (found,) = torch.autograd.grad(objective, memory)
                    total += found
                    squares += float((found - true).square().sum())
                spent = time.perf_counter() - started
                length, deviation = float(true.norm()), (squares / number) ** 0.5
                bias = float((total / number - true).norm())
                yield Estimate(
                    name,
                    count,
                    size,
                    bias / length,
                    deviation / number**0.5 / length,
                    deviation / length,
                    1000 * spent / number,
                )
