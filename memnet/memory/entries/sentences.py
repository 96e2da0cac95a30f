"""Where a sentence ends in plain English: by blingfire, and where it does not see an end that a reader sees.

pysbd finds about as many ends and takes several hundred times as long, as ``scripts/time_entries.py`` shows. blingfire takes
capitals outside ASCII for none, sees no end before a small letter, and cuts titles off their names: that is mended here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence

from memnet.errors import ConfigError, extra_needed

ASCII = bytes(range(128))
PARAGRAPH = "\u2029"  # ends a paragraph, and with it a sentence
END = re.compile(r"""[.!?…](["'”’»)\]_*]*) (["'“‘«(\[_*—-]*)(\w)""")  # what may be an end; no line break stands there
OPENING = "\"'“‘«([{_*—-"
ABBREVIATIONS = frozenset(
    re.findall(
        r"\w+",
        """adm al approx apr assn assoc aug ave bldg blvd bros ca capt cf ch chap cm co col comdr corp cpl ct dec dept dist div
    dr ed eds eg enc eq esp esq est etc ex ext fax feb fig figs fn fr ft gal gen gov govt hon hr hrs hwy ie inc inst intl jan
    jr jul jun kg km lat lb lbs lib lieut lt ltd maj mar max messrs mfg mgr min mins misc mm mme mr mrs ms msgr mt mus
    natl nos nov nr oct op oz par pl pp pres prof pt pvt rd ref rep rev revd sec secs sen sept ser sgt sq sr st sta
    ste subj supt sust tel temp treas univ viz vol vols vs wk yd yds yr yrs""",
    )
)
IN_WORD = re.compile(r"\w\w")
NO_SPACE = re.compile(r"[ \n]")
TITLES = ("Mr", "Mrs", "Ms", "Messrs", "Dr", "Prof", "Capt", "Rev", "Mme", "Mlle")
CUT_OFF = re.compile(  # a title, or an initial that begins a sentence, and a name behind it
    r"\.\n(?:"
    + "|".join(rf"(?<=\b{title}\.\n)" for title in TITLES)
    + r"|(?<=\n[A-Z]\.\n)|(?<=\A[A-Z]\.\n)|(?<=\u2029 [A-Z]\.\n))(?=[A-Z])"
)
SHORTENED = re.compile(
    r"(?:Messrs|Mrs?|Ms|Drs?|Prof|Capt|Col|Gen|Lt|Sgt|Rev|Hon|St|Mme|Mlle|Sir|[A-Z])\.|Nos?\. \d"
)  # begin names
SAMPLE = 1000  # characters
WORDS = frozenset(("apt", "art", "in", "long", "no", "pop", "prop"))  # short for something else in front of a number alone
WHOLE_WORD = 4  # letters; "Alas! he" ends a sentence, "Oh! he" goes on


def splitter() -> Callable[[str], str]:
    """Splits a line into sentences, a line each. Raises :class:`~memnet.errors.ConfigError` where its package is missing."""
    try:
        from blingfire import text_to_sentences
    except ImportError as error:
        raise ConfigError(extra_needed("finding sentences", "blingfire", "long")) from error
    split: Callable[[str], str] = text_to_sentences
    return split


def plain_capitals(text: str) -> str:
    """The text with capitals outside ASCII as such of ASCII, a character for each: "Élodie" as "Elodie".

    In a text of small letters alone what may begin a sentence has a capital.
    """
    if not text.isascii():
        for letter in {*text.encode(errors="replace").translate(None, ASCII).decode()}:
            if letter.isupper() or letter.istitle():
                base = unicodedata.normalize("NFD", letter)[0]
                text = text.replace(letter, base if base.isascii() else "X")
    if text[:SAMPLE].islower() and text.islower():
        text = END.sub(begun, text)
    return text


def word_before(match: re.Match[str]) -> str:
    """The word before what may be an end."""
    text, start = match.string, match.start()
    return text[max(text.rfind(" ", 0, start), text.rfind("\n", 0, start)) + 1 : start].lstrip(OPENING)


def begun(match: re.Match[str]) -> str:
    """What may be an end, with a capital behind it unless an abbreviation stands before it."""
    word = word_before(match)
    if "." in word or word in ABBREVIATIONS:
        return match[0]
    return match[0][:-1] + (match[3].upper() if match[3].isascii() else "X")


def ends(match: re.Match[str]) -> bool:
    """Whether a sentence ends at what looks like an end, though blingfire goes on.

    After a word in front of a small letter or a number it does where that is no abbreviation; in front of a capital where
    quotation marks and such stand between.
    """
    text, (closing, opening, first) = match.string, match.groups()
    start, word = match.start(), word_before(match)
    if word.lower() in WORDS:
        return not first.isnumeric()
    if len(word) < 2 or not word.isalpha() or word.lower() in ABBREVIATIONS:
        return False
    if first.isupper():
        return bool(closing or opening) or SHORTENED.match(text, match.start(3)) is not None
    if text[start] == ".":
        return not opening or first.isnumeric()
    return len(word) >= WHOLE_WORD and not closing and not opening and text[start] != "…"


def marked(text: str) -> str:
    """A text of single spaces, with a line break in place of the space wherever a sentence ends."""
    plain = plain_capitals(text)
    split = splitter()(plain)
    if split.replace("\n", " ") != plain and NO_SPACE.sub("", split) != NO_SPACE.sub("", plain):
        return text  # blingfire does not leave it as it was
    split = CUT_OFF.sub(". ", split if len(split) == len(plain) else with_whole_words(plain, split))
    split = END.sub(broken, split)
    return split if plain is text else in_letters_of(text, split)


def with_whole_words(text: str, split: str) -> str:
    """The lines of a text without breaks inside of words, "A._A"."""
    lines, start = list[str](), 0
    for line in split.split("\n"):
        if text[start : start + 1] == " ":
            start += 1
        elif lines and IN_WORD.match(text, start - 1):
            lines[-1] += line
            start += len(line)
            continue
        lines.append(line)
        start += len(line)
    return "\n".join(lines)


def broken(match: re.Match[str]) -> str:
    """What may be an end, with a line break in place of the space where it is one."""
    return f"{match.string[match.start() : match.start(2) - 1]}\n{match[2]}{match[3]}" if ends(match) else match[0]


def in_letters_of(text: str, split: str) -> str:
    """The lines of ``split``, in the letters of a text that has as many."""
    lines, start = list[str](), 0
    for line in split.split("\n"):
        lines.append(text[start : start + len(line)])
        start += len(line)
        start += text.startswith(" ", start)
    return "\n".join(lines)


def sentences(text: str) -> list[str]:
    """The sentences of a text, each on one line.

    >>> sentences("The wind was cold. Élodie went to Dr. Smith of the U.S. Navy.")
    ['The wind was cold.', 'Élodie went to Dr. Smith of the U.S. Navy.']
    """
    return [one for one in marked(" ".join(text.split())).split("\n") if one]


def of_paragraphs(paragraphs: Sequence[str]) -> Iterator[list[str]]:
    """The sentences of each paragraph, a text of single spaces that is not empty; one call for all of them."""
    whole = marked(f"{PARAGRAPH} ".join(paragraphs))
    for part in whole.split(PARAGRAPH):
        yield [one for one in part.removeprefix(" ").split("\n") if one]
