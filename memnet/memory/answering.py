"""The answer of a memory: from facts of whereabouts, from relations, or by a network that reads what the question leads to.

1. The statements that the retriever keeps, read by a network of the twenty tasks, where they are a story of a task.
2. Facts: who and what is where, was where, and who has it (:mod:`~memnet.memory.whereabouts`).
3. Tables: cells, rows, counts and comparisons (:mod:`~memnet.memory.tables`); of fields without the head of a table, one row
   (:mod:`~memnet.memory.fields`), or which rows have a value (:mod:`~memnet.memory.rows`).
4. Relations: "The capital of X is Y", over several hops (:mod:`~memnet.memory.relations`).
5. What no sentence mentions is refused.
6. The entries that fit the question best, read by the reader of ordinary English (:mod:`~memnet.memory.in_english`), which is
   also asked beside facts; of two answers the surer one is given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import islice
from typing import NamedTuple

from memnet.ask.answer import Answer, listed
from memnet.ask.arguments import question_words
from memnet.ask.predictor import Predictor
from memnet.ask.untold import why_untold
from memnet.errors import AskError
from memnet.facts.names import key_of
from memnet.memory.aliases import rewritings
from memnet.memory.clocks import OF_A_LABEL, no_time, weekday_of
from memnet.memory.dates import Dated, dated
from memnet.memory.deeds import asks_how_often, asks_of_a_deed, from_deeds, is_of_a_deed
from memnet.memory.deliveries import from_deliveries
from memnet.memory.either import either
from memnet.memory.entrywise.ranked.answering import known_otherwise, ranked
from memnet.memory.fields import FIELD, from_fields
from memnet.memory.files import TIMES
from memnet.memory.in_english import (
    are_all_facts,
    are_fields,
    asks_of_the_past,
    from_entries,
    has_many,
    has_unread,
    in_english,
    nouns_of,
    placed,
    read_of,
    said_so,
    was_never_there,
)
from memnet.memory.long_memory import LongMemory, visible
from memnet.memory.notes import labels
from memnet.memory.places import as_where
from memnet.memory.related import from_relations, is_plain, related_of
from memnet.memory.relations import RelationAnswer
from memnet.memory.rows import from_rows
from memnet.memory.sentences import Sentences
from memnet.memory.tables.answers import from_tables
from memnet.memory.unmentioned import codes_nowhere, is_nowhere, unmentioned
from memnet.memory.values import Held
from memnet.memory.wanted import WHETHER, kind_of
from memnet.memory.weighing import (
    of_its_kind,
    of_its_thing,
    refusal,
    says_the_deed,
    weighed,
)
from memnet.memory.whereabouts import (
    asks_of_a_state,
    asks_where_before,
    from_condition,
    from_facts,
    held_within,
    is_carried_there,
    may_be_of_a_relation,
    not_named,
)
from memnet.tasks.text.english import QUESTION_WORDS
from memnet.tasks.text.tokens import split

CLEAR = 0.9  # what the network of the tasks makes of a crowd, and is less likely, facts answer, where they do
SURE = 0.5  # answers from a memory that are less likely than not are refused
LOOKED_AT = 1000  # times of a memory by which it is known whether they have times of day
SAID = frozenset(':"“”')  # marks of what somebody says: no statement of a task has them
LONGEST_QUESTION = 2000  # characters
LONGEST_STORY = 100  # statements of a story of a task, about


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

    What was said before ``since`` or after ``until`` is left out. Raises :class:`~memnet.errors.AskError` where nothing is
    there to answer from, for a question without words, and for several at once.
    """
    question_words(question)
    question = visible(question)
    if len(question) > LONGEST_QUESTION:
        raise AskError(f"The question has {len(question):,} characters; ask one of at most {LONGEST_QUESTION:,}.")
    check_is_one(question)
    in_table = None if story else from_tables(memory, question, since, until)
    if in_table is not None and in_table.stands(memory) and (in_table.answer.answerable or not (since or until)):
        return replace(in_table.answer, sure=predictor.sure)
    last, has_clocks, has_weekdays = times_of(memory)
    if has_clocks and (odd := no_time(question)):
        return refusal(question, f"{odd} is no time of day")
    asked = None if since or until else dated(question, last, has_clocks, has_weekdays)
    over = partial(Sentences, memory, story, aliases=rewritings(memory, question))
    if asked is None:
        return answer_over(over(since, until), predictor, question, question, runners_up, reads)
    of_state = asks_of_a_state(asked.then)
    if asked.since and asked.until and not (asked.day or asked.clock):
        everybody = over()
        if (had := held_within(everybody, asked.question, asked.since, asked.until)) is not None:
            return everybody.as_it_was_told(had)
    if of_state:
        clock = asked.clock if last is None else None
        sentences = over(None, asked.until_then(last), asked.day, clock)
    else:
        sentences = over(asked.since, asked.until, asked.day, asked.clock)
    said = answer_over(sentences, predictor, asked.then if of_state else asked.question, question, runners_up, reads)
    if said.answerable:
        return said
    words = asked.words()
    if words and memory.index.find(words, 1):  # "The shop opens at noon"
        as_it_stands = answer_over(over(), predictor, question, question, runners_up, reads)
        told = {*words, *key_of(as_it_stands.answer), *nouns_of(asked.question)}
        said_in = (read.sentence for read in as_it_stands.evidence)
        if as_it_stands.answerable and any(told <= {*key_of(text), *map(str.lower, split(text))} for text in said_in):
            return as_it_stands
    return of_its_time(said, asked)


