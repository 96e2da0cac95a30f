"""Questions made of sentences: a phrase is left out and asked for, "The man downstairs opened the letter." -> "Who opened it?".

Any plain text will do, novels or the statements of written stories: no question of it is to be believed, but each teaches which
words of a sentence go together (cloze questions of unlabelled text, Lewis et al. 2019, arXiv 1906.04980; spans that are asked
for before any question was written, Ram et al. 2021, arXiv 2101.00438).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from random import Random

from ..text.english import of_class
from ..text.placed_sentences import sentences
from .lexicon import names, nouns
from .texts import REASONS, Answer, Question, Statement, Story

DETERMINERS = of_class("the a an this these those some any no every each another both all my your his her its our their")
PRONOUNS = of_class(
    "i he she it they we you him them me us this that there who nobody everybody somebody everyone something nothing"
)
PREPOSITIONS = of_class(
    "in at on to into onto from with by under over behind near beside between through across along towards toward after before "
    "during for about of against among inside outside without within upon above below round around past till until since off"
)
BREAKS = of_class(
    "and but or because so which who whom whose when while if as than though although where that whether how why what"
)
BESIDE_VERBS = of_class("not never just already n't still also")
LOOSE = of_class(
    "out up down away back off now then here there today tomorrow yesterday tonight not never n't just already still only "
    "again too very so soon once always often quite almost even perhaps however indeed please yes no oh well"
)
HELPERS = of_class(
    "is was were are am be been being has have had do does did can could will would shall should may might must "
    "isn't wasn't weren't hasn't hadn't doesn't didn't can't couldn't won't wouldn't 're 've 'd 'm 'll ca wo"
)
BE = of_class("is was were are am isn't wasn't weren't 're 'm 's")
FULL = {"'re": "are", "'ve": "have", "'d": "had", "'m": "am", "'ll": "will", "'s": "is", "ca": "can", "wo": "will"}
PLACES = of_class("in at on to into onto from under behind near beside inside outside towards above below round off over")
TIMES = of_class(
    "morning evening night day week month year hour minute noon midnight spring summer autumn winter monday tuesday wednesday "
    "thursday friday saturday sunday january february march april may june july august september october november december "
    "moment time afternoon weekend today tomorrow yesterday tonight"
)
PEOPLE = of_class(
    "man woman boy girl lady gentleman child friend doctor people someone aunt uncle master captain servant guest"
)
STOPS = frozenset(",;:.!?()\"“”‘’'-–—")
SHORT, LONG, PASSAGE = 4, 30, 130  # words of a sentence, of a passage


@dataclass(frozen=True)
class Phrase:
    """Words of a sentence: kind "N" a thing or a person, "V" a verb with its helpers, "P" a preposition, "O" another word."""

    kind: str
    first: int
    last: int


@lru_cache(maxsize=100_000)
def classes(word: str) -> frozenset[str]:
    """Which of NOUN, VERB, ADJ, ADV a word can be."""
    import lemminflect

    found = frozenset(lemminflect.getAllLemmas(word))
    return found or frozenset({"NOUN"} if word[:1].isalpha() else ())


@lru_cache(maxsize=100_000)
def base(verb: str) -> str:
    """ "opened" -> "open"."""
    import lemminflect

    found = lemminflect.getAllLemmas(verb, "VERB").get("VERB")
    return str(found[0]) if found else verb


def kinds(words: Sequence[str]) -> list[str]:
    """What each word is: D, R (pronoun), P, B (joins clauses), H (helper), S (stop), N, A, V or O (another)."""
    found: list[str] = []
    for place, word in enumerate(words):
        after = words[place + 1].lower() if place + 1 < len(words) else ""
        found.append(_kind(word, found[-1] if found else "S", after, begins=place == 0))
    return found


def _kind(word: str, before: str, after: str, begins: bool) -> str:
    """What a word is, by itself, the kind of the word before and the word after."""
    low = word.lower()
    if low == "'s":
        acts = after in DETERMINERS | PREPOSITIONS | LOOSE or after.endswith(("ing", "ed")) or not after.isalpha()
        return "A" if before == "N" and not acts else "H"
    if low in HELPERS:
        return "H"
    if word in STOPS or not word[0].isalnum():
        return "S"
    alone = low in ("her", "this") and (not after[:1].isalpha() or after in PREPOSITIONS)
    if low in DETERMINERS and not alone:
        return "D"
    for kind, those in (("O", LOOSE - BREAKS), ("B", BREAKS), ("P", PREPOSITIONS), ("R", PRONOUNS)):
        if low in those:
            return kind
    return "N" if word[0].isupper() and not begins else _open_kind(low, before)


def _open_kind(low: str, before: str) -> str:
    """Whether a word that is of no closed class is a noun, a verb or an adjective, by its forms and the word before."""
    can = classes(low)
    acts = before in "RH" or (before == "N" and low.endswith(("ed", "s")))
    if "VERB" in can and (acts or not can & {"NOUN", "ADJ"}):
        return "V"
    if "ADJ" in can and "NOUN" not in can and before in "DPAVH":
        return "A"
    if "NOUN" in can or low.isdigit():
        return "N"
    return "V" if "VERB" in can else "A" if can == {"ADJ"} else "O"


def phrases(words: Sequence[str], of: Sequence[str]) -> list[Phrase]:
    """A clause's phrases, in order."""
    found: list[Phrase] = []
    place = 0
    while place < len(words):
        first = place
        if of[place] in "DAN":
            while place < len(words) and of[place] in "DAN" and (of[place] != "D" or place == first or of[place - 1] == "D"):
                place += 1
            kind = "N" if "N" in of[first:place] else "O"
        elif of[place] in "HV":
            while place < len(words) and (of[place] in "HV" or words[place].lower() in BESIDE_VERBS):
                place += 1
            kind = "V"
        else:
            place += 1
            kind = {"R": "R", "P": "P"}.get(of[first], "O")
        found.append(Phrase(kind, first, place - 1))
    return found


