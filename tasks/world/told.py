"""Stories that a language model wrote as templates: lexicon/told/*.txt, with slots, alternatives, questions and answers.

    # kind: loan
    {m:Kwabena} [borrowed|took] our {t:ladder} {w:in March} because {m his} gutter was leaking.
    ~ The neighbours were having a barbecue.
    ? Why did {m} [need|borrow|take] the {t}? -> {m his} gutter was leaking

A slot ``{name:example}`` is another word of its type now and then, the same in the whole story. ``~`` stands before a line that
does not matter. An answer quotes a statement, or is yes, no, maybe, nothing, not told or a number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from random import Random

from ..text.placed_sentences import sentences
from ..text.tokens import NUMBER_WORDS, article, split
from .forms import plural
from .lexicon import names, nouns
from .sums import depends, resolved
from .texts import REASONS, Answer, Question, Span, Statement, Story
from .values import DAYS

REPLACED, LEFT_OUT = 0.6, 0.5  # shares: of slots that get another word, of idle lines that are left out
OF_NUMBERS, DIGITS = 0.1, 0.3  # shares: of stories whose answers hang on numbers, of number words told in digits
SLOT = re.compile(r"\{([a-z]+\d*)(?::([^{}]*)| ([A-Za-z']+))?\}")
CHOICE = re.compile(r"\[([^\[\]]*)\]")
SHE = {"he": "she", "him": "her", "his": "her", "himself": "herself", "he's": "she's", "he'd": "she'd", "he'll": "she'll"}
MARK = "\1"  # stands before what a slot was replaced by
KIN = {
    "m": ("brother", "uncle", "father", "grandfather", "nephew", "son", "dad", "grandpa", "stepfather"),
    "f": ("sister", "aunt", "mother", "grandmother", "niece", "daughter", "mum", "grandma", "stepmother"),
}
THINGS = ("tool", "gadget", "garment", "handy", "jewel", "music", "toy", "kitchenware", "written", "ball")
UNTOLD = "not told"


class TemplateError(ValueError):
    """A template that is not of the form."""


@dataclass(frozen=True)
class Line:
    """A line of a template: a statement, ``idle`` where it does not matter, or a question with its answer."""

    text: str
    answer: str | None = None
    idle: bool = False


@dataclass(frozen=True)
class Template:
    """A story with slots."""

    kind: str
    lines: tuple[Line, ...]

    @property
    def text(self) -> str:
        """All of it."""
        return "\n".join(f"{line.text} {line.answer or ''}" for line in self.lines)


def parse(text: str) -> Iterator[Template]:
    """The templates of a file. Raises :class:`TemplateError`, which names the line."""
    kind, lines = "", list[Line]()
    for number, line in enumerate([*text.splitlines(), "# kind: end"], 1):
        line = line.strip()
        if line.startswith("# kind:"):
            if lines:
                yield Template(kind, tuple(lines))
            kind, lines = line[7:].strip(), []
        elif line.startswith("?"):
            question, arrow, answer = line[1:].rpartition("->")
            if not arrow or not question.strip() or not answer.strip():
                raise TemplateError(f"line {number}: expected '? question -> answer', found {line!r}")
            lines.append(Line(question.strip(), answer.strip()))
        elif line and not line.startswith("#"):
            lines.append(Line(line.lstrip("~ "), idle=line.startswith("~")))


NAMED = ("woman", "man")
CLASSES = (  # nouns that are slots wherever they stand after a determiner, and days and months anywhere
    *("room", "public", "shop", "tool", "gadget", "garment", "kitchenware", "jewel", "toy", "animal", "pet", "job", "colour"),
    *("small container", "container in", "furnished", "city", "country", "month", "day"),
)
WORD = re.compile(r"(?<![\w{:'-])(?:(the|a|an|my|our|your|his|her|their|The|A|An|My|Our|His|Her) )?([A-Za-zÀ-ÿ]+)(?![\w'’-])")


@cache
def _classes() -> dict[str, str]:
    """Nouns of one class, by themselves: the slot's type."""
    found: dict[str, str] = {}
    for kind in CLASSES:
        for noun in DAYS if kind == "day" else nouns(kind):
            found[noun] = "" if noun in found else f"of{kind.replace(' ', '')}"
    return {noun: kind for noun, kind in found.items() if kind and " " not in noun}