def check_is_one(question: str) -> None:
    """Raise :class:`~memnet.errors.AskError` for several questions at once: there is one answer."""
    asked = [part.strip() for part in question.split("?") if any(map(str.isalnum, part))]
    if len(asked) > 1 and all(part.split()[0].lower() in QUESTION_WORDS for part in asked):
        raise AskError(f"These are {len(asked)} questions; ask one after another: {asked[0] + '?'!r}, then the next.")


def answer_over(
    sentences: Sentences, predictor: Predictor, asked: str, question: str, runners_up: int, reads: int | None
) -> Answer:
    """The answer to a question as it is ``asked`` of sentences, with these as they stand, of the kind that it asks for."""
    if (chosen := either(asked, lambda one: answer_over(sentences, predictor, one, one, runners_up, reads))) is not None:
        return chosen
    found = of_its_kind(of_its_thing(answer_from(sentences, predictor, asked, runners_up, reads), asked), question)
    if sentences.memory.extent().times:
        known = known_otherwise(sentences, asked, question, found, predictor.sure)
        found = ranked(sentences, asked, question, known, predictor.sure)
    return sentences.as_it_was_told(found)


def times_of(memory: LongMemory) -> tuple[date | None, bool, bool]:
    """The day of the last sentence of a memory, and whether its sentences have times of day, and weekdays."""
    extent = memory.extent()
    last = memory.order(extent).last
    first = [when for _, when in islice(labels(memory.folder, TIMES, extent.times), LOOKED_AT)]
    weekdays = any(weekday_of(when) is not None for when in first)
    return None if last is None else last.date(), any(map(OF_A_LABEL.search, first)), weekdays


def of_its_time(refused: Answer, asked: Dated) -> Answer:
    """A refusal that names the day or the month, where a question names one and the memory knows of whom it asks."""
    said = asked.said()
    return refused if refused.out_of_story_words or not said else replace(refused, reason=f"nothing {said} answers it")


