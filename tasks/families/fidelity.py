"""How close simulated stories are to the published ones: words, distributions, a classifier, a reader.

Nothing here trains a memory network; what their training makes of simulated stories is a result table of its own.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from importlib import resources
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from ..simulator import ALIASES, VERSION, simulate
from ..simulator.world import OBJECTS, ROOMS, TOWN
from ..text import Story, texts_of, words
from . import FAMILIES, NotAtHand
from .replay import replay

MOST = 2000  # stories of each kind
SIDE = 200  # stories of each kind that a classifier tells apart
SPLITS = 20  # published against published
DRAWS = 5  # simulated against published
EXPECTED = 10  # rarer things than this are not compared as sets
ALPHA = 0.01  # after Holm's correction over all tests
CLASSES = {
    **dict.fromkeys((person.lower() for person in ALIASES), "PERSON"),
    **dict.fromkeys((*ROOMS, *TOWN.places), "PLACE"),
    **dict.fromkeys((*OBJECTS, "pajamas"), "OBJECT"),
    **dict.fromkeys(("gray", "white", "yellow", "green", "red", "blue", "pink"), "COLOUR"),
}


class Comparison(NamedTuple):
    """One task's stories, simulated and published."""

    name: str
    stories: int  # of each kind
    words: list[str]  # that one side has and the other lacks, where it should not by chance; likewise:
    templates: list[str]
    answers: list[str]
    p: dict[str, float]  # of each test, uncorrected
    simulated_auc: float  # mean over draws
    published_auc: float  # mean over splits
    published_limit: float  # their 95th percentile
    simulated_replay: tuple[int, int, int]  # questions, confirmed by a reader, with another answer too
    published_replay: tuple[int, int, int]


def template(line: str) -> str:
    """A line with names, places, objects and colours replaced by their kind, without its number."""
    return " ".join(CLASSES.get(word, word) for word in words(line) if not word.isdigit())


def counted(stories: Iterable[Story], parts: Callable[[Story], Iterable[str]]) -> Counter[str]:
    """How often each part occurs."""
    return Counter(part for story in stories for part in parts(story))


def alone(ours: Counter[str], published: Counter[str]) -> list[str]:
    """What one side has and the other lacks, though as many of it were expected there as make chance no excuse."""
    found = []
    for one, other in ((ours, published), (published, ours)):
        scale = sum(other.values()) / max(1, sum(one.values()))
        found += [part for part, count in one.items() if part not in other and count * scale >= EXPECTED]
    return sorted(found)


class Facts(NamedTuple):
    """What is counted of one story; of its questions one, drawn at random, since those of a story are dependent."""

    length: int
    questions: int
    first_gap: int
    later_gap: int
    answer: str
    number_of_facts: int
    order_of_facts: str
    newest_fact: int  # statements before the question
    oldest_fact: int


def facts(story: Story, draw: Random) -> Facts:
    """See :class:`Facts`."""
    question = draw.choice(story.questions)
    after = [q.after for q in story.questions]
    gaps = [later - sooner for sooner, later in itertools.pairwise(after)] or [0]
    cited = question.supporting_facts
    ranks = {fact: rank for rank, fact in enumerate(sorted(set(cited)))}
    ascending = list(cited) == sorted(cited)
    order = " ".join(str(ranks[fact]) for fact in cited) if len(cited) <= 3 else "ascending" if ascending else "not"
    return Facts(
        length=len(story.statements),
        questions=len(story.questions),
        first_gap=after[0],
        later_gap=draw.choice(gaps),
        answer=question.answer,
        number_of_facts=len(cited),
        order_of_facts=order,
        newest_fact=question.after - max(cited),
        oldest_fact=question.after - min(cited),
    )


def chi_squared(ours: Sequence[Hashable], published: Sequence[Hashable]) -> float:
    """p that both are draws from one distribution; values expected fewer than five times are one value."""
    from scipy.stats import chi2_contingency

    one, other = Counter(ours), Counter(published)
    share = min(len(ours), len(published)) / (len(ours) + len(published))
    common = [value for value in one.keys() | other.keys() if (one[value] + other[value]) * share >= 5]
    table = [[count[value] for value in common] for count in (one, other)]
    rest = [len(ours) - sum(table[0]), len(published) - sum(table[1])]
    if any(rest):
        table = [[*row, left] for row, left in zip(table, rest, strict=True)]
    return float(chi2_contingency(table).pvalue) if len(table[0]) > 1 else 1.0


def p_values(ours: Sequence[Story], published: Sequence[Story], seed: int) -> dict[str, float]:
    """Of every :class:`Facts` field: Kolmogorov-Smirnov for the length, chi-squared for the others."""
    from scipy.stats import ks_2samp

    draw = Random(seed)
    mine, others = ([facts(story, draw) for story in stories] for stories in (ours, published))
    found = {name: chi_squared([getattr(f, name) for f in mine], [getattr(f, name) for f in others]) for name in Facts._fields}
    found["length"] = float(ks_2samp([f.length for f in mine], [f.length for f in others]).pvalue)
    return found


def holm(values: Sequence[float]) -> list[float]:
    """Holm's corrected p of each (Holm 1979): the chance of one so small among all of them is at most this."""
    order = sorted(range(len(values)), key=lambda number: values[number])
    corrected, largest = [0.0] * len(values), 0.0
    for rank, number in enumerate(order):
        largest = max(largest, min(1.0, (len(values) - rank) * values[number]))
        corrected[number] = largest
    return corrected


