"""Training on a GPU: a step is two recorded programs (CUDA graphs), one for batches of a shape and one that changes weights.

    train_graphed(training, folder, log, every=500, workers=15)

A step of a small reader is some 4,500 operations of a few microseconds. To start them one by one takes a processor several
times as long as the GPU needs for them. A recorded program has one shape, so batches are padded to one of :data:`SHAPES`, each
with as many stories as fill it. Without a GPU the same steps run as they are.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from memnet.reading.collate import collate
from memnet.reading.examples import LONGEST_STORY, Example, Targets, dials_of_story, drawn
from memnet.reading.network import Batch
from memnet.reading.training import ReaderTraining, Settings, loss
from memnet.reading.words import Words

AHEAD = 8  # steps that a processor may be ahead of its GPU
STORIES = Batch._fields[:-1]  # without markers
RIGHT = ("answer", "reason", "first", "last", "named", "evidence")  # of Targets
NONE = {"statement": -1, "owner": -1, "answer": -1, "reason": -1}  # what stands where nothing is; 0 in the others


class Shape(NamedTuple):
    """The most that stories of a batch have."""

    story: int  # words
    asked: int  # words of questions
    questions: int

    def rows(self, size: int) -> int:
        """How many stories make a batch of so many words, those that are padding too."""
        return max(1, size // (self.story + self.asked))


SHAPES = (
    *(Shape(24, 56, 9), Shape(32, 64, 9), Shape(40, 64, 9), Shape(48, 80, 12), Shape(64, 96, 13), Shape(80, 96, 14)),
    *(Shape(96, 112, 18), Shape(120, 128, 18), Shape(160, 144, 20), Shape(LONGEST_STORY, 176, 26)),
)


def shape_of(made: Example) -> int | None:
    """Which shape a story and its questions fit; ``None`` where they fit none."""
    needs = (len(made.encoded.story), len(made.encoded.owner), len(made.labels))
    return next((number for number, shape in enumerate(SHAPES) if all(x <= y for x, y in zip(needs, shape, strict=True))), None)


def padded(inputs: Batch, right: Targets, shape: Shape) -> list[Tensor]:
    """The parts of a batch but its markers, then what is right of it, filled up to a shape."""
    words, asked, questions = (1, shape.story), (1, shape.asked), (1, shape.questions)
    sizes = {
        "story": [words],
        "statement": [words],
        "weight": [words],
        "questions": [asked],
        "owner": [asked],
        "present": [asked],
    }
    sizes |= {"overlap": [(2, shape.questions), (3, shape.story)], "evidence": [questions, (2, shape.story)]}
    parts = {**inputs._asdict(), **{name: getattr(right, name) for name in RIGHT}}
    del parts["markers"]
    return [_filled(part, sizes.get(name, [questions]), NONE.get(name, 0)) for name, part in parts.items()]


def _filled(part: Tensor, sizes: list[tuple[int, int]], value: int) -> Tensor:
    wide = [0] * (2 * part.dim())
    for dim, size in sizes:
        wide[2 * (part.dim() - 1 - dim) + 1] = size - part.shape[dim]
    return F.pad(part, wide, value=value)


class Stream(IterableDataset[tuple[int, list[Tensor]]]):
    """Batches as they fill: the number of a shape, and its parts. Each process draws its own stories."""

    def __init__(self, settings: Settings, words: Words, marker_dim: int, begin: int) -> None:
        self.settings, self.words, self.marker_dim, self.begin = settings, words, marker_dim, begin

    def __iter__(self) -> Iterator[tuple[int, list[Tensor]]]:
        worker = get_worker_info()
        random = Random(f"{self.settings.seed} {self.begin} {worker.id if worker else 0}")
        noise = np.random.default_rng(0)  # of markers, which are drawn on the GPU instead
        waiting: list[list[Example]] = [[] for _ in SHAPES]
        while True:
            made = drawn(random, dials_of_story(random), self.words, mixed=self.settings.mixed, logs=self.settings.logs)
            number = shape_of(made) if made else None
            if made is None or number is None:
                continue
            waiting[number].append(made)
            if len(waiting[number]) == SHAPES[number].rows(self.settings.words):
                examples, waiting[number] = waiting[number], []
                inputs = collate([each.encoded for each in examples], noise, self.marker_dim)
                yield number, padded(inputs, Targets(examples, inputs.after.shape[1], inputs.story.shape[1]), SHAPES[number])


def smallest(words: Words, marker_dim: int) -> tuple[Batch, Targets]:
    """A batch of one story that fits every shape."""
    random = Random(0)
    while (made := drawn(random, dials_of_story(random), words)) is None or shape_of(made) != 0:
        pass
    inputs = collate([made.encoded], np.random.default_rng(0), marker_dim)
    return inputs, Targets([made], inputs.after.shape[1], inputs.story.shape[1])


class Program:
    """Work on fixed tensors that is recorded once and then done again and again; or done as it is where nothing is recorded."""

    def __init__(self, work: Callable[[], None], recorded: bool, memory: Any = None) -> None:
        self.run = work
        if recorded:
            side = torch.cuda.Stream()
            side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side):
                work()
                work()
            torch.cuda.current_stream().wait_stream(side)
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, pool=memory, capture_error_mode="thread_local"):  # others fetch batches meanwhile
                work()
            self.run = graph.replay


class GraphedSteps:
    """The steps of a training as programs: :meth:`learn` from a batch of a :class:`Stream`."""

    def __init__(self, training: ReaderTraining) -> None:
        self.training, self.device = training, training.device
        self.recorded = training.device.type == "cuda"
        self.memory = torch.cuda.graph_pool_handle() if self.recorded else None
        self.total = torch.zeros((), device=self.device)  # of losses since it was last asked for
        self.rates = [torch.zeros((), device=self.device) for _ in training.optimizers]
        for optimizer, rate in zip(training.optimizers, self.rates, strict=True):
            for group in optimizer.param_groups:
                group["lr"] = rate
        for weight in {*training.reader.parameters(), *training.fast.parameters()}:
            weight.grad = torch.zeros_like(weight)
        kept = training.moments()
        self.change = Program(training.change, self.recorded, self.memory)  # done twice with gradients and rates of 0
        training.remember(kept)
        self.parts: dict[int, list[Tensor]] = {}
        self.programs: dict[int, Program] = {}
        small = smallest(training.words, training.reader.config.marker_dim)
        for number, shape in enumerate(SHAPES):
            self._prepare(number, padded(*small, shape), shape.rows(training.settings.words))

    def _prepare(self, number: int, parts: list[Tensor], rows: int) -> None:
        """Make place for batches of a shape, and record the work on them."""
        fixed = self.parts[number] = [part.expand(rows, *part.shape[1:]).to(self.device).contiguous() for part in parts]
        right = object.__new__(Targets)
        vars(right).update(zip(RIGHT, fixed[len(STORIES) :], strict=True))
        story, questions = fixed[0], fixed[3]
        size = (len(story), 1 + story.shape[1] + questions.shape[1], self.training.reader.config.marker_dim)
        markers = torch.zeros(size, device=self.device)
        inputs = Batch(**dict(zip(STORIES, fixed, strict=False)), markers=markers)
        grads = [weight.grad for weight in self.training.fast.parameters() if weight.grad is not None]

        def work() -> None:
            markers.normal_()
            markers[:, 0] = 0
            torch._foreach_zero_(grads)
            found = loss(self.training.fast(inputs), right, self.training.settings)
            found.backward()
            self.total.add_(found.detach())

        self.programs[number] = Program(work, self.recorded, self.memory)
        self.total.zero_()

    def learn(self, number: int, parts: list[Tensor]) -> None:
        """Learn from a batch."""
        training = self.training
        for fixed, part in zip(self.parts[number], parts, strict=True):
            fixed.copy_(part, non_blocking=True)
        share = training.settings.rate(training.steps, training.minutes)
        for rate, most in zip(self.rates, (training.settings.lr, training.settings.muon), strict=True):
            rate.fill_(most * share)
        self.programs[number].run()
        self.change.run()
        training.steps += 1
        training.average_more()


def train_graphed(training: ReaderTraining, folder: Path, log: Callable[[str], None], every: int, workers: int) -> None:
    """Learn to the last step or minute; a checkpoint is written and a line logged every so many steps."""
    if training.is_over():
        log(f"step {training.steps}: the training is over")
        return
    stream = Stream(training.settings, training.words, training.reader.config.marker_dim, training.steps)
    cuda = training.device.type == "cuda"
    loader = DataLoader(
        stream, None, num_workers=workers, prefetch_factor=4 if workers else None, pin_memory=cuda, in_order=False
    )
    batches = iter(loader)  # its processes begin to draw
    steps = GraphedSteps(training)
    begin, before, asked, last = time.monotonic(), training.minutes, 0, training.steps
    reached: list[torch.cuda.Event] = []
    for number, parts in batches:
        asked += int((parts[len(STORIES)] >= 0).sum())
        steps.learn(number, parts)
        if cuda:
            reached.append(torch.cuda.Event())
            reached[-1].record()
            if len(reached) > AHEAD:
                reached.pop(0).synchronize()
        seconds = time.monotonic() - begin
        training.minutes = before + seconds / 60
        ends = training.is_over()
        if training.steps % every == 0 or ends:
            training.save(folder)
            mean = steps.total.item() / (training.steps - last)
            steps.total.zero_()
            last = training.steps
            log(f"step {last}  loss {mean:.4f}  {asked} questions in {seconds:.0f} s, {asked / seconds:.0f} a second")
        if ends:
            return
