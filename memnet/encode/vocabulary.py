"""Words and answers as numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from random import Random
from types import MappingProxyType

from memnet.encode.normalizer import PLAIN, Normalizer
from memnet.encode.normalizers import Normalizers
from memnet.tasks.text import Story, answer_entry, texts_of, words
from memnet.tasks.text.entities import Binding, EntityReader, anonymize, anonymized, names_about, names_in
from memnet.tasks.text.evidence import NOTHING
from memnet.tasks.text.questions import kinds_of

UNKNOWN, STOP = NOTHING, "<stop>"
NO_EVIDENCE = "<nothing>"  # answers word by word where there is no evidence
ENTITIES, MOST_ENTITIES = 40, 160  # markers of an open vocabulary: as a rule, and where stories have more names
NAME = "<name>"  # among the answers to a kind of question: any marker
Kinds = Mapping[str, frozenset[str]]  # of each kind of question the entries that its answers had in training


STOP_NUMBER = 1  # where a vocabulary has it
TRAIN, VALID, TEST = range(3)  # seeds of the markers drawn for each part of the data


class Vocabulary:
    """Words and answers by number; number 0 is the unknown word.

    An answer of several words ("apple,football") is one entry of its own, or, where the entries have a
    stop symbol, it is decoded word by word: at most ``answer`` of them, then the stop symbol.
    """

    markers: tuple[str, ...] = ()  # entries that stand for names

    def __init__(
        self,
        entries: Sequence[str],
        answer: int = 1,
        kinds: Kinds = MappingProxyType({}),
        normalizer: Normalizer | Normalizers = PLAIN,
    ) -> None:
        self.entries, self.answer, self.kinds, self.normalizer = tuple(entries), answer, dict(kinds), normalizer
        self.number = {entry: number for number, entry in enumerate(self.entries)}
        if not self.entries or self.entries[0] != UNKNOWN or len(self.number) != len(self.entries):
            raise ValueError(f"a vocabulary starts with {UNKNOWN} and names every entry once")
        self.stop = self.number.get(STOP)
        self.of_kind: dict[str, frozenset[int]] = {}  # what answers_to has looked up
        if answer < 1 or (answer > 1 and self.stop != STOP_NUMBER):
            raise ValueError(f"answers of several words need {STOP} as the second entry")

    def __len__(self) -> int:
        return len(self.entries)

    def __repr__(self) -> str:
        marked = f", {len(self.markers)} of them markers of names" if self.markers else ""
        return f"<{type(self).__name__} of {len(self):,} words and answers{marked}>"

    @property
    def no_answers(self) -> list[int]:
        """The entries that are no answers: the unknown word, the stop symbol and that there is no evidence."""
        return [self.number[entry] for entry in (UNKNOWN, STOP, NO_EVIDENCE) if entry in self.number]

    @property
    def no_evidence(self) -> int:
        """The entry that answers where there is no evidence."""
        return self.number.get(NO_EVIDENCE, 0)

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The entries that are interchangeable words, in their groups; those of several tasks that share a word are one."""
        found: list[set[int]] = []
        for group in self.normalizer.named:
            numbers = {self.number[word] for word in group if word in self.number}
            shared = [other for other in found if not numbers.isdisjoint(other)]
            found = [other for other in found if other not in shared] + [numbers.union(*shared)]
        return tuple(sorted(tuple(sorted(group)) for group in found if group))

    @cached_property
    def lists(self) -> tuple[tuple[int, ...], ...]:
        """Of each entry the interchangeable words that it lists, which is itself where it is one; () where there are none."""
        named = {number for group in self.groups for number in group}
        parts = ([self.number.get(part, 0) for part in entry.split(",")] for entry in self.entries if named)
        return tuple(tuple(number for number in listed if number in named) for listed in parts)

    @classmethod
    def of(
        cls,
        stories: Iterable[Story],
        by_word: bool = False,
        normalizer: Normalizer | Normalizers = PLAIN,
        more: Iterable[str] = (),
    ) -> Vocabulary:
        """Every word and answer of these (training) stories as they are read, in alphabetical order, and ``more`` words.

        ``by_word``: every word of an answer is an entry.
        """
        found: set[str] = set(more)
        candidates: set[tuple[str, ...]] = set()  # often the same of many questions
        kinds: dict[str, set[str]] = {}
        longest = 1
        for story in stories:
            read = normalizer.stories(story)
            for text in (text for part in read for text in texts_of(part)):
                found.update(words(text))
            asked = (question for part in read for question in part.questions)
            for question, named in zip(story.questions, asked, strict=True):
                entry = answer_entry(named.answer)
                parts = entry.split(",") if by_word else [entry]
                found.update(parts)
                longest = max(longest, len(parts))
                candidates.add(named.candidates)
                for kind in kinds_of(question.text):
                    kinds.setdefault(kind, set()).update(parts)
        found.update(answer_entry(answer) for answers in candidates for answer in answers)
        first = [UNKNOWN, STOP] if by_word else [UNKNOWN]
        told = {kind: frozenset(answers - {UNKNOWN, STOP}) for kind, answers in sorted(kinds.items())}
        return cls([*first, *sorted(found - {UNKNOWN, STOP})], longest, told, normalizer)

    def answers_to(self, question: str) -> frozenset[int] | None:
        """The entries that answered questions of this kind in training; None where there was no such question."""
        kind = next((kind for kind in kinds_of(question) if self.kinds.get(kind)), None)
        if kind is None:
            return None
        if kind not in self.of_kind:
            entries = [*self.kinds[kind], *(self.markers if NAME in self.kinds[kind] else ())]
            self.of_kind[kind] = frozenset(self.number[entry] for entry in entries if entry in self.number)
        return self.of_kind[kind]

    def answer_numbers(self, answer: str) -> list[int]:
        """An answer's entries, ``answer`` of them, stop symbols after the last; -1 where this vocabulary has none.

        The unknown word is the answer where there is no evidence (:mod:`memnet.tasks.text.evidence`).
        """
        entry = answer_entry(answer)
        if self.stop is None:
            return [0] if entry == UNKNOWN else [self.number.get(entry, 0) or -1]
        if entry == UNKNOWN and NO_EVIDENCE in self.number:
            entry = NO_EVIDENCE
        numbers = [self.number.get(word, 0) or -1 for word in entry.split(",")]
        if len(numbers) > self.answer:
            return [*numbers[: self.answer - 1], -1]
        return numbers + [self.stop] * (self.answer - len(numbers))

    def answer_text(self, numbers: Sequence[int]) -> str:
        """The answer of such numbers, to the first stop symbol."""
        said = list(numbers)
        if self.stop in said:
            said = said[: said.index(self.stop)]
        return ",".join(self.entries[number] for number in said)

    def __getitem__(self, word: str) -> int:
        return self.number.get(word, 0)

    @property
    def per_question(self) -> bool:
        """Whether a story is read for each question anew."""
        return self.normalizer.per_question

    def bind(self) -> Binding | None:
        """Markers for the names of a story that is asked about, where names have such."""
        return None

    def saved(self) -> dict[str, object]:
        """As JSON values, for a configuration."""
        kinds = {kind: sorted(found) for kind, found in self.kinds.items()}
        return {"vocabulary": list(self.entries)} | ({"kinds": kinds} if kinds else {}) | self.normalizer.saved()

    def prepare(self, stories: Sequence[Story], seed: int, gaps: float = 0.0) -> list[Story]:
        """The stories as a network that knows this vocabulary reads them; ``seed`` is of what is drawn.

        ``gaps`` is the share of markers that are left out, others for each question, where names have them in order.
        """
        return [read for story in stories for read in self.normalizer.stories(story)]

    def in_words_of(self, stories: Sequence[Story], seed: int) -> list[Callable[[str], str]]:
        """For each question of :meth:`prepare`, what gives an answer in the words of its story."""
        asked = ((story.statements[: one.after], one.text) for story in stories for one in story.questions)
        if self.normalizer.per_question:
            return [self.normalizer.about(told, text).bind(told, text).names for told, text in asked]
        return [self.normalizer.shown for _ in asked]


