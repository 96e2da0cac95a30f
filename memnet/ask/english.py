"""Ordinary English beside the twenty tasks: which stories go to the reader of memnet.reading, and its answers as answers.

A network of the twenty tasks has learned some two hundred forms of sentences, whose names and nouns are free. A story is that
network's where one task has the forms of its statements and of its question. Stories that have the forms of a mix, whose
statements are of several tasks, or of which nearly every sentence surely says something of whereabouts, are answered from their
facts (:mod:`memnet.facts`), where these tell it. Any other story is the reader's. The forms are collected from simulated
stories when a network is made, never written by hand. A network of a person's own files with an open vocabulary has the forms
of its training stories, and the reader of the package beside it.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memnet.ask.answer import DIRECTIONS, Answer, Read
from memnet.ask.hub import BUNDLED
from memnet.ask.untold import why_none
from memnet.encode.forms import FOLDER, FORMS, Form, Forms, form
from memnet.encode.vocabulary import OpenVocabulary, Vocabulary
from memnet.errors import NetworkError
from memnet.files import write_json
from memnet.reading.kinds import CONFIG
from memnet.tasks.text import words
from memnet.tasks.text.english import function_words, kinds_of_word, leans, of_class
from memnet.tasks.text.questions import WHETHER, kinds_of

if TYPE_CHECKING:
    from memnet.reading.answers import TrainedReader

MIXES = "mixes.json"  # in the folder of the reader: the forms of stories that are answered from their facts
COMPASS = frozenset(DIRECTIONS.values())
SURE_OF_FACTS = 0.8
MOSTLY_FACTS, SURE_OF_ANSWER = 0.9, 0.9  # such a share of statements says enough, if the answer is so sure
FROM_FACTS = (  # kinds of questions that hops answer
    *("where", "where before", "who has", "what has", "how many has", "to whom", "is in", "does have", "who did", "what did"),
    *("who is in", "what is in"),
)
WHERE = ("where", "is in")  # of them: where facts that tell nothing mean that the story does not say
MOST_OF_FACTS = 10_000  # statements of a story that is read for its facts; the reader looks for some of a longer one
LEAST_SURE = 0.3  # the reader gives no answer that is less probable
KEPT = 16  # questions about stories of which it is known who answers them
ENOUGH = 1e-6
EVERY = 100  # runners-up of a reader: more than there are
WHETHER_ANSWERS = ("yes", "no", "maybe")
OF_SOMEBODY = of_class("who whom whose")
NO_NUMBERS = OF_SOMEBODY | of_class("where why")  # questions that no number answers
MOST_STRANGE = 5  # words of a question that are looked for in the story
LONGEST_SURE = 3  # letters of words that are taken as they are typed


def read_forms(path: Path) -> Forms:
    """The forms of a file. Raises :class:`~memnet.errors.NetworkError`."""
    try:
        saved: Any = json.loads(path.read_text(encoding="utf-8"))
        return Forms(saved["statements"], saved["questions"], saved["most_names"], saved.get("stories", {}))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NetworkError(f"{path} cannot be read: {error}") from error


def asks_the_way(vocabulary: Vocabulary, question: str) -> bool:
    """Whether such questions were answered by directions in training."""
    kind = vocabulary.answers_to(question)
    return bool(kind) and all(vocabulary.entries[entry] in DIRECTIONS for entry in kind or ())


def without_glue(found: Form) -> Form:
    """A form that is none where a name swallowed an adverb: "Mary never" went to the kitchen, and did not."""
    glued = (word for name in found.names for word in name.split()[1:])
    is_glued = any(word in function_words() and "ADV" in kinds_of_word(word) for word in glued)
    return found._replace(text="") if is_glued else found


class English:
    """A trained reader and the forms that are not its own; both are read from the disk when they are first wanted.

    Beside a network of one's own files there are the forms alone, which are read at once; the reader is that of the package.
    """

    def __init__(self, folder: Path, form: Callable[[str], Form], asks_the_way: Callable[[str], bool]) -> None:
        self.folder, self.asks_the_way = folder, asks_the_way
        self.form = lru_cache(1 << 14)(lambda text: without_glue(form(text)))
        self.whereabouts = lru_cache(KEPT)(self.share_of_facts)
        self.of_task = lru_cache(KEPT)(self.tasks_ask_so)
        self.has_reader = (folder / CONFIG).exists()

    @classmethod
    def beside(cls, folder: Path, vocabulary: Vocabulary) -> English | None:
        """That of a network's folder, where it has one and its vocabulary is open."""
        if not isinstance(vocabulary, OpenVocabulary) or not (folder / FOLDER / FORMS).exists():
            return None
        found = cls(folder / FOLDER, partial(form, vocabulary), partial(asks_the_way, vocabulary))
        return found if found.has_reader or found.forms else None

    def save(self, folder: Path) -> None:
        """Put its files beside another copy of its network."""
        if self.has_reader:
            shutil.copytree(self.folder, folder / FOLDER, dirs_exist_ok=True)
        else:
            (folder / FOLDER).mkdir(exist_ok=True)
            write_json(folder / FOLDER / FORMS, asdict(self.forms))

    def is_task(self, statements: Sequence[str], question: str) -> bool:
        """See :meth:`tasks_ask_so`."""
        return self.of_task(tuple(statements), question)

    def tasks_ask_so(self, statements: tuple[str, ...], question: str) -> bool:
        """Whether one of the tasks has sentences of all these forms, or no other task such questions, or one asks for the way.

        A way is a list of directions, which no statement has: the reader cannot quote it.
        """
        if self.asks_the_way(question) and not COMPASS.isdisjoint(word for text in statements for word in words(text)):
            return True
        if question.lower().startswith("who") and self.has_facts(statements, question, ("who has",)):
            return False  # no task asks that of what nobody has any more
        if any(map(leans, statements)) and self.has_facts(statements, question):
            return False  # in the tasks a pronoun follows a name, never another pronoun: facts know more of whom they mean
        told, asked = [self.form(text) for text in dict.fromkeys(statements)], self.form(question)
        if self.forms.of_one_task(told, asked):
            return True
        return self.forms.of_no_other(told, asked) and not self.is_mix(told, asked) and not self.has_facts(statements, question)

    def is_mix(self, statements: Sequence[Form], question: Form) -> bool:
        """Whether a mix has sentences of all these forms."""
        return self.forms_of_mixes is not None and self.forms_of_mixes.of_one_task(statements, question)

    def told_as_mix(self, statements: Sequence[str]) -> bool:
        """Whether all statements have forms of mixes."""
        forms = self.forms_of_mixes
        return forms is not None and all(self.form(text).text in forms.statements for text in statements)

    def has_facts(self, statements: Sequence[str], question: str, kinds: Sequence[str] = FROM_FACTS) -> bool:
        """Whether a question is of these ``kinds``, of whereabouts, and every statement surely says something of them."""
        kind, share = self.whereabouts(tuple(statements), question)
        return share == 1 and kind in kinds

    def share_of_facts(self, statements: tuple[str, ...], question: str) -> tuple[str, float]:
        """The kind of a question of whereabouts, and how many of the statements surely say something of them, 0 to 1.

        The kind is empty where it is none of :data:`FROM_FACTS`. The share is 0 then, and where the question names what a
        statement does of which it is less sure.
        """
        if self.forms_of_mixes is None or not 0 < len(statements) <= MOST_OF_FACTS:
            return "", 0.0
        from memnet.facts.names import key_of
        from memnet.facts.reader import FactReader
        from memnet.facts.sides import as_now

        reader = FactReader.load()
        asked, _ = reader.question(as_now(question)[0])
        if asked.kind not in FROM_FACTS or asked.probability < SURE_OF_FACTS:
            return "", 0.0
        facts = reader.facts(statements)
        pairs = zip(statements, facts, strict=True)
        unsure = [text for text, found in pairs if not any(fact.is_sure(SURE_OF_ANSWER) for fact in found)]
        names = {word for role in asked.roles for word in key_of(asked.text(role))} if unsure else ()
        if not all(map(set(names).isdisjoint, map(key_of, unsure))):
            return asked.kind, 0.0
        return asked.kind, sum(any(fact.is_sure(SURE_OF_FACTS) for fact in found) for found in facts) / len(statements)

    @cached_property
    def forms(self) -> Forms:
        """The forms of the twenty tasks."""
        return read_forms(self.folder / FORMS)

    @cached_property
    def forms_of_mixes(self) -> Forms | None:
        """The forms of the mixes, where there are any."""
        return read_forms(self.folder / MIXES) if (self.folder / MIXES).exists() else None

    @cached_property
    def reader(self) -> TrainedReader:
        """The reader: its own, or that of the package. Raises :class:`~memnet.errors.NetworkError`."""
        from memnet.reading.answers import TrainedReader

        return TrainedReader.load(self.folder if self.has_reader else BUNDLED / FOLDER)

    def answer(self, statements: Sequence[str], question: str, runners_up: int, reads: int | None) -> Answer:
        """The answer from facts where nearly all statements are of whereabouts or have forms of a mix, else the reader's."""
        kind, share = self.whereabouts(tuple(statements), question)
        is_whole = share == 1 or self.is_mix([self.form(text) for text in statements], self.form(question))
        if is_whole or share >= MOSTLY_FACTS:
            from memnet.ask.factual import from_story, untold
            from memnet.facts.reader import FactReader

            found = from_story(statements, question, FactReader.load())
            if found is None and share == 1 and kind in WHERE and self.told_as_mix(statements):
                missing = missing_of(statements, question)
                found = replace(untold(why_none(missing, question), question, statements), out_of_story_words=missing)
            if found is not None and (is_whole or found.probability >= SURE_OF_ANSWER):
                return found
        return self.read(statements, question, runners_up, reads)

    def read(self, statements: Sequence[str], question: str, runners_up: int, reads: int | None) -> Answer:
        """What the reader answers, as an answer of one hop: how much of its evidence stands in each statement."""
        from memnet.reading.contrast import answer_apart

        meant = misspelled(statements, question)
        for word, (right, *_) in meant.items():
            question = re.sub(rf"\b{re.escape(word)}\b", right, question, flags=re.IGNORECASE)
        reply = answer_apart(self.reader, statements, question, EVERY)
        others = [one for one in reply.runners_up if fits(one[0], statements, question)]
        hop = sorted(
            (Read(number, text, weight) for number, (text, weight) in enumerate(zip(statements, reply.reads, strict=True), 1)),
            key=lambda read: -read.weight,
        )
        refused, missing = reply.kind == "untold", missing_of(statements, question)
        text, parts, chance = ",".join(reply.spans) or reply.text, reply.spans, reply.probability
        if refused and others:
            text, chance = others[0]
            parts = (text,)
        if question.lower().startswith("who"):
            others = [("nobody" if other == "nothing" else other, probability) for other, probability in others]
            text, parts = ("nobody", ()) if text == "nothing" else (text, parts)
        least = chance / (1 + chance) + ENOUGH  # so unlikely must an answer be for a refusal, see Answer.answerable
        untold = max(reply.untold, least) if refused else min(reply.untold, least - 2 * ENOUGH)
        return Answer(
            text,
            min(1.0, chance / max(1 - untold, ENOUGH)) if not refused else chance,
            others[refused : runners_up + refused],
            [hop[:reads]],
            [0.0],
            meant,
            0,
            unanswerable=untold,
            calibrated_on=str(self.reader.metadata.get("calibrated_on", "")),
            reason=why_none(missing, question) if refused else "",
            out_of_story_words=missing if refused else [],
            parts=parts,
            sure=LEAST_SURE,
            question=question,
            story=list(statements),
        )


