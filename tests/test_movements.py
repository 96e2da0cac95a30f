"""The log of movements: halves that share nothing, spans, and answers that a plain replay of the lines gives, too."""

import re
from itertools import product
from random import Random

import pytest

from memnet.tasks.movements import HALVES, KINDS, PARTS, QUESTION_KINDS, Fact, Known, Line, Question, draw, right, split
from memnet.tasks.movements.asking import FORMS as ASKED
from memnet.tasks.movements.asking import arrival
from memnet.tasks.movements.names import WORDS
from memnet.tasks.movements.telling import FORMS, SLOT, STAMPS, read_when
from memnet.tasks.world.log_forms import all_forms, ways

SOUND = 40  # logs whose answers are compared with the replay's


def of_half(lists: dict[str, tuple[str, ...]], half: str) -> set[str]:
    return {one for name, listed in lists.items() if name.startswith(f"{half} ") for one in listed}


def test_there_are_more_than_forty_forms_of_movement_in_each_half():
    for half in HALVES:
        forms = {form for name in FORMS for form in FORMS[name] if name.startswith(half) and "{" in form and "none" not in name}
        assert len(forms) > 60


@pytest.mark.parametrize("lists", [FORMS, WORDS, ASKED], ids=["forms", "words", "questions"])
def test_the_halves_share_no_form_and_no_word(lists):
    train, test = of_half(lists, "train"), of_half(lists, "test")
    assert train
    assert test
    assert not train & test
    if lists is WORDS:
        train, test = ({word for one in part for word in one.split()} - {"the"} for part in (train, test))
        assert not train & test


def bare(form: str) -> str:
    return form.replace("{from}", "{source}").rstrip(".?").lower()


@pytest.mark.parametrize(("lists", "least"), [(FORMS, 220), (ASKED, 25)], ids=["forms", "questions"])
def test_nothing_learns_from_the_forms_of_the_other_writers(lists, least):
    entries = {form.text for forms in all_forms() for form in (*forms.told, *forms.asked)}
    written = {form for listed in ways().values() for form in listed} | entries
    learned = {bare(form) for form in written | of_half(lists, "train") | of_half(lists, "plain")}
    for part in PARTS[len(HALVES) :]:
        forms = of_half(lists, part)
        assert len(forms) >= least
        assert not {bare(form) for form in forms} & learned


def test_dates_stand_in_other_ways_in_each_half():
    assert not set(STAMPS["train"]) & set(STAMPS["test"])


def test_the_same_seed_gives_the_same_log():
    assert draw(Random(4), 120).text == draw(Random(4), 120).text
    assert draw(Random(4), 120).text != draw(Random(5), 120).text


def test_names_of_one_half_never_appear_in_the_other():
    told = {half: " ".join(draw(Random(seed), 300, half).text for seed in range(4)) for half in HALVES}
    for half, other in (HALVES, HALVES[::-1]):
        names = [name for kind in ("people", "heavy", "light", "single") for name in WORDS[f"{half} {kind}"]]
        assert sum(re.search(rf"\b{name}\b", told[half]) is not None for name in names) > len(names) / 3
        assert not [name for name in names if re.search(rf"\b{name}\b", told[other])]


@pytest.mark.parametrize(("half", "dates"), list(product(PARTS, (True, False))))
def test_spans_are_the_names_of_the_fact(half, dates):
    log = draw(Random(11), 600, half, dates)
    for line in log.lines:
        said = {"who": line.fact.who, "what": line.fact.what, "from": line.fact.from_, "to": line.fact.to}
        said["receiver"] = line.fact.receiver
        words = split(line.text)
        spans = {role: " ".join(words[first:last]) for role, (first, last) in line.spans.items()}
        assert {role: text.lower() for role, text in spans.items()} == {
            role: name.lower() for role, name in said.items() if name is not None
        }
        assert bool(line.stamp) == dates == (line.when is not None)
        if dates:
            assert read_when(line.stamp) == line.when
    assert {line.fact.kind for line in log.lines} == set(KINDS)


def test_every_form_is_used():
    for half in PARTS:
        log = draw(Random(2), 6000, half, dates=False)
        shapes = []
        for line in log.lines:
            shapes.append(line.text.lower())
        missing = [
            form
            for name, listed in FORMS.items()
            if name.startswith(half) and name.split()[1] not in ("openings", "ends")
            for form in listed
            if not any(
                re.search(SLOT.sub(".+", re.escape(form).replace(r"\{", "{").replace(r"\}", "}")).lower(), one)
                for one in shapes
            )
        ]
        assert not missing


def fact(kind: str, **roles: str) -> Fact:
    return Fact(kind, **roles)


def test_a_state_by_hand():
    known = Known()
    for number, one in enumerate(
        [
            fact("move", who="Ann", what="pump 7", from_="bay 3", to="attic"),
            fact("go", who="Bill", to="attic"),
            fact("take", who="Bill", what="jack 1", from_="attic"),
            fact("go", who="Bill", to="hall B"),
            fact("give", who="Bill", what="jack 1", receiver="Oona"),
            fact("none"),
            fact("drop", who="Oona", what="jack 1", to="hall B"),
            fact("leave", who="Bill", from_="hall B"),
        ]
    ):
        known.tell(one, number)
    pump, jack = known.things["pump 7"], known.things["jack 1"]
    assert [stay.place for stay in pump.stays] == ["bay 3", "attic"]
    assert [stay.place for stay in jack.stays] == ["attic", "hall B"]
    assert (jack.holder, jack.last_holder) == (None, "Oona")
    assert known.people["Bill"].place is None
    assert known.people["Oona"].place is None or known.people["Oona"].place == "hall B"