def area(ours: Sequence[Story], published: Sequence[Story], seed: int) -> float:
    """Area under the curve of gradient boosting that tells ours from theirs, five-fold: 0.5 is chance.

    It sees word n-grams (to three) of the text and the counts of :class:`Facts`.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.model_selection import StratifiedKFold, cross_val_score

    draw = Random(seed)
    stories = [*ours, *published]
    grams = CountVectorizer(ngram_range=(1, 3), min_df=8, max_features=600)
    text = grams.fit_transform(" . ".join(texts_of(story)) for story in stories).toarray()
    counts = [[value for value in facts(story, draw) if isinstance(value, int)] for story in stories]
    seen = np.hstack([text, np.array(counts)]).astype(np.float32)
    labels = np.repeat([1, 0], [len(ours), len(published)])
    boosting = HistGradientBoostingClassifier(max_iter=60, max_leaf_nodes=8, random_state=seed)
    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
    return float(cross_val_score(boosting, seen, labels, cv=folds, scoring="roc_auc").mean())


def published_stories(name: str, data: Path | None) -> list[Story]:
    """The 10k training stories, or the 1k ones where the 10k file is not at hand: never those of a test set."""
    try:
        return FAMILIES["babi-10k"].task(name, 0, data).train
    except NotAtHand:
        return FAMILIES["babi"].task(name, 0, data).train


def compare(name: str, data: Path | None = None, seed: int = 0, splits: int = SPLITS, draws: int = DRAWS) -> Comparison:
    """One task. Raises :class:`~memnet.tasks.families.DataError` where the published text is not at hand."""
    every = published_stories(name, data)
    draw = Random(f"{name} {seed}")
    published = draw.sample(every, min(MOST, len(every)))
    ours: list[Story] = []
    wanted = len(published)
    per_story = sum(len(story.questions) for story in every) / len(every)
    while len(ours) < wanted:  # the last story of a simulated set is cut short, as the last of a file is
        ours += simulate(name, round((wanted - len(ours)) * per_story) + 20, 1_000_000 + seed + len(ours))[:-1]
    ours = ours[:wanted]
    vocabulary, answers = (
        [counted(side, parts) for side in (ours, published)]
        for parts in (lambda s: [w for text in texts_of(s) for w in words(text)], lambda s: [q.answer for q in s.questions])
    )
    templates = [counted(side, lambda story: map(template, texts_of(story))) for side in (ours, published)]
    side = min(SIDE, len(published) // 2)
    against = []
    for split in range(splits):
        two = draw.sample(published, 2 * side)
        against.append(area(two[:side], two[side:], split))
    between = [area(draw.sample(ours, side), draw.sample(published, side), number) for number in range(draws)]
    return Comparison(
        name,
        wanted,
        alone(*vocabulary),
        alone(*templates),
        alone(*answers),
        p_values(ours, published, seed),
        float(np.mean(between)),
        float(np.mean(against)),
        float(np.quantile(against, 0.95)),
        replay(name, ours),
        replay(name, published),
    )


def differences(one: Comparison, corrected: dict[tuple[str, str], float]) -> Iterator[str]:
    """What differs, a sentence each; ``corrected`` has the p of a task's tests."""
    for what, found in (("words", one.words), ("templates", one.templates), ("answers", one.answers)):
        if found:
            yield f"{what} on one side only: {'; '.join(found[:5])}"
    for test in one.p:
        if (p := corrected[one.name, test]) < ALPHA:
            yield f"{test.replace('_', ' ')} differs, p = {p:.4f} after Holm's correction"
    if one.simulated_auc > one.published_limit:
        yield f"a classifier tells them apart, area {one.simulated_auc:.3f} above {one.published_limit:.3f}"
    for kind, (asked, confirmed, _) in (("simulated", one.simulated_replay), ("published", one.published_replay)):
        if confirmed < asked:
            yield f"replay confirms {confirmed} of {asked} {kind} questions"


def check(names: Sequence[str], data: Path | None = None, seed: int = 0, jobs: int = 1, **counts: int) -> tuple[str, list[str]]:
    """The table of all these tasks, as Markdown (``fidelity.md``), and what differs, a sentence each."""
    from joblib import Parallel, delayed

    compared: list[Comparison] = Parallel(n_jobs=jobs)(delayed(compare)(name, data, seed, **counts) for name in names)
    flat = [((one.name, test), p) for one in compared for test, p in one.p.items()]
    corrected = dict(zip([key for key, _ in flat], holm([p for _, p in flat]), strict=True))
    lines = []
    for one in compared:
        test = min(one.p, key=lambda each: one.p[each])
        both = (one.simulated_replay, one.published_replay)
        cells = [
            *(one.name, f"{one.stories}", ", ".join(f"{len(found)}" for found in (one.words, one.templates, one.answers))),
            *(f"{one.p[test]:.3f} ({test.replace('_', ' ')})", f"{corrected[one.name, test]:.2f}"),
            *(f"{value:.2f}" for value in (one.simulated_auc, one.published_auc, one.published_limit)),
            *(f"{confirmed} of {asked}" for asked, confirmed, _ in both),
            *(f"{ambiguous / asked:.1%}" for asked, _, ambiguous in both),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    page = resources.files(__package__).joinpath("fidelity.md").read_text(encoding="utf-8").rstrip()
    facts = {"version": VERSION, "seed": seed, "tests": len(flat), "expected": EXPECTED, "both": 2 * SIDE}
    facts |= {"splits": SPLITS, "draws": DRAWS} | counts
    wrong = [f"{one.name}: {said}" for one in compared for said in differences(one, corrected)]
    return page.format(rows="\n".join(lines), **facts), wrong
