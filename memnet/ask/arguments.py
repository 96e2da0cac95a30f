"""What Python hands to a network: a story and a question are looked at before they are read, and swapped ones are found out."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Set
from numbers import Real
from reprlib import repr as short

from memnet.ask.parser import Sentence, parse_story
from memnet.ask.splitting import parts_of
from memnet.errors import AskError
from memnet.tasks.text import words
from memnet.tasks.text.remembered import remembered

SWAPPED = (
    "Story and question are swapped: the story comes first. Call ask(story, question), for example "
    "qa.ask('Mary went to the kitchen.', 'Where is Mary?'), or name them: qa(question=..., context=...)."
)
CONTRACTION = re.compile(r"\b(where|what|who|how|when)['’]?s\b", re.IGNORECASE)
AGAIN = re.compile(r"\b(\w+)(?:\s+\1\b){2,}", re.IGNORECASE)
ANYBODY = re.compile(r"^\s*(?:does|do|can|could)\s+(?:any|some)(?:one|body)\s+(?:know|tell\s+me)\b", re.IGNORECASE)


def spelled_out(question: str, known: Container[str]) -> str:
    """A question with "where's", "wheres" and the like as two words, where they are not among the known words themselves.

    A word that is said three times or more stands once. A question that is put to anybody ("does anyone know where Mary is") is
    put to the network.

    >>> spelled_out("Where's Mary's milk?", {"where", "is"}), spelled_out("Where’s Mary?", {"where's"})
    ("Where is Mary's milk?", "Where's Mary?")
    >>> spelled_out("Where is very very very old Mary?", {})
    'Where is very old Mary?'
    """
    question = AGAIN.sub(r"\1", ANYBODY.sub("do you know", question))
    return CONTRACTION.sub(lambda found: f"{found[1]}'s" if f"{found[1].lower()}'s" in known else f"{found[1]} is", question)


def story_statements(story: object) -> list[str]:
    """The statements of a story: of a text its sentences without the questions, of a list the sentences of its items.

    >>> story_statements(["Mary went home.John left.", "Dr. Osei came."])
    ['Mary went home.', 'John left.', 'Dr. Osei came.']

    Raises :class:`AskError` for what is neither a text nor a list of texts.
    """
    if isinstance(story, str):
        return parse_story(story).statements
    if isinstance(story, Set):
        raise AskError("A story is a list, whose sentences are in order; a set has no order.")
    if not isinstance(story, Iterable) or isinstance(story, bytes | bytearray | Mapping):
        raise AskError(f"A story is a text or a list of sentences, not {short(story)}.")
    sentences = []
    for number, sentence in enumerate(story, 1):
        if not isinstance(sentence, str):
            raise AskError(
                f"A story is a text or a list of sentences; sentence {number} is {short(sentence)}, which is no text."
            )
        sentences += parts(sentence)
    return sentences


@remembered(1 << 14)
def parts(text: str) -> list[str]:
    """The sentences of an item that have words, else the item."""
    return [part for part in parts_of(text) if words(part)] or [text]


def check_order(story: object, question: object) -> None:
    """Raise :class:`AskError` where the story only asks and the question only tells: they are swapped."""
    asked = sentences_of(question)
    if not asked or any(sentence.is_question for sentence in asked):
        return
    statements = sentences_of(story)
    if statements and all(sentence.is_question for sentence in statements):
        raise AskError(SWAPPED)


def question_words(question: object) -> tuple[str, ...]:
    """The words of a question. Raises :class:`AskError` for what is no text, and for a text that has none."""
    if not isinstance(question, str):
        raise AskError(f"A question is a text, not {short(question)}.")
    if not (asked := words(question)):
        raise AskError("That is no question: it has no words.")
    return asked


def check_question(question: object) -> None:
    """Raise :class:`AskError` for a question that is no text or has no words, and for several at once: there is one answer."""
    question_words(question)
    asked = [sentence.text for sentence in sentences_of(question) if sentence.is_question and sentence.text.endswith("?")]
    if len(asked) > 1:
        raise AskError(f"These are {len(asked)} questions; ask one after another: {short(asked[0])}, then the next.")


def sentences_of(value: object) -> list[Sentence]:
    """The sentences of a text or of a list of texts, and which of them ask; none of anything else."""
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        value = "\n".join(value)
    return parsed_sentences(value) if isinstance(value, str) else []


@remembered(1 << 12)
def parsed_sentences(text: str) -> list[Sentence]:
    """The sentences of a text's last story."""
    return parse_story(text).sentences


def as_probability(sure: float) -> float:
    """How sure an answer has to be. Raises :class:`AskError` for what is no probability."""
    if not isinstance(sure, Real) or not 0 <= sure <= 1:
        raise AskError(f"How sure an answer has to be is a probability, 0 to 1, not {short(sure)}.")
    return sure


def as_pair(pair: object) -> tuple[object, object]:
    """A story and its question. Raises :class:`AskError` for what is no pair."""
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise AskError(f"What is asked is a pair, (story, question), not {short(pair)}.")
    return pair[0], pair[1]
