"""What a cell of a table holds: a number, an amount of money, a date, yes or no, a name, or other text.

kind_of(["£42.50", "£17.50"])  ->  money        number_of("75,50 €")       ->  75.5
kind_of(["May 2020", "1736"])  ->  date         date_of("May 2020", True)  ->  (2020, 5, 0, 0, 0)
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memnet.ask.answer import listed
from memnet.memory.dates import MONTHS
from memnet.tasks.text.english import TIMES, of_class

NUMBER, MONEY, DATE, WHETHER, TEXT = "number", "money", "date", "whether", "text"
ORDERED = frozenset((NUMBER, MONEY, DATE))
MOST = 0.8  # of the cells of a column that are of its kind
CURRENCY = re.compile(
    r"(?:\b(?:US|A|C|NZ|HK|S|R))?\$|[£€¥₹₺₩₦₱₽]|"
    r"\b(?:EUR|USD|GBP|CHF|SEK|NOK|DKK|AUD|CAD|NZD|JPY|INR|ZAR|PLN|CZK|HUF|KSh|Rs|kr|zł|euros?|pounds?|dollars?|pence|cents?)\b\.?",
    re.IGNORECASE,
)
DIGITS = r"\d{1,3}(?:[,.\s'’]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d+)?"
A_NUMBER = re.compile(
    rf"[£$€¥₹~]?\s?(?P<sign>[-−]?)(?P<digits>{DIGITS})\s?(?:[^\W\d]{{1,10}}\.?(?:\s[^\W\d]{{1,3}})?|[%£$€¥₹]|m²|°C)?"
)
A_UNIT = re.compile(r"-?[\d.,]+\s?(kg|g|mg|t|lbs?|oz|km|m|cm|mm|ft|l|ml|cl)", re.IGNORECASE)
MONTH = rf"(?P<month>{'|'.join(sorted(MONTHS, key=len, reverse=True))})\.?"
CLOCK = r"(?:[T,\s]+(?P<hour>\d{1,2})[:.](?P<minute>\d\d)(?::\d\d)?)?"
A_DATE = tuple(
    re.compile(rf"(?:(?:c|ca|circa|about)\.?\s*)?(?:{form}){CLOCK}", re.IGNORECASE)
    for form in (
        r"(?P<year>\d{4})-(?P<month>\d\d)(?:-(?P<day>\d\d))?",
        r"(?P<first>\d{1,2})(?P<mark>[-/.])(?P<second>\d{1,2})(?P=mark)(?P<year>\d{4}|\d\d)",
        rf"(?:[a-z]{{3,9}},?\s+)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?[\s/-]+(?:of\s+)?{MONTH}(?:[,\s/-]+'?(?P<year>\d{{4}}|\d\d))?",
        rf"{MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s+(?P<year>\d{{4}}))?",
        rf"{MONTH}[\s/-]+(?P<year>\d{{4}})",
        rf"{MONTH}-(?P<year>\d\d)",
        r"(?P<month>0[1-9]|1[0-2])[-/.](?P<year>\d{4})",
        rf"{MONTH}",
        r"(?P<year>1\d{3}|20\d\d)(?P<decade>s?)",
    )
)
A_CLOCK = re.compile(
    r"(?P<hour>\d{1,2})[:.](?P<minute>\d\d)\s*(?P<half>[ap]m)?|(?P<alone>\d{1,2})\s*(?P<side>[ap]m)", re.IGNORECASE
)
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
A_DOTTED = re.compile(r"\d{1,2}\.\d\d")  # a clock or a number, by what its column is called
CLOCKED = of_class(  # in the header of a column of times of a day
    "time clock at when from to until till start starts begin begins open opens end ends close closes arrives depart departs"
)
SHORT_DAYS = {day[:3]: place for place, day in enumerate(DAYS)}
YES, NO = of_class("yes y true ✓ ✔ x"), of_class("no n false ✗ ✘")
NOTHING = of_class("none no nothing nil n/a na - – — nobody vacant free empty")  # of a cell that says that there is none
UNKNOWN = of_class("n/a na n.a. - – — ? ?? tbc tbd unknown none nil")  # of a column of numbers, cells that say no number
SIGNS = {
    **dict.fromkeys(("eur", "euro", "euros"), "€"),
    **dict.fromkeys(("usd", "dollar", "dollars"), "$"),
    **dict.fromkeys(("gbp", "pound", "pounds"), "£"),
}
LITTLE_WORDS = of_class("of the and de van von der la du le di to for in on & at y")
BOUND = re.compile(r"(?:(?P<below>under|below|less than|<)|over|above|more than|>)\s*(?P<number>\d.*)", re.IGNORECASE)
LITTLE, LONGEST_MONTH = 1e-6, 31
Moment = tuple[int, int, int, int, int]


def number_of(text: str) -> float | None:
    """The number that a cell is, with its unit or currency; None where it is none.

    >>> number_of("£1,250.50"), number_of("1,250"), number_of("0,250"), number_of("12.5 kg"), number_of("13 x 2")
    (1250.5, 1250.0, 0.25, 12.5, None)
    >>> number_of("2'170"), number_of("1 250"), number_of("KSh 213,750"), number_of("R$ 20")
    (2170.0, 1250.0, 213750.0, 20.0)
    """
    found = A_NUMBER.fullmatch(CURRENCY.sub(" ", text).strip().lstrip("~").strip())
    if found is None:
        return None
    digits = re.sub("[\\s'’]", "", found["digits"])
    whole, mark, part = digits, "", ""
    if (last := max(digits.rfind(","), digits.rfind("."))) >= 0:
        whole, mark, part = digits[:last], digits[last], digits[last + 1 :]
        if len(part) == 3 and whole != "0" and (mark == "," or mark in whole):
            whole, part = whole + part, ""
    value = float(f"{re.sub('[,.]', '', whole)}.{part or 0}")
    return -value if found["sign"] else value


def bounded(text: str) -> float | None:
    """A number just below or above that of a cell: of "under 2" and "over 10"; None where it is no such thing.

    >>> bounded("under 2"), bounded("over 10"), bounded("2")
    (1.999999, 10.000001, None)
    """
    found = BOUND.fullmatch(text.strip())
    value = None if found is None else number_of(found["number"])
    if found is None or value is None:
        return None
    return value - LITTLE if found["below"] else value + LITTLE


def date_of(text: str, day_first: bool = True) -> Moment | None:
    """The moment that a cell says, with zeros for what it leaves open; None where it says none.

    >>> date_of("13/10/2024"), date_of("c. 1860"), date_of("9:30"), date_of("Tuesday"), date_of("Shelf 5")
    ((2024, 10, 13, 0, 0), (1860, 0, 0, 0, 0), (0, 0, 0, 9, 30), (0, 0, 2, 0, 0), None)
    >>> date_of("19-Jan-25"), date_of("3 May 12:30"), date_of("Jan-25"), date_of("Jan 25")
    ((2025, 1, 19, 0, 0), (0, 5, 3, 12, 30), (2025, 1, 0, 0, 0), (0, 1, 25, 0, 0))
    """
    low = text.strip().lower()
    if (clock := A_CLOCK.fullmatch(low)) is not None:
        hour, half = int(clock["hour"] or clock["alone"]), clock["half"] or clock["side"]
        return (0, 0, 0, hour % 12 + 12 * (half == "pm") if half else hour, int(clock["minute"] or 0))
    if low.rstrip("s.")[:3] in SHORT_DAYS and (low.rstrip("s") in DAYS or low.rstrip(".") in SHORT_DAYS):
        return (0, 0, SHORT_DAYS[low[:3]] + 1, 0, 0)
    for form in A_DATE:
        if (match := form.fullmatch(low)) is None:
            continue
        found = match.groupdict()
        first, second = (int(found.get(name) or 0) for name in ("first", "second"))
        year = int(found.get("year") or 0)
        if found.get("year") and len(found["year"]) == 2:
            year += 2000 if year < 70 else 1900
        named = found.get("month") or ""
        month = int(named) if named.isdigit() else MONTHS[named.rstrip(".")] if named else 0
        day = int(found.get("day") or 0)
        if found.get("mark"):
            day, month = (first, second) if (day_first and second <= 12) or first > 12 else (second, first)
        if day <= LONGEST_MONTH:
            return (year, month, day, int(found["hour"] or 0), int(found["minute"] or 0))
    return None


def is_day_first(values: Sequence[str]) -> bool:
    """Whether dates such as 03/04/2024 of a column have the day first: unless one of them can only have the month first."""
    found = [match for value in values if (match := A_DATE[1].fullmatch(value.strip()))]
    return not any(int(one["second"]) > 12 for one in found)


def is_name(text: str) -> bool:
    """Whether a cell is a name, such as of a person: words with capitals and no number.

    >>> is_name("J. Petersen"), is_name("Ann and Bo Lind"), is_name("Shelf 5"), is_name("plaster room")
    (True, True, False, False)
    """
    words = re.findall(r"[^\W\d_][\w'’.-]*", text)
    return bool(words) and not re.search(r"\d", text) and all(one[0].isupper() or one in LITTLE_WORDS for one in words)


def kind_of(values: Sequence[str], header: str = "") -> str:
    """The kind of a column, by the cells of it that are not empty, and by what its header says of money."""
    told = [value.strip() for value in values if value.strip()]
    if not told:
        return TEXT
    if all(value.lower() in YES | NO for value in told):
        return WHETHER
    told = [value for value in told if value.lower() not in UNKNOWN] or told
    share = MOST * len(told)
    dates = sum(date_of(value) is not None for value in told)
    numbers = sum(number_of(value) is not None or bounded(value) is not None for value in told)
    years = sum(bool(re.fullmatch(r"1\d{3}|20\d\d", value)) for value in told)
    named = {*re.findall(r"\w+", header.lower())}
    if sum(bool(A_DOTTED.fullmatch(value)) for value in told) >= share and CLOCKED.union(TIMES).isdisjoint(named):
        dates = 0  # "4.50" is no time of a day in a column of prices
    timely = bool(TIMES.union(("since", "date", "built", "made", "born", "founded")) & named)
    if (
        dates >= share
        and (years < dates or timely or not CURRENCY.search(header))
        and not (years == dates and is_counted(told))
    ):
        return DATE
    if numbers >= share:
        return MONEY if CURRENCY.search(header) or sum(bool(CURRENCY.search(value)) for value in told) >= share else NUMBER
    return TEXT


def currencies(values: Sequence[str]) -> list[str]:
    """The different currencies of some amounts, in their order.

    >>> currencies(["£5", "6 euros", "€7", "8", "KSh 20,000"])
    ['£', '€', 'KSh']
    """
    found = [one.rstrip(".") for value in values for one in CURRENCY.findall(value)]
    different = {one.lower(): one for one in reversed(found)}
    return [*dict.fromkeys(SIGNS.get(one.lower(), different[one.lower()]) for one in found)]


def unlike(values: Sequence[str]) -> str:
    """Why some amounts are neither added up nor compared: several currencies or units; empty where they may be.

    >>> unlike(["£5", "€7"]), unlike(["2 kg", "500 g"]), unlike(["2 kg", "5 kg", "7"])
    ('these amounts are in several currencies, £ and €', 'these amounts are in several units, kg and g', '')
    """
    units = [*dict.fromkeys(found[1].lower() for value in values if (found := A_UNIT.fullmatch(value.strip())))]
    for kind, several in (("currencies", currencies(values)), ("units", units)):
        if len(several) > 1:
            return f"these amounts are in several {kind}, {listed(several)}"
    return ""


def is_counted(values: Sequence[str]) -> bool:
    """Whether four digits are amounts and no years: some of them are written otherwise, or before 1500."""
    return any(int(value) < 1400 for value in values if value.isdigit())
