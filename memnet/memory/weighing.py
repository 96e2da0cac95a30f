"""Which of two answers to a question about a log is given: by facts, by the reader of ordinary English, or of single entries.

The surer one, but for what speaks against the reader's: that it names another thing, was planned and not done, came before what
facts rest on, or is of another kind than the question asks for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from memnet.ask.answer import Answer
from memnet.ask.untold import why_untold
from memnet.facts.kinds import NONE
from memnet.facts.names import Key, key_of
from memnet.facts.reader import FactReader
from memnet.memory.clauses import IF, IS_NOT, PLANNED, is_real
from memnet.memory.clocks import is_of_the_past
from memnet.memory.deeds import asks_of_a_deed, is_of_a_deed
from memnet.memory.entrywise.amounts import is_of_another_kind, unit_asked
from memnet.memory.entrywise.candidates import NAMELESS, has, keys_of
from memnet.memory.entrywise.content import content_of, shared
from memnet.memory.entrywise.operations import COUNT, SUM, operation_of
from memnet.memory.in_english import CLEAR, asks_of_an_arrival, last_of, nouns_of, was_never_there
from memnet.memory.sentences import Sentences
from memnet.memory.times import moment
from memnet.memory.verbs import verbs_of
from memnet.memory.wanted import AMOUNT, PERSON, WHETHER_ANSWERS, kind_of, may_answer
from memnet.tasks.text.english import function_words
from memnet.tasks.text.tokens import split

ALONE, EITHER = 0.5, 0.6  # how likely an answer must be: of the reader where facts have none; of the two where they differ
AGAINST = 0.8  # the reader's answer stands against another of facts that is so much likelier
SURELY = 0.85  # the reader's answer to a question of a deed, which rules read, too
# how likely an answer of single entries must be: against another; where another rests on the same one; where there is no other
OF_ENTRIES, OF_ENTRIES_BESIDE, OF_ENTRIES_ALONE = 0.9, 0.7, 0.6
OF_ENTRIES_FOR_OTHERS = 0.8  # where no sentence has a noun of the question
UNSUPPORTED, UNLIKE = 0.6, 0.75  # how likely an answer to which no single entry agrees must be; one of entries in other words
CODED = re.compile(r"(?=.*\d)(?=.*[a-z])[\w-]+|(?!(?:19|20)\d\d$)\d{4,}")  # "pj-03", "2113", but no year
LIMITS = frozenset(("over", "under", "than", "above", "below", "least", "most"))  # before a number that is no name
BY_RULE = 1.0  # the probability of what rules read, such as those of deeds
CONTRARY = {"on": "off", "off": "on", "in": "out", "out": "in", "up": "down", "down": "up"}


def weighed(first: Answer, second: Answer | None, question: str) -> Answer:
    """Which of two answers: by facts, and the reader's. The reader's where facts have none, or where it is the surer one."""
    if first.answerable and echoes(first, question):
        first = refusal(question)
    if second is None or not second.answerable or not may_answer(question, second.text) or echoes(second, question):
        return first
    if is_of_what_is_not(second, question) or is_contrary(second, question):
        return first
    if kind_of(question) == PERSON and is_where(second):
        return first
    if first.answerable and second.text in WHETHER_ANSWERS and is_planned(second, question):
        return first
    if not first.answerable:
        return second if second.probability >= ALONE else first
    if key_of(first.text) == key_of(second.text) or named(second, question) < named(first, question):
        return first
    if is_of_another(second, first, question):
        return first
    if first.probability >= CLEAR and (asks_of_an_arrival(question) or is_said_later(first, second)):
        return first
    found = second if second.probability >= AGAINST * first.probability else first
    return found if found.probability >= EITHER else refusal(question)


def with_entries(first: Answer, second: Answer | None, question: str, known: bool = False) -> Answer:
    """The answer of facts and stories, or that of entries read one by one where there is none, or where it is the surer one.

    A refusal stands that names what no sentence has. What facts surely know, ``known``, stands but against a later entry; what
    is hardly likely, or less than likely and read from other words, only where entries agree.
    """
    if second is not None and goes_before(second, first, question, known):
        return second
    if known or not first.answerable or first.probability >= UNLIKE:
        return first
    if first.probability >= UNSUPPORTED and says_as_much(first, question):
        return first
    return first if second is not None and agree(first.text, second.text, question) else refusal(question)


def agree(one: str, other: str, question: str) -> bool:
    """Whether two answers say the same, of which one may say more: "96.50" and "£96.50" of how much, "Ann" and "Ann Lee".

    >>> agree("19", "19 sacks", "How many are left?"), agree("2", "pump 2", "What leaks?"), agree("in", "not in", "Where?")
    (True, False, False)
    """
    few, many = sorted(({*key_of(text)} for text in (one, other)), key=len)
    amounts = kind_of(question) == AMOUNT
    if amounts:
        few, many = ({word.strip("£$€") for word in words} for words in (few, many))
    says = amounts or any(any(map(str.isalpha, word)) for word in few) or few == many
    return bool(few) and few <= many and says and IS_NOT.isdisjoint(many - few)


def goes_before(second: Answer, first: Answer, question: str, known: bool) -> bool:
    """Whether the answer of entries is given in place of another."""
    if not second.answer or not may_be_meant(first.out_of_story_words, second):
        return False
    if not may_answer(question, second.text) or echoes(second, question) or is_contrary(second, question):
        return False
    no_more = stands(first, second, question, known) if first.answerable else known or second.chance < OF_ENTRIES_ALONE
    return not no_more and not is_of_another_deed(second, question)


def stands(first: Answer, second: Answer, question: str, known: bool) -> bool:
    """Whether an answer stands against that of entries: it is the same, goes on from what they say, or is of later ones.

    "Oscar took the ladder" says who has it; facts know where Oscar went. What rules read stands where nothing later is read.
    """
    if key_of(first.text) == key_of(second.text) or (first.probability >= CLEAR and asks_of_an_arrival(question)):
        return True
    if any(second.text in read.sentence for read in first.evidence):
        return True
    if lacks_a_name(first, second, question):
        return second.chance < OF_ENTRIES_ALONE
    if unit_asked(question) and not any(map(str.isalpha, first.text)):  # how often is no amount
        return False
    by_rule, (one, other) = first.probability >= BY_RULE, map(last_read, (first, second))
    are_known = one[0] and other[0] and not (one[0].startswith(other[0]) and one[0] != other[0])
    if operation_of(question).kind in (COUNT, SUM):
        return by_rule or second.chance < OF_ENTRIES
    if are_known and other > one:
        misread = fewer_words(second, first, question) or (by_rule and not is_the_same_deed(second, question))
        return misread or second.chance < OF_ENTRIES
    if known or by_rule or (are_known and other < one):
        return True
    return second.chance < OF_ENTRIES_BESIDE


def lacks_a_name(first: Answer, second: Answer, question: str) -> bool:
    """Whether what an answer was read from lacks a name of the question that what another was read from has."""
    names = {key_of(word) for word in split(question)[1:] if word[0].isupper() and word.isalpha()}
    one, other = ([key_of(read.sentence) for read in each.evidence] for each in (first, second))
    return any(name and not any(has(text, name) for text in one) and any(has(text, name) for text in other) for name in names)


def may_be_meant(missing: Sequence[str], second: Answer) -> bool:
    """Whether words that no sentence has may be other words for what it says: "the customer", but no name and no number."""
    are_nouns = all(word.islower() and word.replace("-", "").isalpha() for word in missing)
    return not missing or (are_nouns and second.chance >= OF_ENTRIES_FOR_OTHERS)


def of_its_kind(found: Answer, question: str) -> Answer:
    """An answer, or that there is none where it is of another kind than the question asks for."""
    fits = may_answer(question, found.text) and not is_of_another_kind(found.text, question)
    return found if not found.answerable or fits else refusal(question)


def of_its_thing(found: Answer, question: str) -> Answer:
    """An answer, or that there is none, where all that it was read from is of things with other codes than the question's.

    So it is, too, where the code stands in the answer, which says what was done and not who did it; "a fault on pump 7: leaks"
    says what is wrong behind its colon.
    """
    limited = not LIMITS.isdisjoint(question.lower().split())
    codes = [key for key in keys_of(question)[0] if len(key) > 1 or (CODED.fullmatch(key[-1]) and not limited)]
    of_one = len(codes) == 1 and found.answerable and bool(found.evidence) and found.text not in WHETHER_ANSWERS
    if not of_one or key_of(found.text) in codes:
        return found
    told = [key_of(read.sentence) for read in found.evidence]
    of_others = all(is_of_others(text, codes) for text in told)
    if of_others or not any(has(key_of(found.text), key) for key in codes):
        return refusal(question) if of_others else found
    before, _, rest = found.answer.partition(": ")
    about_it = rest and any(has(key_of(before), key) for key in codes)
    return replace(found, answer=rest) if about_it else refusal(question)


def is_of_others(text: Key, codes: Sequence[Key]) -> bool:
    """Whether a sentence names things with codes, and none of these: a number behind the same noun, or a code."""
    if any(has(text, key[-1:]) for key in codes):
        return False
    nouns = {key[-2] for key in codes if len(key) > 1}
    numbered = any(one in nouns and after.isdigit() for one, after in pairwise(text))
    return numbered or (any(CODED.fullmatch(key[-1]) for key in codes) and any(map(CODED.fullmatch, text)))


def is_the_same_deed(answer: Answer, question: str) -> bool:
    """Whether what an answer was read from has all words of a question, and not its verb, which rules would have read."""
    return says_as_much(answer, question) and not saying_the_verb(answer, question)


def says_as_much(answer: Answer, question: str) -> bool:
    """Whether something that an answer was read from has all words of a question that say what was done."""
    most = max((shared([read.sentence], question)[0] for read in answer.evidence), default=0)
    return most >= len(content_of(question))


def fewer_words(answer: Answer, other: Answer, question: str) -> bool:
    """Whether what an answer was read from has fewer words of a question than what another was read from."""
    one, two = (max(shared([read.sentence for read in each.evidence], question), default=0) for each in (answer, other))
    return one < two


def last_read(answer: Answer) -> tuple[str, int]:
    """When the last entry was written that an answer rests on, and its line; empty where nothing is known of it."""
    return max(((read.when, read.line or 0) for read in answer.evidence), default=("", 0))


def is_of_another_deed(answer: Answer, question: str) -> bool:
    """Whether a question asks for a deed, and the entry of an answer says another, that it was not done, or only will be.

    Another is one without a word of the question, or one whose verb rules read and did not take for it.
    """
    if not asks_of_a_deed(question):
        return False
    texts = [read.sentence for read in answer.evidence]
    words = {word.lower() for text in texts for word in split(text)}
    if not any(shared(texts, question, names=False)) or not words.isdisjoint(IS_NOT | PLANNED | IF):
        return True
    return is_of_a_deed(question) and bool(saying_the_verb(answer, question))


def is_of_what_is_not(answer: Answer, question: str) -> bool:
    """Whether a question of whereabouts is answered by what was planned or denied: "It will be moved to the shed." """
    asked, _ = FactReader.load().question(question)
    is_future = asked.kind == "when" and not is_of_the_past(question)
    if is_future or asked.kind == NONE or not IS_NOT.isdisjoint(word.lower() for word in split(question)):
        return False
    words = {*key_of(answer.text)}
    has_it = [read.sentence for read in answer.evidence if words <= {*key_of(read.sentence)}]
    return bool(has_it) and not any(is_real(text, answer.text) for text in has_it)


def is_planned(answer: Answer, question: str) -> bool:
    """Whether a sentence behind an answer says what will or may be, and the question does not ask for that."""
    asked, *told = ({word.lower() for word in split(text)} for text in (question, *(read.sentence for read in answer.evidence)))
    plans = PLANNED | IF
    return plans.isdisjoint(asked) and any(not plans.isdisjoint(words) for words in told)


def is_of_another(answer: Answer, other: Answer, question: str) -> bool:
    """Whether what has the words of an answer names another thing than a question does, and what is behind another does not.

    Another thing has the same noun, pump 8 where pump 7 is asked about, or facts say so: "The van was moved there by Bob."
    """
    asked, _ = FactReader.load().question(question)
    key = key_of(asked.text("what") or asked.text("who"))
    thing, noun, words = {*key}, {*last_of(key)[:1]}, {*key_of(answer.text)}
    if not thing or not any(thing <= {*key_of(read.sentence)} for read in other.evidence):
        return False
    has_it = [read.sentence for read in answer.evidence if words <= {*key_of(read.sentence)}]
    if not has_it or any(thing <= {*key_of(text)} for text in has_it):
        return False
    return any(noun <= {*key_of(text)} for text in has_it) or all(map(names_a_thing, has_it))


def names_a_thing(text: str) -> bool:
    """Whether facts surely read what somebody does or where something is, and the thing is no "it".

    >>> names_a_thing("The van was moved to the yard by Bob."), names_a_thing("Bob moved it to the yard.")
    (True, False)
    """
    (facts,) = FactReader.load().facts([text])
    things = [fact.text("what") for fact in facts if fact.is_sure(CLEAR)]
    return any(not function_words().issuperset(word.lower() for word in split(thing)) for thing in things if thing)


def facts_know(found: Answer, sentences: Sentences, question: str) -> bool:
    """Whether facts surely answer a question of whereabouts, or know that what it asks before or about was never there."""
    if found.answerable:
        sure = found.probability >= CLEAR and not unit_asked(question) and names_its_thing(found, question)
        return sure and FactReader.load().question(question)[0].kind != NONE
    return was_never_there(sentences, question)


def names_its_thing(answer: Answer, question: str) -> bool:
    """Whether something that an answer was read from has a name, a code or a noun of the question: no bare "he put it down"."""
    coded, _, single = keys_of(question)
    texts = [key_of(read.sentence) for read in answer.evidence]
    keys = coded or [key for key in single if NAMELESS.isdisjoint(key)]
    return not keys or not texts or any(has(text, key) for text in texts for key in keys)


def is_where(answer: Answer) -> bool:
    """Whether what is behind an answer says that something is there or goes there: no answer to "who"."""
    facts = FactReader.load().facts([read.sentence for read in answer.evidence])
    places = {key_of(fact.text(role)) for found in facts for fact in found for role in ("to", "source") if fact.text(role)}
    return key_of(answer.text) in places


def is_said_later(first: Answer, second: Answer) -> bool:
    """Whether what is behind an answer was said later than what has the words of another, in one source."""
    answer = {*key_of(second.text)}
    one = [(read.source, read.when, read.line) for read in first.evidence if read.line]
    other = [(read.source, read.when, read.line) for read in second.evidence if answer <= {*key_of(read.sentence)}]
    if not one or not other or len({source for source, *_ in (*one, *other)}) > 1:
        return False
    times = [[moment(when) for _, when, _ in reads] for reads in (one, other)]
    if all(time is not None for found in times for time in found):
        first_time, second_time = (max(time for time in found if time is not None) for found in times)
        if first_time != second_time:
            return first_time > second_time
    return max(line for *_, line in one) > max(line for *_, line in other)


def named(answer: Answer, question: str) -> int:
    """How many words of a question one sentence behind an answer has, but for those that say nothing."""
    asked = {word.lower() for word in split(question) if word[0].isalnum()} - function_words()
    return max((len(asked & {word.lower() for word in split(read.sentence)}) for read in answer.evidence), default=0)


def is_contrary(answer: Answer, question: str) -> bool:
    """Whether a question ends in "off", and what is behind an answer says "on" alone, or the other way round."""
    end = (split(question.rstrip("?!. ").lower()) or [""])[-1]
    words = {word.lower() for read in answer.evidence for word in split(read.sentence)}
    return end in CONTRARY and CONTRARY[end] in words and end not in words


def says_the_deed(answer: Answer | None, question: str) -> bool:
    """Whether a sentence behind an answer says the deed of a question, elsewhere or surely.

    Elsewhere: it names nothing that the question names. Where it names the thing, the rules of deeds read it, and know better
    than an answer that is not sure, or of a numbered thing: "Ann turned pump 3 on" says nothing of off.
    """
    nouns, said = {*nouns_of(question)}, saying_the_verb(answer, question)
    surely = answer is not None and answer.probability >= SURELY and not any(map(str.isdigit, question))
    return any(surely or nouns.isdisjoint(key_of(text)) for text in said)


def saying_the_verb(answer: Answer | None, question: str) -> list[str]:
    """The sentences behind an answer that have a verb of a question."""
    verbs = {verb for word in key_of(question) for verb in (*verbs_of(word), *verbs_of(word, base=True))} - {"be", "do", "have"}
    texts = [read.sentence for read in (answer.evidence if answer else ())]
    return [text for text in texts if any(not verbs.isdisjoint(verbs_of(word.lower())) for word in split(text))]


def refusal(question: str, why: str = "", missing: Sequence[str] = ()) -> Answer:
    """That there is no answer, and why."""
    why = why or why_untold(question)
    return Answer("", 0.0, [], [], [], {}, 0, unanswerable=1.0, out_of_story_words=list(missing), reason=why, question=question)


def echoes(answer: Answer, question: str) -> bool:
    """Whether an answer says only what the question does: "Where is trap 1?" "trap 1"."""
    words = {*key_of(answer.text)}
    return bool(words) and words <= {*key_of(question)} and " or " not in question and answer.text not in WHETHER_ANSWERS
