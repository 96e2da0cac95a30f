"""What the reader of ordinary English makes of the entries that a question is about.

Facts are read sentence by sentence and kept by rules; the reader sees a dozen entries at once, and the question with them. Each
finds what the other misses. Where the two differ, the surer one answers (:mod:`~memnet.memory.weighing`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise

from memnet.ask.answer import Answer, Read, spaced
from memnet.ask.predictor import Predictor
from memnet.ask.untold import why_untold
from memnet.facts.kinds import NONE
from memnet.facts.names import key_of
from memnet.facts.reader import FactReader
from memnet.memory.clauses import BE, HAVE, is_real
from memnet.memory.deeds import may_say
from memnet.memory.fields import FIELD
from memnet.memory.finding import best_of
from memnet.memory.sentences import Sentences
from memnet.memory.times import moment
from memnet.memory.values import Held
from memnet.memory.verbs import is_verb
from memnet.memory.whereabouts import asked_about
from memnet.tasks.text.days import ASKS_WHEN, day_and_month
from memnet.tasks.text.english import function_words, kinds_of_word, of_class
from memnet.tasks.text.tokens import split

BEST, NEWEST, NAMING = 6, 6, 10  # sentences that the reader gets: those that fit a question best, the newest about what it
# asks, and the newest with its nouns
MANY = NAMING + 1
MOST_NOUNS, COUNTED = 4, 200  # nouns of a question; sentences up to which they are counted
AROUND, MOST = 3, 18  # sentences before and after one of the same entry; of all
BOOK = 12  # sentences of a book that the reader gets
OF_ALL_TIMES = of_class("before first when ever often times previously originally earlier until since")
JUST = of_class("just right shortly immediately directly")  # before "before"
THERE = ("where before", "when")  # kinds of questions of facts that name a thing and a place
CLEAR = 0.9  # facts that are so likely are sure, and answers of theirs stand against what was said before
CLOCK = re.compile(r"[\sT,]*\d{1,2}[:.]\d\d(?:[:.]\d\d)?\s*(?:[ap]m)?$")


@cache
def in_english() -> Predictor:
    """The package's network, with its reader of ordinary English."""
    return Predictor.from_name()


def read_of(sentences: Sentences, question: str) -> list[Held]:
    """What the reader gets, in the order of time: whole entries, where one has several sentences."""
    then = sentences.of_its_day()
    if then.gated and not then.memory.extent().times:
        return asked_about(then, question, BOOK) or best_of(then, question, BOOK)
    whole = dict[int, Held]()
    about, named = asked_about(then, question, NEWEST), naming(then, question)
    for one in (*reversed(about), *reversed(named), *best_of(then, question, BEST)):
        entry = {each.number: each for each in entry_of(then, one)}
        if len(whole | entry) <= MOST:
            whole |= entry
    return [whole[number] for number in sorted(whole)]


def naming(sentences: Sentences, question: str) -> list[Held]:
    """The newest sentences with two nouns that follow each other in a question, "spare key"; else with its rarest noun."""
    nouns = nouns_of(question)
    found = [one for pair in pairwise(nouns) for one in sentences.naming(pair, NAMING)[-NAMING:]]
    each = [] if found else list(filter(None, (sentences.naming([noun], COUNTED) for noun in nouns)))
    return found or min(each, key=len, default=[])[-NAMING:]


def has_many(sentences: Sentences, question: str) -> bool:
    """Whether more sentences name what a question asks about than the reader gets: facts, which are of all, know better."""
    nouns = nouns_of(question)
    pairs = [len(sentences.naming(pair, MANY)) for pair in pairwise(nouns)]
    each = [] if any(pairs) else [len(sentences.naming([noun], MANY)) for noun in nouns]
    return max(pairs, default=0) >= MANY or min(filter(None, each), default=0) >= MANY


def asks_of_the_past(question: str) -> bool:
    """Whether a question may ask of more than the newest sentences.

    >>> asks_of_the_past("Where was it before?"), asks_of_the_past("Where is it?")
    (True, False)
    """
    return not OF_ALL_TIMES.isdisjoint(word.lower() for word in split(question))


def are_all_facts(read: Sequence[Held], question: str, thing: bool = False) -> bool:
    """Whether facts read a question, and surely something in every sentence: what they do not find, nobody wrote.

    With ``thing``, in every sentence that names what the question asks about, and there is one.
    """
    reader = FactReader.load()
    asked, _ = reader.question(question)
    if asked.kind == NONE:
        return False
    key = {*key_of(asked.text("what") or asked.text("who"))} if thing else set[str]()
    texts = [one.text for one in read if key <= {*key_of(one.text)}] if key or not thing else []
    return bool(texts) and all(any(fact.is_sure(CLEAR) for fact in found) for found in reader.facts(texts))


def has_unread(read: Sequence[Held], answer: Answer) -> bool:
    """Whether an answer of facts rests on a sentence that the reader does not get, of where who has a thing went, say."""
    texts = {one.text for one in read}
    return any(one.sentence not in texts for one in answer.evidence)


def was_never_there(sentences: Sentences, question: str) -> bool:
    """Whether a question asks what was before somebody or some place, or when something came there, and no sentence names both.

    The thing's last noun is enough, "lantern" of "the big lantern", but where a sentence has its words side by side.
    """
    asked, _ = FactReader.load().question(question)
    if asks_of_an_arrival(question):
        return not stand_together(sentences, asked.text("what"), asked.text("to"))
    first, before, last = question.partition(" before ")
    one, other = (last_of(nouns_of(up_to_verb(text))) for text in (first, f"of {last}"))
    if not before or not one or not other:
        return False
    return not sentences.holds([*one, *other])


