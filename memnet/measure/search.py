"""How much of what answers questions a search finds: in LoCoMo's conversations, and in stories told one among others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import NamedTuple

import numpy as np
from sklearn.metrics import roc_auc_score

from memnet.measure.lexical import BM25
from memnet.measure.locomo import Conversation
from memnet.memory.search import Ranked, Searcher, terms_of
from memnet.models.finder import FinderConfig
from memnet.reading.compared import compare
from memnet.tasks.families.locomo import ADVERSARIAL, KINDS, SEVERAL_HOPS, Question
from memnet.training.search import Asked, SearchTraining, chosen, refusal_of, train
from memnet.training.search_examples import memory

CUTS = (5, 10)
SENTENCES = 200


class Result(NamedTuple):
    """One question's: its kind, which share of its evidence is among the first 5 and 10, whether it is refused."""

    kind: str
    shares: tuple[float, ...]
    nothing: float  # the chance that nothing answers
    refused: bool


Ranking = Callable[[Question], tuple[Sequence[int], float, bool]]


def results(questions: Sequence[Question], rank: Ranking) -> list[Result]:
    """Of all questions that have evidence."""
    found = []
    for question in questions:
        if question.evidence:
            places, nothing, refused = rank(question)
            shares = [len({*places[:cut]} & {*question.evidence}) / len(question.evidence) for cut in CUTS]
            found.append(Result(question.kind, tuple(shares), nothing, refused))
    return found


def plain(conversation: Conversation) -> list[Result]:
    """By BM25."""
    bm25 = BM25(conversation.plain)
    return results(conversation.questions, lambda question: (bm25.rank(question.text, max(CUTS)), 0.0, False))


def searched(conversation: Conversation, searcher: Searcher) -> list[Result]:
    """By a search among the turns that an index finds."""

    def rank(question: Question) -> tuple[Sequence[int], float, bool]:
        places = conversation.narrowed(searcher.terms(question.text))
        found = search_among(conversation, searcher, question.text, places)
        return [places[place] for place, _ in found.best], found.nothing, not searcher.answers(found)

    return results(conversation.questions, rank)


def search_among(conversation: Conversation, searcher: Searcher, query: str, places: Sequence[int]) -> Ranked:
    """A search of some of the turns, words as rare as they are in the whole conversation."""
    turns, counts = [conversation.turns[place] for place in places], conversation.counts
    return searcher.search(turns, query, max(CUTS), lambda lemma: float(counts[lemma]), len(conversation.turns))


def lessons(conversation: Conversation) -> list[Asked]:
    """A conversation's questions, to train with for others; adversarial ones are not answered."""
    counts = conversation.counts
    made = []
    for question in conversation.questions:
        places = conversation.narrowed(terms_of(question.text))
        if not places:
            continue
        turns = [conversation.turns[place] for place in places]
        compared = compare(turns, question.text, lambda lemma: float(counts[lemma]), len(conversation.turns))
        wanted = [places.index(place) for place in question.evidence if place in places]
        made.append(Asked.of(compared, wanted, question.kind != ADVERSARIAL))
    return made


def trained_on_the_others(
    conversations: Sequence[Conversation],
    asked: Sequence[Sequence[Asked]],
    config: FinderConfig,
    groups: Callable[[str], bool] | None = None,
) -> Iterator[tuple[Conversation, Searcher]]:
    """Each conversation with a search that was trained on all others and never saw it; it refuses by what fits these best."""
    for left_out, conversation in enumerate(conversations):
        others = [one for number, each in enumerate(asked) if number != left_out for one in each]
        net = train(others, config, SearchTraining(), chosen(groups))
        yield conversation, Searcher(net.in_numpy(), refusal_of(net, others, chosen(groups)))


class Summary(NamedTuple):
    """In percent; ``several`` is of the questions of several hops."""

    recall: tuple[float, ...]  # at 5, at 10
    several: tuple[float, ...]
    by_kind: dict[str, tuple[float, ...]]
    auc: float  # of refusing adversarial ones
    refused: tuple[float, float]  # of adversarial ones, and of the others

    def line(self) -> str:
        """One line of a table."""
        kinds = ", ".join(f"{name} {' '.join(f'{value:.1f}' for value in values)}" for name, values in self.by_kind.items())
        return (
            f"R@5 {self.recall[0]:.1f}, R@10 {self.recall[1]:.1f} ({kinds}); refusal AUC {self.auc:.1f}, refused "
            f"{self.refused[0]:.1f} of the adversarial, {self.refused[1]:.1f} of the others"
        )


def summary(found: Sequence[Result]) -> Summary:
    """Means over questions."""

    def mean(kept: Sequence[Result]) -> tuple[float, ...]:
        return tuple(100 * float(np.mean([one.shares[cut] for one in kept])) for cut in range(len(CUTS)))

    kinds = {kind: mean([one for one in found if one.kind == kind]) for kind in KINDS.values()}
    wrong = [one.kind == ADVERSARIAL for one in found]
    auc = 100 * float(roc_auc_score(wrong, [one.nothing for one in found]))
    refused = [
        100 * float(np.mean([one.refused for one, is_wrong in zip(found, wrong, strict=True) if is_wrong == wanted]))
        for wanted in (True, False)
    ]
    return Summary(mean(found), kinds[SEVERAL_HOPS], kinds, auc, (refused[0], refused[1]))


class Drawn(NamedTuple):
    """How often all sentences that answer are among the first ten, in percent, of so many questions about drawn stories."""

    questions: int
    searched: float
    bm25: float
    several: int  # questions that take several sentences
    several_searched: float
    several_bm25: float
    auc: float  # of refusing what is not told


def stories(searcher: Searcher, seed: int, memories: int) -> Drawn:
    """Of stories drawn with a seed that trained nothing, about :data:`SENTENCES` in each memory."""
    random, found = Random(seed), list[tuple[int, bool, bool]]()
    answered, nothing = list[bool](), list[float]()
    for _ in range(memories):
        drawn = memory(random, SENTENCES, "test")
        bm25 = BM25([f"{one.speaker} {one.text}" for one in drawn.told])
        for text, wanted, answers in drawn.questions:
            ranked = searcher.search(drawn.told, text, max(CUTS))
            answered.append(answers)
            nothing.append(ranked.nothing)
            if wanted and answers:
                places = {place for place, _ in ranked.best}
                found.append((len(wanted), places.issuperset(wanted), {*bm25.rank(text, max(CUTS))}.issuperset(wanted)))
    many = [one for one in found if one[0] > 1]

    def share(kept: Sequence[tuple[int, bool, bool]], column: int) -> float:
        return 100 * float(np.mean([one[column] for one in kept]))

    auc = 100 * float(roc_auc_score(answered, [-one for one in nothing]))
    return Drawn(len(found), share(found, 1), share(found, 2), len(many), share(many, 1), share(many, 2), auc)
