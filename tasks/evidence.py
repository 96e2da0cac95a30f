"""Stories from which the evidence for a question has been taken away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

import numpy as np

from memnet.tasks.text import Question, Story, words

NOTHING = "<unk>"  # the answer where there is no evidence: a vocabulary's unknown word


@cache
def function_words() -> frozenset[str]:
    """English words that speak of nothing ("the", "is", "of"), as scikit-learn lists them."""
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    return frozenset(ENGLISH_STOP_WORDS)


def without_evidence(story: Story, question: Question, asking: frozenset[str] = frozenset()) -> Story | None:
    """The story up to the question without what the answer rests on; None where the question has no supporting facts.

    The supporting facts go, and with them every other statement with a word that the question and a fact share, but for
    function words and those of ``asking``: after "Where is Mary?" no statement about Mary is left, an older one would
    answer otherwise.
    """
    told = [words(text) for text in story.statements[: question.after]]
    facts = [fact for fact in question.supporting_facts if fact < len(told)]
    if not facts:
        return None
    shared = set(words(question.text)).intersection(word for fact in facts for word in told[fact]) - function_words() - asking
    kept = [place for place, sentence in enumerate(told) if place not in facts and not shared.intersection(sentence)]
    asked = Question(question.text, NOTHING, (), len(kept))
    return Story(tuple(story.statements[place] for place in kept), (asked,))


def without_facts(story: Story, question: Question) -> Story | None:
    """The story up to the question without the supporting facts alone, as :func:`without_evidence`; others may still answer."""
    kept = [place for place in range(question.after) if place not in question.supporting_facts]
    asked = Question(question.text, NOTHING, (), len(kept))
    return Story(tuple(story.statements[place] for place in kept), (asked,)) if len(kept) < question.after else None


def stories_without_evidence(stories: Sequence[Story], share: float = 1.0, facts_alone: bool = False) -> list[Story]:
    """One for each of a share of a task's questions, chosen once and for all; those that leave no statement are left out.

    Words that stand in more than half of the questions ("afraid") are of asking, and of no subject. With ``facts_alone``
    nothing is taken away but the facts.
    """
    asked = [(story, question) for story in stories for question in story.questions]
    number = Counter(word for _, question in asked for word in set(words(question.text)))
    asking = frozenset(word for word, count in number.items() if 2 * count > len(asked))
    order = np.random.default_rng(0).permutation(len(asked))[: round(share * len(asked))]
    chosen = (asked[place] for place in sorted(order.tolist()))
    bare = (
        without_facts(story, question) if facts_alone else without_evidence(story, question, asking)
        for story, question in chosen
    )
    return [story for story in bare if story is not None and any(words(text) for text in story.statements)]