def slotted(template: Template) -> Template:
    """A template whose names, and nouns after a determiner, are slots too, so that few of its words are always the same.

    Such a word is a slot wherever it stands, "a new kettle" and "Mina's" too. It is none where it also stands in another form.
    """
    texts = [text for line in template.lines for text in (line.text, line.answer or "") if text not in FIXED]
    outside = [part for text in texts for part in SLOT.split(text)[:: SLOT.groups + 1]]
    given = {example: name for name, example, _ in SLOT.findall(template.text) if example and name[0] not in COUNTED}
    names, inside = dict(given), {word for example in given for word in example.split()}
    for before, word in (found for part in outside for found in WORD.findall(part)):
        kind = (_gender(word) if word.istitle() else None) or _classes().get(word, "")
        if (
            kind
            and word not in {*names, *inside}
            and (before or word[0].isupper() or kind in ("ofcolour", "ofcity", "ofcountry"))
        ):
            names[word] = f"{kind}{900 + len(names)}"
    names = {word: name for word, name in names.items() if word.isalpha() and not any(map(_inflected(word).search, outside))}
    if not names:
        return template
    anywhere = re.compile(rf"(?<![\w{{:'-])(?:{'|'.join(names)})(?![\w-])")
    told = {word for word, name in names.items() if not name[-3:].isdigit()}  # where its slot has it

    def slot(found: re.Match[str]) -> str:
        word = found[0]
        first = word not in told
        told.add(word)
        return f"{{{names[word]}:{word}}}" if first else f"{{{names[word]}}}"

    def with_slots(text: str) -> str:
        parts, end = list[str](), 0
        for kept in SLOT.finditer(text):
            parts += [anywhere.sub(slot, text[end : kept.start()]), kept[0]]
            end = kept.end()
        return "".join([*parts, anywhere.sub(slot, text[end:])])

    lines = []
    for line in template.lines:
        text = with_slots(line.text)
        lines.append(replace(line, text=text, answer=line.answer if line.answer in (None, *FIXED) else with_slots(line.answer)))
    return Template(template.kind, tuple(lines))


COUNTED = "nqx"  # slots that are no words: numbers, prices, and those that are never replaced
FIXED = (UNTOLD, "yes", "no", "maybe", "nothing")  # answers that quote nothing


def _inflected(word: str) -> re.Pattern[str]:
    """What finds a word with another ending or another case, or after "to": a slot would not change with it."""
    others = rf"(?i:{word})(?:s|es|ed|ing|y)?(?![\w-])"
    return re.compile(rf"(?<![\w])(?:[Tt]o {word}(?![\w-])|(?!{word}(?![\w-])){others}|{word}-|\w+-{word}(?!\w))")


@cache
def written() -> tuple[Template, ...]:
    """The templates of the lexicon as they were written."""
    folder = resources.files(__package__).joinpath("lexicon").joinpath("told")
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".txt")), key=lambda file: file.name)
    return tuple(template for file in files for template in parse(file.read_text(encoding="utf-8")))


@cache
def of_numbers() -> tuple[Template, ...]:
    """Those of them with answers that hang on numbers, which are other numbers each time."""
    return tuple(one for one in written() if any(depends(line.answer or "") for line in one.lines))


@cache
def _of(*classes: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for one in classes for word in nouns(one)))


@cache
def _members(kind: str) -> tuple[str, ...]:
    """The nouns of the class of a slot's type, "ofroom"."""
    return next(DAYS if one == "day" else nouns(one) for one in CLASSES if f"of{one.replace(' ', '')}" == kind)


def _time(random: Random) -> str:
    ways: tuple[Callable[[], str], ...] = (
        lambda: f"on {random.choice(DAYS)}",
        lambda: f"on {random.choice(DAYS)} {random.choice(('morning', 'evening', 'afternoon', 'night'))}",
        lambda: f"in {random.choice(nouns('month'))}",
        lambda: f"at {random.choice(NUMBER_WORDS[1:13])}",
        lambda: f"at {random.randint(1, 12)} {random.choice(('am', 'pm'))}",
        lambda: f"at half past {random.choice(NUMBER_WORDS[1:13])}",
        lambda: f"in the {random.choice(('morning', 'evening', 'afternoon', 'summer', 'winter', 'spring'))}",
        lambda: random.choice(("yesterday", "last week", "last month", "last night", "at noon", "at midnight", "two days ago")),
    )
    return random.choice(ways)()


