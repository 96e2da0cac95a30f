"""Steps of end-to-end memory networks as one loop, compiled by numba; :mod:`memnet.training.fused` says when it is used.

The formulas are those of :class:`~memnet.models.MemN2N`, its loss and :func:`~memnet.training.optimizer.optimizer_step`, with
their gradients written out. A row has the vectors of a word, or of an age, of all matrices side by side, W = matrices * D: a
statement is encoded for all in one pass, and words that a batch lacks cost nothing but as answers. For speed widths are padded
by zeros, the innermost index counts from zero, and arrays are taken out of their tuples before a loop.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
from numpy.typing import NDArray

from memnet.training.arrays import Data, Floats, Ints, Room, Sentences, Shape

Function = TypeVar("Function", bound=Callable[..., Any])
ZERO = np.float32(0)


def compiled(function: Function) -> Function:
    """Compiled when it is first called, and kept on disk where there is a place for it.

    Sums may be reordered; what is not finite stays so.
    """
    options: dict[str, Any] = {"error_model": "numpy", "fastmath": {"reassoc", "contract", "arcp", "nsz"}}
    try:
        made: Function = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # no folder can be written to
        made = numba.njit(**options)(function)
    return made


@compiled
def add(listed: Ints, place: Ints, one: int, number: int) -> int:
    """Put one on a list of so many where it is not there yet; how many there are then."""
    if place[one] < number and listed[place[one]] == one:
        return number
    listed[number], place[one] = one, number
    return number + 1


@compiled
def take_in(data: Data, shape: Shape, room: Room, picks: Ints, empty: Ints) -> int:
    """List the statements of a batch, and say how old each memory is, which ``empty (B, K)`` ones among them stretch."""
    count, memory, listed, place, slot, age = data.counts, data.memory, room.listed, room.place, room.slot, room.age
    known, oldest = 0, shape.ages - 1
    for b, number in enumerate(picks):
        passed = 0
        for i in range(count[number] - 1, -1, -1):
            younger = count[number] - 1 - i
            while passed < empty.shape[1] and empty[b, passed] - passed <= younger:
                passed += 1
            age[b, i] = min(younger + passed, oldest)
            known = add(listed, place, memory[number, i], known)
            slot[b, i] = place[memory[number, i]]
    return known


@compiled
def encode(rows: Floats, sentences: Sentences, numbers: Ints, factor: Floats, out: Floats) -> None:
    """Sentences as sums of their words' rows."""
    words, first, second, lengths = sentences.words, sentences.first, sentences.second, sentences.lengths
    for n, number in enumerate(numbers):
        for d in range(out.shape[1]):
            out[n, d] = 0
        for j in range(lengths[number]):
            row, one, other = words[number, j], first[number, j], second[number, j]
            for d in range(out.shape[1]):
                out[n, d] += (one + other * factor[d]) * rows[row, d]


@compiled
def spread(of: Floats, sentences: Sentences, numbers: Ints, factor: Floats, room: Room, known: int) -> int:
    """The mirror image, sentences' gradients to their words' rows; how many rows have one then."""
    words, first, second, lengths = sentences.words, sentences.first, sentences.second, sentences.lengths
    of_rows, touched, at = room.of_rows, room.touched, room.at
    for n, number in enumerate(numbers):
        for j in range(lengths[number]):
            row, one, other = words[number, j], first[number, j], second[number, j]
            known = add(touched, at, row, known)
            for d in range(of.shape[1]):
                of_rows[row, d] += (one + other * factor[d]) * of[n, d]
    return known


@compiled
def remember(rows: Floats, shape: Shape, room: Room, counts: Ints) -> None:
    """The memories of every question, and the first states."""
    encoded, slot, age, state, first = room.encoded, room.slot, room.age, room.state, shape.words
    memory, asked = room.memory.reshape((len(counts), -1, rows.shape[1])), room.asked
    for b, count in enumerate(counts):
        for d in range(shape.dim):
            state[b, 0, d] = asked[b, shape.asked * shape.dim + d]
        for i in range(count):
            one, row = slot[b, i], first + age[b, i]
            if shape.temporal:
                for d in range(rows.shape[1]):
                    memory[b, i, d] = encoded[one, d] + rows[row, d]
            else:
                for d in range(rows.shape[1]):
                    memory[b, i, d] = encoded[one, d]


