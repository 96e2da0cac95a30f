"""Answers of a memory from the facts of its sentences: who and what is where, was where, and who has it.

A network reads the facts of the sentences that a question's names find, and hops over these answer (:mod:`memnet.facts`).
"""

from __future__ import annotations

import re
from dataclasses import replace

from memnet.ask.answer import Answer, Read, spaced
from memnet.ask.factual import as_answer
from memnet.facts.answers import SURE_OF_KIND, answer
from memnet.facts.kinds import NONE
from memnet.facts.names import NAMELESS, key_of
from memnet.facts.reader import FactReader
from memnet.facts.results import MOST_SUPERSEDED, FactAnswer, found
from memnet.facts.timeline import Event, Holding, Timeline
from memnet.memory.order import parted
from memnet.memory.sentences import Sentences
from memnet.memory.takers import who_took
from memnet.memory.times import moment, moment_after
from memnet.memory.values import Held
from memnet.memory.verbs import verbs_of
from memnet.tasks.text.tokens import split

CONDITIONS = ("fault", "mended", "missing")  # kinds of facts that mean the same whatever their verb; "cleaned" is not "tested"
RELATED = ("where", "what has", "what is out", "who is in", "what is in")
WHICH = re.compile(r"\s*(?:which|what)\s", re.IGNORECASE)
ENDS = frozenset(("first", "last", "before", "after"))
STATES = ("where", "where before", "who has", "is in", "who is in", "what is in", "what has", "how many has", "does have")


def from_facts(sentences: Sentences, question: str) -> Answer | None:
    """The answer from facts; ``None`` where a question asks for something else, or no fact is of whom it asks about."""
    timeline = Timeline(sentences, FactReader.load(), of_times=bool(sentences.memory.extent().times))
    said = who_took(timeline, question) or answer(timeline, question)
    if said is None or (said.text == "nothing" and not said.evidence and question.lower().startswith("which")):
        return None  # "Which club is Ann in?" does not ask what she has
    return told_by(said, sentences, question)


def held_within(sentences: Sentences, question: str, since: str, until: str) -> Answer | None:
    """Everybody who had a thing between two times, one after another; ``None`` where nobody had, or it is not asked."""
    asked, _ = FactReader.load().question(question)
    if asked.kind not in ("who has", "had first", "had last") or not ENDS.isdisjoint(map(str.lower, split(question))):
        return None
    timeline = Timeline(sentences, FactReader.load(), of_times=True)
    holders = timeline.holders(key_of(asked.text("what")))
    begins = [moment(sentences.held[one.event.number].when or "") for one in holders]
    first, end = moment(since), moment_after(until)
    if first is None or end is None:
        return None
    had = list[Holding]()
    for number, (one, begin) in enumerate(zip(holders, begins, strict=True)):
        after = next(filter(None, begins[number + 1 :]), None)
        if one.holder and begin is not None and begin < end and (after is None or after > first):
            had.append(one)
    names = dict.fromkeys(one.holder for one in had)
    return told_by(found(",".join(names), [one.event for one in had], asked), sentences, question) if names else None


def from_condition(sentences: Sentences, question: str) -> Answer | None:
    """Who mended a thing, when it broke, how often it went missing, where no sentence has the question's verb; else None."""
    asked, deed = FactReader.load().question(question)
    if deed not in CONDITIONS or asked.probability < SURE_OF_KIND:
        return None
    said = from_facts(sentences, question)
    return said if said is not None and said.answer else None


def asked_about(sentences: Sentences, question: str, most: int) -> list[Held]:
    """The newest sentences that name whom or what a question of whereabouts asks about; none where it is no such question."""
    asked, _ = FactReader.load().question(question)
    named = asked.text("what") or asked.text("who")
    return sentences.holding(split(named))[-most:] if asked.kind != NONE and named else []


def asks_of_a_state(question: str) -> bool:
    """Whether a question asks what is so at a time, not what was done: where somebody is, who has it, or what it is."""
    asked, _ = FactReader.load().question(question)
    if asked.kind != NONE and asked.probability >= SURE_OF_KIND:
        return asked.kind in STATES
    low = [word.lower() for word in split(question)]
    return "did" not in low and not any(verbs_of(word) - {"be", "have", "do"} for word in low)


def asks_where_before(question: str) -> bool:
    """Whether a question asks where something was before."""
    return FactReader.load().question(question)[0].kind == "where before"


def may_be_of_a_relation(question: str) -> bool:
    """Whether a question that was read as one of whereabouts may ask what relations hold: "Which city was Ann born in?" """
    asked, _ = FactReader.load().question(question)
    return bool(WHICH.match(question)) and asked.kind in RELATED


def is_carried_there(sentences: Sentences, question: str, answer: str) -> bool:
    """Whether a question asks where somebody is, and facts say that they carry the answer: so it is no place."""
    asked, _ = FactReader.load().question(question)
    holder = from_facts(sentences, f"Who has the {answer}?") if asked.kind == "where" else None
    return holder is not None and key_of(holder.answer) == key_of(asked.text("what") or asked.text("who"))


def not_named(sentences: Sentences, question: str) -> list[str]:
    """Whom or what a question of whereabouts names, and no sentence does."""
    asked, _ = FactReader.load().question(question)
    named = [asked.text(role) for role in ("who", "what") if asked.kind != NONE]
    return [name for name in named if name and name.lower() not in NAMELESS and not sentences.holds(key_of(name))]


def told_by(found: FactAnswer, sentences: Sentences, question: str) -> Answer:
    """As an answer whose story is what it was read from, with where and when it was said."""
    held = sentences.held
    if found.number is not None:
        text = spaced(str(held[found.number].when or "")) or found.text
        found = replace(found, text=text, why="" if text else "nothing says when")
    said = {event.number: event for event in (*(stay.by[0] for stay in found.earlier), *found.evidence)}
    one_of = {number: held.get(number, Held(number, event.text)) for number, event in said.items()}
    read_first = [one_of[event.number] for event in found.evidence]
    earlier = [(one_of[stay.by[0].number], found.says_otherwise(stay)) for stay in found.earlier]
    others = [some[:MOST_SUPERSEDED] for some in parted(max(read_first), earlier)] if read_first else [[], []]
    story = sorted({*read_first, *others[0], *others[1]})
    place = {one.number: at for at, one in enumerate(story, 1)}

    def read(event: Event) -> Read:
        one = one_of[event.number]
        return Read(place[one.number], one.text, event.fact.probability, one.when or "", one.source, one.line)

    superseded, contradicting = ([read(said[one.number]) for one in some] for some in others)
    told = as_answer(replace(found, earlier=()), question, [one.text for one in story], read)
    return replace(told, superseded=superseded, contradicting=contradicting)
