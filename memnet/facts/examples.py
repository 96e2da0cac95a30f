"""Sentences of the world with the facts that they say, and questions with what they ask for.

Statements say nothing of whereabouts where the world's record is of something else, is wished, denied or only meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from memnet.facts.kinds import NONE, QUESTIONS, SLOTS
from memnet.tasks.world import MIXES, Dials, draw
from memnet.tasks.world.entities import Entity
from memnet.tasks.world.records import At, Deed, Has, Record
from memnet.tasks.world.texts import Mention, Question, Story

Span = tuple[int, int]  # words from the first up to the second

DEEDS: dict[str, tuple[str, dict[str, str]]] = {  # sense of senses.toml -> kind, its roles -> ours
    "go": ("go", {"mover": "who", "place": "to", "source": "source"}),
    "leave": ("leave", {"mover": "who", "source": "source"}),
    "take": ("take", {"taker": "who", "theme": "what", "source": "source"}),
    "drop": ("drop", {"holder": "who", "theme": "what"}),
    "put": ("put", {"putter": "who", "theme": "what", "location": "to"}),
    "move": ("put", {"mover": "who", "theme": "what", "source": "source", "place": "to"}),
    "carry": ("carry", {"mover": "who", "theme": "what", "source": "source", "place": "to"}),
    "buy": ("take", {"receiver": "who", "theme": "what"}),
    "steal": ("take", {"taker": "who", "theme": "what", "giver": "source"}),
    "find": ("at", {"finder": "who", "theme": "what", "spot": "to"}),
    "lose": ("at", {"loser": "who", "theme": "what", "spot": "to"}),
    "forget": ("at", {"loser": "who", "theme": "what", "spot": "to"}),
    **{
        sense: ("give", {"giver": "who", "theme": "what", "receiver": "receiver"})
        for sense in ("give", "send", "lend", "return", "sell")
    },
}
NEEDED = {
    "go": "to",
    "leave": "source",
    "take": "what",
    "drop": "what",
    "put": "to",
    "carry": "to",
    "at": "to",
    "not at": "to",
    "no longer at": "to",
    "either": "other",
    "give": "receiver",
    "has": "what",
}
ALWAYS = {"time": "time", "company": "company"}
ENDED = frozenset({"longer", "anymore", "left", "gone"})  # words of a denial that says what was so before
REAL = ("past", "perfect", "present")
ASKED = {  # role of a deed that is asked for -> kind of question
    "time": "when",
    "often": "how often",
    **dict.fromkeys(("mover", "taker", "putter", "holder", "giver", "finder", "loser"), "who did"),
    "receiver": "to whom",
    "theme": "what did",
    **dict.fromkeys(("place", "source", "location", "spot"), "where did"),
}
QUERIES = {  # kinds of questions of the world
    "where": ("where", ("what",)),
    "where_before": ("where before", ("what", "to")),
    "who_has": ("who has", ("what",)),
    "is_in": ("is in", ("what", "to")),
    "who_in": ("who is in", ("to",)),
    "what_in": ("what is in", ("to",)),
    "list_carried": ("what has", ("who",)),
    "count_carried": ("how many has", ("who",)),
    "does_have": ("does have", ("who", "what")),
}


@dataclass(frozen=True)
class Sentence:
    """One sentence: its words, whether it asks, the facts in it."""

    words: tuple[str, ...]
    asks: bool
    kinds: tuple[str, ...]  # SLOTS of them
    roles: tuple[dict[str, Span], ...]


def span_of(entity: Entity, mentions: Sequence[Mention]) -> Span | None:
    """Where an entity is named in a sentence; a group from its first member to its last."""
    if entity.members:
        spans = [span_of(member, mentions) for member in entity.members]
        whole = next(((first, last) for named, first, last in mentions if named is entity), None)
        found = [span for span in spans if span is not None]
        if whole is not None or len(found) < len(spans):
            return whole
        first, last = min(found)[0], max(found)[1]
        return (first, last) if last - first <= 12 else None
    return next(((first, last) for named, first, last in mentions if named is entity), None)


def fact_of(record: Record, mentions: Sequence[Mention]) -> tuple[str, dict[str, Span]] | None:
    """The fact that a record says in a sentence; ``None`` where it says nothing of whereabouts."""
    if isinstance(record, Deed):
        if record.sense not in DEEDS or record.mode or record.tense not in REAL or "often" in record.roles:
            return None
        kind, names = DEEDS[record.sense]
        entities = {ours: record.roles.get(worlds_name) for worlds_name, ours in (names | ALWAYS).items()}
    elif isinstance(record, At):
        kind, entities = "at" if record.positive else "not at", {"what": record.subject, "to": record.place}
        if record.options:
            kind = "either"
            entities |= dict(zip(("to", "other"), record.options, strict=False))
    elif isinstance(record, Has) and record.positive and not record.options:
        kind, entities = "has", {"who": record.holder, "what": record.theme}
    else:
        return None
    spans = {role: span_of(entity, mentions) for role, entity in entities.items() if entity is not None}
    roles = {role: span for role, span in spans.items() if span is not None}
    return (kind, roles) if NEEDED[kind] in roles else None


def statements(story: Story) -> Iterator[Sentence]:
    """The statements of a story; none of a diary, whose times are no order."""
    said: dict[int, list[Record]] = {}
    for record in story.records:
        said.setdefault(record.statement, []).append(record)
    for number, (statement, mentions) in enumerate(zip(story.statements, story.mentions, strict=True)):
        records = said.get(number, [])
        if any(isinstance(record, At) and record.rank is not None for record in records):
            continue
        found = [fact for record in records if (fact := fact_of(record, mentions)) is not None]
        if not ENDED.isdisjoint(statement.words):
            found = [("no longer at" if kind == "not at" else kind, roles) for kind, roles in found]
        found.sort(key=lambda fact: max(last for _, last in fact[1].values()))
        if len(found) <= SLOTS:
            yield sentence(statement.words, False, found)


def sentence(words: Sequence[str], asks: bool, found: Sequence[tuple[str, dict[str, Span]]]) -> Sentence:
    """With :data:`~memnet.facts.kinds.NONE` where there are fewer facts than slots."""
    told = [*found, *[(NONE, dict[str, Span]())] * (SLOTS - len(found))]
    return Sentence(tuple(words), asks, tuple(kind for kind, _ in told), tuple(roles for _, roles in told))


def question(asked: Question) -> Sentence | None:
    """A question; of kind none where it asks for something else than whereabouts, ``None`` where that is not clear."""
    query, mentions = asked.query, asked.mentions
    kind, deed, entities = NONE, NONE, dict[str, Entity | None]()
    if query and query[0] in QUERIES:
        kind, names = QUERIES[str(query[0])]
        entities = {role: one for role, one in zip(names, query[1:], strict=False) if isinstance(one, Entity)}
    elif query and query[0] == "had":
        kind, entities = f"had {query[2]}", {"what": query[1], "who": query[3] if query[2] == "before" else None}  # type: ignore[dict-item]
    elif query and query[0] == "deed":
        _, sense, roles, role = query[:4]
        assert isinstance(sense, str)
        assert isinstance(roles, dict)
        if sense not in DEEDS or role not in ASKED:
            return sentence(asked.words, True, ()) if sense not in DEEDS else None
        kind, (deed, names_of) = ASKED[str(role)], DEEDS[sense]
        entities = {ours: roles.get(worlds_name) for worlds_name, ours in (names_of | ALWAYS).items()}
    found = {role: span_of(one, mentions) for role, one in entities.items() if one is not None}
    spans = {role: span for role, span in found.items() if span is not None}
    if kind in QUESTIONS and not spans:
        return None
    second = [(deed, dict[str, Span]())] if deed != NONE else []
    return sentence(asked.words, True, [(kind, spans), *second] if kind != NONE else ())


def shifted(one: Sentence, words: Sequence[str], by: int) -> Sentence:
    """The sentence with other words, of which its own begin ``by`` words later."""
    roles = tuple({role: (first + by, last + by) for role, (first, last) in each.items()} for each in one.roles)
    return replace(one, words=tuple(words), roles=roles)


WHEREABOUTS = (
    *("moves", "moves", "leaving", "carrying", "carrying", "putting", "putting", "giving", "trading", "finding"),
    *("whereabouts", "whereabouts", "either", "denials", "holding", "containers", "moves_after", "relative"),
)


OF_WHEREABOUTS = frozenset(
    [
        *("moves", "carrying", "giving", "whereabouts", "denials", "either"),
        *("moves_together", "moves_after", "taking", "dropping", "handing"),
    ]
)
PUBLISHED = tuple(name for name, mix in MIXES.items() if OF_WHEREABOUTS.issuperset(mix.families))


def dials(random: Random) -> Dials:
    """What a story is about: mostly whereabouts, all else beside it, or a published task."""
    roll = random.random()
    if roll < 0.12:
        return replace(MIXES[random.choice(PUBLISHED)], statements=(4, 12), questions=0.5)
    chosen = Dials(
        statements=(4, 10),
        questions=0.7,
        unreal=0.15,
        additions=random.choice((0.1, 0.35, 0.6)),
        unusual=random.choice((0.2, 0.5, 0.8)),
        pronouns=random.choice((0.0, 0.3, 0.6)),
        compounds=0.2,
        wild=0.3,
    )
    return replace(chosen, families=WHEREABOUTS) if roll < 0.7 else chosen


def of_world(seed: int) -> Iterator[Sentence]:
    """Sentences without end, the same for the same seed."""
    random = Random(f"facts {seed}")
    while True:
        story = draw(random, dials(random))
        yield from statements(story)
        for asked in story.questions:
            if (found := question(asked)) is not None:
                yield found
