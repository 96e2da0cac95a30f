"""The dials of the world: how long stories are, what they are about, how they are told.

Dials()                                        everything, 6 to 18 statements
Dials(statements=(80, 120), people=(20, 40))   long stories of many people
Dials(families=("moves", "carrying"))          only these; a family may stand more than once to weigh more
MIXES["T7"]                                    Dyna-bAbI's mix(T7), in its words
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .lexicon import WORDS

FAMILIES = (  # what statements may be about: families.py has a function for each
    *("moves", "leaving", "carrying", "putting", "giving", "trading", "finding", "whereabouts", "either", "denials", "diary"),
    *("states", "deeds", "dealings", "plans", "facts", "kin", "comparing", "directions", "layout", "counting", "rules"),
    *("holding", "making", "wearing", "containers", "owning", "relative", "nobody", "motives", "changes"),
)
FAMILY_NAMES = (*FAMILIES, "moves_together", "moves_after", "taking", "dropping", "handing", "rule_fears", "rule_colours")
WEIGHTS: dict[str, float] = WORDS["weights"]


@dataclass(frozen=True)
class Dials:
    """How stories are drawn. Shares are of 1."""

    statements: tuple[int, int] = (6, 18)
    questions: float = 0.7  # a statement, on average
    asked_from: int = 2  # statements that stand before any question
    families: tuple[str, ...] = ()  # all, some of them more often; else these
    variety: tuple[int, int] = (2, 7)  # families in one story, where all are in use
    people: tuple[int, int] = (2, 6)
    things: tuple[int, int] = (2, 6)
    spots: tuple[int, int] = (2, 6)  # places
    small_talk: float = 0.06
    unanswerable: float = 0.15
    pronouns: float = 0.45
    compounds: float = 0.12  # two facts in one sentence
    corrections: float = 0.03
    contrasts: float = 0.03  # "to Bob, not to Cid"
    prefixes: float = 0.05  # "by the way,", "I heard that"
    unreal: float = 0.1  # deeds that were not done, or may be, or are wished
    additions: float = 0.35  # times, company, tools, reasons
    unusual: float = 0.5  # verbs other than the plainest of a sense
    wild: float = 0.15  # deeds and things that seldom meet
    words: str = "all"  # or "train", "kept"
    asks: tuple[str, ...] = ()  # kinds of question; all
    published: bool = False  # in the words of the published tasks
    speakers: bool = True  # I, we, my, our
    facts: tuple[str, ...] = ()  # relations of facts.toml; all
    settings: dict[str, float] = field(default_factory=dict, hash=False)


PUBLISHED = Dials(
    published=True,
    small_talk=0,
    unreal=0,
    corrections=0,
    prefixes=0,
    contrasts=0,
    additions=0,
    unusual=0,
    wild=0,
    compounds=0,
    speakers=False,
)


def published(families: str, statements: tuple[int, int], asks: str, **more: object) -> Dials:
    """Dials of a published task: its families and kinds of question, in its words."""
    from dataclasses import replace

    settings: dict[str, object] = {
        "unanswerable": 0.0,
        "pronouns": 0.0,
        "people": (4, 4),
        "spots": (6, 6),
        "things": (3, 3),
        **more,
    }
    return replace(PUBLISHED, families=tuple(families.split()), statements=statements, asks=tuple(asks.split()), **settings)  # type: ignore[arg-type]


MIXES: dict[str, Dials] = {
    "qa1": published("moves", (10, 10), "where"),
    "qa2": published("moves carrying", (6, 40), "where_thing"),
    "qa3": published("moves carrying", (12, 80), "where_before"),
    "qa4": published("layout", (2, 2), "direction", spots=(3, 3)),
    "qa5": published("moves carrying giving", (6, 60), "who what"),
    "qa6": published("moves carrying", (6, 20), "is_in"),
    "qa7": published("moves carrying giving", (6, 26), "count_carried"),
    "qa8": published("moves carrying", (6, 26), "list_carried"),
    "qa9": published("moves whereabouts denials", (10, 10), "is_in"),
    "qa10": published("moves whereabouts either", (10, 10), "is_in"),
    "qa11": published("moves", (10, 10), "where", pronouns=0.9),
    "qa12": published("moves_together", (10, 10), "where"),
    "qa13": published("moves_together", (10, 10), "where", pronouns=0.9),
    "qa14": published("diary", (10, 14), "where_before"),
    "qa15": published("rule_fears", (8, 8), "rule", things=(0, 0)),
    "qa16": published("rule_colours", (9, 9), "rule", things=(0, 0)),
    "qa17": published("layout", (2, 2), "is_beside", spots=(3, 3)),
    "qa18": published("comparing", (4, 5), "is_more", things=(5, 5)),
    "qa19": published("directions", (5, 5), "path", spots=(6, 6)),
    "qa20": published("motives carrying", (4, 12), "motive"),
    "T7": published(
        "moves moves_together moves_together moves_after moves_after taking dropping handing",
        (6, 20),
        "where where_thing where_before",
        people=(8, 8),
        spots=(9, 9),
    ),
    "T12": published(
        "moves moves_together moves_after taking dropping handing whereabouts denials either",
        (8, 20),
        "where where_thing where_before is_in count_carried list_carried",
        people=(8, 8),
        spots=(9, 9),
    ),
}
