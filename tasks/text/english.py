"""English words of the closed classes, listed once, and the forms of nouns and of short forms ("where's")."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path


def of_class(text: str) -> frozenset[str]:
    """The words of a class, from a text of them."""
    return frozenset(text.split())


ARTICLES = of_class("the a an")
DETERMINERS = ARTICLES | of_class("this that some his her my your their its our")
PEOPLE_PRONOUNS = of_class("he she they")
PRONOUNS = PEOPLE_PRONOUNS | {"it"}
LEANING = PRONOUNS | of_class("him her them")
SPEAKERS = of_class("i you me")
QUESTION_WORDS = of_class("where what who whom whose which why when how")
BE_DO_HAVE = of_class("is are was were do does did has have had")
AUXILIARIES = BE_DO_HAVE | of_class("am can could will would may might shall should")
PREPOSITIONS = of_class("to into in inside at from")
PARTICLES = of_class("up down back")
COMMON_VERBS = of_class("is was has had went got took gave put left ran came")  # as they stand after one person
NUMBERS = of_class(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million half second third"
)
VERDICTS = of_class("yes no maybe true false unknown nothing nobody everybody somebody anybody nowhere none")
DIRECTIONS = of_class("way left right north south east west top bottom above below inside outside")
TIMES = of_class(
    "yesterday today tomorrow morning afternoon evening night noon midnight day week month year hour minute monday tuesday "
    "wednesday thursday friday saturday sunday"
)
ALSO_NOUNS = of_class("amount bill bottom call cry detail fire front interest mill part side system top")

SHORT = {"am": "is", "can't": "can not", "won't": "will not", "shan't": "shall not", "let's": "let us", "gonna": "going to"}
ENDINGS = {"'m": "is", "'re": "are", "'ve": "have", "'ll": "will"}  # of short forms: "I'm", "they're"
BEFORE_IS = of_class("where what who how when why which he she it that there here")
AFTER_IS = of_class(
    "in at on inside back now still not no either a an the got been going gone holding carrying hungry thirsty tired bored "
    "afraid scared here there"
)

SINGULAR = {"people": "person", "leaves": "leaf"}  # which the dictionary has otherwise


@cache
def function_words() -> frozenset[str]:
    """English words that speak of nothing ("the", "is", "of"), as scikit-learn lists them, less its nouns."""
    lines = Path(__file__).with_name("function_words.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split()) - ALSO_NOUNS


@lru_cache(maxsize=1 << 14)
def leans(text: str) -> bool:
    """Whether a sentence begins with somebody that was named before.

    >>> leans("Then she went home."), leans("Ann went home.")
    (True, False)
    """
    return not LEANING.isdisjoint(word.strip(",.;:").lower() for word in text.split()[:6])


@lru_cache(maxsize=1 << 16)
def singular(word: str) -> str:
    """The singular of an English plural, by lemminflect's dictionary and rules; other words stay.

    >>> singular("mice"), singular("puppies"), singular("cats"), singular("sheep"), singular("glass")
    ('mouse', 'puppy', 'cat', 'sheep', 'glass')
    >>> singular("walruses"), singular("houses"), singular("shelves"), singular("zorps"), singular("Paris")
    ('walrus', 'house', 'shelf', 'zorp', 'Paris')
    """
    from lemminflect import getLemma

    if word in SINGULAR:
        return SINGULAR[word]
    known = getLemma(word, "NOUN", lemmatize_oov=False)
    if not known and word.endswith("s") and not word.endswith(("ss", "us", "is", "'s")) and len(word) > 2:
        known = getLemma(word, "NOUN")
    return str(known[0]) if known else word


def plural(noun: str) -> str:
    """The plural of a noun, whose last word it changes.

    >>> plural("polar bear"), plural("goose"), plural("pony")
    ('polar bears', 'geese', 'ponies')
    """
    from lemminflect import getInflection

    *before, last = noun.split()
    return " ".join([*before, getInflection(last, "NNS")[0]])


def plurals(noun: str) -> tuple[str, ...]:
    """All plurals of a word that the dictionary or its rules know: ``plurals("cactus")`` has "cacti" too."""
    from lemminflect import getInflection

    return tuple(map(str, getInflection(noun, "NNS")))


def past_of(verb: str) -> str:
    """The past of a verb: ``past_of("leave")`` is "left"."""
    from lemminflect import getInflection

    return str(getInflection(verb, "VBD")[0])


def third_person_of(verb: str) -> str:
    """What one does: ``third_person_of("fly")`` is "flies"."""
    from lemminflect import getInflection

    return str(getInflection(verb, "VBZ")[0])


def kinds_of_word(word: str) -> set[str]:
    """What a word may be in its base form: of "NOUN", "VERB", "ADJ" and so on."""
    from lemminflect import getAllLemmas

    return {kind for kind, lemmas in getAllLemmas(word).items() if word in lemmas}


def in_dictionary(word: str) -> bool:
    """Whether a word in small letters is a form of an English noun, verb, adjective or adverb.

    >>> in_dictionary("books"), in_dictionary("gave"), in_dictionary("teh"), in_dictionary("pasport")
    (True, True, False, False)
    """
    from lemminflect import getAllLemmas

    return bool(getAllLemmas(word))


def spelled_out(words: Sequence[str]) -> list[str]:
    """The words with short forms in full: "where's" as "where is", "isn't" as "is not", and "Tom's hat" as "Tom his hat".

    >>> spelled_out(["Where's", "Tom's", "hat"]), spelled_out(["Tom's", "in"]), spelled_out(["He", "isn't"])
    (['Where', 'is', 'Tom', 'his', 'hat'], ['Tom', 'is', 'in'], ['He', 'is', 'not'])
    """
    parts: list[str] = []
    for place, word in enumerate(words):
        small = word.lower().replace("’", "'")
        if small in SHORT:
            parts += SHORT[small].split()
        elif small.endswith("n't"):
            parts += [word[:-3], "not"]
        elif ending := next((ending for ending in ENDINGS if small.endswith(ending)), ""):
            parts += [word[: -len(ending)], ENDINGS[ending]]
        elif small.endswith("'s"):
            after = words[place + 1].lower() if place + 1 < len(words) else ""
            parts += [word[:-2], "is" if small[:-2] in BEFORE_IS or after in AFTER_IS else "his"]
        else:
            parts.append(word)
    return parts
