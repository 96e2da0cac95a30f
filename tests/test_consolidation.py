"""FactConsolidation: the later number wins, chains lead where they should, and the halves share no name and no phrase."""

from random import Random

import pytest

from memnet.tasks.consolidation import HALVES, HEADING, LINES, Text, draw, relations
from memnet.tasks.consolidation import names as names_of
from memnet.tasks.consolidation.published import Published, published
from memnet.tasks.files import DataError


def follow(text: Text, subject: str, chain: tuple[str, ...]) -> str | None:
    """Hop by hop through the lines themselves: the last one that begins and ends as the relation says."""
    for name in chain:
        before, _, after = relations()[name].statement.partition("[X]")
        middle = after.removesuffix("__")
        start = f"{before}{subject}{middle}"
        start = start[:1].upper() + start[1:]
        found = [fact.text for fact in text.facts if fact.relation == name and fact.text.startswith(start)]
        if not found:
            return None
        subject = found[-1].removeprefix(start).removesuffix(".")
    return subject


@pytest.mark.parametrize(("length", "half"), [("6k", "test"), ("32k", "train")])
def test_answers_are_those_of_a_walk_through_the_lines(length, half):
    text = draw(Random(5), length, half)
    assert len(text.facts) == LINES[length]
    assert text.context.splitlines()[:2] == [HEADING, f"0. {text.facts[0].text}"]
    for question in text.questions:
        assert follow(text, question.subject, question.relations) == question.answer
        assert question.subject in question.text
        for number, relation in zip(question.evidence, question.relations, strict=bool(question.answer)):
            assert text.facts[number].relation == relation
    kinds = [question.kind for question in text.questions]
    assert kinds.count("single hop") == 100
    assert all(kinds.count(f"{hops} hops") >= 25 for hops in (2, 3, 4))
    assert kinds.count("never told") == 20


def test_every_question_hangs_on_a_fact_that_contradicts_an_earlier_one():
    text = draw(Random(2), "6k")
    told = [(fact.subject, fact.relation) for fact in text.facts]
    for question in text.questions:
        if question.answer is not None:
            assert any(told.count((text.facts[one].subject, text.facts[one].relation)) > 1 for one in question.evidence)


def test_the_same_seed_gives_the_same_text():
    assert draw(Random(3)) == draw(Random(3))
    assert draw(Random(3)).context != draw(Random(4)).context


def test_only_some_relations():
    text = draw(Random(3), "6k", only=["P26", "P40", "P36"])
    assert {fact.relation for fact in text.facts} == {"P26", "P40", "P36"}


def test_the_halves_share_no_syllable_and_no_phrase():
    for parts in (names_of.BEGINS, names_of.MIDDLES, names_of.ENDS):
        assert not set(parts["train"]) & set(parts["test"])
    for relation in relations().values():
        assert not set(relation.phrases["train"]) & set(relation.phrases["test"])
    names = {half: {fact.subject for fact in draw(Random(1), "6k", half).facts} for half in HALVES}
    assert not names["train"] & names["test"]


def test_a_phrase_of_several_hops_ends_in_what_it_is_of():
    for relation in relations().values():
        for half in HALVES:
            assert any(phrase.endswith("{}") for phrase in relation.phrases[half])
            assert all(phrase.count("{}") == 1 for phrase in relation.phrases[half])


def test_another_length_or_half():
    for given in ({"length": "7k"}, {"half": "valid"}):
        with pytest.raises(ValueError, match="expected a length of 6k"):
            draw(Random(0), **given)


def write_rows(path, rows):
    import datasets

    datasets.Dataset.from_list(rows).to_parquet(str(path))


def row(source, questions=("Who is the author of A?",), answers=(("B", "Bee"),)):
    context = "Here is a list of facts:\n0. The author of A is C.\n1. The author of A is B.\n"
    return {
        "context": context,
        "questions": list(questions),
        "answers": [list(one) for one in answers],
        "metadata": {"source": source},
    }


def test_the_published_file(tmp_path):
    path = tmp_path / "split.parquet"
    write_rows(path, [row("other"), row("factconsolidation_mh_6k")])
    (text,) = published(path)
    assert text == Published("factconsolidation_mh_6k", row("")["context"], ["Who is the author of A?"], [["B", "Bee"]])
    assert (text.length, text.kind, text.facts) == ("6k", "several hops", ["The author of A is C.", "The author of A is B."])


def test_another_file_than_the_published(tmp_path):
    path = tmp_path / "split.parquet"
    path.write_bytes(b"no parquet")
    with pytest.raises(DataError, match="cannot be read"):
        published(path)
    write_rows(path, [row("other")])
    with pytest.raises(DataError, match="has no text whose source begins with"):
        published(path)
    write_rows(path, [{"text": "a"}])
    with pytest.raises(DataError, match="row 1 lacks"):
        published(path)
