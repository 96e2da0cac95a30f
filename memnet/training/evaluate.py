"""Errors of a network, and whether it read the supporting facts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from memnet.attention import Trace
from memnet.encode.batch import Batch, batches
from memnet.encode.examples import Examples
from memnet.models.decoders import prediction, spoken_words
from memnet.models.network import Network, Output, mean_answer
from memnet.nn.random import Random, SharedRandom


class Outcome(NamedTuple):
    """What R networks did with N questions."""

    prediction: Tensor  # (R, N, A)  vocabulary entries
    wrong: Tensor  # (R, N)  bool
    loss: Tensor  # (R, N)  of the answer, nan where the vocabulary lacks it
    read: Tensor  # (R, N, hops)  the place in memory with the largest weight of each hop, -1 where it read nothing
    steps: Tensor | None = None  # (R, N)  of adaptive halting
    head_similarity: Tensor | None = None  # (R, N, hops)  mean cosine between two heads' weights
    passes: Tensor | None = None  # (R, N)  learned
    rank: Tensor | None = None  # (R, N)  of the right answer among the candidates, from 1; 0 where there are none

    def error(self) -> Tensor:
        """Percent of wrong answers, (R,)."""
        return 100 * self.wrong.double().mean(1)

    def averages(self, replica: int = 0) -> dict[str, Any]:
        """Its steps or passes and the similarity of its heads, means over the questions, where there is such a thing."""
        counts = {"steps": self.steps, "passes": self.passes}
        means: dict[str, Any] = {
            name: round(float(value[replica].mean()), 2) for name, value in counts.items() if value is not None
        }
        if self.head_similarity is not None:
            means["head_similarity"] = [round(value, 4) for value in self.head_similarity[replica].double().mean(0).tolist()]
        return means


def answers(net: Network, batch: Batch, encoded_data: Any) -> tuple[Tensor, Output]:
    """Logits of the answers (R, B, A, V) and all that a network gives, as a trained one is asked.

    Hard attention reads the likeliest address, or, with ``test_samples``, as many drawn ones, the same for every question.
    """
    output = net(batch, encoded_data, *drawing(net))
    return mean_answer(output.logits), output


def drawing(net: Network) -> tuple[Random | None, int]:
    """The random numbers and how many addresses a trained network draws for a question."""
    drawn = net.test_samples
    return SharedRandom(0, [0] * net.replicas, "evaluation") if drawn else None, max(1, drawn)


def most_read(trace: Trace) -> Tensor:
    """The place with the largest weight, over all samples, -1 where nothing was read: (R, B).

    Nothing was read where the null memory weighs more than every other; where no memory weighs anything and
    there is no null, the largest logit says what was looked for.
    """
    weights = trace.weights.mean(2)
    largest, place = weights.max(-1)
    if trace.null is not None:
        return torch.where(trace.null.mean(2) > largest, -1, place)
    return torch.where(largest > 0, place, trace.logits[:, :, 0].argmax(-1))


@torch.no_grad()
def evaluate(net: Network, data: Examples, encoded_data: Any = None, batch: int = 128) -> Outcome:
    """Ask every question once. No noise, no dropout; padding and ``batch`` change nothing.

    See :func:`answers` for hard attention.
    """
    device = next(net.parameters()).device
    encoded_data = net.encode_data(data).to(device) if encoded_data is None else encoded_data
    predictions, losses, reads = [], [], []
    more: dict[str, list[Tensor]] = {"steps": [], "head_similarity": [], "passes": [], "rank": []}
    for index in torch.arange(len(data)).split(batch):
        one = next(batches(data, index.expand(1, net.replicas, -1), net.sizes.ages)).to(device)
        logits, output = answers(net, one, encoded_data)
        traces = output.traces
        said = prediction(logits) if output.beams is None else output.beams[0][:, :, 0]  # (R, B, A)
        if data.choice is not None:
            said, rank = ranked(logits, said, one.answer, data.choice[index], data.candidates)
            more["rank"].append(rank.cpu())
        predictions.append(said)
        loss = net.loss(logits, one.answer.clamp(min=0))
        losses.append(loss.masked_fill((one.answer < 0).any(-1), float("nan")))
        nothing = torch.zeros(*loss.shape, 0, dtype=torch.long, device=device)
        read = torch.stack([most_read(trace) for trace in traces], -1) if traces else nothing
        reads.append(read.masked_fill(~spoken_words(said), -1) if traces and net.reads_by_word else read)
        for name, parts in more.items():
            if (part := getattr(output, name, None)) is not None:
                parts.append(part.cpu())
    hops = max(read.shape[-1] for read in reads)
    read = torch.cat([F.pad(each, (0, hops - each.shape[-1]), value=-1) for each in reads], 1).cpu()
    said = torch.cat(predictions, 1).cpu()
    wrong, loss = ((said != data.answer) | (data.answer < 0)).any(-1), torch.cat(losses, 1).cpu()
    return Outcome(said, wrong, loss, read, **{name: torch.cat(parts, 1) for name, parts in more.items() if parts})


def ranked(logits: Tensor, said: Tensor, answer: Tensor, choice: Tensor, candidates: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
    """What is answered (R, B, 1) where questions have candidates, and the rank (R, B) of the right answer among these.

    A candidate's score is the network's for its entry, ``logits (R, B, 1, V)``; one that the vocabulary lacks has none and is
    last, and of equal scores the right one counts as the last.
    """
    said, rank = said.clone(), torch.zeros(said.shape[:2], dtype=torch.long, device=said.device)
    for number in choice.unique().tolist():
        if number < 0:
            continue
        entries = candidates[number].to(said.device)
        here = (choice == number).nonzero().flatten().to(said.device)
        scores = logits[:, here, 0][:, :, entries.clamp(min=0)].masked_fill(entries < 0, float("-inf"))  # (R, b, C)
        said[:, here, 0] = entries[scores.argmax(-1)]
        right = (entries == answer[:, here]) & (entries >= 0)  # (R, b, C)
        right_score = scores.masked_fill(~right, float("-inf")).max(-1, keepdim=True).values
        better = ((scores >= right_score) & ~right & (scores > float("-inf"))).sum(-1)
        rank[:, here] = torch.where(right.any(-1), better + 1, 0)
    return said, rank


class Retrieval(NamedTuple):
    """How well a network found the supporting facts: means over the questions that have any, None where there are none."""

    precision: float | None  # of the sentences read, the share that are facts; of questions where one was read
    recall: float | None  # of the facts, the share that were read; those beyond the memory's reach were not
    exact: float | None  # questions where the sentences read are the facts, no less and no more
    hops: list[float | None]  # of the questions where this hop read a sentence, the share where it is a fact

    def flat(self) -> dict[str, Any]:
        """As JSON values, ``fact_precision`` and so on."""
        rounded = {name: None if value is None else round(value, 4) for name, value in self._asdict().items() if name != "hops"}
        hops = [None if hop is None else round(hop, 4) for hop in self.hops]
        return {f"fact_{name}": value for name, value in (rounded | {"hops": hops}).items()}


def retrieval(read: Tensor, data: Examples) -> Retrieval:
    """The sentences that some hop read most, ``read (N, hops)``, places in memory or -1, beside the supporting facts."""
    listed = data.facts >= 0  # (N, F)
    number = listed.sum(1) + data.lost
    asked = number > 0
    if not read.shape[1] or not bool(asked.any()):
        return Retrieval(None, None, None, [])
    read, facts, number = read[asked], data.facts[asked], number[asked]
    same = (read.unsqueeze(2) == facts.unsqueeze(1)) & (read >= 0).unsqueeze(2)  # (N, hops, F)
    found = same.any(1).sum(1)
    again = (read.unsqueeze(2) == read.unsqueeze(1)).tril(-1).any(2)
    distinct = ((read >= 0) & ~again).sum(1)

    def mean(values: Tensor, where: Tensor) -> float | None:
        return float(values[where].double().mean()) if bool(where.any()) else None

    everywhere = torch.ones_like(number, dtype=torch.bool)
    return Retrieval(
        mean(found / distinct.clamp(min=1), distinct > 0),
        mean(found / number, everywhere),
        mean((found == number) & (distinct == number), everywhere),
        [mean(same[:, hop].any(1), read[:, hop] >= 0) for hop in range(read.shape[1])],
    )
