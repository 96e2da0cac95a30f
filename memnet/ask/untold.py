"""Why nothing answers a question, as the clause of a sentence: "nothing says when Rex left".

The clause is the question in the order of a statement. That needs to know where its subject ends; where this is not certain,
the clause says only what is asked for: "nothing says why".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from memnet.ask.answer import listed
from memnet.tasks.text.english import kinds_of_word, of_class, past_of, third_person_of

BE = of_class("is are was were am")
HAVE, DO = of_class("has have had"), of_class("did does do")
MODAL = of_class("will would can could should may might must shall")
AUXILIARIES = BE | HAVE | DO | MODAL
DETERMINERS = of_class("the a an my your our his her its their this that these those")
PRONOUNS = of_class("i you he she it we they there this that these those everybody everyone anybody anyone somebody someone")
PREPOSITIONS = of_class(
    "in on at to from with by of for under near behind into about before after over between beside next inside outside without "
    "than like as during since until through across against along around"
)
RELATIVE = of_class("that which who whom whose")  # words that begin a clause about the subject
INFLECTED: dict[str, Callable[[str], str]] = {"did": past_of, "does": third_person_of, "do": str}
ASKING = of_class("who what where when why how which whose whom whether")
FULL = {"'s": "is", "'re": "are"}  # of "where's"
REQUEST = re.compile(
    r"^(?:please\s+)?(?:(?:can|could|would)\s+you\s+)?(?:please\s+)?(?:tell\s+me|do\s+you\s+know|i\s+wonder|say)\s+",
    re.IGNORECASE,
)
SO, MOST_ASKING = "nothing says so", 5  # words that ask: "how many red apples"


def why_none(missing: Sequence[str], question: str) -> str:
    """Why nothing answers a question, as the clause of a sentence; ``missing`` are names that the story lacks."""
    return f"the story does not mention {listed(missing)}" if missing else why_untold(question)


def why_untold(question: str) -> str:
    """What nothing says, as the clause of a sentence: the question in the order of a statement, told to who asks.

    >>> why_untold("When did Rex leave?"), why_untold("Where is the old hammer?")
    ('nothing says when Rex left', 'nothing says where the old hammer is')
    >>> why_untold("Is Ann in the lab?"), why_untold("Who sold the bike?"), why_untold("Well?")
    ('nothing says whether Ann is in the lab', 'nothing says who sold the bike', 'nothing says so')
    >>> why_untold("Why was the key that I had there?"), why_untold("How old am I?")
    ('nothing says why', 'nothing says how old you are')
    """
    from memnet.reading.speaker import for_asker

    text, told = REQUEST.subn("", question.strip().rstrip("?!. "))
    text = text.lower() if text.isupper() else text
    words = full(text.split())
    if len(words) < 3 - bool(told) or any(mark in text for mark in ',;:"“'):
        return SO
    if told:
        return f"nothing says {for_asker(' '.join([words[0].lower(), *words[1:]]))}" if words[0].lower() in ASKING else SO
    clause = as_statement(["whether", *words] if words[0].lower() in AUXILIARIES else words)
    return f"nothing says {for_asker(clause)}" if clause else SO


def full(words: Sequence[str]) -> list[str]:
    """Words with the short form of an auxiliary in full where it asks: "where's my hat", "didn't Tom come"."""
    found: list[str] = []
    for place, word in enumerate(words):
        small = word.lower().replace("’", "'")
        ending = next((ending for ending in FULL if small.endswith(ending) and small[: -len(ending)] in ASKING), "")
        if ending:
            found += [word[: -len(ending)], FULL[ending]]
        elif small.endswith("n't") and small[:-3] in AUXILIARIES and place < 2:
            found += [word[:-3], "not"]
        else:
            found.append(word)
    return found


def as_statement(words: Sequence[str]) -> str:
    """A question whose first word asks, in the order of a statement; the words that ask where that is not certain, or ""."""
    low = [word.lower() for word in words]
    at = next((place for place, word in enumerate(low[: MOST_ASKING + 1]) if word in AUXILIARIES), 0)
    as_it_is = " ".join([low[0], *words[1:]])
    if low[0] not in ASKING:
        return ""
    if not at or (at > 1 and (low[0] == "who" or (low[0] == "what" and not is_noun(low[1:2])))):
        return as_it_is if low[0] not in ("where", "when", "why", "how") else low[0]
    asks, auxiliary, rest = [low[0], *words[1:at]], low[at], list(words[at + 1 :])
    uncertain = "" if low[0] == "whether" else " ".join(asks)
    negated = ["not"] if rest[:1] == ["not"] and low[0] != "whether" else []
    rest = rest[rest[:1] == ["not"] :]
    ends = end_of_subject(rest, auxiliary)
    after = [word.lower() for word in rest[ends:]]
    is_subject = low[0] in ("who", "what", "which", "whose") or low[:2] in (["how", "many"], ["how", "much"])
    if auxiliary in DO:
        if not ends or not after or "VERB" not in kinds_of_word(after[0]):
            return uncertain
        verb = rest[ends] if negated else INFLECTED[auxiliary](after[0])
        did = [auxiliary, "not"] if negated else []
        return " ".join([*asks, *rest[:ends], *did, verb, *rest[ends + 1 :]])
    if is_subject and (not ends or (auxiliary not in BE and not is_verb(after))):
        return as_it_is if ends or not is_named(rest) else uncertain
    if not ends or (low[0] == "whether" and not after):
        return uncertain
    return " ".join([*asks, *rest[:ends], auxiliary, *negated, *rest[ends:]])


def is_verb(words: Sequence[str]) -> bool:
    """Whether words begin with what may be a verb, in any form: "eat", "eaten", "going"."""
    from lemminflect import getAllLemmas

    return bool(words) and "VERB" in getAllLemmas(words[0].lower())


def is_named(words: Sequence[str]) -> bool:
    """Whether words begin as one who is named does: with a determiner or a capital."""
    return bool(words) and (words[0].lower() in DETERMINERS or words[0][:1].isupper())


def end_of_subject(words: Sequence[str], auxiliary: str) -> int:
    """After how many words the subject ends that follows an ``auxiliary``; 0 where that is not certain.

    A subject is a pronoun, names, or a determiner or owner with adjectives and nouns; after "is" and the like an adjective, a
    participle, a preposition or another noun phrase follows, or nothing, after the others a verb.
    """
    low = [word.lower() for word in words]
    if not words or not RELATIVE.isdisjoint(low[1:]):
        return 0
    if low[0] in PRONOUNS and not (low[0] in DETERMINERS and is_noun(words[1:2])):
        return 1
    place = 0
    while place < len(words) and words[place][:1].isupper():
        place += 2 if [word.lower() for word in words[place + 1 : place + 2]] in (["and"], ["&"]) else 1
    owner = 0 < place <= len(words) and words[place - 1].endswith(("'s", "’s"))
    if place > len(words):
        return 0
    if place and not owner:
        return place
    if not owner and low[0] not in DETERMINERS:
        follows = is_adjective(low[1:]) if auxiliary in BE else is_verb(low[1:])
        return int(is_noun(words[:1]) and follows)
    place = place if owner else 1
    while place < len(words) and "ADJ" in kinds_of_word(words[place].lower()) and is_noun(words[place + 1 : place + 2]):
        place += 1
    if not is_noun(words[place : place + 1]):
        return 0
    place += 1
    while place < len(words) and is_noun(words[place : place + 1]) and goes_on(words[place:], auxiliary):
        place += 1
    rest = low[place:]
    if rest[:1] == ["of"]:
        more = end_of_subject(words[place + 1 :], auxiliary)
        return place + 1 + more if more else 0
    if auxiliary not in BE or not rest:
        return place
    return (
        place if rest[0] in PREPOSITIONS | DETERMINERS or is_named(words[place:]) or is_verb(rest) or is_adjective(rest) else 0
    )


def is_adjective(words: Sequence[str]) -> bool:
    """Whether words begin with what may be an adjective or an adverb."""
    return bool(words) and (words[0].endswith("er") or not {"ADJ", "ADV"}.isdisjoint(kinds_of_word(words[0])))


def is_noun(words: Sequence[str]) -> bool:
    """Whether words begin with one that may be a noun, in the singular or the plural, and with no preposition."""
    from lemminflect import getAllLemmas

    low = words[0].lower() if words else ""
    return bool(low) and low not in PREPOSITIONS | AUXILIARIES | DETERMINERS and "NOUN" in (getAllLemmas(low) or ("NOUN",))


def goes_on(words: Sequence[str], auxiliary: str) -> bool:
    """Whether the first of these words, a noun, goes on with the subject before it: it is no verb or adjective that follows."""
    kinds = kinds_of_word(words[0].lower())
    if auxiliary in BE:
        return kinds.isdisjoint({"ADJ", "ADV"}) and not words[0].endswith(("ing", "ed"))
    return not is_verb(words)
