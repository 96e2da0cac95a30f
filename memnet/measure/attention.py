"""The attention core, measured: time and memory of each of its parts, and the gradient's estimates of hard attention.

Times are those of the processor, so that other work on the machine counts little.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Sequence

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from memnet.attention import ALIGNS, READS, SCORES, Attention, MultiHead, dot, hard, weighted_sum
from memnet.attention.reinforce import MovingMean, baseline, surrogate
from memnet.config.parts import BASELINES
from memnet.measure.floor import median_seconds
from memnet.nn.random import Random
from memnet.record.measurements import AttentionCost, GradientEstimate

WIDTH, STORIES, HEADS = 32, 4, 4


def cost(step: Callable[[], Tensor], seconds: float) -> tuple[float, float]:
    """Milliseconds of ``step`` with the backward pass of its sum, and MiB that are kept for it."""
    seen: dict[int, int] = {}

    def keep(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        seen[storage.data_ptr()] = storage.nbytes()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        step().sum().backward()
    spent = median_seconds(lambda: step().sum().backward(), seconds, 3, time.process_time)
    return 1000 * spent, sum(seen.values()) / (1 << 20)


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


def steps(size: int, random: Random) -> Iterator[tuple[str, Callable[[], Tensor]]]:
    """What is measured over memories of a size, one query a story: every part, with plain products and PyTorch's own beside."""
    torch.manual_seed(0)
    memory = torch.randn(1, STORIES, size, WIDTH, requires_grad=True)
    query = torch.randn(1, STORIES, 1, WIDTH, requires_grad=True)

    def plain() -> Tensor:
        return (query @ memory.transpose(-1, -2)).softmax(-1) @ memory

    module = nn.MultiheadAttention(WIDTH, HEADS, batch_first=True)

    def pytorch() -> Tensor:
        output: Tensor = module(query[0], memory[0], memory[0], need_weights=True)[0]
        return output

    def step_of(member: nn.Module, wide: int, random: Random | None) -> Callable[[], Tensor]:
        asked = torch.cat([query] * (wide // WIDTH), -1)

        def step() -> Tensor:
            trace = member(asked.detach().requires_grad_(), memory, random=random)
            output: Tensor = trace.output if trace.log_prob is None else trace.output + trace.log_prob.unsqueeze(-1)
            return output

        return step

    yield "plain matmul softmax matmul", plain
    for name, (member, wide) in attention_members(WIDTH, HEADS).items():
        yield name, step_of(member, wide, random if " hard " in name else None)
    yield f"torch MultiheadAttention, {HEADS} heads, weights", pytorch


def attention(sizes: Sequence[int], seconds: float) -> Iterator[AttentionCost]:
    """Cost of every part over memories of each size, one thread, each for about so long and at least three times."""
    torch.set_num_threads(1)
    random = Random(1, 1)
    for size in sizes:
        for name, step in steps(size, random):
            yield AttentionCost(name, size, *cost(step, seconds))


def estimates(
    sizes: Sequence[int], samples: Sequence[int], number: int, questions: int = 16, width: int = 8, classes: int = 10
) -> Iterator[GradientEstimate]:
    """Estimates against the exact gradient, one hop, summed over all addresses; questions differ in their expected loss."""
    torch.set_num_threads(1)
    attend = Attention(dot, hard, weighted_sum)
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
        for name, count in itertools.product(BASELINES, samples):
            if name == "loo" and count == 1:
                continue
            random, mean = Random(0, 1), MovingMean(1)
            total, squares, started = torch.zeros_like(true), 0.0, time.process_time()
            for _ in range(number):
                trace = attend(query.expand(-1, -1, count, -1), memory, random=random)
                loss = losses(trace.output)
                assert trace.log_prob is not None
                objective = surrogate(loss, trace.log_prob, baseline(name, loss, mean)).mean()
                mean.see(loss)
                (found,) = torch.autograd.grad(objective, memory)
                total += found
                squares += float((found - true).square().sum())
            spent, length = time.process_time() - started, float(true.norm())
            bias, deviation = float((total / number - true).norm()), (squares / number) ** 0.5
            lengths = (bias / length, deviation / number**0.5 / length, deviation / length)
            yield GradientEstimate(size, name, count, number, *lengths, 1000 * spent / number)