@compiled
def read(state_map: Floats, shape: Shape, room: Room, counts: Ints, linear: bool) -> None:
    """The hops of every question: their weights, and the states after the first."""
    weights, state, memory, dim, keys, values = room.weights, room.state, room.memory, shape.dim, shape.key, shape.value
    for b, count in enumerate(counts):
        least = np.float32(-np.inf)
        if shape.null and not linear and shape.ages > count:
            least = np.float32(math.log(shape.ages - count))
        for hop in range(len(keys)):
            key, value, most = keys[hop], values[hop], least
            for i in range(count):
                score = ZERO
                for d in range(dim):
                    score += state[b, hop, d] * memory[b, i, key, d]
                weights[b, hop, i] = score
                most = max(most, score)
            if not linear and count:
                total = math.exp(least - most)
                for i in range(count):
                    weights[b, hop, i] = math.exp(weights[b, hop, i] - most)
                    total += weights[b, hop, i]
                for i in range(count):
                    weights[b, hop, i] /= total
            for d in range(dim):
                state[b, hop + 1, d] = ZERO if shape.mapped else state[b, hop, d]
            if shape.mapped:
                for e in range(dim):
                    for d in range(dim):
                        state[b, hop + 1, d] += state[b, hop, e] * state_map[e, d]
            for i in range(count):
                for d in range(dim):
                    state[b, hop + 1, d] += weights[b, hop, i] * memory[b, i, value, d]
            if shape.relu:
                for d in range(dim):
                    state[b, hop + 1, d] = max(state[b, hop + 1, d], ZERO)


@compiled
def map_back(state_map: Floats, of_map: Floats, state: Floats, of: Floats, below: Floats) -> None:
    """The gradients of the matrix between hops, and ``below (D,)`` that of the state before it."""
    for e in range(len(of)):
        total = ZERO
        for d in range(len(of)):
            total += state_map[e, d] * of[d]
        below[e] = total
        for d in range(len(of)):
            of_map[e, d] += state[e] * of[d]


@compiled
def read_back(state_map: Floats, shape: Shape, room: Room, counts: Ints, linear: bool) -> int:
    """The gradients of statements and ages, and of the questions; how many rows are touched."""
    weights, state, memory, of_memory, of_weight = room.weights, room.state, room.memory, room.of_memory, room.of_weight
    of, of_map, of_rows, of_encoded, of_asked = room.of_state, room.of_map, room.of_rows, room.of_encoded, room.of_asked
    slot, age, touched, at, dim, keys, values = room.slot, room.age, room.touched, room.at, shape.dim, shape.key, shape.value
    below, known, flat = np.zeros(dim, np.float32), 0, of_memory.reshape((len(of_memory), -1))
    of_asked[:] = 0
    for b, count in enumerate(counts):
        of_memory[:count] = 0
        for hop in range(len(keys) - 1, -1, -1):
            key, value, mean = keys[hop], values[hop], ZERO
            for d in range(dim):
                of[b, d] = ZERO if shape.relu and state[b, hop + 1, d] <= 0 else of[b, d]
                below[d] = of[b, d]
            if shape.mapped:
                map_back(state_map, of_map, state[b, hop], of[b], below)
            for i in range(count):
                gradient = ZERO
                for d in range(dim):
                    gradient += of[b, d] * memory[b, i, value, d]
                for d in range(dim):
                    of_memory[i, value, d] += weights[b, hop, i] * of[b, d]
                of_weight[i] = gradient
                mean += weights[b, hop, i] * gradient
            for i in range(count):
                gradient = of_weight[i] if linear else weights[b, hop, i] * (of_weight[i] - mean)
                for d in range(dim):
                    below[d] += gradient * memory[b, i, key, d]
                for d in range(dim):
                    of_memory[i, key, d] += gradient * state[b, hop, d]
            for d in range(dim):
                of[b, d] = below[d]
        for d in range(dim):
            of_asked[b, shape.asked * dim + d] = of[b, d]
        for i in range(count):
            one, row = slot[b, i], shape.words + age[b, i]
            for d in range(flat.shape[1]):
                of_encoded[one, d] += flat[i, d]
            if shape.temporal:
                known = add(touched, at, row, known)
                for d in range(flat.shape[1]):
                    of_rows[row, d] += flat[i, d]
    return known


@compiled
def answer(rows: Floats, shape: Shape, room: Room, right: Ints) -> tuple[float, int]:
    """The loss of the answers and how many are wrong; the gradients of the last states and of the answers' vectors."""
    scores, answers, of_answers, state, of, dim = (
        room.scores,
        room.answers,
        room.of_answers,
        room.state,
        room.of_state,
        len(room.answers),
    )
    (batch, blocks, width), last, loss, wrong, first = scores.shape, len(shape.key), 0.0, 0, shape.answer * shape.dim
    every, by_word = scores.reshape((batch, -1)), answers.reshape((dim, -1))
    for start in range(0, shape.words, width):
        for d in range(dim):
            for v in range(start, min(start + width, shape.words)):
                by_word[d, v] = rows[v, first + d]
    scores[:] = 0
    of[:] = 0
    for block in range(blocks):
        for b in range(batch):
            for d in range(dim):
                for v in range(width):
                    scores[b, block, v] += state[b, last, d] * answers[d, block, v]
    for b in range(batch):
        best, total = 0, ZERO
        for v in range(shape.words):
            if every[b, v] > every[b, best]:
                best = v
        most = every[b, best]
        loss += most - every[b, right[b]]
        wrong += best != right[b]
        for v in range(shape.words):
            every[b, v] = math.exp(every[b, v] - most)
            total += every[b, v]
        loss += math.log(total)
        for v in range(shape.words):
            every[b, v] /= total
        every[b, right[b]] -= 1
    for block in range(blocks):
        for b in range(batch):
            for d in range(dim):
                total = ZERO
                for v in range(width):
                    total += scores[b, block, v] * answers[d, block, v]
                of[b, d] += total
                for v in range(width):
                    of_answers[d, block, v] += scores[b, block, v] * state[b, last, d]
    return loss, wrong