def _kin(random: Random, gender: str) -> str:
    return f"{random.choice(('my', 'my', 'our'))} {random.choice(KIN[gender])}"


def _number(random: Random) -> str:
    value = random.randint(2, 12)
    return str(value) if random.random() < DIGITS else NUMBER_WORDS[value]


DRAWN: dict[str, Callable[[Random, str], str]] = {  # by type: a word, for a person of a gender
    "f": lambda random, _: random.choice(random.choice(names("woman"))),
    "m": lambda random, _: random.choice(random.choice(names("man"))),
    "p": lambda random, gender: random.choice(random.choice(names("woman" if gender == "f" else "man"))),
    "fam": _kin,
    "t": lambda random, _: random.choice(_of(*THINGS)),
    "ts": lambda random, _: plural(random.choice(_of(*THINGS))),
    "d": lambda random, _: random.choice((random.choice(_of("mass food")), plural(random.choice(_of("counted food"))))),
    "c": lambda random, _: random.choice(_of("container in", "small container")),
    "l": lambda random, _: random.choice(_of("room")),
    "b": lambda random, _: random.choice(_of("public", "shop")),
    "o": lambda random, _: random.choice(_of("city", "country")),
    "w": lambda random, _: _time(random),
    "n": lambda random, _: _number(random),
    "k": lambda random, _: random.choice(_of("colour")),
    "a": lambda random, _: random.choice(_of("animal", "pet")),
    "j": lambda random, _: random.choice(_of("job")),
    "q": lambda random, _: f"{random.randint(2, 90)} {random.choice(('euros', 'dollars', 'pounds'))}",
}


@cache
def _gender(name: str) -> str | None:
    found = {gender for kind, gender in (("woman", "f"), ("man", "m")) if any(name.title() in each for each in names(kind))}
    return found.pop() if len(found) == 1 else None


class Filled:
    """The words that the slots of one story got."""

    def __init__(self, template: Template, random: Random, replaced: float = REPLACED) -> None:
        self.random = random
        self.words: dict[str, str] = {}
        self.genders: dict[str, str] = {}
        text = template.text
        low, outside = text.lower(), SLOT.sub(" ", text).lower()
        for slot in SLOT.finditer(text):
            name, example = slot[1], slot[2]
            if example is None or name in self.words:  # of alternatives, the first
                continue
            kind = name.rstrip("0123456789")
            gender = kind if kind in "mf" else _kin_gender(example) or _gender(example) or random.choice("mf")
            self.words[name], self.genders[name] = example, gender
            may_change = (kind in DRAWN or kind.startswith("of")) and random.random() < replaced
            if may_change and not (kind not in COUNTED and example.lower() in outside and _stands(example.lower(), outside)):
                if kind in ("p", "fam"):
                    gender = random.choice("mf")
                new = DRAWN[kind](random, gender) if kind in DRAWN else random.choice(_members(kind))
                if not any(word in low for word in new.lower().split()[-1:]) and new not in self.words.values():
                    if kind in ("f", "m", "p") and example.islower():
                        new = new.lower()
                    self.words[name], self.genders[name] = new, gender

    def fill(self, text: str, begins: bool = True) -> str:
        """A text with one of each of its alternatives, and its slots filled; ``begins`` where it begins a sentence."""
        while CHOICE.search(text):
            text = CHOICE.sub(lambda found: self.random.choice(found[1].split("|")), text, count=1)
        text = SLOT.sub(self._word, text)
        text = re.sub(rf"\b([Aa])n? {MARK}(\w)", lambda found: self._article(found[1], found[2], text), text)
        capital = text.startswith(MARK)
        text = text.replace(MARK, "")
        return text[:1].upper() + text[1:] if capital and begins and self.upper else text

    upper = True  # whether sentences begin with a capital

    def _article(self, a: str, first: str, text: str) -> str:
        found = article(first)
        return f"{found.title() if a == 'A' else found} {MARK}{first}"

    def _word(self, slot: re.Match[str]) -> str:
        name, form = slot[1], slot[3]
        if name not in self.words:
            raise TemplateError(f"slot {{{name}}} has no example: write {{{name}:word}} where it stands first")
        if form is None:
            return MARK + self.words[name]
        if self.genders[name] == "m" or form.lower() not in SHE:
            return form
        she = SHE[form.lower()]
        return she.title() if form[0].isupper() else she


