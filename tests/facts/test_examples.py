"""Sentences with their facts, to learn from: every phrase stands in its sentence and is what the record names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random

import pytest

from memnet.facts import log_examples, ways
from memnet.facts.examples import Sentence, fact_of, of_world, statements
from memnet.facts.kinds import FACTS, NONE, QUESTIONS, ROLES, SLOTS
from memnet.facts.log_examples import line_of, of_logs
from memnet.facts.training import with_asides, with_other_names
from memnet.facts.ways import labelled, of_ways
from memnet.tasks import movements
from memnet.tasks.movements.names import WORDS
from memnet.tasks.text.tokens import split
from memnet.tasks.world import Dials, draw
from memnet.tasks.world.entities import PRONOUNS, SPEAKING, Entity
from memnet.tasks.world.records import At, Deed, Has

SOURCES: dict[str, Callable[[int], Iterator[Sentence]]] = {"world": of_world, "logs": of_logs, "ways": of_ways}
INSTEAD = {"there", "here", *(word.lower() for forms in (PRONOUNS, SPEAKING) for words in forms.values() for word in words)}


def said(one: Sentence) -> list[tuple[str, dict[str, str]]]:
    """The facts of a sentence with their words."""
    phrases = [{role: " ".join(one.words[slice(*span)]) for role, span in each.items()} for each in one.roles]
    return [(kind, each) for kind, each in zip(one.kinds, phrases, strict=True) if kind != NONE]


def check(one: Sentence) -> None:
    """Fail where a span is none of the sentence, or a kind or a role is none."""
    assert len(one.kinds) == len(one.roles) == SLOTS
    for slot, (kind, roles) in enumerate(zip(one.kinds, one.roles, strict=True)):
        known = QUESTIONS if one.asks and not slot else FACTS
        assert kind == NONE or kind in known, one
        assert kind != NONE or not roles, one
        assert roles.keys() <= set(ROLES), one
        for first, last in roles.values():
            assert 0 <= first < last <= len(one.words), one


@pytest.mark.parametrize("source", SOURCES)
def test_every_phrase_stands_in_its_sentence(source: str):
    random, drawn = Random(1), list(islice(SOURCES[source](5), 1500))
    for one in drawn:
        check(one)
    assert {True, False} == {one.asks for one in drawn}
    assert 0.02 < sum(one.kinds[0] == NONE for one in drawn) / len(drawn) < 0.7
    for one in drawn[:300]:
        changed = with_asides(with_other_names(one, random), random)
        check(changed)
        assert [kind for kind, _ in said(changed)] == [kind for kind, _ in said(one)]
        whole = with_asides(one, random)
        assert [(kind, {role: text.lower() for role, text in each.items()}) for kind, each in said(whole)] == [
            (kind, {role: text.lower() for role, text in each.items()}) for kind, each in said(one)
        ], "asides change no phrase"


@pytest.mark.parametrize("source", SOURCES)
def test_the_same_number_draws_the_same(source: str):
    one, same, other = (list(islice(SOURCES[source](seed), 60)) for seed in (5, 5, 6))
    assert one == same
    assert one != other


# What is named


def names_of(entity: Entity) -> set[str]:
    """Words by which an entity, or one of a group, is named, in small letters."""
    return {word.lower() for one in (entity, *(entity.members or ())) for word in one.words}


def test_phrases_of_the_world_name_what_its_records_name():
    random, checked = Random(3), 0
    for _ in range(60):
        story = draw(random, Dials(statements=(6, 12)))
        entities = {
            entity
            for record in story.records
            for entity in (
                record.roles.values()
                if isinstance(record, Deed)
                else (record.subject, record.place, *record.options)
                if isinstance(record, At)
                else (record.holder, record.theme)
                if isinstance(record, Has)
                else ()
            )
            if entity is not None
        }
        words = set().union(*map(names_of, entities)) if entities else set()
        for one in statements(story):
            for _, phrases in said(one):
                for text in phrases.values():
                    told = {word.lower() for word in text.split()}
                    assert told & words or told & INSTEAD, (text, one)
                    checked += 1
    assert checked > 300


def test_phrases_of_logs_are_the_names_of_their_facts():
    log = movements.draw(Random(7), 400, half="train")
    told = 0
    for line in log.lines:
        named = {text for text in (line.fact.who, line.fact.what, line.fact.from_, line.fact.to, line.fact.receiver) if text}
        phrases = [text for _, each in said(line_of(line)) for text in each.values()]
        assert sorted(text.lower() for text in phrases) == sorted(" ".join(split(text)).lower() for text in named), line
        assert bool(phrases) == (line.fact.kind != "none")
        told += bool(phrases)
    assert told > 200


SLOTS_FILLED = {"who": "Aaa Bbb", "receiver": "Ccc", "what": "the ddd eee", "source": "Fff 1", "to": "the ggg"}


def test_phrases_of_ways_are_what_fills_the_slots(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(ways.Names, "of", lambda self, slot: SLOTS_FILLED[slot])
    monkeypatch.setattr(ways.Names, "several", lambda self: SLOTS_FILLED["what"])
    bare = {slot: name.removeprefix("the ").lower() for slot, name in SLOTS_FILLED.items()}
    seen: set[str] = set()
    for one in islice(of_ways(2), 2000):
        for _, phrases in said(one):
            for role, text in phrases.items():
                slots = {role, "who"} if role == "what" else {role}
                instead = {word.lower() for words in ways.PRONOUNS.values() for word in words}
                assert text.lower() in {bare[slot] for slot in slots} | instead, one
                seen.add(role)
    assert seen == set(SLOTS_FILLED)


def test_several_things_are_one_phrase():
    names = ways.Names(Random(1))
    for _ in range(50):
        text, places = ways.filled("Ann put {what} in {to}.", names, Random(0), False)
        assert text[: places["what"][0]] in ("Ann put ", "Ann put the ", "Ann put a ", "Ann put an ")
        several = names.several()
        assert " and " in several


# By hand


def line(text: str, kind: str, **spans: tuple[int, int]) -> movements.Line:
    places = {role.rstrip("_"): span for role, span in spans.items()}
    return movements.Line("", None, text, movements.Fact(kind), places)


def way(text: str, section: str, **spans: tuple[int, int]) -> Sentence:
    return labelled(split(text), section, dict(spans))


HAND: list[tuple[Sentence, list[tuple[str, dict[str, str]]]]] = [
    (
        line_of(line("Pump 7 was moved from bay 3 to the yard.", "move", what=(0, 2), from_=(5, 7), to=(9, 10))),
        [("put", {"what": "Pump 7", "source": "bay 3", "to": "yard"})],
    ),
    (
        line_of(line("Ann carried the lamp to the attic", "move", who=(0, 1), what=(3, 4), to=(6, 7))),
        [("carry", {"who": "Ann", "what": "lamp", "to": "attic"})],
    ),
    (line_of(line("Ann is in the yard", "at", who=(0, 1), to=(4, 5))), [("at", {"what": "Ann", "to": "yard"})]),
    (
        line_of(line("Ann put the lamp in the yard", "drop", who=(0, 1), what=(3, 4), to=(6, 7))),
        [("put", {"who": "Ann", "what": "lamp", "to": "yard"})],
    ),
    (
        way("The lamp is no longer in the hall.", "not at", what=(1, 2), to=(7, 8)),
        [("no longer at", {"what": "lamp", "to": "hall"})],
    ),
    (way("Where is Ann?", "? where", who=(2, 3)), [("where", {"what": "Ann"})]),
    (way("Who put the lamp there?", "? who put", what=(3, 4)), [("who did", {"what": "lamp"}), ("put", {})]),
]


@pytest.mark.parametrize(("one", "facts"), HAND)
def test_by_hand(one: Sentence, facts: list[tuple[str, dict[str, str]]]):
    check(one)
    assert said(one) == facts
    assert one.asks == one.words[0].startswith("Wh")


ANN, LAMP, YARD = Entity("person", ("Ann",), det=""), Entity("thing", ("lamp",)), Entity("place", ("yard",))
TAKES = {"taker": ANN, "theme": LAMP}
MENTIONS = [(ANN, 0, 1), (LAMP, 3, 4), (YARD, 6, 7)]


BOB = Entity("person", ("Bob",), det="")
DONE = [
    ("give", {"giver": ANN, "theme": LAMP, "receiver": BOB}, ("give", {"who": (0, 1), "what": (3, 4), "receiver": (8, 9)})),
    ("move", {"mover": ANN, "theme": LAMP, "place": YARD}, ("put", {"who": (0, 1), "what": (3, 4), "to": (6, 7)})),
    ("steal", {"taker": ANN, "theme": LAMP, "giver": BOB}, ("take", {"who": (0, 1), "what": (3, 4), "source": (8, 9)})),
    ("lose", {"loser": ANN, "theme": LAMP, "spot": YARD}, ("at", {"who": (0, 1), "what": (3, 4), "to": (6, 7)})),
    ("leave", {"mover": ANN, "source": YARD}, ("leave", {"who": (0, 1), "source": (6, 7)})),
]


@pytest.mark.parametrize(("sense", "roles", "fact"), DONE, ids=[sense for sense, *_ in DONE])
def test_who_does_what_to_whom(sense: str, roles: dict[str, Entity], fact: tuple[str, dict[str, tuple[int, int]]]):
    assert fact_of(Deed(sense, roles), [*MENTIONS, (BOB, 8, 9)]) == fact


def test_wishes_denials_and_plans_say_nothing():
    assert fact_of(Deed("take", TAKES), MENTIONS) == ("take", {"who": (0, 1), "what": (3, 4)})
    for mode in ("not", "maybe", "wish"):
        assert fact_of(Deed("take", TAKES, mode=mode), MENTIONS) is None, mode
    assert fact_of(Deed("take", TAKES, tense="future"), MENTIONS) is None
    assert fact_of(Has(ANN, LAMP), MENTIONS) == ("has", {"who": (0, 1), "what": (3, 4)})
    assert fact_of(Has(ANN, LAMP, positive=False), MENTIONS) is None
    assert fact_of(At(ANN, YARD, positive=False), MENTIONS) == ("not at", {"what": (0, 1), "to": (6, 7)})
    assert fact_of(At(ANN, YARD), MENTIONS[:1]) is None, "a place that is not named"
    assert said(way("Ann wants to go to the yard.", "none", who=(0, 1), to=(6, 7))) == []
    assert said(line_of(line("Ann planned a trip to the yard", "none"))) == []


def test_statements_of_what_is_not_so_are_drawn_too():
    random, unreal = Random(11), 0
    for _ in range(40):
        story = draw(random, Dials(statements=(6, 10), unreal=0.6))
        modes: dict[int, list[bool]] = {}
        for record in story.records:
            modes.setdefault(record.statement, []).append(isinstance(record, Deed) and bool(record.mode))
        texts = {story.statements[number].words for number, unsaid in modes.items() if all(unsaid)}
        for one in statements(story):
            if one.words in texts:
                assert said(one) == [], one
                unreal += 1
    assert unreal > 20


# Halves


def test_what_is_asked_of_logs_is_never_learned(monkeypatch: pytest.MonkeyPatch):
    halves: list[str] = []
    drawn = movements.draw

    def noted(*args, **options):
        halves.append(options["half"])
        return drawn(*args, **options)

    monkeypatch.setattr(log_examples.movements, "draw", noted)
    words = {word.lower() for one in islice(of_logs(1), 1500) for word in one.words}
    assert halves
    assert set(halves) == {"train"}
    people = {half: {name.strip().lower() for name in WORDS[f"{half} people"]} for half in ("train", "test")}
    assert len(people["train"] & words) > 5
    assert not people["test"] & words
