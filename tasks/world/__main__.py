"""Print stories with their questions: ``python -m memnet.tasks.world --stories 5 --seed 1 --mix T7``."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

from ..files import DataError
from .complaints import complaints
from .dials import MIXES, Dials
from .story import draw
from .texts import Story
from .told import draw_told


def show(story: Story) -> str:
    """A story, readable: questions stand where they are asked."""
    lines = []
    questions = list(story.questions)
    for number, statement in enumerate(story.statements):
        lines.append(f"{number:3} {statement.text}")
        while questions and questions[0].after == number + 1:
            question = questions.pop(0)
            answer = question.answer
            spans = " ".join(f"{at}:{first}-{last}" for at, first, last in answer.spans)
            more = "; ".join(
                part
                for part in (spans, answer.reason, f"by {', '.join(map(str, question.evidence))}" if question.evidence else "")
                if part
            )
            lines.append(f"      {question.text}  ->  {answer.text}   [{question.kind}; {more}]")
    return "\n".join(lines)


def checked(files: Sequence[Path]) -> int:
    """Print what is wrong with files of templates; 1 where anything is."""
    found = [f"{file}: {one}\n" for file in files for one in complaints(file.read_text(encoding="utf-8"))]
    sys.stdout.writelines(found)
    return int(bool(found))


def main() -> None:
    """Print stories, or how many questions a second there are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stories", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--mix", choices=sorted(MIXES), help="the words and families of a published task or mix")
    parser.add_argument("--statements", type=int, nargs=2, metavar=("LEAST", "MOST"))
    parser.add_argument("--families", nargs="*", default=())
    parser.add_argument("--told", action="store_true", help="stories written as templates, instead")
    parser.add_argument("--check", type=Path, nargs="+", metavar="FILE", help="say what is wrong with files of templates")
    parser.add_argument("--count", action="store_true", help="count kinds of question and answer, and questions a second")
    given = parser.parse_args()
    if given.check:
        raise SystemExit(checked(given.check))
    dials = MIXES[given.mix] if given.mix else Dials(families=tuple(given.families))
    if given.statements:
        dials = Dials(**{**dials.__dict__, "statements": tuple(given.statements)})
    random = Random(given.seed)
    started = time.process_time()
    if not given.count:
        for _ in range(given.stories):
            sys.stdout.write(show(draw_told(random) if given.told else draw(random, dials)) + "\n\n")
        return
    kinds: Counter[str] = Counter()
    answers: Counter[str] = Counter()
    statements = 0
    for _ in range(given.stories):
        story = draw(random, dials)
        statements += len(story.statements)
        kinds.update(question.kind for question in story.questions)
        answers.update(question.answer.kind for question in story.questions)
    asked, seconds = sum(kinds.values()), time.process_time() - started
    sys.stdout.write(
        f"{given.stories} stories, {statements} statements, {asked} questions, {asked / seconds:.0f} questions a second\n"
    )
    for counter in (kinds, answers):
        sys.stdout.write(", ".join(f"{name} {count}" for name, count in counter.most_common()) + "\n")


if __name__ == "__main__":
    try:
        main()
    except DataError as error:
        raise SystemExit(f"error: {error}") from error
