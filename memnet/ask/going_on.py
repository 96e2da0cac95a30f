"""A story that goes on: statements since then are read, and what was read before is kept.

qa = load()
story = qa.encode_story(["Mary went to the kitchen."])
story = going_on(qa, story, ["John moved to the garden."])   # costs one statement
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memnet.ask.arguments import story_statements
from memnet.ask.encoded import EncodedStory
from memnet.ask.predictor import Predictor
from memnet.tasks.text import words


def going_on(predictor: Predictor, story: EncodedStory, more: Sequence[str]) -> EncodedStory:
    """An encoded story with the statements told since.

    It is read anew by a network whose statements look ahead, and where there are more statements or names than it has room for.
    Raises :class:`~memnet.errors.AskError` for what is no text.
    """
    told = [text for text in story_statements(more) if words(text)]
    if not told:
        return story
    goes_on = predictor.engine.looks_back and predictor.is_kept(story) and story.network == predictor.identity
    read = predictor.read_on(story, told) if goes_on else None
    if read is None:
        return predictor.encode_story([*story.statements, *told])
    return replace(read, memory=predictor.engine.read_on(story.memory, read.as_read[len(story.as_read) :]))


class Telling:
    """The story of a conversation as a network has read it: it grows with the story, and begins again with another."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.story: EncodedStory | None = None

    def about(self, predictor: Predictor, story: Sequence[str], question: str) -> Sequence[str] | EncodedStory:
        """The story, to ask the question about; its statements where another reader than the network may answer.

        Raises :class:`~memnet.errors.AskError` where there is no story.
        """
        english = predictor.english
        if not predictor.engine.looks_back or (english is not None and not english.is_task(story, question)):
            return story
        known = self.story is not None and self.told == list(story[: len(self.told)])
        if known and self.story is not None and self.story.network == predictor.identity:
            self.story = going_on(predictor, self.story, story[len(self.told) :])
        else:
            self.story = predictor.encode_story(story)
        self.told = list(story)
        return self.story