def test_where_a_carrier_went_untold_nothing_is_asked():
    """Bill has the jack and moves a crate: he may have been in both places, and nobody asks of them."""
    known = Known()
    for number, one in enumerate(
        [
            fact("take", who="Bill", what="jack 1", from_="attic"),
            fact("go", who="Bill", to="hall B"),
            fact("go", who="Bill", from_="yard", to="lab"),  # he had walked to the yard, with the jack
            fact("move", who="Bill", what="crate", from_="hall B", to="cellar"),
            fact("drop", who="Bill", what="jack 1", to="attic"),
        ]
    ):
        known.tell(one, number)
    jack = known.things["jack 1"]
    assert [stay.place for stay in jack.stays] == ["attic", "hall B", "yard", "lab", None, "attic"]
    assert jack.perhaps == {"hall B", "cellar"}
    assert [jack.stays[number].place for number in arrival(jack)] == ["yard", "lab", "attic"]


# An independent replay: it looks at the newest lines first, and knows nothing of stays


def about(lines: list[Line], name: str) -> list[tuple[int, Fact]]:
    return [(number, one.fact) for number, one in enumerate(lines) if name == one.fact.what]


def follow(lines: list[Line], name: str, until: int | None = None) -> str | None:
    """Where a thing is: by the last line that puts it somewhere, or by the walks of whoever has it."""
    lines = lines[:until]
    facts = about(lines, name)
    for number, one in reversed(facts):
        if one.kind in ("take", "give"):
            who = one.receiver if one.kind == "give" else one.who
            walks = [other.fact.to for other in lines[number + 1 :] if other.fact.who == who and other.fact.what is None]
            return walks[-1] if walks else one.from_ or follow(lines, name, number)
        if one.to is not None:
            return one.to
        return follow(lines, name, number)
    return None


def replayed(lines: list[Line], question: Question, name: str) -> str | None:
    facts = about(lines, name)
    if question.kind == "where":
        return follow(lines, name)
    if question.kind == "has":
        return facts[-1][1].receiver or facts[-1][1].who
    if question.kind == "had":
        taken = [one for _, one in facts if one.kind in ("take", "give")]
        return facts[-1][1].who or taken[-1].receiver or taken[-1].who
    if question.kind == "mover":
        return next(one.who for _, one in reversed(facts) if one.kind == "move")
    if question.kind == "often":
        return str(sum(one.kind == "move" for _, one in facts))
    if question.kind == "person":
        return next(one.fact.to for one in reversed(lines) if name in (one.fact.who, one.fact.receiver))
    return None


def test_answers_are_those_of_a_replay():
    compared = set()
    for seed in range(SOUND):
        log = draw(Random(seed), 250, HALVES[seed % 2])
        names = {one.text: one.name for part in (log.cast.things, log.cast.people) for one in part}
        for question in log.questions:
            asked = [name for text, name in names.items() if re.search(rf"\b{re.escape(text)}\b", question.text)]
            if question.kind in ("where", "has", "had", "mover", "often", "person"):
                name = max(asked, key=len)
                assert replayed(log.lines, question, name) == question.answer, (seed, question)
                compared.add(question.kind)
            if question.kind == "when":
                line = log.lines[question.evidence[0]]
                assert line.fact.kind == "move"
                assert line.when is not None
                assert line.when.isoformat(" ", "minutes") == question.answer
                assert line.fact.to in question.text
            if question.kind == "before":
                assert question.answer not in question.text.removeprefix("Where ").split("before")[-1]
                last = max(question.evidence)
                name = max(asked, key=len)
                before = log.lines[last].fact.from_ or follow(log.lines, name, last)
                assert before == question.answer, (seed, question)
            if question.kind == "never mentioned":
                assert question.answer is None
                assert not asked
            if question.kind in ("never there", "nobody has"):
                assert question.answer is None
    assert compared == {"where", "has", "had", "mover", "often", "person"}
    assert compared < set(QUESTION_KINDS)


def test_what_is_right():
    when = Question("when", "When was pump 7 moved to bay 3?", "2024-03-05 08:14", ("[05.03.2024 08:14] ",))
    for answer in ("2024-03-05 08:14", "2024-03-05T08:14:22", "[05.03.2024 08:14]", "05 March 2024, 08:14:"):
        assert right(when, answer)
    for answer in ("2024-03-05 08:15", "2024-03-06 08:14", "yesterday", None):
        assert not right(when, answer)
    where = Question("where", "Where is the jack?", "hall B")
    assert right(where, "the Hall B.")
    assert not right(where, "hall C")
    assert not right(where, None)
    unknown = Question("never mentioned", "Where is the submarine?", None)
    assert right(unknown, None)
    assert not right(unknown, "bay 3")
