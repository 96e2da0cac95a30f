"""A network called as question answering pipelines are: one question or several, in dicts or by name.

qa(question="Where is Mary?", context="Mary went home. John left.")["answer"]
qa(question=["Where is Mary?", "Where is John?"], context=["Mary went home.", "John left."])   a context a question
qa([{"question": "Where is Mary?", "context": "Mary went home."}], top_k=2)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from reprlib import repr as short
from typing import Any, overload

from memnet.ask.answer import Answer
from memnet.ask.arguments import check_order, check_question
from memnet.ask.encoded import EncodedStory
from memnet.errors import AskError

Context = str | Sequence[str] | EncodedStory


class Pipeline(ABC):
    """What is asked about a story can be called as a pipeline."""

    @abstractmethod
    def ask_many(
        self, asked: Sequence[tuple[Context, str]], runners_up: int = 0, reads: int | None = 1, batch: int = 128
    ) -> list[Answer]:
        """Answer many questions, (story, question) each."""

    @abstractmethod
    def ask(self, story: Context, question: str, runners_up: int = 3, reads: int | None = None) -> Answer:
        """Answer a question about a story."""

    @overload
    def __call__(self, question: str, context: Context, *, runners_up: int = 3, reads: int | None = None) -> Answer: ...

    @overload
    def __call__(
        self, question: Any, context: Any = None, *, top_k: int = 1, runners_up: int = 3, reads: int | None = None
    ) -> Any: ...

    def __call__(
        self, question: Any, context: Any = None, *, top_k: int = 1, runners_up: int = 3, reads: int | None = None
    ) -> Any:
        """Answer a question about a context, as question answering pipelines are called: :meth:`ask`, named.

        The context is a text, a list with a statement an item, oldest first, or a story that ``encode_story`` took in. Several
        questions are a list, about one text or with a context each, or a list of dicts with ``question`` and ``context``; their
        answers are a list. With ``top_k`` above 1 an answer is a list of at most so many, the likeliest first.
        ``answer["answer"]`` and ``answer["score"]`` are the answer and the probability that it is right. Raises
        :class:`AskError`.
        """
        if type(top_k) is not int or top_k < 1:
            raise AskError(f"top_k is how many answers to give, 1 or more, not {short(top_k)}.")
        several = isinstance(question, list | tuple)
        asked = pairs_of(question, context)
        most = max(runners_up, top_k - 1) if top_k > 1 else runners_up
        answers = self.ask_many(asked, most, reads) if several else [self.ask(*asked[0], most, reads)]
        found = [answer if top_k == 1 else answer.ranked(top_k) for answer in answers]
        return found if several else found[0]


def pairs_of(question: Any, context: Any) -> list[tuple[Any, Any]]:
    """What is asked as (story, question) each. Raises :class:`AskError` where it cannot be told which context is whose."""
    check_order(context, question)
    if isinstance(question, Mapping):
        return [pair_of_dict(question, context)]
    if not isinstance(question, list | tuple):
        check_question(question)
        return [(context, question)]
    if question and all(isinstance(one, Mapping) for one in question):
        return [pair_of_dict(one, context) for one in question]
    for one in question:
        check_question(one)
    if isinstance(context, list | tuple):
        if len(context) != len(question):
            raise AskError(
                f"{len(question)} questions and {len(context)} contexts: give each question its own, or one text for all; "
                "a list of statements is a context in a list of such."
            )
        return list(zip(context, question, strict=True))
    return [(context, one) for one in question]


def pair_of_dict(asked: Mapping[str, Any], context: Any) -> tuple[Any, Any]:
    """A story and a question out of a dict. Raises :class:`AskError`."""
    if context is not None or not {"question", "context"} <= asked.keys():
        raise AskError(f"What is asked is a dict with question and context, and nothing beside it, not {short(asked)}.")
    return asked["context"], asked["question"]