class OpenVocabulary(Vocabulary):
    """Known words, and markers for the names of a story: whatever is not known is a name (:mod:`memnet.tasks.text.entities`).

    The last ``entities`` entries are the markers. By their ``order`` they are drawn for each story, or the first is that of the
    first name that the story tells, or that a question leads to (:func:`~memnet.tasks.text.entities.names_about`). Of the other
    entries, those of ``names`` are answers alone ("hungry people go to the kitchen"): in a text they are names like any other.
    """

    def __init__(
        self,
        entries: Sequence[str],
        answer: int = 1,
        entities: int = ENTITIES,
        names: Iterable[str] = (),
        kinds: Kinds = MappingProxyType({}),
        order: str = "drawn",
    ) -> None:
        super().__init__(entries, answer, kinds)
        self.names, self.order = frozenset(names), order
        self.markers = markers(entities)
        if self.entries[len(self.entries) - entities :] != self.markers or not self.names <= self.number.keys():
            raise ValueError(f"an open vocabulary ends with {entities} markers, {self.markers[0]} and so on")
        special = {UNKNOWN, STOP, NO_EVIDENCE, *self.markers}
        self.reader = EntityReader(frozenset(self.entries) - special - self.names)

    @classmethod
    def open(
        cls, stories: Sequence[Story], names: frozenset[str], by_word: bool = False, order: str = "drawn"
    ) -> OpenVocabulary:
        """Of these (training) stories, in which the words of ``names`` are names.

        There are 40 markers; where a story has more names, twice as many as these, at most 160.
        """
        known = frozenset(Vocabulary.of(stories).entries) - names
        reader = EntityReader(known)
        most = max((len(names_in(reader, texts_of(story))) for story in stories), default=0)
        entities = ENTITIES if most <= ENTITIES else min(MOST_ENTITIES, 2 * most)
        told = [anonymize(story, reader, markers(entities)) for story in stories]
        base = Vocabulary.of(told, by_word)
        first = [entry for entry in base.entries if entry in (UNKNOWN, STOP)] + ([NO_EVIDENCE] if by_word else [])
        rest = [entry for entry in base.entries if entry not in first and entry not in markers(entities)]
        told_names = frozenset(markers(entities))
        kinds = {
            kind: (found - told_names) | (frozenset({NAME}) if found & told_names else frozenset())
            for kind, found in base.kinds.items()
        }
        answers = [entry for entry in rest if entry in names]
        return cls([*first, *rest, *markers(entities)], base.answer, entities, answers, kinds, order)

    @property
    def per_question(self) -> bool:
        """Whether names have markers for each question anew."""
        return self.order == "question"

    def bind(self) -> Binding:
        """Markers for the names of a story that is asked about."""
        return Binding(self.reader, self.markers)

    def saved(self) -> dict[str, object]:
        """As JSON values, for a configuration."""
        return {**super().saved(), "entities": len(self.markers), "names": sorted(self.names)}

    def prepare(self, stories: Sequence[Story], seed: int, gaps: float = 0.0) -> list[Story]:
        """The stories with markers for their names, drawn anew for each or in order."""
        return [story for story, _ in self.bound(stories, seed, gaps)]

    def bound(self, stories: Sequence[Story], seed: int, gaps: float = 0.0) -> Iterator[tuple[Story, Binding]]:
        """The stories with markers for their names, and which are whose."""
        draw = Random(seed)
        if self.order == "drawn":
            yield from (anonymized(story, self.reader, self.markers, draw) for story in stories)
            return
        for story in stories:
            for part in story.by_question() if self.per_question else (story,):
                about = names_about(self.reader, part.statements, part.questions[0].text) if self.per_question else ()
                left = [marker for marker in self.markers if draw.random() >= gaps] if gaps else self.markers
                yield anonymized(part, self.reader, left, None, about)

    def in_words_of(self, stories: Sequence[Story], seed: int) -> list[Callable[[str], str]]:
        """For each question of :meth:`prepare`, what gives an answer in the words of its story."""
        return [binding.names for story, binding in self.bound(stories, seed) for _ in story.questions]


def markers(entities: int) -> tuple[str, ...]:
    """The markers of so many names."""
    return tuple(f"entity{number}" for number in range(1, entities + 1))