@compiled
def descend(rows: Floats, state_map: Floats, shape: Shape, room: Room, known: int, lr: float) -> None:
    """Clip the gradients, go a step against them, and set them to zero."""
    touched, of_map, dim, words, first = room.touched, room.of_map, shape.dim, shape.words, shape.answer
    unpadded, _, width = room.of_answers.shape
    of_words, of_rows = room.of_answers.reshape((unpadded, -1)), room.of_rows.reshape((len(rows), -1, dim))
    table, matrices = rows.reshape((len(rows), -1, dim)), rows.shape[1] // dim
    rate = np.zeros(matrices + 1, np.float32)
    for row in touched[:known]:
        if row < words:  # all of the gradient of an answer's vector in one place
            for d in range(unpadded):
                of_words[d, row] += of_rows[row, first, d]
                of_rows[row, first, d] = 0
        for m in range(matrices):
            for d in range(dim):
                rate[m] += of_rows[row, m, d] * of_rows[row, m, d]
    for d in range(unpadded):
        for v in range(words):
            rate[first] += of_words[d, v] * of_words[d, v]
    for d in range(dim if shape.mapped else 0):
        for e in range(dim):
            rate[matrices] += of_map[d, e] * of_map[d, e]
    if shape.clip_network:
        rate[:] = rate.sum()
    for m in range(matrices + 1):
        rate[m] = lr * min(shape.clip / math.sqrt(rate[m]), 1.0)
    for row in touched[:known]:
        for m in range(matrices):
            for d in range(dim):
                table[row, m, d] -= rate[m] * of_rows[row, m, d]
                of_rows[row, m, d] = 0
    for start in range(0, words, width):
        for d in range(unpadded):
            for v in range(start, min(start + width, words)):
                table[v, first, d] -= rate[first] * of_words[d, v]
    of_words[:] = 0
    for d in range(dim if shape.mapped else 0):
        for e in range(dim):
            state_map[d, e] -= rate[matrices] * of_map[d, e]
            of_map[d, e] = 0


@compiled
def step(
    rows: Floats, state_map: Floats, data: Data, shape: Shape, room: Room, picks: Ints, empty: Ints, linear: bool, lr: float
) -> tuple[float, int]:
    """Of one network, on the questions ``picks (B,)`` with ``empty (B, K)`` memories; their loss and how many are wrong."""
    counts, question, factor = data.counts[picks], data.question[picks], shape.factor
    listed = room.listed[: take_in(data, shape, room, picks, empty)]
    encode(rows, data.statements, listed, factor, room.encoded)
    encode(rows, data.questions, question, factor, room.asked)
    remember(rows, shape, room, counts)
    read(state_map, shape, room, counts, linear)
    loss, wrong = answer(rows, shape, room, data.answer[picks])
    room.of_encoded[: len(listed)] = 0
    known = read_back(state_map, shape, room, counts, linear)
    known = spread(room.of_asked, data.questions, question, factor, room, known)
    known = spread(room.of_encoded, data.statements, listed, factor, room, known)
    descend(rows, state_map, shape, room, known, lr)
    return loss, wrong


@compiled
def steps(
    rows: Floats, state_map: Floats, data: Data, shape: Shape, room: Room, picks: Ints, empty: Ints, linear: Any, lr: Floats
) -> tuple[NDArray[np.float64], Ints]:
    """Of R networks, on ``picks (S, R, B)`` with ``empty (S, R, B, K)``; one whose ``lr (R,)`` is 0 is left out."""
    losses, wrong = np.zeros(len(rows), np.float64), np.zeros(len(rows), np.int64)
    for s in range(len(picks)):
        for r in range(len(rows)):
            if lr[r] > 0:
                of = rows[r], state_map[r], data, shape, room, picks[s, r], empty[s, r], linear[r], lr[r]
                loss, missed = step(*of)
                losses[r] += loss
                wrong[r] += missed
    return losses, wrong