def clauses(words: Sequence[str], of: Sequence[str]) -> list[tuple[int, int]]:
    """Where the clauses of a sentence are: between stops and words that join, [first, end)."""
    cuts = [-1, *(place for place, kind in enumerate(of) if kind in "SB"), len(words)]
    return [(left + 1, right) for left, right in pairwise(cuts) if right - left > 3]


@cache
def _people() -> frozenset[str]:
    jobs = (*nouns("job"), *(name for kind in ("woman", "man") for group in names(kind) for name in group))
    return frozenset(word.lower() for word in jobs)


def asks_who(words: Sequence[str]) -> bool:
    """Whether a phrase names a person, as far as its words tell."""
    last = words[-1].lower()
    return last in PEOPLE or last in _people() or (words[0][0].isupper() and words[0].lower() not in DETERMINERS)


@dataclass(frozen=True)
class Made:
    """A question and where in the sentence its answer is, [first, end)."""

    words: tuple[str, ...]
    first: int
    end: int
    asks: str


def made(words: Sequence[str], random: Random) -> Made | None:
    """A question about one phrase of a sentence, or ``None`` where its clauses are not of a form that can be asked about."""
    of = kinds(words)
    whole = clauses(words, of)
    random.shuffle(whole)
    for first, end in whole:
        clause, kind = words[first:end], of[first:end]
        found = phrases(clause, kind)
        if question := _of_clause(clause, found, random):
            return Made(question.words, question.first + first, question.end + first, question.asks)
    return None


def _text(clause: Sequence[str], found: Sequence[Phrase]) -> list[str]:
    return [word for phrase in found for word in clause[phrase.first : phrase.last + 1]]


def _of_clause(clause: Sequence[str], found: list[Phrase], random: Random) -> Made | None:
    begins = next((at for at in range(len(found) - 1) if found[at].kind in "NR" and found[at + 1].kind == "V"), None)
    if begins is None:
        return _cloze(clause, found, random)
    subject, verb, rest = found[begins], found[begins + 1], found[begins + 2 :]
    wishes = [at for at, phrase in enumerate(rest) if phrase.kind == "N"]
    choices: list[int] = [*wishes, *([-1, -1] if subject.kind == "N" else [])]
    if not choices:
        return None
    at = random.choice(choices)
    if at < 0:
        who = "Who" if asks_who(clause[subject.first : subject.last + 1]) else random.choice(("What", "What", "Which"))
        words = [who, *_text(clause, [verb, *_shorter(rest, random)])]
        return Made((*words, "?"), subject.first, subject.last + 1, "who" if who == "Who" else "what")
    answer = rest[at]
    said = clause[answer.first : answer.last + 1]
    before, after = rest[:at], rest[at + 1 :]
    asks, tail = "Who" if asks_who(said) else "What", list[str]()
    if before and before[-1].kind == "P":
        preposition = clause[before[-1].first].lower()
        if said[-1].lower() in TIMES:
            asks, before = "When", before[:-1]
        elif preposition in PLACES and asks == "What" and random.random() < 0.7:
            asks, before = "Where", before[:-1]
        elif preposition == "of" or random.random() < 0.5:
            tail = [preposition]
            before = before[:-1]
    more = (*_text(clause, before), *tail, *_text(clause, _shorter(after, random)), "?")
    return Made((asks, *_asked(clause, subject, verb), *more), answer.first, answer.last + 1, asks.lower())


