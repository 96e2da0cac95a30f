"""Events of log books: their form, what is drawn from them, what is right about a line."""

from random import Random

import pytest

from memnet.tasks.text.tokens import split
from memnet.tasks.world.event_books import (
    HOW,
    NOT_TOLD,
    Ask,
    EventError,
    Filled,
    another,
    answer_of,
    asked_of,
    books,
    briefly,
    draw_entry,
    parse,
)

STORE = """
# book: a store
slot thing: cello C-04 | trumpet TR-11 | violin 7 | the big drum
slot person: Ms Okoro | Jonas | R. Vance
slot place: band room | the hall

event lent:
{person} signed out {thing}.
Lent {thing} to {person}.

event returned:
{thing} back in {place}, brought by {person}.

event asked for:
{person} asked about {thing}.

ask:
Who has {thing}?
told by lent: {person}
told by returned: nobody

ask:
When was {thing} last lent?
told by lent: when

ask count:
How often was {thing} lent?
told by lent: count

list now:
What is in {place}?
told by returned: {thing}
told by lent: no
"""
VALUES = {"thing": "cello C-04", "person": "R. Vance", "place": "the hall"}


def told(how: str, event: str, wording: str, same: bool = True) -> tuple[str, str]:
    """What a line tells of the question of the store that is asked so: the kind, and the words of its span."""
    (book,) = parse(STORE)
    ask = next(one for one in book.asks if one.how == how)
    said = {event: Filled.of(wording, VALUES)}
    answer = answer_of(ask, event, said, same)
    words = split(said[event].text)
    return answer.kind, " ".join(word for _, first, last in answer.spans for word in words[first:last])


def test_a_book_has_slots_events_and_questions():
    (book,) = parse(STORE)
    assert book.slots["place"] == ["band room", "the hall"]
    assert [*book.events] == ["lent", "returned", "asked for"]
    assert book.asks[0] == Ask("ask", ["Who has {thing}?"], {"lent": "{person}", "returned": "nobody"})
    assert [one.how for one in book.asks] == ["ask", "ask", "ask count", "list now"]


def test_what_a_line_tells():
    assert told("ask", "lent", "Lent {thing} to {person}.") == ("span", "R Vance")
    assert told("ask", "returned", "{thing} back in {place}, brought by {person}.") == ("nothing", "")
    assert told("ask count", "lent", "Lent {thing} to {person}.") == ("number", "")
    assert told("list now", "returned", "{thing} back in {place}.") == ("span", "cello C-04")


def test_of_another_thing_nothing_is_told_and_what_is_elsewhere_is_on_no_list():
    assert told("ask", "lent", "Lent {thing} to {person}.", same=False) == ("untold", "")
    assert told("list now", "returned", "{thing} back in {place}.", same=False) == ("no", "")


@pytest.mark.parametrize(
    ("line", "other", "message"),
    [
        ("{person} asked about {thing}.", "{who} asked.", "has 'who', which is no slot of 'a store'"),
        ("told by returned: nobody", "told by sold: nobody", "is told by 'sold', which is no event of 'a store'"),
        ("told by lent: {person}", "told by lent: {place}", "a wording of 'lent' lacks {place}"),
        ("told by lent: when", "told by lent: perhaps", "a wording of 'lent' lacks perhaps"),
        ("ask count:", "ask often:", "'ask often' is none of ask, ask count"),
        ("told by lent: when", "told by lent, when", "'told by lent, when' is no heading"),
        ("{person} asked about {thing}.", "", "'asked for' of 'a store' has no wording"),
        ("slot place: band room | the hall", "place: band room", "expected a slot or an event"),
    ],
)
def test_what_is_not_of_the_form_is_refused_with_its_place(line: str, other: str, message: str):
    with pytest.raises(EventError, match=r"line \d+") as error:
        [*parse(STORE.replace(line, other))]
    assert message in str(error.value)


def test_the_lexicon_is_of_the_form_and_every_event_matters_to_some_question():
    found = books()
    assert len(found) == 120
    assert len({one.name for one in found}) == len(found)
    for book in found:
        asked = {event for ask in book.asks for event in ask.told}
        assert len(asked) > len(book.events) / 2, book.name
        assert all(ask.how in HOW and ask.told and len(ask.wordings) >= 3 for ask in book.asks), book.name


def test_drawn_lines_have_questions_whose_spans_are_words_of_theirs():
    random, kinds = Random(1), set()
    for _ in range(300):
        story = draw_entry(random)
        (line,) = story.statements
        assert split(line.text) == [*line.words]
        for question in story.questions:
            kinds.add(question.answer.kind)
            assert split(question.text) == [*question.words]
            assert all(0 <= first < last <= len(line.words) for _, first, last in question.answer.spans)
            assert (question.evidence == ()) == (question.answer is NOT_TOLD)
    assert kinds == {"span", "untold", "yes", "no", "nothing", "maybe", "number"}


def test_the_same_seed_draws_the_same():
    assert draw_entry(Random(5)) == draw_entry(Random(5))


def test_a_question_about_another_thing_is_not_told_by_the_line():
    (book,) = parse(STORE)
    said, random, kinds = {"lent": Filled.of("Lent {thing} to {person}.", VALUES)}, Random(2), set()
    for _ in range(60):
        question = asked_of(book.asks[0], said, VALUES, book, random)
        same = "C-04" in question.text
        kinds.add((same, question.answer.kind))
    assert kinds == {(True, "span"), (False, "untold")}


def test_another_value_may_differ_by_its_number_alone():
    drawn = {another("cello C-04", ["violin 7"], Random(seed)) for seed in range(60)}
    assert drawn == {"violin 7", "cello C-02", "cello C-03", "cello C-05", "cello C-06", "cello C-07", "cello C-14"}
    assert {another("the drum", ["violin 7"], Random(seed)) for seed in range(9)} == {"violin 7"}


def test_a_code_may_stand_for_a_thing():
    assert {briefly("cello C-04", Random(seed)) for seed in range(40)} == {"cello C-04", "C-04"}
    assert {briefly("violin 7", Random(seed)) for seed in range(40)} == {"violin 7"}
