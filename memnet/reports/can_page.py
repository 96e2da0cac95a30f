"""The tables of ``docs/can.md``: how often each kind of story and question is answered right."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from memnet.markdown import markdown_table
from memnet.record.measurements import EnglishScore, Measurement, MemoryScore, NetworkNumber, read_csv
from memnet.reports.memories_page import ALL, OURS, cell
from memnet.reports.templates import render
from memnet.tasks.families import EXAMPLES, number_of

OWN_WORDS = {  # sets of stories that nobody drew, and what they are
    "own words, kept": "in people's own words, as a language model wrote them",
    "own words, kept, --sure 0.5": "the same, where an answer has to be 50 % sure",
    "own words, to develop with": "the like, which it was developed with",
    "everyday stories": "like those of the twenty tasks, in other words",
}
DRAWN = {  # sets of stories that a program drew
    "mixed stories of the world": "mixed: moving, giving, buying, losing, times, counts",
    "mixed stories of the tasks' sentences": "moves of one or two, pronouns, taking, dropping and giving, in the tasks' words",
    "mix T7": "eight people and three things, moves and gifts",
    "mix T12": "the same with more to ask",
    "of these answered right, with 20 lines of small talk": "own words that it answered right, with 20 lines of small talk",
}
LOG = {  # kinds of question about a log, and how each is asked
    "where": "Where is the drill?",
    "has": "Who has the drill?",
    "before": "Where was the drill before the workshop?",
    "when": "When was the drill moved to the workshop?",
    "mover": "Who moved the drill last?",
    "had": "Who had the drill last?",
    "often": "How often was the drill moved?",
    "person": "Where is Ines?",
    "nobody has": "Who has the drill? (nobody)",
    "never mentioned": "Where is the anchor? (never mentioned)",
    "never there": "When was the drill moved to the roof? (it never was)",
}
FACTS = {
    "single hop": "one fact, the newest of several",
    "2 hops": "two facts put together",
    "3 hops": "three facts put together",
    "4 hops": "four facts put together",
    "never told": "what no line says",
}
CONVERSATIONS = {
    "single hop": "one remark",
    "several hops": "several remarks put together",
    "time": "when something was",
    "open domain": "what common sense adds to a remark",
    "adversarial": "what nobody said",
}


def with_makers(head: list[str], rows: list[list[str]], lines: Sequence[Measurement]) -> str:
    """A table whose first columns are words, and below it what measured it."""
    words = "ll" if head[1] == "asked" else "l"
    return render("memories", table=markdown_table(head, rows, words + "r" * (len(head) - len(words))), lines=lines)


def stories(results: Path, named: dict[str, str]) -> str:
    """A row for each set of stories: how many questions, and the percent right, wrong and refused."""
    lines = {one.set: one for one in read_csv(results / "everyday.csv", EnglishScore)}
    found = [(title, lines[name]) for name, title in named.items() if name in lines]
    rows = [[title, f"{one.questions:,}", *map(cell, (one.right, one.wrong, one.refused))] for title, one in found]
    return with_makers(["stories", "questions", "right", "wrong", "refused"], rows, [one for _, one in found])


def of_tasks(results: Path) -> str:
    """A row for each of the twenty tasks: the percent right of stories like it in other words."""
    lines = [one for one in read_csv(results / "open.csv", NetworkNumber) if one.measure == "everyday"]
    by_task = {one.subject: one for one in lines}
    rows = [
        [f"{number_of(task)} {title}", str(found.questions), cell(found.value, ".0f")]
        for task, title in EXAMPLES.members.items()
        if (found := by_task.get(str(number_of(task))))
    ]
    return with_makers(["stories like those of task", "questions", "right"], rows, [*lines])


def kinds(results: Path, benchmark: str, named: dict[str, str]) -> str:
    """A row for each kind of question to a memory, for the text with most questions: the percent right, or rightly refused."""
    lines = [one for one in read_csv(results / "memories.csv", MemoryScore) if (one.benchmark, one.system) == (benchmark, OURS)]
    most = max((one.questions, place) for place, one in enumerate(lines) if one.kind == ALL)[1]
    here = {one.kind: one for one in lines if one.set == lines[most].set}
    rows = []
    for kind, example in named.items():
        one = here.get(kind)
        if one is not None:
            rows.append([kind, example, str(one.questions), *map(cell, (one.right, one.rightly_refused))])
    head = ["kind", "asked", "questions", "right", "rightly refused"]
    return with_makers(head, rows, [*here.values()])
