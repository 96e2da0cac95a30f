"""Data sets by name: ``babi/qa1``, ``babi-10k/qa3``, ``sim/qa1@3``. A file a family; ``FAMILIES`` has them all.

A plugin adds one: ``FAMILIES["kinship"] = Family("kinship", ...)``. Knows no model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ..files import DataError
from . import babi, babilong, clutrr, dialog, dyna, folder, scone, simulated, stepgame, tom_babi, tomi
from .family import ALL, FAILS_ABOVE, Family, Fetch, Name, NotAtHand, Task, listed, questions_of

FAMILIES: dict[str, Family] = {
    family.name: family
    for file in (babi, simulated, folder, babilong, dyna, clutrr, dialog, scone, stepgame, tom_babi, tomi)
    for family in file.FAMILIES
}
PACKAGED = dict(FAMILIES)  # without those of plugins
SHORT = ("babi", "sim")  # the families that a member's name alone may mean, in this order
EXAMPLES = FAMILIES[SHORT[0]]  # whose members have examples to look at, drawn by the simulator


def family_of(name: str) -> Family:
    """The family that a data set's name begins with. Raises :class:`DataError`."""
    first = name.partition("/")[0].partition("@")[0]
    if first not in FAMILIES:
        raise DataError(
            f"there is no family of data sets called {first!r}: expected {', '.join(FAMILIES)}, or one of a --plugin"
        )
    return FAMILIES[first]


def title_of(name: str) -> str:
    """What the member of that full name is, in words; nothing where nobody says."""
    read = Name.read(name)
    return FAMILIES[read.family].members.get(read.member, "") if read and read.family in FAMILIES else ""


def member_of(text: str) -> str:
    """The member of a short name's family that a person means by its name or number, nothing where there is none.

    >>> member_of("3"), member_of("qa3"), member_of("300")
    ('qa3', 'qa3', '')
    """
    members = list(EXAMPLES.members)
    if text.isascii() and text.isdigit() and len(text) < 4:
        return members[int(text) - 1] if 1 <= int(text) <= len(members) else ""
    return text.lower() if text.lower() in members else ""


def number_of(member: str) -> str:
    """A member's number, as :func:`member_of` reads it; its name where it has none.

    >>> number_of("qa3"), number_of("own")
    ('3', 'own')
    """
    return {name: str(number) for number, name in enumerate(EXAMPLES.members, 1)}.get(member, member)


def numbered(*numbers: int) -> list[str]:
    """Full names of the members of the first family by their numbers.

    >>> numbered(1, 14)
    ['babi/qa1', 'babi/qa14']
    """
    return [f"{EXAMPLES.name}/{list(EXAMPLES.members)[number - 1]}" for number in numbers]


def fails_above(family: str) -> float:
    """The error in percent above which a data set of a family fails, also of one that is not installed here."""
    return FAMILIES[family].fails_above if family in FAMILIES else FAILS_ABOVE


def members_in(names: Iterable[str]) -> list[str]:
    """The members that full names of data sets are of, whatever their families."""
    return [read.member for name in names if (read := Name.read(name))]


def find(names: Sequence[str], data: Path | None = None, first: int | None = None) -> list[Task]:
    """The data sets named: ``family/member@seed``, ``family/all``, a folder of one's own files, or a member alone.

    A member alone, or ``all``, is of bAbI, or simulated where the published text is not at hand and no folder ``data`` is
    given. ``first`` is how many training stories are enough, see :meth:`Family.task`. Raises :class:`DataError` for what is
    not there, :class:`~memnet.tasks.text.FormatError` for a malformed file.
    """
    tasks = [task for name in names for task in named(name, data, first)]
    twice = {task.name for task in tasks if sum(other.name == task.name for other in tasks) > 1}
    if twice:
        raise DataError(f"{', '.join(sorted(twice))} is named more than once; give each task a name of its own")
    return tasks


def named(name: str, data: Path | None = None, first: int | None = None) -> Iterator[Task]:
    """The data sets of one name, see :func:`find`."""
    plain, _, seed = name.partition("@")
    head, slash, member = plain.partition("/")
    family = FAMILIES.get(head) if slash or head not in members_of(SHORT) else None
    if family and (seed.isdigit() or "@" not in name) and (family.members or not Path(name).is_dir()):
        yield from members_named(family, member or ALL, int(seed or 0), data, first)
    elif Path(name).is_dir():
        yield from folder.own_tasks(Path(name))
    elif plain == ALL or plain in members_of(SHORT):
        if seed:
            raise DataError(f"{name}: a member alone takes no seed; name its family too, as in {SHORT[-1]}/{name}")
        yield from of_short(plain, data)
    elif Path(name).is_file():
        raise DataError(
            f"{name} is a file; expected a folder of files with train or test in their names, such as mine_train.txt"
        )
    else:
        raise DataError(
            f"no data set is called {name!r}: expected {listed(members_of(SHORT))}, {ALL}, FAMILY/MEMBER with a family of "
            f"{', '.join(FAMILIES)}, or a folder of your own files"
        )


def members_of(families: Iterable[str]) -> dict[str, str]:
    """The members of several families."""
    return {member: title for family in families for member, title in FAMILIES[family].members.items()}


def members_named(family: Family, member: str, seed: int, data: Path | None, first: int | None) -> Iterator[Task]:
    """One member of a family, or all; of a family that simulates all, those that it simulates a published text of."""
    for one in all_of(family) if member == ALL and family.members else (member,):
        yield family.task(one, seed, data, first)


def all_of(family: Family) -> list[str]:
    """The members that ``all`` means: of the families of a short name those of the first."""
    return [member for member in family.members if not family.drawn or member in EXAMPLES.members]


def of_short(member: str, data: Path | None) -> Iterator[Task]:
    """A member alone, or all: of the first family, where it is at hand."""
    first, then = (FAMILIES[name] for name in SHORT)
    for one in first.members if member == ALL else (member,):
        if one not in first.members:
            yield then.task(one, 0, None)
            continue
        try:
            yield first.task(one, 0, data)
        except NotAtHand:
            if data is not None:
                raise
            yield then.task(one, 0, None)


__all__ = [
    "ALL",
    "EXAMPLES",
    "FAMILIES",
    "PACKAGED",
    "SHORT",
    "DataError",
    "Family",
    "Fetch",
    "Name",
    "NotAtHand",
    "Task",
    "all_of",
    "fails_above",
    "family_of",
    "find",
    "listed",
    "member_of",
    "members_in",
    "members_of",
    "number_of",
    "numbered",
    "questions_of",
    "title_of",
]
