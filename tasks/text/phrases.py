"""Phrases, learned from a text: words that stand beside each other wherever one of them stands are read as one word.

"To the left of" then changes places with "above", and "the red square" with "the triangle", as one word does with another. Two
neighbours become one where one of them never stands without the other, the pair with the highest score first (Mikolov et al.
2013, arXiv 1310.4546, section 4, equation 6), and again until there is no such pair:

    score(a, b) = count(a b) / (count(a) count(b))

A word that answers questions stays a word of its own: it must be the same in the text and as an answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from . import Story, texts_of, words

FEWEST = 20  # times that a pair stands in a text, below which it may be chance
JOIN = "-"  # between the words of a phrase, which is then one word to everything that reads words

Pair = tuple[str, str]


@dataclass(frozen=True)
class Phrases:
    """Pairs of neighbours that become one word, in the order in which they are joined."""

    pairs: tuple[Pair, ...] = ()

    @cached_property
    def number(self) -> dict[Pair, int]:
        """When a pair is joined."""
        return {pair: number for number, pair in enumerate(self.pairs)}

    @classmethod
    def learned(cls, stories: Sequence[Story]) -> Phrases:
        """From the statements and questions of (training) stories."""
        asked = (question for story in stories for question in story.questions)
        answers = {word for question in asked for word in words(question.answer)}
        sentences = Counter(words(text) for story in stories for text in texts_of(story))
        pairs: list[Pair] = []
        while (pair := likeliest(sentences, answers)) is not None:
            pairs.append(pair)
            joined: Counter[tuple[str, ...]] = Counter()
            for sentence, times in sentences.items():
                joined[join(sentence, pair)] += times
            sentences = joined
        return cls(tuple(pairs))

    def describe(self) -> str:
        """The phrases that are not parts of others, in alphabetical order."""
        made = [JOIN.join(pair) for pair in self.pairs]
        parts = {part for pair in self.pairs for part in pair}
        return "; ".join(sorted(phrase.replace(JOIN, " ") for phrase in made if phrase not in parts)) or "none"

    def read(self, text: str) -> str:
        """A text with its phrases as words, and nothing else but words.

        >>> Phrases((("left", "of"), ("the", "left-of"), ("to", "the-left-of"))).read("The box is to the left of the bag.")
        'the box is to-the-left-of the bag'
        """
        sentence = words(text)
        while found := self.number.keys() & set(pairwise(sentence)):
            sentence = join(sentence, min(found, key=self.number.__getitem__))
        return " ".join(sentence)

    def read_story(self, story: Story) -> Story:
        """A story with its phrases as words."""
        asked = (replace(question, text=self.read(question.text)) for question in story.questions)
        return Story(tuple(map(self.read, story.statements)), tuple(asked))


def likeliest(sentences: Counter[tuple[str, ...]], answers: Iterable[str]) -> Pair | None:
    """The pair with the highest score of which one word never stands without the other; of equal ones the first by alphabet."""
    unigrams, bigrams = Counter[str](), Counter[Pair]()
    for sentence, times in sentences.items():
        for word in sentence:
            unigrams[word] += times
        for pair in pairwise(sentence):
            bigrams[pair] += times
    scores = {
        pair: times / (unigrams[pair[0]] * unigrams[pair[1]])
        for pair, times in bigrams.items()
        if times >= FEWEST and times in (unigrams[pair[0]], unigrams[pair[1]]) and not set(pair) & set(answers)
    }
    return min(scores, key=lambda pair: (-scores[pair], pair), default=None)


def join(sentence: Sequence[str], pair: Pair) -> tuple[str, ...]:
    """A sentence whose words of a pair are one where they stand beside each other."""
    joined: list[str] = []
    for word in sentence:
        if joined and (joined[-1], word) == pair:
            joined[-1] = JOIN.join(pair)
        else:
            joined.append(word)
    return tuple(joined)


NO_PHRASES = Phrases()
