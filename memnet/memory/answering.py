"""The answer of a memory: from the facts of its sentences, or by a network that reads what a question leads to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memnet.ask.answer import Answer, listed
from memnet.ask.predictor import Predictor
from memnet.errors import AskError
from memnet.memory.hops import forms
from memnet.memory.long_memory import LongMemory
from memnet.memory.whereabouts import Sentences, from_facts
from memnet.tasks.text import words
from memnet.tasks.text.english import kinds_of_word


def ask_memory(
    memory: LongMemory,
    predictor: Predictor,
    question: str,
    story: Sequence[str] = (),
    runners_up: int = 3,
    reads: int | None = None,
    since: str | None = None,
    until: str | None = None,
) -> Answer:
    """Answer a question about a memory and a ``story`` told after it.

    What was said before ``since`` or after ``until`` is left out. Raises :class:`~memnet.errors.AskError` where nothing is there to answer from.
    """
    if found := from_facts(Sentences(memory, story, since, until), question):
        return replace(found, sure=predictor.sure)
    if missing := unmentioned(memory, question, story):
        why = f"the memory does not mention {listed(missing)}"
        return Answer("", 0.0, [], [], [], {}, 0, unanswerable=1.0, out_of_story_words=missing, reason=why, question=question)
    told = [*memory.before(story, question), *story]
    if not told:
        raise AskError("The memory holds no statement to answer from.")
    return predictor.ask(told, question, runners_up, reads)


def unmentioned(memory: LongMemory, question: str, story: Sequence[str]) -> list[str]:
    """Nouns and names of a question that no sentence of the memory has, nor the story after it."""
    told = {word for text in story for word in words(text)}
    if not memory.extent().sentences:
        return []
    names = [name for name in sorted(memory.retriever.names(question)) if "NOUN" in (kinds_of_word(name) or ("NOUN",))]
    return [
        name
        for name in names
        if name not in told and not any(memory.index.find([form], 1) for form in sorted(forms(memory.index, name)))
    ]
