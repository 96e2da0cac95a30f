"""ToMi (Le, Boureau and Nickel 2019): where people look for a thing that was moved while they were out, and what others think.

    Oliver entered the porch. Emma entered the porch. The peas is in the red_box. Emma exited the porch.
    Oliver moved the peas to the green_crate. Where will Emma look for the peas? (red_box)

CC BY-NC 4.0 of its authors: it is read where somebody has it, and shipped by nobody here. ``$MEMNET_DATA/families/tomi`` or
``--data`` holds ``tomi_balanced_story_types.zip`` as their repository has it. Splits are by story, kinds by question; both are
those of the ``.trace`` files. Each story has six questions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ..text import FormatError, Story
from .beliefs import FALSE, FIRST, MEMORY, REALITY, SECOND, SECOND_FALSE, TRUE, Files, find_files, order_of, without_second
from .family import Family, Fetch, Name, Task

ARCHIVE = "tomi_balanced_story_types.zip"
FETCH = Fetch(
    "https://github.com/facebookresearch/ToMi, data/tomi_balanced_story_types.zip",
    "0.4 MB",
    "SHA-256 d8389ecf09749b4a49c56752a8ce44afac8c3d363391b5c29c8fa7032613ece6",
)
MEMBERS = {
    "order-2": "what people believe, and what they think that others believe",
    "order-1": "the same stories, learned without questions of what others believe",
}
EACH = 6  # questions of a story
PARTS = ("train", "val", "test")
STORIES = {"true_belief": TRUE, "false_belief": FALSE, "second_order_false_belief": SECOND_FALSE}
QUESTIONS = {"memory": MEMORY, "reality": REALITY} | {
    f"{trace}_order_{person}_{mistaken}": f"{order}, {belief}"
    for trace, order in (("first", FIRST), ("second", SECOND))
    for person in (0, 1)
    for mistaken, belief in (("no_tom", TRUE), ("tom", FALSE))
}


def traced(files: Files, part: str) -> Iterator[tuple[str, Story]]:
    """The stories of a part with their kind, their questions with theirs. Raises :class:`~memnet.tasks.text.FormatError`."""
    stories, traces, name = (
        files.stories(f"fb_all_{part}.txt", EACH),
        f"fb_all_{part}.trace",
        files.name(f"fb_all_{part}.trace"),
    )
    lines = files.text(traces).splitlines()
    asked = sum(len(story.questions) for story in stories)
    if len(lines) != asked:
        raise FormatError(f"{name}:{len(lines)}: {len(lines)} lines for {asked} questions; expected a line for each question")
    kinds = [kinds_of(line, f"{name}:{at}") for at, line in enumerate(lines, 1)]
    asked_of = (order_of(question) for story in stories for question in story.questions)
    for at, ((kind, _), order) in enumerate(zip(kinds, asked_of, strict=True), 1):
        if not kind.startswith(order):
            raise FormatError(
                f"{name}:{at}: the kind is {kind}, but question {at} of fb_all_{part}.txt is of {order}; expected both files "
                f"of one set, get them again from {FETCH.address}"
            )
    for story in stories:
        here, kinds = kinds[: len(story.questions)], kinds[len(story.questions) :]
        questions = (replace(one, kind=kind) for one, (kind, _) in zip(story.questions, here, strict=True))
        yield here[0][1], Story(story.statements, tuple(questions))


def kinds_of(line: str, place: str) -> tuple[str, str]:
    """The kind of a question and of its story. Raises :class:`~memnet.tasks.text.FormatError`."""
    question, story = ["", "", *line.strip().split(",")][-2:]
    if question not in QUESTIONS or story not in STORIES:
        raise FormatError(
            f"{place}: expected the events of a story, the kind of its question, such as first_order_0_tom, and that of the "
            f"story, such as false_belief, with commas between, found {line[-60:]!r}"
        )
    return QUESTIONS[question], STORIES[story]


def load(member: str, seed: int = 0, data: Path | None = None) -> Task:
    """Its own parts to learn from, to choose by and to test on."""
    names = [f"fb_all_{part}.{kind}" for part in PARTS for kind in ("txt", "trace")]
    files = find_files(names, ARCHIVE.removesuffix(".zip"), ARCHIVE, "tomi", "ToMi", FETCH.address, data)
    train, valid = ([story for _, story in traced(files, part)] for part in PARTS[:2])
    if member == "order-1":
        train, valid = without_second(train), without_second(valid)
    splits: dict[str, list[Story]] = {split: [] for split in STORIES.values()}
    for split, story in traced(files, "test"):
        splits[split].append(story)
    return Task(str(Name("tomi", member)), train, {name: told for name, told in splits.items() if told}, files.hash, valid)


FAMILIES = (
    Family("tomi", "what people believe that others believe", MEMBERS, load, "published", fetch=FETCH, licence="CC BY-NC 4.0"),
)