def answer_from(sentences: Sentences, predictor: Predictor, question: str, runners_up: int, reads: int | None) -> Answer:
    """The answer from the sentences as they are to be read."""
    memory, story, sure = sentences.memory, sentences.story, max(predictor.sure, SURE)
    if not story and memory.extent().sentences == len(memory.files.marks.struck):
        raise AskError("The memory holds no statement to answer from.")
    limited = sentences.since or sentences.until or sentences.clock
    about = [] if limited else sentences.in_time(Held(*one) for one in memory.about(question, story))
    told = [] if limited else [*(one.text for one in about), *story]
    in_table = from_fields(sentences, question)
    in_a_row = in_table is not None and not in_table.refused
    asked, question = question, question if in_a_row else as_where(question)
    if not in_a_row and (said := at_once(sentences, question, in_table is None and not limited)) is not None:
        return said
    is_book = sentences.gated and not memory.extent().times  # its entries are no log's

    def weigh(answer: Answer) -> Answer:
        """An answer from facts, or what the reader of ordinary English makes of the entries."""
        if is_book or (answer.answerable and asks_how_often(question)):
            return answer
        if (answer.answerable or asks_of_the_past(question)) and has_many(sentences, question):
            return answer
        if not answer.answerable and was_never_there(sentences, question):
            return answer
        read = read_of(sentences, question)
        if are_all_facts(read, question) or has_unread(read, answer):
            return answer
        if answer.answerable and answer.probability >= CLEAR and are_all_facts(read, question, thing=True):
            return answer
        second = said_so(from_entries(read, question, runners_up, reads, predictor.sure), question)
        return answer if of_a_deed and not says_the_deed(second, question) else weighed(answer, second, question)

    def of_book(sure: float) -> Answer | None:
        """What the reader makes of a book."""
        return from_entries(read_of(sentences, question), question, runners_up, reads, sure)

    of_a_deed = not in_a_row and is_of_a_deed(question)
    deed_alone = not in_a_row and asks_of_a_deed(question)
    if deed_alone and (done := from_deeds(sentences, question) or from_condition(sentences, question)) is not None:
        return done
    nobody = not_named(sentences, question)
    named = not nobody or (sentences.gated and not unmentioned(memory, question, story))  # else the question was misread
    crowded = bool(told) and named and sentences.crowded(memory.retriever.names(" ".join([question, *told])))
    not_read = of_a_deed or (crowded and is_of_a_task(told, question, None, crowded))
    found = None if not_read else said_so(from_facts(sentences, question), question)
    if not in_a_row and named and is_of_a_task(told, question, found, crowded):
        held = memory.held([sentences.order.number(one.number) for one in about])
        of_task = placed(of_the_memory(predictor.ask(told, question, runners_up, reads), memory, question, story), held)
        if of_task.answerable and (are_fields(of_task) or is_untold(of_task.answer, question, told)):
            return refusal(question)
        if not_read and of_task.probability < CLEAR and asks_where_before(question):
            said = said_so(from_facts(sentences, question), question)
            return of_task if said is None or not said.answer else replace(said, sure=sure)
        if found is None and is_carried_there(sentences, question, of_task.answer):
            return refusal(question)
        return of_task if found is None or found.answer != of_task.answer else replace(found, sure=sure)
    rest = Rest(sentences, predictor, question, asked, weigh, of_book, nobody, deed_alone, of_a_deed, is_book)
    return from_the_rest(rest, found, in_table, in_a_row)


class Rest(NamedTuple):
    """What is known of a question that no network of a task answered."""

    sentences: Sentences
    predictor: Predictor
    question: str
    asked: str  # as it stood before "in which room" became "where"
    weigh: Callable[[Answer], Answer]
    of_book: Callable[[float], Answer | None]
    nobody: list[str]  # whom or what it names, and no sentence does
    deed_alone: bool
    of_a_deed: bool
    is_book: bool


