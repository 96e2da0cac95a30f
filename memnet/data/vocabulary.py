"""Words and answers as numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memnet.tasks.evidence import NOTHING
from memnet.tasks.text import Story, answer_entry, words

UNKNOWN, STOP = NOTHING, "<stop>"


STOP_NUMBER = 1  # where a vocabulary has it


class Vocabulary:
    """Words and answers by number; number 0 is the unknown word.

    An answer of several words ("apple,football") is one entry of its own, or, where the entries have a
    stop symbol, it is decoded word by word: at most ``answer`` of them, then the stop symbol.
    """

    def __init__(self, entries: Sequence[str], answer: int = 1) -> None:
        self.entries, self.answer = tuple(entries), answer
        self.number = {entry: number for number, entry in enumerate(self.entries)}
        if not self.entries or self.entries[0] != UNKNOWN or len(self.number) != len(self.entries):
            raise ValueError(f"a vocabulary starts with {UNKNOWN} and names every entry once")
        self.stop = self.number.get(STOP)
        if answer < 1 or (answer > 1 and self.stop != STOP_NUMBER):
            raise ValueError(f"answers of several words need {STOP} as the second entry")

    def __len__(self) -> int:
        return len(self.entries)

    @classmethod
    def of(cls, stories: Iterable[Story], by_word: bool = False) -> Vocabulary:
        """Every word and answer of these (training) stories, in alphabetical order; ``by_word``: every word of an answer."""
        found: set[str] = set()
        longest = 1
        for story in stories:
            for text in (*story.statements, *(question.text for question in story.questions)):
                found.update(words(text))
            for question in story.questions:
                entry = answer_entry(question.answer)
                parts = entry.split(",") if by_word else [entry]
                found.update(parts)
                longest = max(longest, len(parts))
        first = [UNKNOWN, STOP] if by_word else [UNKNOWN]
        return cls([*first, *sorted(found - {UNKNOWN, STOP})], longest)

    def answer_numbers(self, answer: str) -> list[int]:
        """An answer's entries, ``answer`` of them, stop symbols after the last; -1 where this vocabulary has none.

        The unknown word is the answer where there is no evidence (:mod:`memnet.tasks.evidence`).
        """
        entry = answer_entry(answer)
        if self.stop is None:
            return [0] if entry == UNKNOWN else [self.number.get(entry, 0) or -1]
        numbers = [self.number.get(word, 0) or -1 for word in entry.split(",")]
        if len(numbers) > self.answer:
            return [*numbers[: self.answer - 1], -1]
        return numbers + [self.stop] * (self.answer - len(numbers))

    def answer_text(self, numbers: Sequence[int]) -> str:
        """The answer of such numbers, to the first stop symbol."""
        said = list(numbers)
        if self.stop in said:
            said = said[: said.index(self.stop)]
        return ",".join(self.entries[number] for number in said)

    def __getitem__(self, word: str) -> int:
        return self.number.get(word, 0)
