"""BABILong (Kuratov et al. 2024, arXiv 2406.10149): a bAbI story scattered through books, so that its facts are far apart.

    She was a very pretty woman. Mary travelled to the office. The carriage stopped. ... Where is Mary?

``babilong/qa1@3`` trains on the stories of ``babi/qa1`` and tests on splits by length in GPT-2 tokens (0k to 8k, 100 questions
each; ``memnet bench babilong`` goes to ten million). The books are a folder ``background/test`` where the published text is.
"""

from __future__ import annotations

from pathlib import Path

from ..babilong import LENGTHS, Sample, samples
from ..text import Question, Story
from ..text.background import Background
from .archive import places
from .babi import FETCH, TITLES, published
from .family import Family, Name, NotAtHand, Task

BOOKS = Path("background") / "test"
SPLITS = ("0k", "1k", "2k", "4k", "8k")
QUESTIONS = 100  # of a split
PRINTED, UNPRINTED = (
    tuple(TITLES)[:5],
    tuple(TITLES)[5:],
)  # members whose figures other systems print, and those that none prints


def books(data: Path | None) -> Background:
    """The books to scatter stories in. Raises :class:`NotAtHand` where there are none."""
    looked = [folder / BOOKS for _, folder in places(data)]
    for folder in looked:
        if folder.is_dir():
            return Background.read(folder)
    raise NotAtHand(f"BABILong needs books as .txt files, and there is no {' or '.join(map(str, looked))}; put some there")


def told(sample: Sample, background: Background) -> Story:
    """A sample as a story of all its sentences, with its one question."""
    lines = list(sample.text(background))
    place = {number: at for at, (_, number) in enumerate(lines) if number >= 0}
    facts = tuple(place[fact] for fact in sample.question.supporting_facts)
    question = Question(sample.question.text, sample.question.answer, facts, len(lines))
    return Story(tuple(sentence for sentence, _ in lines), (question,))


def scattered(member: str, seed: int = 0, data: Path | None = None) -> Task:
    """One task's test questions at every length; its hash is that of the stories, whatever the books."""
    task, background = published("babi", member, 0, data), books(data)
    splits = {
        split: [told(one, background) for one in samples(member, task.test, background, LENGTHS[split], QUESTIONS, seed)]
        for split in SPLITS
    }
    return Task(str(Name("babilong", member, seed)), task.train, splits, task.hash)


FAMILIES = (
    Family(
        "babilong",
        "bAbI's stories scattered through books",
        TITLES,
        scattered,
        "scattered",
        seeds=range(1_000_000),
        fetch=FETCH,
        licence="CC BY 3.0; of the books, whoever brings them",
    ),
)