def from_the_rest(rest: Rest, found: Answer | None, in_table: RelationAnswer | None, in_a_row: bool) -> Answer:
    """The answer from facts that were found, fields, relations, deeds or entries, in this order."""
    sentences, predictor, question, asked, weigh, _, nobody, deed_alone, of_a_deed, _ = rest
    sure = max(predictor.sure, SURE)
    if found is not None and found.answer and (in_table is None or is_newer(found, in_table, sentences)):
        known = related_of(sentences, asked) if may_be_of_a_relation(asked) else None
        if known is None or known.refused or is_newer(found, known, sentences):
            return weigh(replace(found, sure=sure))
        if (relation := said_so(from_relations(known, asked), asked)) is None:
            return weigh(replace(found, sure=sure))
        return replace(relation, sure=predictor.sure)
    if in_table is not None and in_a_row:
        return replace(from_relations(in_table, question), sure=predictor.sure)
    timed = (of_a_deed or found is not None) and question.lower().startswith("when")  # relations hold no times
    if codes := codes_nowhere(sentences, question):
        return refusal(question, f"the memory does not mention {listed(codes)}", codes)
    related = None if timed else related_of(sentences, question)
    if related is not None and not related.refused and (relation := said_so(from_relations(related, question), question)):
        return replace(relation, sure=predictor.sure)
    if not deed_alone and (not found or not found.answer) and (done := from_deeds(sentences, question)):
        return done
    if found is not None:
        return weigh(replace(found, sure=sure))
    if missing := nobody or unmentioned(sentences.memory, question, sentences.story):
        refused = refusal(question, f"the memory does not mention {listed(missing)}", missing)
        return refused if is_nowhere(sentences, missing) else weigh(refused)
    if in_table is not None:
        return refusal(question, in_table.text)
    if related is not None and related.hops:
        why = related.text[:1].lower() + related.text[1:].rstrip(".")
        return refusal(question, why_untold(question) if deed_alone or not is_plain(related) else why)
    if of_a_deed and asks_how_often(question):
        return refusal(question)
    if not rest.is_book:
        return weigh(refusal(question))
    return said_so(rest.of_book(sure), question) or refusal(question)


def at_once(sentences: Sentences, question: str, of_rows: bool) -> Answer | None:
    """What came last, which rows of a table have a value, whether something was done; None where none of these is asked."""
    if (brought := from_deliveries(sentences, question)) is not None:
        return brought
    rows = from_rows(sentences, question) if of_rows else None
    return whether_done(sentences, question) if rows is None else rows


def whether_done(sentences: Sentences, question: str) -> Answer | None:
    """Yes, where a question asks whether something was done, and a sentence says when or that it was; else None."""
    when = f"When {question[:1].lower()}{question[1:]}"
    if kind_of(question) != WHETHER or not is_of_a_deed(when) or (done := from_deeds(sentences, when)) is None or not done.hops:
        return None
    return replace(done, answer="yes", probability=1.0, unanswerable=0.0, reason="", question=question)


def is_newer(found: Answer, in_table: RelationAnswer, sentences: Sentences) -> bool:
    """Whether an answer from facts rests on a sentence that is no field of a table, and came after the field."""
    told = {read.sentence for hop in found.hops for read in hop if not FIELD.fullmatch(read.sentence)}
    return any(number > max(in_table.evidence, default=-1) for number, one in sentences.held.items() if one.text in told)


def is_untold(place: str, question: str, told: Sequence[str]) -> bool:
    """Whether the answer to where something is or was stands in none of the statements that were read."""
    return question.lower().startswith(("where is ", "where was ")) and not {*key_of(place)} <= {
        word for text in told for word in key_of(text)
    }


def is_of_a_task(told: Sequence[str], question: str, found: Answer | None, crowded: bool) -> bool:
    """Whether statements that the retriever keeps are a story of one of the twenty tasks, whose network reads it best.

    So it is where a task has the form of the question and of half of them, and no facts were found, or they are ``crowded`` by
    others of a book. Else all must have forms of that task, be no more than a task's, and be all that the facts were read from.
    """
    english = in_english().english
    if not told or english is None:
        return False
    if crowded or (found is None and all(SAID.isdisjoint(text) for text in told)):
        tasks = english.forms.questions.get(english.form(question).text, 0)
        return 2 * sum(tasks & english.forms.statements.get(english.form(text).text, 0) > 0 for text in told) >= len(told)
    if found is None or any(not SAID.isdisjoint(text) for text in told):
        return False
    from_told = {read.sentence for hop in found.hops for read in hop} <= {*told}
    return len(told) <= LONGEST_STORY and from_told and english.is_task(told, question)


def of_the_memory(answer: Answer, memory: LongMemory, question: str, story: Sequence[str]) -> Answer:
    """An answer whose refusal speaks of what is not in the memory, where it spoke of the few statements that were read."""
    if answer.answerable or "the story" not in answer.reason:
        return answer
    missing = unmentioned(memory, question, story)
    why = f"the memory does not mention {listed(missing)}" if missing else why_untold(question)
    return replace(answer, out_of_story_words=missing, reason=why)
