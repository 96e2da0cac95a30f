"""Stories from which the evidence for a question has been taken away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from . import Question, Story, words
from .english import PRONOUNS, function_words

NOTHING = "<unk>"  # the answer where there is no evidence: a vocabulary's unknown word
Kind = Literal["subject", "one", "facts"]


def content(text: str) -> set[str]:
    """The words of a text but for function words."""
    return set(words(text)) - function_words()


def always_told(stories: Iterable[Story]) -> frozenset[str]:
    """Words of questions that stood in the statements before whenever they were asked: what such questions are about.

    >>> story = Story(("John left.", "Mary went home."), (Question("Where is Mary going?", "home", (1,), 2),))
    >>> sorted(always_told([story]))
    ['mary']
    """
    always: dict[str, bool] = {}
    for story in stories:
        told, count = set[str](), 0
        for question in sorted(story.questions, key=lambda one: one.after):
            told.update(word for text in story.statements[count : question.after] for word in words(text))
            count = max(count, question.after)
            for word in content(question.text):
                always[word] = always.get(word, True) and word in told
    return frozenset(word for word, is_told in always.items() if is_told)


def left(story: Story, question: Question, kept: Sequence[int]) -> Story:
    """The statements at these places, and the question, which nothing answers any more."""
    asked = Question(question.text, NOTHING, (), len(kept))
    return Story(tuple(story.statements[place] for place in kept), (asked,))


def without_evidence(story: Story, question: Question, asking: frozenset[str] = frozenset()) -> Story | None:
    """The story up to the question without what the answer rests on; None where nothing is known to go.

    The supporting facts go, and with them every other statement with a word that the question and a fact share, but for
    function words and those of ``asking``: after "Where is Mary?" no statement about Mary is left, an older one would
    answer otherwise. Where no facts are listed, every statement goes that shares a word with the question, and what goes on
    with it by a pronoun.
    """
    facts = [fact for fact in question.supporting_facts if fact < question.after]
    contents = [content(text) for text in story.statements[: question.after]]
    if not facts:
        gone = about(story.statements[: question.after], contents, content(question.text) - asking)
        return left(story, question, [place for place in range(question.after) if place not in gone]) if gone else None
    shared = content(question.text).intersection(word for fact in facts for word in contents[fact]) - asking
    return left(story, question, [place for place, found in enumerate(contents) if place not in facts and not shared & found])


def about(statements: Sequence[str], contents: Sequence[set[str]], subject: set[str]) -> set[int]:
    """The places of the statements with a word of a ``subject``, and of those after them with a pronoun in its stead."""
    found: set[int] = set()
    for place, text in enumerate(statements):
        if contents[place] & subject or (place - 1 in found and PRONOUNS & set(words(text))):
            found.add(place)
    return found


def without_one(story: Story, question: Question, which: int, asking: frozenset[str] = frozenset()) -> Story | None:
    """The story without one of several supporting facts, the others in it: "Mary took the milk", and not where Mary went.

    With the fact go the facts that share its words with the question, and every other statement with a word of a fact that
    stays, or with one that links the fact to the question. None where no fact would stay, or where the fact is told with a
    pronoun: it goes on with another, which alone may answer otherwise.
    """
    facts = [fact for fact in dict.fromkeys(question.supporting_facts) if fact < question.after]
    if len(facts) < 2:
        return None
    contents = [content(text) for text in story.statements[: question.after]]
    asked, lost = content(question.text) - asking, facts[which % len(facts)]
    stay = [fact for fact in facts if fact != lost and not contents[fact] & contents[lost] & asked]
    if not stay or PRONOUNS & set(words(story.statements[lost])):
        return None
    links = (contents[lost] & asked).union(*(contents[fact] for fact in stay))
    gone = set(facts) - set(stay)
    kept = [place for place, found in enumerate(contents) if place in stay or (place not in gone and not links & found)]
    return left(story, question, kept)


def without_facts(story: Story, question: Question) -> Story | None:
    """The story without the supporting facts alone, as :func:`without_evidence`; other statements may still answer."""
    kept = [place for place in range(question.after) if place not in question.supporting_facts]
    return left(story, question, kept) if len(kept) < question.after else None


def stories_of_facts(stories: Sequence[Story], share: float) -> list[Story]:
    """One for each of a share of a task's questions, chosen once and for all: its supporting facts, and nothing else."""
    asked = [(story, question) for story in stories for question in story.questions if question.supporting_facts]
    order = np.random.default_rng(0).permutation(len(asked))[: round(share * len(asked))]

    def alone(story: Story, question: Question) -> Story:
        facts = sorted(set(question.supporting_facts))
        place = {fact: number for number, fact in enumerate(facts)}
        kept = tuple(place[fact] for fact in question.supporting_facts)
        asked = replace(question, supporting_facts=kept, after=len(facts))
        return Story(tuple(story.statements[fact] for fact in facts), (asked,))

    return [alone(*asked[place]) for place in sorted(order.tolist())]


def stories_without_evidence(stories: Sequence[Story], share: float = 1.0, kind: Kind = "subject") -> list[Story]:
    """One for each of a share of a task's questions, chosen once and for all; those that leave no statement are left out.

    By ``kind``: all that speaks of the subject is taken away (:func:`without_evidence`), one fact of several
    (:func:`without_one`), or the facts alone (:func:`without_facts`). Words that stand in more than half of the questions
    ("afraid") are of asking, and of no subject.
    """
    asked = [(story, question) for story in stories for question in story.questions]
    number = Counter(word for _, question in asked for word in set(words(question.text)))
    asking = frozenset(word for word, count in number.items() if 2 * count > len(asked))
    order = np.random.default_rng(0).permutation(len(asked))[: round(share * len(asked))]

    def bare(place: int) -> Story | None:
        story, question = asked[place]
        if kind == "one":
            return without_one(story, question, place, asking)
        return without_facts(story, question) if kind == "facts" else without_evidence(story, question, asking)

    left_over = map(bare, sorted(order.tolist()))
    return [story for story in left_over if story is not None and any(map(words, story.statements))]