def up_to_verb(text: str) -> str:
    """A part of a question up to its verb, which may be in the past, without words for how long before.

    >>> up_to_verb("of Mr Lund took it last"), up_to_verb("Where was H2 kept just")
    ('of Mr Lund', 'Where was H2')
    """
    words = split(text)
    end = next((place for place, word in enumerate(words) if is_verb(word) and word.lower() not in BE | HAVE), len(words))
    return " ".join(word for word in words[:end] if word.lower() not in JUST)


def asks_of_an_arrival(question: str) -> bool:
    """Whether a question names a thing and a place, and asks when it came there or where it was before."""
    asked, _ = FactReader.load().question(question)
    return asked.kind in THERE and bool(asked.text("what") and asked.text("to"))


def stand_together(sentences: Sentences, thing: str, place: str) -> bool:
    """Whether a sentence names both, each as it is written where any sentence writes it so."""
    written = [name.lower() for name in (thing, place) if sentences.saying(name)]
    key = key_of(thing) if thing.lower() in written else last_of(key_of(thing))
    found = sentences.naming([*key, *key_of(place)], COUNTED)
    return any(all(name in one.text.lower() for name in written) and is_real(one.text, place) for one in found)


def last_of(nouns: Sequence[str]) -> list[str]:
    """The last noun, with its number or letter.

    >>> last_of(["blue", "pump", "7"]), last_of(["depot", "a"]), last_of(["blue", "pump"])
    (['pump', '7'], ['depot', 'a'], ['pump'])
    """
    return list(nouns[-2:] if len(nouns) > 1 and (nouns[-1][0].isdigit() or len(nouns[-1]) == 1) else nouns[-1:])


def nouns_of(question: str) -> list[str]:
    """The nouns and names of a question, as keys have them.

    >>> nouns_of("Who had the spare key before Lena?")
    ['spare', 'key', 'lena']
    """
    words = [word for word in split(question)[1:] if word.lower() not in function_words()]
    nouns = (word for word in words if word[0].isupper() or "NOUN" in (kinds_of_word(word.lower()) or ("NOUN",)))
    return list(dict.fromkeys(key for word in nouns for key in key_of(word)))[:MOST_NOUNS]


def entry_of(sentences: Sentences, held: Held) -> list[Held]:
    """The sentences of the entry that a sentence is of: those beside it of the same line; itself alone in a longer text."""
    found = [held]
    for step in (-1, 1):
        for away in range(1, AROUND + 2):
            number = held.number + step * away
            beside = sentences.one(number) if held.line and 0 <= number < sentences.told else None
            if beside is None or (beside.line, beside.source, beside.when) != (held.line, held.source, held.when):
                break
            if away > AROUND:
                return [held]
            found.append(beside)
    return found


def from_entries(read: Sequence[Held], question: str, runners_up: int, reads: int | None, sure: float) -> Answer | None:
    """What the reader makes of the sentences that it gets, of :func:`read_of`; None where they do not say it."""
    if not read:
        return None
    english = (when_from if ASKS_WHEN.search(question) else read_in_english)(read, question, runners_up, reads, sure)
    return None if are_fields(english) else english  # it reads stories, and a table has no story


def when_from(read: Sequence[Held], question: str, runners_up: int, reads: int | None, sure: float) -> Answer:
    """What the reader makes of sentences with its day before each; where that is the answer, the time of its sentence."""
    days = [day_of(one) for one in read]
    dated = [one._replace(text=f"{day}: {one.text}" if day else one.text) for one, day in zip(read, days, strict=True)]
    found = placed(read_in_english(dated, question, runners_up, reads, sure), read)
    weights = {one.number: one.weight for one in (found.hops[0] if found.hops else ())}
    said = [number for number, day in enumerate(days, 1) if day and {*key_of(found.answer)} <= {*key_of(day)}]
    if not found.answerable or not said:
        return found
    return replace(found, answer=spaced(read[max(said, key=lambda number: weights.get(number, 0.0)) - 1].when or ""), parts=())


def day_of(held: Held) -> str:
    """The day of a sentence, as the reader learned days; else what stands there for its time, without a clock."""
    when = held.when or ""
    time = moment(when)
    return day_and_month(time.date()) if time is not None else CLOCK.sub("", when) or when


def read_in_english(read: Sequence[Held], question: str, runners_up: int, reads: int | None, sure: float) -> Answer:
    """What the reader makes of sentences, with where and when each was said."""
    network = in_english()
    assert network.english is not None
    found = network.english.read([one.text for one in read], question, runners_up, reads)
    if found.out_of_story_words:  # the memory has them, if not these sentences
        found = replace(found, out_of_story_words=[], reason=why_untold(question))
    return replace(placed(found, read), sure=sure)


def placed(answer: Answer, held: Sequence[Held]) -> Answer:
    """With where and when each sentence was said that a hop read; those of a story given beside the memory come after these."""
    hops = [[noted(one, held[one.number - 1]) if one.number <= len(held) else one for one in hop] for hop in answer.hops]
    return replace(answer, hops=hops)


def noted(read: Read, held: Held) -> Read:
    """As it stands in the memory, with where and when it was said."""
    return read._replace(sentence=held.text, when=held.when or "", source=held.source, line=held.line)


def are_fields(answer: Answer) -> bool:
    """Whether all that an answer relies on are fields of tables."""
    return bool(answer.evidence) and all(FIELD.fullmatch(read.sentence) for read in answer.evidence)


def said_so(found: Answer | None, question: str) -> Answer | None:
    """An answer; None where the question is of a deed, and what was read says another, or that it was not done."""
    texts = [one.sentence for one in found.evidence] if found is not None and found.answer else []
    return None if texts and not may_say(question, texts) else found
