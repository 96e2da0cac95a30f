"""Which of two answers to a question about a log is given: that of facts and stories, or that of entries read one by one."""

from __future__ import annotations

from dataclasses import replace

from memnet.ask.answer import Answer
from memnet.facts.names import key_of
from memnet.memory.entrywise.answers import from_entrywise
from memnet.memory.sentences import Sentences

ALONE = 0.5  # how likely an answer of entries must be where there is no other
AGAINST = 0.8  # how likely compared with another that is given
CLEAR = 0.97  # another that is so likely stands


def with_entries(first: Answer, sentences: Sentences, question: str, sure: float) -> Answer:
    """An answer, or that of the entries of a log where there is none, or where it is the surer one."""
    if not sentences.memory.extent().times or (first.answerable and first.probability >= CLEAR):
        return first
    second = from_entrywise(sentences, question)
    if second is None or not second.answer:
        return first
    second = replace(second, sure=max(sure, ALONE))
    if not first.answerable:
        return second if second.answerable else first
    if key_of(first.text) == key_of(second.text) or second.probability < AGAINST * first.probability:
        return first
    return second if second.answerable else first
