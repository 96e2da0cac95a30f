"""Forms of words, by lemminflect: went, gone, going, wolves; and verb groups: did not go, is being sold, has taken.

    group("go", "past", "3")                  ->  ([], ["went"])
    group("go", "past", "3", negative=True)   ->  (["did"], ["not", "go"])
    group("pick up", "perfect", "p")          ->  (["have"], ["picked", "up"])

The first list is what goes before the subject in a question. Subjects agree as "1" (I), "3" (she, it) or "p" (we, you, they).
"""

from __future__ import annotations

from functools import cache

from lemminflect import getInflection

from .lexicon import WORDS

OWN: dict[tuple[str, str], str] = {  # what the library does not know or does otherwise
    (word, tag): said for tag, found in WORDS["forms"].items() for word, said in found.items()
}
ALWAYS_PLURAL = frozenset(WORDS["always_plural"])
BE = {"present": {"1": "am", "3": "is", "p": "are"}, "past": {"1": "was", "3": "was", "p": "were"}}


@cache
def form(lemma: str, tag: str) -> str:
    """The form of a verb or noun with a Penn tag: ``form("go", "VBD")`` is ``went``."""
    if (lemma, tag) in OWN:
        return OWN[lemma, tag]
    found = getInflection(lemma, tag=tag) or getInflection(lemma, tag=tag, inflect_oov=True)
    return str(found[0])


@cache
def plural(noun: str) -> str:
    """The plural of a noun of one or more words: the last changes, or the one before "of"."""
    words = noun.split()
    place = words.index("of") - 1 if "of" in words else len(words) - 1
    last = words[place]
    if last in ALWAYS_PLURAL:
        return noun
    words[place] = OWN.get((last, "NNS")) or form(last, "NNS")
    return " ".join(words)


@cache
def agreeing(lemma: str, agree: str, tense: str = "present") -> str:
    """One finite verb: ``agreeing("be", "p")`` is ``are``, ``agreeing("work", "3")`` is ``works``."""
    if lemma == "be":
        return BE[tense][agree]
    if tense == "past":
        return form(lemma, "VBD")
    return form(lemma, "VBZ") if agree == "3" else lemma


@cache
def _group(verb: str, tense: str, agree: str, negative: bool, passive: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    head, *rest = verb.split()
    no = ["not"] if negative else []
    done, doing = form(head, "VBN"), form(head, "VBG")
    have = "has" if agree == "3" else "have"
    past, present = BE["past"][agree], BE["present"][agree]
    if passive:
        table = {
            "past": ([past], [*no, done]),
            "present": ([present], [*no, done]),
            "future": (["will"], [*no, "be", done]),
            "going": ([present], [*no, "going", "to", "be", done]),
            "now": ([present], [*no, "being", done]),
            "then": ([past], [*no, "being", done]),
            "perfect": ([have], [*no, "been", done]),
            "earlier": (["had"], [*no, "been", done]),
        }
    else:
        table = {
            "past": (["did"], [*no, head]) if negative else ([], [form(head, "VBD")]),
            "present": (["does" if agree == "3" else "do"], [*no, head]) if negative else ([], [agreeing(head, agree)]),
            "future": (["will"], [*no, head]),
            "going": ([present], [*no, "going", "to", head]),
            "now": ([present], [*no, doing]),
            "then": ([past], [*no, doing]),
            "perfect": ([have], [*no, done]),
            "earlier": (["had"], [*no, done]),
        }
    before, after = table[tense]
    return tuple(before), (*after, *rest)


def group(
    verb: str, tense: str, agree: str, *, negative: bool = False, passive: bool = False
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What stands before the subject in a question, and the rest: see the module's docstring."""
    return _group(verb, tense, agree, negative, passive)


def asked_group(verb: str, tense: str, agree: str, *, passive: bool = False) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """As :func:`group`, of a question: there is always something to go before the subject."""
    before, after = _group(verb, tense, agree, False, passive)
    if before:
        return before, after
    return ("did" if tense == "past" else "does" if agree == "3" else "do",), tuple(verb.split())
