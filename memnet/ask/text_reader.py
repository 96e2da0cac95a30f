"""How a network takes in stories and questions, before it answers."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, TypeGuard

from memnet.ask.arguments import as_pair, check_order, check_question, spelled_out, story_statements
from memnet.ask.encoded import EncodedStory, encoded_by, with_markers
from memnet.ask.engine import Engine
from memnet.ask.pipeline import Pipeline
from memnet.ask.reasons import typing_errors
from memnet.encode.normalizer import Normalizer
from memnet.encode.vocabulary import Vocabulary
from memnet.errors import AskError
from memnet.tasks.text import words
from memnet.tasks.text.english import in_dictionary

SUGGESTED, NEAREST = 20, 3  # unknown words of a text that get suggestions, and how many each


class TextReader(Pipeline):
    """A network with its vocabulary that reads stories and questions."""

    engine: Engine
    vocabulary: Vocabulary
    known_words: Sequence[str]
    suggested: Any  # :meth:`suggest`, remembered
    reads_english = False  # whether a reader of ordinary English is beside the network

    @cached_property
    def identity(self) -> str:
        """Of the network, see :meth:`~memnet.ask.engine.Engine.identity`."""
        return self.engine.identity()

    def unknown_words(self, *texts: str, normalizer: Normalizer | None = None) -> dict[str, list[str]]:
        """The words of texts that the network does not know, and, of the first twenty, the nearest that it does.

        Where the vocabulary is open they are names, and not unknown. ``normalizer`` is how a question and its story are read.
        """
        if self.vocabulary.markers:
            return {}
        read = self.vocabulary.normalizer if normalizer is None else normalizer
        unknown = dict.fromkeys(word for text in texts for word in read.unknown(text, self.vocabulary.number))
        return {word: self.suggested(word) if place < SUGGESTED else [] for place, word in enumerate(unknown)}

    def suggest(self, word: str) -> list[str]:
        """The known words that are nearest to an unknown one."""
        near = difflib.get_close_matches(word, self.known_words, NEAREST)
        return [self.vocabulary.normalizer.shown(found) for found in near if found != word]

    def typing_errors(self, *texts: str, story: Sequence[str] = ()) -> dict[str, list[str]]:
        """Words of texts, after those of the ``story``, that look like typing errors; none where the vocabulary is not open."""
        return self.real_errors(typing_errors(self.vocabulary, texts, story))

    def errors_after(self, story: EncodedStory, *texts: str) -> dict[str, list[str]]:
        """The same of texts after a story that was read, whose names are known where each has a marker."""
        binding = story.markers
        if binding is None or binding.is_full or story.truncated:
            return self.typing_errors(*texts, story=story.in_memory)
        return self.real_errors(typing_errors(self.vocabulary, texts, names=binding.marker))

    def real_errors(self, found: dict[str, list[str]]) -> dict[str, list[str]]:
        """Those of likely typing errors that are no English words, where ordinary English is read too."""
        return {word: near for word, near in found.items() if not (self.reads_english and in_dictionary(word.lower()))}

    def encode_story(self, story: str | Sequence[str]) -> EncodedStory:
        """Take in a story of statements, oldest first, to be asked about. Raises :class:`AskError`.

        A MemN2N encodes it once and for all, unless it names words for each question anew; the other networks read a story anew
        with every question.
        """
        read = self.read_story(story)
        return read if self.vocabulary.per_question else self.encode(read)

    def encode(self, read: EncodedStory) -> EncodedStory:
        """A story with its memory, where a network makes that before a question."""
        if not self.engine.keeps_stories or self.is_kept(read):
            return read
        return replace(read, memory=self.engine.read(read.as_read), kept_by=self.engine.name)

    def is_kept(self, read: EncodedStory) -> bool:
        """Whether a story has its memory, as this engine makes it."""
        return read.memory is not None and read.kept_by == self.engine.name

    def read_story(self, story: str | Sequence[str]) -> EncodedStory:
        """The statements of a story, not yet encoded; of a text, its sentences. Raises :class:`AskError` without any."""
        statements = [sentence for sentence in story_statements(story) if words(sentence)]
        if not statements:
            raise AskError("The story is empty: tell me something first, for example 'Mary went to the kitchen.'")
        truncated = max(0, len(statements) - self.engine.memory_size)
        binding = self.vocabulary.bind()
        read = [self.vocabulary.normalizer.normalize(statement) for statement in statements]
        read = [*read[:truncated], *with_markers(read[truncated:], binding)]
        unknown, errors = self.unknown_words(*statements[truncated:]), self.typing_errors(*statements[truncated:])
        return EncodedStory(statements, truncated, unknown, read, errors, binding, network=self.identity)

    def read_about(self, read: EncodedStory, question: str) -> EncodedStory:
        """A story that is to be asked a question: of more names than there are markers, those that it is about have one.

        And where interchangeable words or names are named for each question, they are.
        """
        normalizer = self.vocabulary.normalizer
        if normalizer.per_question:
            about = normalizer.about(read.statements, question)
            bound = about.bind(read.statements, question)
            unknown = read.unknown_words if about is normalizer else self.unknown_words(*read.in_memory, normalizer=about)
            as_read = [bound.asked(statement) for statement in read.statements]
            return replace(read, as_read=as_read, binding=bound, unknown_words=unknown)
        if read.binding is None or read.memory is not None or not (self.vocabulary.per_question or read.binding.is_full):
            return read
        binding = self.vocabulary.bind()
        as_read = [*read.statements[: read.truncated], *with_markers(read.statements[read.truncated :], binding, question)]
        return replace(read, as_read=as_read, binding=binding)

    def as_asked(self, story: EncodedStory, question: str) -> tuple[Sequence[str], str]:
        """A story and a question as the network reads them."""
        read = self.vocabulary.normalizer.normalize(question)
        return story.as_read, read if story.binding is None else story.binding.asked(read)

    def read_question(self, question: str) -> str:
        """The question as the network reads it. Raises :class:`AskError` where it cannot be understood at all."""
        check_question(question)
        question = spelled_out(question, self.vocabulary.number)
        if not self.vocabulary.markers:
            asked, unknown = words(question), self.vocabulary.normalizer.unknown(question, self.vocabulary.number)
            if len(words(" ".join(unknown))) == len(asked):
                raise AskError(f"I know none of the words of that question ({', '.join(asked)}).")
        return question

    def read_pair(self, story: Any, question: Any) -> tuple[EncodedStory, str]:
        """A story and a question about it, read. Raises :class:`AskError` where they make no sense, or are swapped."""
        check_order(story, question)
        read = encoded_by(self.identity, story) or self.read_story(story)
        asked = self.read_question(question)
        return self.read_about(read, asked), asked

    def read_on(self, story: EncodedStory, more: Sequence[str]) -> EncodedStory | None:
        """A story that was read, without its memory, with the statements told since; None where it must be read anew.

        It must where there are more statements or names than the network has room for, or words have other names then.
        """
        told, normalizer = [text for text in story_statements(more) if words(text)], self.vocabulary.normalizer
        if normalizer.per_question or len(story.statements) + len(told) > self.engine.memory_size:
            return None
        binding = None if story.markers is None else story.markers.copy()
        as_read = [normalizer.normalize(text) for text in told]
        if binding is not None:
            as_read = [binding.replaced(text) for text in as_read]
            if binding.is_full:
                return None
        return replace(
            story,
            statements=[*story.statements, *told],
            as_read=[*story.as_read, *as_read],
            binding=binding,
            unknown_words=story.unknown_words | self.unknown_words(*told),
            typing_errors=story.typing_errors | self.errors_after(story, *told),
            memory=None,
        )

    def read_pairs(self, asked: Sequence[Any]) -> list[tuple[EncodedStory, str]]:
        """Questions and their stories, read, (story, question) each; what stories begin with in common is read once.

        Raises :class:`AskError`, which names the question by its number from 1.
        """
        pairs, stories = list[tuple[EncodedStory, str]](), self.read_once(asked)
        for number, pair in enumerate(asked, 1):
            try:
                story, question = as_pair(pair)
                check_order(story, question)
                read = stories.get(tuple(story)) if as_texts(story) else None
                pairs.append(self.read_pair(story if read is None else read, question))
            except AskError as error:
                raise AskError(f"question {number}: {error}") from error
        return pairs

    def read_once(self, asked: Sequence[Any]) -> dict[tuple[str, ...], EncodedStory]:
        """The stories that are lists of texts and can be read, each after one that it begins with."""
        firsts = (pair[0] for pair in asked if isinstance(pair, tuple | list) and len(pair) == 2)
        found, last = dict[tuple[str, ...], EncodedStory](), tuple[str, ...]()
        for story in sorted({tuple(first) for first in firsts if as_texts(first)}):
            read = self.read_on(found[last], story[len(last) :]) if last and story[: len(last)] == last else None
            try:
                found[story] = read or self.read_story(story)
            except AskError:  # said of its question
                continue
            last = story
        return found


def as_texts(story: object) -> TypeGuard[Sequence[str]]:
    """Whether a story is a list of texts."""
    return isinstance(story, list | tuple) and all(isinstance(text, str) for text in story)
