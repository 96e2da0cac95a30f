"""A story that goes on: what was told since is read, and what was read before is kept.

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
    statements, normalizer = [*story.statements, *told], predictor.vocabulary.normalizer
    goes_on = predictor.engine.looks_back and predictor.is_kept(story) and story.network == predictor.identity
    if not goes_on or normalizer.per_question or len(statements) > predictor.engine.memory_size:
        return predictor.encode_story(statements)
    binding = None if story.markers is None else story.markers.copy()
    as_read = [normalizer.normalize(text) for text in told]
    if binding is not None:
        as_read = [binding.replaced(text) for text in as_read]
        if binding.is_full:
            return predictor.encode_story(statements)
    return replace(
        story,
        statements=statements,
        as_read=[*story.as_read, *as_read],
        binding=binding,
        unknown_words=story.unknown_words | predictor.unknown_words(*told),
        typing_errors=story.typing_errors | predictor.typing_errors(*told, story=story.statements),
        memory=predictor.engine.read_on(story.memory, as_read),
    )


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
