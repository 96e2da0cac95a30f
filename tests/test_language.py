"""The pages are plain English: short sentences, the field's words, spelled right; each says what it cannot do."""

import re
from collections.abc import Iterator
from pathlib import Path

from memnet.reading.words import Words

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "results").glob("*.md"))]
LONGEST_MEAN, LONGEST = 25, 40  # words of a sentence: the mean of a page, and the most
WITHOUT_LIMITS = {"api", "glossary.md", "index.md", "commands.md", "settings.md"}  # lists, and where to go on
PROVENANCE = re.compile(r"[Mm]easured by|made by code")  # a list of code, machine and versions, written by a program
LIMIT = re.compile(r"cannot|What .* not do|falls short|## Limits|Deviations from the paper", re.IGNORECASE)
PRIVATE = {  # words that only this project used -> the field's
    r"\bwords exchanged\b": "permutation augmentation",
    r"\bown picks\b": "scheduled sampling",
    r"\berrs\b": "has ... % error",
    r"\bidle sentences?\b": "distractor sentences",
    r"\bside by side networks\b": "replicas",
    r"\bunheard\b": "out-of-story words",
    r"\bsayable\b": "mask_special",
    r"\bflawless epochs?\b": "perfect epochs",
}
TERMS = ROOT / "tests" / "terms.txt"  # words of the pages that no list of English words has


def prose(text: str) -> Iterator[str]:
    """The paragraphs of a page: no code, tables, headings, formulas and comments; of a link its words."""
    text = re.sub(r"^( *)```.*?^\1```$", "\n\n", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"<!--.*?-->|\$\$.*?\$\$", "\n\n", text, flags=re.DOTALL)
    text = re.sub(r"^(?:\||#).*$", "\n", text, flags=re.MULTILINE)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)|<[^>]*>", " ", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"`[^`]*`|\$[^$\n]*\$|https?://\S+", "X", text)
    text = re.sub(r"^ *(?:[-*]|\d+\.) ", "\n\n", text, flags=re.MULTILINE)
    yield from filter(None, (" ".join(part.split()) for part in re.split(r"\n\s*\n", text)))


def sentences(text: str) -> list[str]:
    """The sentences of a page's paragraphs that have two words or more."""
    found = [one for part in prose(text) for one in re.split(r"(?<=[.!?:])[)\"']*\s+", part)]
    return [one for one in found if len(words(one)) > 1]


def words(text: str) -> list[str]:
    """The words of a text."""
    return re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", text)


def name(page: Path) -> str:
    """A page's name below the project."""
    return page.relative_to(ROOT).as_posix()


def test_the_sentences_of_a_page_are_short():
    for page in PAGES:
        lengths = [len(words(one)) for one in sentences(page.read_text(encoding="utf-8"))]
        assert not lengths or sum(lengths) / len(lengths) <= LONGEST_MEAN, page


def too_long(text: str) -> list[str]:
    """The sentences of a page that are longer than a reader follows."""
    return [one for one in sentences(text) if len(words(one)) > LONGEST and not PROVENANCE.search(one)]


def test_no_sentence_is_longer_than_a_reader_follows():
    texts = {name(page): page.read_text(encoding="utf-8") for page in PAGES}
    assert {page: found for page, text in texts.items() if (found := too_long(text))} == {}


def test_a_page_uses_the_fields_words():
    for page in PAGES:
        text = " ".join(prose(page.read_text(encoding="utf-8")))
        found = [(word, better) for word, better in PRIVATE.items() if re.search(word, text, re.IGNORECASE)]
        assert found == [], page


def test_a_page_says_what_it_cannot_do():
    saying = [page for page in PAGES if not {page.name, page.parent.name} & WITHOUT_LIMITS]
    assert [page for page in saying if not LIMIT.search(page.read_text(encoding="utf-8"))] == []


def known_words() -> set[str]:
    """The most frequent words of English, those that word vectors are there for, and the terms of the pages."""
    return {*Words.load().rows, *TERMS.read_text(encoding="utf-8").split()}


def is_known(word: str, known: set[str]) -> bool:
    """Whether a word, or each part of a compound, is known; names, numbers and short forms of letters are."""
    parts = re.split(r"[-'’]", word)
    return all(len(part) < 3 or not part.isalpha() or not part.islower() or part in known for part in parts)


def misspelled(text: str, known: set[str]) -> list[str]:
    """The words of a page that are in no list; what is in capitals may be a name."""
    found = words(" ".join(prose(text)))
    return sorted({word for word in found if not is_known(word, known)})


def test_the_pages_are_spelled_right():
    """A new word that is right is added to ``tests/terms.txt``."""
    known = known_words()
    assert {name(page): wrong for page in PAGES if (wrong := misspelled(page.read_text(encoding="utf-8"), known))} == {}


def test_terms_are_in_order_and_needed():
    terms = TERMS.read_text(encoding="utf-8").split()
    assert terms == sorted(set(terms))
    used = {part for page in PAGES for word in words(page.read_text(encoding="utf-8")) for part in re.split(r"[-'’]", word)}
    assert [term for term in terms if term not in used] == []


def test_what_is_wrong_is_found():
    known = known_words()
    assert misspelled("The netwrok reads a sentense.", known) == ["netwrok", "sentense"]
    assert misspelled("Sukhbaatar's `mispeled` code, DMN+ and a [sentence](x.md).", known) == []
    long = "word " * 60 + "."
    assert len(too_long(long)) == 1
    assert [len(words(one)) for one in sentences(f"# Head\n\n{long}\n\n```\ncode here\n```\n| a | table |\n")] == [60]
    assert LIMIT.search("## What it cannot do")
    assert not LIMIT.search("## What it does")
