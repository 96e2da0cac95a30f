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
from functools import cache
from random import Random

from ..text.placed_sentences import sentences
from ..text.tokens import NUMBER_WORDS, article, split
from .forms import plural
from .lexicon import names, nouns, training_texts
from .slots import COUNTED, SLOT, UNTOLD, Line, Template, gender_of, members, slotted
from .sums import depends, resolved
from .texts import REASONS, Answer, Question, Span, Statement, Story
from .values import DAYS

REPLACED, LEFT_OUT = 0.6, 0.5  # shares: of slots that get another word, of idle lines that are left out
OF_NUMBERS, DIGITS = 0.1, 0.3  # shares: of stories whose answers hang on numbers, of number words told in digits
CHOICE = re.compile(r"\[([^\[\]]*)\]")
SHE = {"he": "she", "him": "her", "his": "her", "himself": "herself", "he's": "she's", "he'd": "she'd", "he'll": "she'll"}
MARK = "\1"  # stands before what a slot was replaced by
KIN = {
    "m": ("brother", "uncle", "father", "grandfather", "nephew", "son", "dad", "grandpa", "stepfather"),
    "f": ("sister", "aunt", "mother", "grandmother", "niece", "daughter", "mum", "grandma", "stepmother"),
}
THINGS = ("tool", "gadget", "garment", "handy", "jewel", "music", "toy", "kitchenware", "written", "ball")


class TemplateError(ValueError):
    """A template that is not of the form."""


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


@cache
def written(begins: str = "") -> tuple[Template, ...]:
    """The templates of the lexicon as they were written, of files whose names begin so."""
    texts = training_texts("told").items()
    return tuple(template for name, text in texts if name.startswith(begins) for template in parse(text))


@cache
def of_numbers() -> tuple[Template, ...]:
    """Those of them with answers that hang on numbers, which are other numbers each time."""
    return tuple(one for one in written() if any(depends(line.answer or "") for line in one.lines))


@cache
def _of(*classes: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for one in classes for word in nouns(one)))


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
            gender = kind if kind in "mf" else _kin_gender(example) or gender_of(example) or random.choice("mf")
            self.words[name], self.genders[name] = example, gender
            may_change = (kind in DRAWN or kind.startswith("of")) and random.random() < replaced
            if may_change and not (kind not in COUNTED and example.lower() in outside and _stands(example.lower(), outside)):
                if kind in ("p", "fam"):
                    gender = random.choice("mf")
                new = DRAWN[kind](random, gender) if kind in DRAWN else random.choice(members(kind))
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
                statements += statements_of(text, line.idle)
            continue
        answer = _answer(filled, line.answer, statements, text)
        if answer is None and strict and not depends(line.answer):
            raise TemplateError(f"the answer {line.answer!r} does not stand in the story as told: {text!r}")
        if answer is not None and statements:
            questions.append(Question(tuple(split(text)), text, answer, (), "told", len(statements)))
    return Story(tuple(statements), tuple(questions))


def statements_of(text: str, idle: bool) -> Iterator[Statement]:
    """The sentences of a line, as a reader takes it apart."""
    for one in sentences([text]):
        yield Statement(one.words, one.quote(0, len(one.words) - 1), idle)


def _answer(filled: Filled, wanted: str, statements: list[Statement], question: str) -> Answer | None:
    if depends(wanted):
        wanted = resolved(filled.fill(wanted, begins=False)) or ""
    if not wanted:
        return None
    if wanted == UNTOLD:
        return Answer("untold", "", reason=reason_of(question))
    if wanted in ("yes", "no", "maybe", "nothing"):
        return Answer(wanted, wanted)
    if wanted.isdigit():
        return Answer("number", wanted, number=int(wanted))
    wanted = re.sub(r"^(?:the|a|an) ", "", wanted)
    for _ in range(8 if "[" in wanted or "|" in wanted else 1):
        text = filled.fill(filled.random.choice(wanted.split("|")) if "[" not in wanted else wanted, begins=False).strip()
        found = [mentions_of(tuple(split(part)), statements) for part in re.split(r",\s*", text) if part.strip()]
        if found and all(found):
            return Answer("span", text, tuple(each[-1] for each in found), tuple(found))
    return None


def mentions_of(words: tuple[str, ...], statements: list[Statement]) -> tuple[Span, ...]:
    """Where words stand in statements, whatever their case."""
    low, length = [word.lower() for word in words], len(words)
    return tuple(
        (number, first, first + length)
        for number, statement in enumerate(statements)
        for first in range(len(statement.words) - length + 1)
        if length and [word.lower() for word in statement.words[first : first + length]] == low
    )


def reason_of(question: str) -> str:
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
