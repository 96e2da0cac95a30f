"""Which words of a text are of names of people, places and things, learned from its stories alone.

A name is what stands after a determiner ("the kitchen"), in capitals within a sentence ("to Mary") or at the start of a
statement ("Mary went"), where an answer is taken from the story ("white"), or where such a word may stand too: what is
interchangeable with it, and its plural. Function words, numbers, yes and no, directions and times are no names.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence, Set
from itertools import pairwise
from pathlib import Path

from . import Story, answer_entry, decode, texts_of, words, written_words
from .english import DETERMINERS, DIRECTIONS, NUMBERS, TIMES, VERDICTS, function_words, of_class, singular, spelled_out
from .entities import EntityReader, anonymize
from .interchangeable import interchangeable_words

LONGEST = 4  # words of a name
MARKERS = [f"name{number}" for number in range(1000)]
NEVER = NUMBERS | VERDICTS | DIRECTIONS | TIMES
AFTER_SUBJECT = of_class(  # function words that stand there
    "and is are was were has have had will can could would did does do put go get give take see show keep move find make"
)
SENTENCE_END = re.compile(r"[.!?:;]\s|[\"“”«»]")


def may_name(word: str) -> bool:
    """Whether a word in small letters can be of a name.

    >>> [word for word in ("mary", "the", "two", "7", "yes", "left") if may_name(word)]
    ['mary']
    """
    return any(map(str.isalpha, word)) and word not in NEVER and word not in function_words()


class Places:
    """Where the words of some texts stand in their sentences, counted by word in small letters."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.uses, self.determined = Counter[str](), Counter[str]()  # of these, after a determiner
        self.first = Counter[str]()  # at the start, before a verb or what may be one
        self.pairs = set[tuple[str, str]]()  # of these and the next, after a determiner
        self.capital, self.small = Counter[str](), Counter[str]()  # after the first word, of sentences not all in capitals
        for text in texts:
            for sentence in SENTENCE_END.split(text):
                if told := spelled_out(written_words(sentence)):
                    self.count(told)

    def count(self, sentence: Sequence[str]) -> None:
        """Once more."""
        told = [word.lower() for word in sentence]
        self.uses.update(told)
        kept = [word for word in told if word not in NEVER]  # "the left drawer"
        self.determined.update(word for before, word in pairwise(kept) if before in DETERMINERS)
        after = zip(kept, kept[1:], kept[2:], strict=False)
        self.pairs.update((word, other) for before, word, other in after if before in DETERMINERS)
        if len(told) > 1 and (told[1] in AFTER_SUBJECT or told[1] not in function_words()):
            self.first[told[0]] += 1
        inner = sentence[1:]
        if sentence[0][1:].islower() or any(word[0].islower() for word in inner):
            self.capital.update(word.lower() for word in inner if word[0].isupper())
            self.small.update(word for word in inner if word[0].islower())


def nouns(stories: Sequence[Story]) -> set[str]:
    """Words of statements that stand where names do: as a rule after a determiner, in capitals, or first in a statement.

    Words that are told and asked after such a word belong to its name ("the red square").

    >>> told = ("Mary put the milk in Ed's hut.", "Then she ran to the hall.", "WE ARE AWAY.")
    >>> sorted(nouns([Story(told, ())]))
    ['ed', 'hall', 'hut', 'mary', 'milk']
    """
    told = Places(text for story in stories for text in story.statements)
    asked = Places(question.text for story in stories for question in story.questions)
    found = set()
    for word in filter(may_name, told.uses):
        number = told.uses[word]
        capital, small = told.capital[word] + asked.capital[word], told.small[word] + asked.small[word]
        if 2 * told.determined[word] >= number or capital > small or 4 * told.first[word] >= number:
            found.add(word)
    return found | {word for before, word in told.pairs & asked.pairs if before in found and may_name(word)}


def extractive(stories: Sequence[Story]) -> set[str]:
    """The words of answers, or of their parts between commas, that stand in a row in a statement of some story."""
    answers = {part for story in stories for question in story.questions for part in answer_entry(question.answer).split(",")}
    parts = {said for answer in answers if 0 < len(said := words(answer)) <= LONGEST}
    stated = set[tuple[str, ...]]()
    for told in {words(text) for story in stories for text in story.statements}:
        stated.update(told[i : i + n] for n in range(1, LONGEST + 1) for i in range(len(told) - n + 1))
    return {word for said in parts & stated for word in said}


def contradictions(stories: Sequence[Story], names: Set[str]) -> int:
    """How many questions, names apart, are asked after the same statements as another that has another answer."""
    texts = (text for story in stories for text in texts_of(story))
    reader = EntityReader(frozenset(word for text in texts for word in words(text)) - names)
    answers = defaultdict[tuple[object, ...], Counter[str]](Counter)
    for story in stories:
        for question in story.questions:
            one = anonymize(Story(story.statements[: question.after], (question,)), reader, MARKERS)
            answers[*one.statements, one.questions[0].text][one.questions[0].answer] += 1
    return sum(given.total() for given in answers.values() if len(given) > 1)


def with_meaning(stories: Sequence[Story], names: Set[str]) -> set[str]:
    """Those of the names without which equal questions are answered differently: kin words, where kin is asked turned round.

    "Ann is the mother of Bob. Who is the son of Ann?" and "Ann is the mother of Bob. Who is the aunt of Ann?" are one question
    to a network for which mother, son and aunt are any names. Names stay: what answers, and what makes no question ambiguous.
    """
    ambiguous = contradictions(stories, names)
    if not ambiguous:
        return set()
    answers = {word for story in stories for question in story.questions for word in words(question.answer)}
    capital = Places(text for story in stories for text in texts_of(story)).capital
    known = {word for word in names if word not in answers and not capital[word]}
    fewest = contradictions(stories, names - known)
    if fewest >= ambiguous:
        return set()
    for word in sorted(known):
        if contradictions(stories, names - known | {word}) <= fewest:
            known.discard(word)
    return known


def name_words(stories: Sequence[Story]) -> frozenset[str]:
    """The words of these (training) stories that are of names, in small letters.

    Answers that do not stand where names do ("white") are names too, but not where the answers to other questions hang on
    them: after "Ann is hungry" she will go to the kitchen, and after "Ann is tired" to bed.

    >>> from . import parse
    >>> told = "1 The milk is in the hall.\\n2 Bob is out.\\n3 Where is the milk?\\thall\\t1\\n4 Is Bob out?\\tyes\\t2\\n"
    >>> sorted(name_words(parse(told)))
    ['bob', 'hall', 'milk']
    """
    names = nouns(stories)
    others = set(filter(may_name, extractive(stories))) - names
    if others and contradictions(stories, names | others) == contradictions(stories, names):
        names |= others
    for group in interchangeable_words(stories):
        names |= group if group & names else set()
    stated = {word for story in stories for text in texts_of(story) for word in words(text)}
    names = set(filter(may_name, names | {word for word in stated if singular(word) in names}))
    return frozenset(names - with_meaning(stories, names))


def read_names(path: Path) -> frozenset[str]:
    """The words of the names in a file, in any order, one a line or several. Raises :class:`FormatError`, or OSError."""
    return frozenset(words(decode(path.read_bytes(), str(path)))) - DETERMINERS - {"of"}
