"""Numbers in entries with their units: "48 litres", "12 min", "£20"; those of one unit are added up and compared."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from memnet.memory.tables.cells import number_of
from memnet.memory.wanted import measure_asked
from memnet.tasks.text.tokens import split

NUMBER = re.compile(r"(?<![\w.,:-])[£$€]?(?P<number>-?\d+(?:[.,]\d+)*)(?![\d:]|[\w-]*\d)")  # no part of a code, no time of day
UNIT = re.compile(r"\s?(?P<unit>[^\W\d_]{1,12}|[%°µ]\w{0,2})")
SPELLINGS = (  # of one unit
    ("l", "litre", "litres", "liter", "liters", "ltr"),
    ("kg", "kilo", "kilos", "kilogram", "kilograms", "kgs"),
    ("g", "gram", "grams"),
    ("mg", "milligram", "milligrams"),
    ("t", "tonne", "tonnes", "ton", "tons"),
    ("min", "mins", "minute", "minutes"),
    ("h", "hr", "hrs", "hour", "hours"),
    ("m", "metre", "metres", "meter", "meters"),
    ("km", "kilometre", "kilometres", "kilometer", "kilometers"),
    ("mm", "millimetre", "millimetres", "millimeters"),
    ("ml", "millilitre", "millilitres", "milliliters"),
    ("€", "eur", "euro", "euros"),
    ("£", "gbp", "pound", "pounds"),
    ("$", "usd", "dollar", "dollars"),
    ("%", "percent"),
    ("°c", "c", "degree", "degrees"),
)
SIZES = (  # of units of one kind
    {"min": 1.0, "h": 60.0},
    {"mg": 0.001, "g": 1.0, "kg": 1000.0, "t": 1e6},
    {"ml": 1.0, "l": 1000.0},
    {"mm": 1.0, "m": 1000.0, "km": 1e6},
)
PRESSURES, TEMPERATURES = frozenset(("bar", "mbar", "psi", "kpa", "hpa")), frozenset(("°c", "°f", "f"))
MEASURED = {  # the unit of what a word asks for
    **dict.fromkeys(("temperature", "temp", "hottest", "warmest", "coldest", "coolest", "hot", "warm", "cold"), "°c"),
    **dict.fromkeys(("pressure",), "bar"),
    **dict.fromkeys(("deepest", "deep", "depth"), "m"),
    **dict.fromkeys(("heaviest", "lightest", "weight", "weigh", "heavy"), "kg"),
}
AS_ONE = {spelling: names[0] for names in SPELLINGS for spelling in names}


class Amount(NamedTuple):
    """A number with its unit, and both as they are written."""

    number: float
    unit: str
    text: str


def amounts(text: str) -> list[Amount]:
    """The numbers of a text with what stands behind them, or their currency.

    >>> [one[:2] for one in amounts("48 litres of diesel, 3150 L, £20, 11.5 C, bed 6 at 08:15 of PM-05")]
    [(48.0, 'l'), (3150.0, 'l'), (20.0, '£'), (11.5, '°c'), (6.0, 'at')]
    """
    found = list[Amount]()
    for one in NUMBER.finditer(text):
        number, behind = number_of(one["number"]), UNIT.match(text, one.end())
        if number is not None:
            unit = one[0][0] if one[0][0] in "£$€" else behind["unit"].lower() if behind else ""
            whole = one[0] + (behind[0] if behind and one[0][0] not in "£$€" else "")
            found.append(Amount(number, AS_ONE.get(unit, unit), whole))
    return found


def is_amount(text: str) -> bool:
    """Whether a text is a number with a unit and no name.

    >>> is_amount("81 % humidity"), is_amount("20 mins"), is_amount("2113"), is_amount("3 sheep")
    (True, True, False, False)
    """
    first = next(iter(amounts(text)), None)
    return first is not None and text.startswith(first.text) and first.unit in AS_ONE.values()


def unit_asked(question: str) -> str:
    """The unit that a question asks for; empty where it names none.

    >>> unit_asked("How many litres of diesel has tug 2 had?"), unit_asked("How many calls came?")
    ('l', '')
    """
    words = [word.lower() for word in split(question)]
    asked = (words[at + 2] for at, word in enumerate(words[:-2]) if word == "how" and words[at + 1] in ("many", "much"))
    return next((AS_ONE[word] for word in asked if word in AS_ONE), "")


def unit_measured(question: str) -> str:
    """The unit in which what a question asks for is mostly measured; empty where it has no such word.

    >>> unit_measured("What was the hottest it got?"), unit_measured("Who has it?")
    ('°c', '')
    """
    return next((MEASURED[word] for word in map(str.lower, split(question)) if word in MEASURED), "")


def is_of_another_kind(text: str, question: str) -> bool:
    """Whether all amounts of a text have units in which the measure that a question asks for is never given.

    >>> is_of_another_kind("200 mg", "What was its temperature?"), is_of_another_kind("38.2", "What was its temperature?")
    (True, False)
    >>> is_of_another_kind("22 kg", "How heavy is it?"), is_of_another_kind("63 psi", "What is the pressure?")
    (False, False)
    >>> is_of_another_kind("40 litres", "How much hot water did Ann add?")
    False
    """
    unit, told = MEASURED.get(measure_asked(question), ""), [one.unit for one in amounts(text)]
    if not unit or not told or not all(one in AS_ONE.values() or one in PRESSURES | TEMPERATURES for one in told):
        return False
    kinds = *({*sizes} for sizes in SIZES), PRESSURES, TEMPERATURES
    same = next((kind for kind in kinds if unit in kind), {unit})
    return not any(one in same for one in told)


def of_one_unit(answers: Sequence[tuple[str, str]], question: str, beside: bool) -> list[Amount | None]:
    """The amounts of answers with their entries, of the unit that is asked for or that most of them have.

    ``beside`` says that answers are things, and the numbers stand elsewhere in their entries.

    >>> told = [("11.5 C", "Store 3 at 11.5 C, 87 % humidity"), ("94 %", "read 11.1 C and 94 %"), ("9 C", "at 9 C")]
    >>> [one.text for one in of_one_unit(told, "What is the highest temperature?", False)]
    ['11.5 C', '11.1 C', '9 C']
    >>> told = [("2108", "2108: 510011 km"), ("oil", "oil in")]
    >>> [one and one.number for one in of_one_unit(told, "Which tram ran most?", True)]
    [510011.0, None]
    """
    told = [amounts(" ".join(entry.split(answer, 1)) if beside else answer)[-1:] for answer, entry in answers]
    units = Counter(one.unit for found in told for one in found)
    units = units or Counter(one.unit for _, entry in answers for one in amounts(entry) if one.unit)
    unit = unit_asked(question) or unit_measured(question)
    if not unit or not any(in_unit(one, unit) for _, entry in answers for one in amounts(entry)):
        unit = units.most_common(1)[0][0] if units else ""
    numbers = list[Amount | None]()
    for (_, entry), found in zip(answers, told, strict=True):
        of_unit = (in_unit(one, unit) for one in (*found, *(amounts(entry) if unit else ())))
        numbers.append(next(filter(None, of_unit), None))
    return numbers


def in_unit(amount: Amount, unit: str) -> Amount | None:
    """An amount in another unit of its kind; None where it is of another kind.

    >>> in_unit(Amount(90.0, "min", "90 min"), "h").number, in_unit(Amount(2.0, "kg", "2 kg"), "l")
    (1.5, None)
    """
    if amount.unit == unit:
        return amount
    sizes = next((sizes for sizes in SIZES if {unit, amount.unit} <= sizes.keys()), None)
    return None if sizes is None else amount._replace(number=amount.number * sizes[amount.unit] / sizes[unit])


def in_digits(number: float) -> str:
    """A number as people write it.

    >>> in_digits(12.0), in_digits(0.1 + 0.2), in_digits(12345.67)
    ('12', '0.3', '12345.67')
    """
    return f"{number:.6f}".rstrip("0").rstrip(".")