def fits(answer: str, statements: Sequence[str], question: str) -> bool:
    """Whether an answer is of the kind that a question asks for, as far as its words say.

    >>> [fits(one, ["Mary went home."], "Where is Mary?") for one in ("home", "2", "yes", "nothing")]
    [True, False, False, False]
    >>> [fits(one, ["Mary went home."], "Is Mary home?") for one in ("home", "2", "no")]
    [False, False, True]
    >>> fits("2", ["Mary went to room 2."], "Where is Mary?"), fits("2", ["Mary went home."], "How many went home?")
    (True, True)
    """
    kind = (kinds_of(question) or ("",))[-1]
    if kind == WHETHER:
        return answer in WHETHER_ANSWERS or "or" in words(question)
    if kind and answer in WHETHER_ANSWERS:
        return False
    if kind not in NO_NUMBERS or not (answer.isdigit() or (answer == "nothing" and kind not in OF_SOMEBODY)):
        return True
    return any(answer.lower() in words(text) for text in statements)


def misspelled(statements: Sequence[str], question: str) -> dict[str, list[str]]:
    """Words of a question that nobody knows, each with the word of the story that is one letter from it."""
    from memnet.ask.reasons import edited
    from memnet.reading.words import UNKNOWN, Words

    known = Words.load()
    strange = [word for word in words(question) if known.find(word).embedding == UNKNOWN and len(word) > LONGEST_SURE]
    told = {word for text in statements for word in words(text)} if strange else set[str]()
    near = {word: [one for one in sorted(told) if edited(word, one)] for word in strange[:MOST_STRANGE] if word not in told}
    return {word: found for word, found in near.items() if len(found) == 1}


def missing_of(statements: Sequence[str], question: str) -> list[str]:
    """The names of a question that the story lacks."""
    from memnet.reading.answers import unmentioned
    from memnet.reading.words import Words

    return unmentioned(statements, question, Words.load())
