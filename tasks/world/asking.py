"""Questions about a story, drawn apart from how it was told: whatever the state answers, and what it does not.

draw(asker, wrong=False)   ->   Asked(kind="where_thing", query=("where", key), found=Found("span", [drawer]), say=...)
"""

from __future__ import annotations

from collections.abc import Callable

from .ask_deeds import about_deed
from .ask_facts import about_being, about_rule
from .ask_places import about_at, about_has, about_nobody
from .ask_relations import about_beside, about_count, about_kin, about_more
from .asker import Asked, Asker
from .records import At, Being, Beside, Count, Deed, Has, Kin, More, Nobody, Record, Rule

ABOUT: dict[type[Record], Callable[..., Asked | None]] = {
    Deed: about_deed,
    At: about_at,
    Has: about_has,
    Being: about_being,
    More: about_more,
    Beside: about_beside,
    Kin: about_kin,
    Count: about_count,
    Rule: about_rule,
    Nobody: about_nobody,
}


TOO_MANY = {
    "did": 0.4,
    "fact": 0.25,
    "fact_is": 0.2,
    "who": 0.25,
    "fact_who": 0.15,
}  # kinds that come by themselves, to leave out in a share


def draw(asker: Asker, wrong: bool) -> Asked | None:
    """A question about something that was told, long ago or of late; ``wrong`` where it is to be unanswerable."""
    records = asker.teller.world.records
    if not records:
        return None
    record = asker.pick(records[-5:]) if asker.chance(0.45) else asker.pick(records)
    if record.void:
        return None
    asked = ABOUT[type(record)](asker, record, wrong)
    if asked is None or (asked.found.kind == "untold") != wrong:
        return None
    if (
        asker.teller.dials.published
        and asked.kind == "where_thing"
        and asked.found.items
        and asked.found.items[0].kind == "person"
    ):
        return None
    share = TOO_MANY.get(asked.kind, 0.0) + (0.3 if asked.found.kind == "yes" else 0.0)
    if not asker.teller.dials.published and asker.chance(share):
        return None
    wanted = asker.teller.dials.asks
    return None if wanted and asked.kind not in wanted else asked
