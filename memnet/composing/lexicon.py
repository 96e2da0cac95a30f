"""The words of dialogs: those with a meaning of their own, those that stand for anything, and those that answers are made of.

    in paris     api_call italian paris six cheap     ->     in NAME     api_call NAME NAME NAME NAME

A word is a name where answers only repeat it: whenever it stands in one, the user or a row of the dialog has had it before, and
other such words stand between the same neighbours in other answers. Names are read by their neighbours alone and copied, so
that a city never trained on is one more name; those that no user says have no meaning to be hidden. The other words of answers
are generated, and so are names that do not always repeat one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from memnet.tasks.dialogs import BOT, USER, speaker
from memnet.tasks.text import Story

PAD, NAME, NUMBER = range(3)  # a word that is none, one that is not known, one of digits
FIRST = 3
STOP = "</s>"
PUNCTUATION = ".,?!;:\"()’'"
REPEATED = 0.9  # of a word's answers, in which it stands before: it is a name


def tokens(text: str) -> list[str]:
    """Words between spaces, without the punctuation at their ends.

    >>> tokens("do you know resto_rome?")
    ['do', 'you', 'know', 'resto_rome']
    """
    return [word for word in (part.strip(PUNCTUATION) for part in text.split()) if word]


def is_row(statement: str) -> bool:
    """Whether a statement is a row of a knowledge base: who, relation, value.

    >>> is_row("resto_rome R_price cheap"), is_row("user: good morning"), is_row("api_call no result")
    (True, False, False)
    """
    who, rest = speaker(statement)
    parts = rest.split()
    return not who and len(parts) == 3 and parts[1].startswith("R_")


@dataclass(frozen=True)
class Lexicon:
    """``known`` words by their number from :data:`FIRST`, ``names``, ``spoken`` words of answers, of which 0 ends one."""

    known: dict[str, int]
    names: frozenset[str]
    spoken: tuple[str, ...]
    number: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "number", {word: at for at, word in enumerate(self.spoken)})

    @classmethod
    def of(cls, stories: Sequence[Story]) -> Lexicon:
        """The words of training dialogs."""
        answered, named, said, rows, users = Counter[str](), Counter[str](), dict[str, None](), set[str](), set[str]()
        frames = framed(stories)
        for story in stories:
            for before, answers in answers_with_words(story):
                for answer in answers:
                    for word, frame in with_frames(answer):
                        answered[word] += 1
                        named[word] += word.lower() in before and len(frames[frame]) > 1
            for statement in story.statements:
                who, rest = speaker(statement)
                words = [word.lower() for word in tokens(rest)]
                said.update(dict.fromkeys(words))
                users.update(words if who == USER else ())
                rows.update(words[::2] if is_row(statement) else ())
        names = {word.lower() for word, times in answered.items() if named[word] >= REPEATED * times}
        names |= {word for word in rows if not word.isdigit()}
        known = [word for word in said if not word.isdigit() and (word not in names or word in users)]
        spoken = [word for word, times in answered.items() if word.lower() not in names or named[word] < times]
        return cls({word: at for at, word in enumerate(known, FIRST)}, frozenset(names), (STOP, *spoken))

    def entry(self, word: str) -> int:
        """The number of a word in small letters."""
        return NUMBER if word.isdigit() else self.known.get(word, NAME)

    def is_name(self, word: str) -> bool:
        """Whether a word in small letters is copied: a name, or one that training never had."""
        return word in self.names or not (word in self.known or word.isdigit())

    def frame(self, text: str) -> str:
        """An utterance with its names left out."""
        return " ".join("_" if self.is_name(word.lower()) else word for word in text.split())

    def saved(self) -> dict[str, Any]:
        """For a file."""
        return {"known": list(self.known), "names": sorted(self.names), "spoken": list(self.spoken)}

    @classmethod
    def loaded(cls, saved: dict[str, Any]) -> Lexicon:
        """From what was :meth:`saved`."""
        known = {word: at for at, word in enumerate(saved["known"], FIRST)}
        return cls(known, frozenset(saved["names"]), tuple(saved["spoken"]))


Frame = tuple[str, str]  # the words before and after a word


def with_frames(answer: str) -> Iterator[tuple[str, Frame]]:
    """The words of an answer, each with its neighbours."""
    words = ["", *answer.split(), STOP]
    yield from zip(words[1:-1], zip(words, words[2:], strict=False), strict=False)


def framed(stories: Sequence[Story]) -> dict[Frame, set[str]]:
    """What stands between two words of answers, of the words that the dialog has had before."""
    found: dict[Frame, set[str]] = defaultdict(set)
    for story in stories:
        for before, answers in answers_with_words(story):
            for answer in answers:
                for word, frame in with_frames(answer):
                    if word.lower() in before:
                        found[frame].add(word)
    return found


def answers_with_words(story: Story) -> Iterator[tuple[set[str], Iterable[str]]]:
    """The right answers of each turn, with the words that user and rows have had by then."""
    before, told = set[str](), 0
    for question in story.questions:
        for statement in story.statements[told : question.after]:
            who, rest = speaker(statement)
            before.update(word.lower() for word in tokens(rest) if who != BOT)
        told = question.after
        before.update(word.lower() for word in tokens(question.text))
        yield before, (question.answer, *question.also)


__all__ = ["BOT", "FIRST", "NAME", "NUMBER", "PAD", "STOP", "USER", "Lexicon", "is_row", "tokens"]
