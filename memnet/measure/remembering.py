"""Benchmarks of memories: a log of movements, facts that change, long texts as plain text, and long conversations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from random import Random

from memnet.measure.memories import LONGER_WORDS, Bm25, Maker, system
from memnet.measure.remembered import Asked, Tally
from memnet.record.measurements import CONVERSATIONS, FACTS, LOG, TEXT, MemoryScore
from memnet.tasks import consolidation, movements
from memnet.tasks.consolidation.published import Published
from memnet.tasks.families import Task
from memnet.tasks.families.locomo import Conversation
from memnet.tasks.plain_texts import PlainText, plain_texts
from memnet.tasks.scores import same_answer
from memnet.tasks.text.background import Background

SHORT, LOGS = 2000, 5  # up to so many lines, so many logs


def makers_of(systems: Sequence[str]) -> dict[str, Maker]:
    """Memories by name. Raises :class:`~memnet.errors.ConfigError`."""
    return {name: system(name) for name in systems}


def of_log(question: movements.Question) -> Asked:
    """A question about a log; "nobody" is as good as a refusal where nobody has it."""
    right = partial(movements.right, question)
    told, counted = question.answer is not None, question.kind == "often"
    seen = () if counted or question.answer is None else (question.answer, *question.accepted)
    return Asked(question.text, question.kind, right, told, question.evidence, seen)


def logs(
    makers: Mapping[str, Maker],
    lines: Sequence[int],
    dates: Sequence[bool],
    seed: int = 0,
    number: int = 10,
    forms: str = "test",
) -> Iterator[MemoryScore]:
    """Logs of so many lines in forms and words that nothing learns from; five short ones, or one long one."""
    of_forms = "" if forms == "test" else f", forms {'to develop with' if forms == 'develop' else 'of others'}"
    for count in lines:
        for dated in dates:
            drawn = [
                movements.draw(Random(f"log {seed} {part}"), count, forms, dated, number=number)
                for part in range(LOGS if count <= SHORT else 1)
            ]
            for name, maker in makers.items():
                tally = Tally(LOG, f"{count:,} lines{', dates' if dated else ''}{of_forms}", name)
                for log in drawn:
                    tally.add((f"{line}\n" for line in log.lines), [*map(of_log, log.questions)], maker)
                yield from tally.rows()


def equal(accepted: Sequence[str], answer: str | None) -> bool:
    """Whether an answer is one of the accepted, but for articles, marks and capitals."""
    return answer is not None and movements.plain(answer) in map(movements.plain, accepted)


def refused(answer: str | None) -> bool:
    """Whether there is none."""
    return answer is None


def of_facts(question: consolidation.Question) -> Asked:
    """A question about facts; the heading is the first line of the text."""
    right = refused if question.answer is None else partial(equal, [question.answer])
    seen = () if question.answer is None else (question.answer,)
    evidence = tuple(one + 1 for one in question.evidence)
    return Asked(question.text, question.kind, right, question.answer is not None, evidence, seen)


def facts(makers: Mapping[str, Maker], lengths: Sequence[str], seed: int = 0, number: int = 100) -> Iterator[MemoryScore]:
    """FactConsolidation, drawn."""
    for length in lengths:
        text = consolidation.draw(Random(f"facts {seed}"), length, "test", number)
        questions = [*map(of_facts, text.questions)]
        for name, maker in makers.items():
            tally = Tally(FACTS, length, name)
            tally.add(text.context.splitlines(keepends=True), questions, maker)
            yield from tally.rows()


def published_facts(makers: Mapping[str, Maker], texts: Sequence[Published]) -> Iterator[MemoryScore]:
    """FactConsolidation as its authors publish it; they say of no question which facts it takes."""
    for text in texts:
        questions = [
            Asked(question, text.kind, partial(equal, accepted))
            for question, accepted in zip(text.questions, text.answers, strict=True)
        ]
        for name, maker in makers.items():
            tally = Tally(FACTS, f"{text.length}, published, {text.kind}", name)
            tally.add(text.context.splitlines(keepends=True), questions, maker, finds=False)
            yield from tally.rows(kinds=False)


def of_text(text: PlainText, kind: str) -> Asked:
    """The question of a long text."""
    return Asked(text.question, kind, lambda answer: answer is not None and same_answer(answer, text.answer))


def texts(
    maker: Maker,
    tasks: Sequence[Task],
    background: Background,
    lengths: Mapping[str, int],
    styles: Sequence[str] = ("plain",),
    others: int | None = None,
    number: int | None = None,
    seed: int = 0,
    repeat: bool = False,
) -> Iterator[MemoryScore]:
    """BABILong from plain text: every text goes in by itself, and is split, retrieved from and read by the memory."""
    for name, length in lengths.items():
        for style in styles:
            for task in tasks:
                chosen = plain_texts(task, background, length, style, others, number, seed, repeat)
                beside = f", {len(chosen[0].others):,} of others" if chosen[0].others else ""
                tally = Tally(TEXT, f"{name}, {style}{beside}", "memnet")
                for text in chosen:
                    tally.add(text.parts(background), [of_text(text, task.member)], maker, finds=False)
                yield tally.row(task.member, tally.outcomes)


def of_turns(conversation: Conversation) -> list[Asked]:
    """The questions that have evidence, as the printed figures count; adversarial ones are to be refused."""
    return [
        Asked(
            one.text,
            one.kind,
            refused if one.answer is None else partial(equal, [one.answer]),
            one.answer is not None,
            one.evidence,
        )
        for one in conversation.questions
        if one.evidence
    ]


def conversations(makers: Mapping[str, Maker], told: Sequence[Conversation]) -> Iterator[MemoryScore]:
    """LoCoMo: of the turns that answer a question, the share in the first five and ten that are found, the mean over questions.

    Each turn is an entry, "speaker: text". Printed for BM25: 46.2 and 54.1 over all five kinds, several hops 14.3 and 21.2.
    """
    for name, maker in makers.items():
        tally = Tally(CONVERSATIONS, "turns", name)
        asker = partial(Bm25, pattern=LONGER_WORDS) if maker is Bm25 else maker
        for one in told:
            tally.add((f"{turn.line}\n" for turn in one.turns), of_turns(one), asker)
        yield from tally.rows()
