"""Train a reader on stories of the world: the loss, one step, and a checkpoint to go on from.

    training = ReaderTraining(Reader(config, words.vectors), words, Settings(seed=1))
    training.resume(folder)          where a checkpoint is
    training.step()                  one batch; the loss
    training.save(folder)            weights, their average and the optimizer's state, one file, written whole

The average of the weights is what answers (Polyak & Juditsky 1992): :meth:`ReaderTraining.averaged`.
"""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain, groupby
from pathlib import Path

import numpy as np
import torch
import torch.distributed as dist
import torch.nn.functional as F
from safetensors import safe_open
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset

from memnet.errors import ConfigError
from memnet.files import write_tensors
from memnet.reading.collate import collate
from memnet.reading.examples import GROUP, LOG_SHARE, MIX_SHARE, WORDS_A_BATCH, Example, Targets, batch
from memnet.reading.kinds import SPANS, WIDEST
from memnet.reading.muon import Muon
from memnet.reading.network import Batch, Output, Reader
from memnet.reading.words import Words

FILE = "training.safetensors"
FORGETS = 0.999  # how much of the average of weights stays at a step
NO_CHANCE = -1e9
APART = 10_000  # between the seeds of the batches of one process and the next
INSIDE = ("near", "layers", "point_key", "point_query", "phrase", "width", "decide")  # modules whose matrices Muon trains
MOMENTS = (("exp_avg", "exp_avg_sq"), ("momentum_buffer",))  # of each optimizer


@dataclass(frozen=True)
class Settings:
    """How a reader is trained; ``steps`` is the whole length of training, over which the learning rate falls."""

    seed: int = 0
    steps: int = 20_000
    lr: float = 2e-3  # AdamW's, for vectors and biases
    muon: float = 0.02  # Muon's, for matrices; 0: AdamW learns them, too
    warmup: int = 150
    weight_decay: float = 0.01
    clip: float = 1.0
    evidence: float = 0.2
    reason: float = 0.1
    dropout: float = 0.0
    written_from: int = 0  # the step from which written stories are among those of the grammar
    words: int = WORDS_A_BATCH  # of a batch
    mixed: float = MIX_SHARE  # of stories: of the tasks and mixes
    logs: float = LOG_SHARE  # of stories: of log books
    entries: float = 0.0  # of all: single lines of logs in place of stories
    apart: str = ""  # files of their books and logs that are not learned from, with commas between them
    again: int = 0  # steps after these, with new stories, say
    minutes: float = 0.0  # so long at most, over which the learning rate falls where they are over before the steps
    half: bool = False  # forward and backward in bfloat16; weights, their average and the optimizer stay in float32

    @property
    def last(self) -> int:
        """All steps."""
        return self.steps + self.again

    def rate(self, step: int, minutes: float = 0.0) -> float:
        """What part of the learning rates is used at a step: rises, is 1 for two fifths, falls as a cosine to 3 %.

        Training that goes on after its end begins with two fifths, which fall as a cosine to 2 %.
        """
        if step >= self.steps:
            more = step - self.steps
            return 0.4 * min(1.0, (more + 1) / 30) * max(0.05, 0.5 * (1 + math.cos(math.pi * min(1.0, more / self.again))))
        done = max(step / self.steps, minutes / self.minutes if self.minutes else 0.0)
        falls = 1.0 if done < 0.4 else max(0.03, 0.5 * (1 + math.cos(math.pi * min(1.0, (done - 0.4) / 0.6))))
        return min(1.0, (step + 1) / self.warmup) * falls


def loss(output: Output, right: Targets, settings: Settings) -> Tensor:
    """Cross-entropies of the answer's class, of its spans, of the statements that say so, and of why it is untold.

    A span may be any of the places that name it: the loss of one is -log of the sum of their probabilities. Nothing here waits
    for a GPU.
    """
    asked = right.answer >= 0
    place = right.first * WIDEST + (right.last - right.first)  # (B, Q, I, A)
    chance = output.spans.flatten(2).gather(2, place.flatten(2)).view(place.shape)
    chance = chance.masked_fill(~right.named, NO_CHANCE).logsumexp(-1)  # (B, Q, I)
    there, spans = right.named.any(-1), asked & (right.answer < len(SPANS))
    each = (chance * there).sum(-1) / there.sum(-1).clamp(min=1)
    read = output.evidence.masked_fill(~right.evidence, NO_CHANCE).logsumexp(-1)
    total = mean(of_class(output.answer, right.answer), asked) - mean(each, spans)
    total = total - settings.evidence * mean(read, right.evidence.any(-1) & asked)
    return total + settings.reason * mean(of_class(output.reason, right.reason), right.reason >= 0)


def of_class(logits: Tensor, right: Tensor) -> Tensor:
    """Cross-entropy of each, (..., C), (...) -> (...); 0 where none is right (-1)."""
    return F.cross_entropy(logits.flatten(0, -2), right.flatten(), ignore_index=-1, reduction="none").view(right.shape)


def mean(values: Tensor, where: Tensor) -> Tensor:
    """The mean of some, 0 of none."""
    return values.masked_fill(~where, 0.0).sum() / where.sum().clamp(min=1)