def _stands(words: str, text: str) -> bool:
    """Whether words stand in a text, and not as parts of longer ones."""
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text) is not None


def _kin_gender(example: str) -> str | None:
    last = example.split()[-1].lower() if example.split() else ""
    return next((gender for gender, kin in KIN.items() if last in kin), None)


def draw_told(random: Random, template: Template | None = None, strict: bool = False) -> Story:
    """A story of a template, or of any; with ``strict`` :class:`TemplateError` where an answer does not stand in it."""
    template = template or slotted(random.choice(of_numbers() if random.random() < OF_NUMBERS else written()))
    filled = Filled(template, random)
    filled.upper = any(line.text[:1].isupper() for line in template.lines if line.answer is None)
    statements: list[Statement] = []
    questions: list[Question] = []
    for line in template.lines:
        text = filled.fill(line.text)
        if line.answer is None:
            if not line.idle or random.random() > LEFT_OUT:
                statements += _statements(text, line.idle)
            continue
        answer = _answer(filled, line.answer, statements, text)
        if answer is None and strict and not depends(line.answer):
            raise TemplateError(f"the answer {line.answer!r} does not stand in the story as told: {text!r}")
        if answer is not None and statements:
            questions.append(Question(tuple(split(text)), text, answer, (), "told", len(statements)))
    return Story(tuple(statements), tuple(questions))


def _statements(text: str, idle: bool) -> Iterator[Statement]:
    """The sentences of a line, as a reader takes it apart."""
    for one in sentences([text]):
        yield Statement(one.words, one.quote(0, len(one.words) - 1), idle)


def _answer(filled: Filled, wanted: str, statements: list[Statement], question: str) -> Answer | None:
    if depends(wanted):
        wanted = resolved(filled.fill(wanted, begins=False)) or ""
    if not wanted:
        return None
    if wanted == UNTOLD:
        return Answer("untold", "", reason=_reason(question))
    if wanted in ("yes", "no", "maybe", "nothing"):
        return Answer(wanted, wanted)
    if wanted.isdigit():
        return Answer("number", wanted, number=int(wanted))
    wanted = re.sub(r"^(?:the|a|an) ", "", wanted)
    for _ in range(8 if "[" in wanted or "|" in wanted else 1):
        text = filled.fill(filled.random.choice(wanted.split("|")) if "[" not in wanted else wanted, begins=False).strip()
        found = [_mentions(tuple(split(part)), statements) for part in re.split(r",\s*", text) if part.strip()]
        if found and all(found):
            return Answer("span", text, tuple(each[-1] for each in found), tuple(found))
    return None


def _mentions(words: tuple[str, ...], statements: list[Statement]) -> tuple[Span, ...]:
    """Where words stand in statements, whatever their case."""
    low, length = [word.lower() for word in words], len(words)
    return tuple(
        (number, first, first + length)
        for number, statement in enumerate(statements)
        for first in range(len(statement.words) - length + 1)
        if length and [word.lower() for word in statement.words[first : first + length]] == low
    )


def _reason(question: str) -> str:
    """What is not said, by the word that asks."""
    low = [word.lower() for word in split(question)]
    if "how" in low:
        after = low[low.index("how") + 1 : low.index("how") + 2]
        return REASONS["how many"] if after == ["many"] else REASONS["price"] if after == ["much"] else REASONS["what"]
    asks = next((word for word in low if word in ("where", "who", "when", "why", "what", "which", "whose")), "whether")
    return REASONS[{"which": "what", "whose": "who"}.get(asks, asks)]


@cache
def idle_lines() -> tuple[Statement, ...]:
    """Lines of the templates that matter for no question, of those without slots."""
    idle = [line for template in written() for line in template.lines if line.idle]
    lines = [line.text for line in slotted(Template("idle", tuple(idle))).lines if not set(line.text) & set("{[")]
    return tuple(Statement(tuple(split(text)), text, idle=True) for text in dict.fromkeys(lines))
