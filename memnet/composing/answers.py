"""What a trained composer answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from memnet.composing.examples import NO, Batch, Dialog, batch_of, dialog
from memnet.composing.lexicon import Lexicon
from memnet.composing.network import Composer, Ensemble
from memnet.tasks.scores import SCORES, Answered, Score
from memnet.tasks.text import Story

LONGEST_ANSWER = 32  # words
AT_ONCE = 16  # dialogs


@torch.no_grad()
def composed(net: Composer | Ensemble, batch: Batch, dialogs: Sequence[Dialog], lexicon: Lexicon) -> list[list[str]]:
    """The answer to every turn: the likeliest word after word.

    Several composers say theirs each, and together; the one to which they give the greatest chance is the answer.
    """
    told: Any = net.read(batch)
    found = [likeliest(net, told, batch, dialogs, lexicon)]
    found += [likeliest(one, each, batch, dialogs, lexicon) for one, each in zip(net.composers, told, strict=False)]
    if len(found) == 1:
        return found[0]
    chances = [net.chance_of(told, *numbered(said, batch, dialogs, lexicon)).tolist() for said in found]  # (B, T) each

    def best(at: int, turn: int) -> str:
        return max(zip(chances, found, strict=True), key=lambda one: float(one[0][at][turn]))[1][at][turn]

    return [[best(at, turn) for turn in range(len(one.asked))] for at, one in enumerate(dialogs)]


def likeliest(
    net: Composer | Ensemble, told: Any, batch: Batch, dialogs: Sequence[Dialog], lexicon: Lexicon
) -> list[list[str]]:
    """The likeliest word after word of every turn."""
    hidden, said = net.beginning(told)
    most = max(1, *(len(one.surface) for one in dialogs)) if dialogs else 1
    spoken, words = net.config.spoken, []
    open_ = batch.asked >= 0
    for _ in range(LONGEST_ANSWER):
        hidden, speak, copy = net.step(told, hidden, said)
        chances = torch.cat([speak, by_name(copy, batch.name, most)], 2)
        best = chances.max(2).indices
        words.append(best)
        said = torch.where(best >= spoken, spoken + 1, best)
        open_ = open_ & (best != 0)
        if not bool(open_.any()):
            break
    chosen = torch.stack(words, 2).tolist()
    return [
        [text_of(chosen[at][turn], lexicon, one.surface) for turn in range(len(one.asked))] for at, one in enumerate(dialogs)
    ]


def numbered(said: Sequence[Sequence[str]], batch: Batch, dialogs: Sequence[Dialog], lexicon: Lexicon) -> tuple[Tensor, Tensor]:
    """Answers to the turns of dialogs as the numbers of generated words and of names, (B, T, A) each."""
    width = 1 + max([1, *(len(text.split()) for each in said for text in each)])
    spoken, copied = (torch.full((*batch.asked.shape, width), NO) for _ in range(2))
    for at, (each, one) in enumerate(zip(said, dialogs, strict=True)):
        names = {name.lower(): place for place, name in enumerate(one.surface)}
        for turn, text in enumerate(each):
            fill(text, lexicon, names, spoken[at, turn], copied[at, turn])
    return spoken, copied


def fill(text: str, lexicon: Lexicon, names: Mapping[str, int], spoken: Tensor, copied: Tensor) -> None:
    """Write the numbers of an answer's words, and of its end, into rows (A,)."""
    words = text.split()
    spoken[: len(words) + 1] = torch.tensor([*(lexicon.number.get(word, NO) for word in words), 0])
    copied[: len(words)] = torch.tensor([names.get(word.lower(), NO) for word in words])


@torch.no_grad()
def ranks(net: Composer | Ensemble, lexicon: Lexicon, story: Story, names: float = 1.0) -> list[int]:
    """The rank of the right answer among its candidates, from 1, at every turn of a dialog.

    A candidate's score is the log-probability of all its words. Those with a word that is neither generated nor in the dialog
    come last.
    """
    one = dialog(story, lexicon)
    told: Any = net.read(batch_of([one], lexicon, names=names))
    number = {name.lower(): place for place, name in enumerate(one.surface)}
    scored: dict[tuple[str, ...], tuple[dict[str, int], Tensor]] = {}
    found = []
    for turn, question in enumerate(story.questions):
        if question.candidates not in scored:
            possible = [each for each in question.candidates if sayable(each, lexicon, number)] or [question.answer]
            width = 1 + max(len(each.split()) for each in possible)
            spoken, copied = (torch.full((len(possible), width), NO) for _ in range(2))
            for at, each in enumerate(possible):
                fill(each, lexicon, number, spoken[at], copied[at])
            places = {text: at for at, text in enumerate(possible)}
            scored[question.candidates] = places, net.scores(told, spoken, copied)
        places, scores = scored[question.candidates]
        right = [scores[turn, places[text]] for text in (question.answer, *question.also) if text in places]
        found.append(1 + int((scores[turn] > max(right)).sum()) if right else len(question.candidates))
    return found


def sayable(text: str, lexicon: Lexicon, names: Mapping[str, int]) -> bool:
    """Whether each word of an utterance is generated or stands in the dialog."""
    return all(word in lexicon.number or word.lower() in names for word in text.split())


def by_name(copy: Tensor, name: Tensor, names: int) -> Tensor:
    """Logits of names from those of their words: (B, K, N), (B, N) -> (B, K, names)."""
    high = copy.amax(2, keepdim=True).clamp(min=-1e4)
    total = copy.new_zeros(*copy.shape[:2], names)
    where = name.clamp(min=0).unsqueeze(1).expand_as(copy)
    total.scatter_add_(2, where, (copy - high).exp() * (name >= 0).unsqueeze(1))
    return total.log().clamp(min=-1e4) + high


def text_of(numbers: Sequence[int], lexicon: Lexicon, surface: Sequence[str]) -> str:
    """An answer's words up to its end."""
    words: list[str] = []
    for number in numbers:
        if number == 0:
            break
        words.append(lexicon.spoken[number] if number < len(lexicon.spoken) else surface[number - len(lexicon.spoken)])
    return " ".join(words)


def answer_all(net: Composer | Ensemble, lexicon: Lexicon, stories: Sequence[Story], names: float = 1.0) -> Iterator[list[str]]:
    """The answers of every turn of stories, a story at a time."""
    for first in range(0, len(stories), AT_ONCE):
        dialogs = [dialog(story, lexicon) for story in stories[first : first + AT_ONCE]]
        yield from composed(net, batch_of(dialogs, lexicon, names=names), dialogs, lexicon)


def accuracy(stories: Sequence[Story], given: Iterable[Sequence[str]]) -> tuple[Score, Score]:
    """The responses that are right, and the dialogs of which every response is."""
    answered = [
        Answered(number, question, answer)
        for number, (story, answers) in enumerate(zip(stories, given, strict=True))
        for question, answer in zip(story.questions, answers, strict=True)
    ]
    return SCORES["exact"](answered), SCORES["dialog"](answered)