def drawn_together(begin: int, end: int) -> list[list[int]]:
    """The numbers of the batches from one to another, as they are drawn together: none is drawn by two processes."""
    return [list(numbers) for _, numbers in groupby(range(begin, end), lambda number: number // GROUP)]


class Batches(Dataset[tuple[Batch, Targets]]):
    """The batches of a training by their numbers, each the same whenever it is drawn; each process has its own."""

    def __init__(self, settings: Settings, words: Words, marker_dim: int, process: int = 0) -> None:
        self.settings, self.words, self.marker_dim = settings, words, marker_dim
        self.seed = settings.seed + APART * process

    def __len__(self) -> int:
        return self.settings.last

    def examples(self, number: int) -> list[Example]:
        """The examples of a batch."""
        settings = self.settings
        ordinary = number >= settings.written_from
        shares = settings.mixed, settings.logs, settings.entries, settings.apart
        return batch(self.seed, number, self.words, ordinary, settings.words, *shares)

    def __getitem__(self, number: int) -> tuple[Batch, Targets]:
        examples = self.examples(number)
        noise = np.random.default_rng((self.seed, number))
        inputs = collate([each.encoded for each in examples], noise, self.marker_dim)
        return inputs, Targets(examples, inputs.after.shape[1], inputs.story.shape[1])


class ReaderTraining:
    """A reader, its average and its optimizer."""

    def __init__(self, reader: Reader, words: Words, settings: Settings, batches: type[Batches] = Batches) -> None:
        self.reader, self.words, self.settings = reader, words, settings
        self.average = copy.deepcopy(reader).requires_grad_(False).eval()
        for module in reader.modules():
            if isinstance(module, nn.Dropout):
                module.p = settings.dropout
        self.fast = copy.deepcopy(reader).bfloat16() if settings.half else reader
        self.process = dist.get_rank() if dist.is_initialized() else 0
        self.batches = batches(settings, words, reader.config.marker_dim, self.process)
        self.steps = 0
        self.minutes = 0.0  # of learning, in :meth:`run`
        self.device = reader.vectors.device
        self.optimizers = self._optimizers()

    def _optimizers(self) -> list[torch.optim.Optimizer]:
        """Muon (Jordan et al. 2024) for the matrices inside, AdamW for tables, vectors and what comes first."""
        inside: list[Tensor] = []
        tables: list[Tensor] = []
        vectors: list[Tensor] = []
        for name, weight in self.reader.named_parameters():
            matrix = self.settings.muon > 0 and weight.dim() > 1 and name.startswith(INSIDE) and "prefer" not in name
            (inside if matrix else tables if weight.dim() > 1 else vectors).append(weight)
        decay = self.settings.weight_decay
        groups = [{"params": tables, "weight_decay": decay}, {"params": vectors, "weight_decay": 0.0}]
        adam = torch.optim.AdamW(groups, lr=self.settings.lr, betas=(0.9, 0.98), capturable=self.device.type == "cuda")
        return [adam, Muon(inside, lr=self.settings.muon, weight_decay=decay, momentum=0.95)] if inside else [adam]

    def step(self, given: tuple[Batch, Targets] | None = None) -> float:
        """Learn from the next batch, or from one that was drawn before; its loss."""
        return self.learn(*(given or self.batches[self.steps])).item()

    def learn(self, inputs: Batch, right: Targets) -> Tensor:
        """Learn from a batch; its loss, for which nothing waited yet where it is on a GPU."""
        inputs = Batch(*(part.to(self.device, non_blocking=True) for part in inputs))
        right = right.to(self.device)
        rate = self.settings.rate(self.steps, self.minutes)
        for weight in (*self.reader.parameters(), *self.fast.parameters()):
            weight.grad = None
        for optimizer, lr in zip(self.optimizers, (self.settings.lr, self.settings.muon)[: len(self.optimizers)], strict=True):
            for group in optimizer.param_groups:
                group["lr"] = lr * rate
        torch.manual_seed(hash((self.settings.seed, self.steps)))  # of dropout: the same when a training goes on
        total = loss(self.fast(inputs), right, self.settings)
        total.backward()
        self.change()
        self.steps += 1
        self.average_more()
        return total.detach()

    def change(self) -> None:
        """Gradients -> new weights, and their copy in half precision."""
        self._gather()
        nn.utils.clip_grad_norm_(self.reader.parameters(), self.settings.clip)
        for optimizer in self.optimizers:
            optimizer.step()
        self._spread()

    @torch.no_grad()
    def average_more(self) -> None:
        """Take the weights of a step into their average."""
        keep = min(FORGETS, self.steps / (self.steps + 10))
        torch._foreach_lerp_([*self.average.parameters()], [*self.reader.parameters()], 1 - keep)

    def moments(self) -> list[dict[str, Tensor]]:
        """A copy of what optimizers know of each weight; of weights of which they know nothing yet, nothing."""
        states = (optimizer.state[weight] for optimizer, weight in self._learned())
        return [{name: value.clone() for name, value in state.items()} for state in states]

    def remember(self, kept: list[dict[str, Tensor]]) -> None:
        """Let optimizers know what they knew, in the tensors that they have now; 0 where they knew nothing."""
        for (optimizer, weight), known in zip(self._learned(), kept, strict=True):
            for name, value in optimizer.state[weight].items():
                value.copy_(known.get(name, torch.zeros_like(value)))

    def _learned(self) -> list[tuple[torch.optim.Optimizer, Tensor]]:
        return [
            (optimizer, weight)
            for optimizer in self.optimizers
            for group in optimizer.param_groups
            for weight in group["params"]
        ]

    def is_over(self) -> bool:
        """Whether its last step or minute has come."""
        return self.steps >= self.settings.last or 0 < self.settings.minutes <= self.minutes

    def _gather(self) -> None:
        """Gradients of the copy in half precision -> the weights' own."""
        if self.fast is not self.reader:
            for weight, half in zip(self.reader.parameters(), self.fast.parameters(), strict=True):
                if weight.grad is None or half.grad is None:
                    weight.grad = None if half.grad is None else half.grad.float()
                else:
                    weight.grad.copy_(half.grad)
        if dist.is_initialized():
            self._agree()

    def _agree(self) -> None:
        """Gradients of each process -> their mean, which all have."""
        weights = [*self.reader.parameters()]
        parts = [torch.zeros_like(weight) if weight.grad is None else weight.grad for weight in weights]
        together = torch.cat([part.flatten() for part in parts])
        dist.all_reduce(together)
        for weight, part in zip(
            weights, together.div_(dist.get_world_size()).split([part.numel() for part in parts]), strict=True
        ):
            weight.grad = part.view_as(weight)

    @torch.no_grad()
    def _spread(self) -> None:
        """Weights -> their copy in half precision."""
        if self.fast is not self.reader:
            torch._foreach_copy_([*self.fast.parameters()], [*self.reader.parameters()])

    def run(self, folder: Path, log: Callable[[str], None], every: int = 500, workers: int = 1) -> None:
        """Learn to the last step; batches are drawn beside, a checkpoint is written and a line logged every so many steps.

        Where several processes learn together (:mod:`torch.distributed`), the first writes and logs.
        """
        if self.is_over():
            log(f"step {self.steps}: the training is over")
            return
        loader = DataLoader(
            self.batches,
            batch_sampler=drawn_together(self.steps, self.settings.last),
            num_workers=workers,
            collate_fn=list,
            prefetch_factor=2 if workers else None,
            pin_memory=self.device.type == "cuda",
        )
        begin, before, asked, losses = time.monotonic(), self.minutes, 0, list[Tensor]()
        for inputs, right in chain.from_iterable(loader):
            asked += int((right.answer >= 0).sum())
            losses.append(self.learn(inputs, right))
            seconds = time.monotonic() - begin
            self.minutes = before + seconds / 60
            ends = self.is_over()
            if self.process == 0 and (self.steps % every == 0 or ends):
                self.save(folder)
                log(
                    f"step {self.steps}  loss {torch.stack(losses[-every:]).mean():.4f}  {asked} questions in {seconds:.0f} s, "
                    f"{asked / seconds:.0f} a second"
                )
            if ends:
                return

    def save(self, folder: Path) -> None:
        """Write all that training needs to go on, whole or not at all."""
        folder.mkdir(parents=True, exist_ok=True)
        tensors: dict[str, Tensor] = {}
        averages = dict(self.average.named_parameters())
        for name, weight in self.reader.named_parameters():
            tensors |= {f"weight {name}": weight, f"average {name}": averages[name]}
            for optimizer in self.optimizers:
                tensors |= {f"{key} {name}": value for key, value in optimizer.state.get(weight, {}).items() if key != "step"}
        write_tensors(folder / FILE, tensors, {"steps": str(self.steps), "minutes": str(self.minutes)})

    def resume(self, folder: Path) -> bool:
        """Go on from a checkpoint, where there is one. Raises :class:`~memnet.errors.ConfigError` for one of another reader."""
        path = folder / FILE
        if not path.exists():
            return False
        with safe_open(path, "pt") as file:
            names, self.steps = set(file.keys()), int(file.metadata()["steps"])
            self.minutes = float(file.metadata().get("minutes", 0.0))
            averages = dict(self.average.named_parameters())
            for name, weight in self.reader.named_parameters():
                if f"weight {name}" not in names or file.get_slice(f"weight {name}").get_shape() != list(weight.shape):
                    raise ConfigError(f"{path} is of a reader of other sizes ('{name}' differs): choose another folder.")
                with torch.no_grad():
                    weight.copy_(file.get_tensor(f"weight {name}"))
                    averages[name].copy_(file.get_tensor(f"average {name}"))
                for optimizer, keys in zip(self.optimizers, MOMENTS[: len(self.optimizers)], strict=True):
                    if all(f"{key} {name}" in names for key in keys):
                        state = {key: file.get_tensor(f"{key} {name}").to(weight.device) for key in keys}
                        optimizer.state[weight] = {"step": torch.tensor(float(self.steps), device=self.device), **state}
        self._spread()
        return True