def _asked(clause: Sequence[str], subject: Phrase, verb: Phrase) -> list[str]:
    """ "he", "had opened" -> "had he opened"; "he", "opened" -> "did he open"."""
    said = [FULL.get(word.lower(), word.lower()) for word in clause[verb.first : verb.last + 1]]
    name = [*clause[subject.first : subject.last + 1]]
    if subject.first == 0 and name[0].lower() in (*DETERMINERS, *PRONOUNS) and name[0] != "I":
        name[0] = name[0].lower()
    if said[0] in HELPERS and (len(said) > 1 or said[0] in BE):
        return [said[0], *name, *said[1:]]
    helper = "does" if said[0].endswith("s") and not said[0].endswith("ss") else "did" if base(said[0]) != said[0] else "do"
    return [helper, *name, base(said[0]), *said[1:]]


def _shorter(found: Sequence[Phrase], random: Random) -> Sequence[Phrase]:
    """All of it, or not all that comes after the first things."""
    cuts = [at for at, phrase in enumerate(found) if phrase.kind in "PO" and at > 0]
    return found[: random.choice(cuts)] if cuts and random.random() < 0.5 else found


def _cloze(clause: Sequence[str], found: list[Phrase], random: Random) -> Made | None:
    things = [phrase for phrase in found if phrase.kind == "N"]
    if len(things) < 2:
        return None
    answer = random.choice(things)
    asks = "who" if asks_who(clause[answer.first : answer.last + 1]) else "what"
    left = [word for word in clause[: answer.first] if random.random() > 0.15]
    right = [word for word in clause[answer.last + 1 :] if random.random() > 0.15]
    words = [*left, asks, *right] if random.random() < 0.5 else [asks.title(), *right, *left]
    return Made((*words, "?"), answer.first, answer.last + 1, asks)


@cache
def passages(folder: Path) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """The paragraphs of the .txt files of a folder as sentences of words, those of a length that can be read."""
    every = []
    for path in sorted(folder.glob("*.txt")):
        for paragraph in _paragraphs(path.read_text(encoding="utf-8", errors="replace")):
            found = (one.words for one in sentences([paragraph]))
            kept = tuple(words for words in found if SHORT <= len(words) <= LONG)
            if len(kept) >= 2:
                every.append(kept)
    return tuple(every)


def _paragraphs(text: str) -> list[str]:
    """Paragraphs, whether each is a line or lines are wrapped and an empty one stands between."""
    lines = [line for line in text.split("\n") if line.strip()]
    wrapped = sorted(map(len, lines))[len(lines) * 9 // 10] < 100 if lines else False
    return [" ".join(part.split()) for part in text.split("\n\n")] if wrapped else lines


MOST_ASKED, TURNED, FAR = 8, 0.12, 0.08  # questions; shares of those with another verb, of those of another passage


def of_book(random: Random, folder: Path) -> Story:
    """Some sentences of a book, one after another, and questions about them."""
    paragraph = random.choice(passages(folder))
    first = random.randrange(max(1, len(paragraph) - 1))
    chosen: list[tuple[str, ...]] = []
    for words in paragraph[first : first + random.randint(2, 8)]:
        if sum(map(len, chosen)) + len(words) <= PASSAGE:
            chosen.append(words)
    other = random.choice(passages(folder))
    return asked_of(chosen, other, random)


def asked_of(sentences: Sequence[Sequence[str]], other: Sequence[Sequence[str]], random: Random) -> Story:
    """A story of sentences with questions about their phrases; some with a verb of ``other``, or of these alone: not told."""
    statements = tuple(Statement(tuple(words), " ".join(words)) for words in sentences)
    questions: list[Question] = []
    verbs = [word for words in other for word, kind in zip(words, kinds(words), strict=True) if kind == "V"]
    for _ in range(min(MOST_ASKED, 2 * len(statements))):
        place = random.randrange(len(statements))
        elsewhere = random.random() < FAR
        one = made(random.choice(list(other)) if elsewhere else statements[place].words, random)
        if one is None:
            continue
        words = list(one.words)
        turned = random.random() < TURNED and bool(verbs) and _turn(words, random.choice(verbs))
        if elsewhere or turned:
            answer = Answer("untold", "", reason=REASONS.get(one.asks, REASONS["what"]))
        else:
            said = statements[place].words[one.first : one.end]
            less = len(said) > 1 and said[0].lower() in ("the", "a", "an")  # an answer is as short as it can be quoted
            span = (place, one.first + less, one.end)
            answer = Answer("span", " ".join(said), (span,), ((span,),))
        if random.random() < 0.3:
            words = [word.lower() for word in words]
        if random.random() < 0.3:
            words = words[:-1]
        if 2 < len(words) < 25 and all(words != list(other.words) for other in questions):
            evidence = tuple(at for at, _, _ in answer.spans)
            questions.append(Question(tuple(words), " ".join(words), answer, evidence, "cloze", len(statements)))
    return Story(statements, tuple(questions))


def _turn(words: list[str], verb: str) -> bool:
    """Put another verb for the question's; whether there was one."""
    of = kinds(words)
    for place in range(len(words) - 1, 0, -1):
        if of[place] == "V" and base(words[place]) != base(verb):
            words[place] = base(verb) if base(words[place]) == words[place] else verb
            return True
    return False
