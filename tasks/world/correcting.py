"""What a correction says: another place, or another value, in place of one that was just told."""

from __future__ import annotations

from . import knowing
from .entities import Entity
from .records import At, Being, Record
from .telling import Teller


def corrected(teller: Teller, old: Record) -> tuple[Record | None, str, dict[str, Entity]]:
    """What is so instead of what a record says, the form to say it in and the names in it; ``None`` where nothing fits."""
    if (
        isinstance(old, At)
        and old.positive
        and old.place is not None
        and old.rank is None
        and not old.subject.members
        and old.subject.kind != "container"
    ):
        if old.subject.kind == "person":
            place = teller.cast.place(old.place)
            if place is not old.place and not teller.world.places.spot(old.subject).unsure:
                return At(old.subject, place), "<x> be~x <p.in>", {"x": old.subject, "p": place}
        elif old.place.kind == "container":
            container = teller.cast.container()
            if container is not old.place and old.subject in teller.world.places.positions:
                return At(old.subject, container), "<x> be~x <p.in>", {"x": old.subject, "p": container}
    if isinstance(old, Being) and old.positive and not old.subject.members:
        settings = teller.settings(old.relation)
        if settings.get("one") and "value" in settings and old.relation != "kind_of":
            made = knowing.fact_value(teller, settings, old.relation, old.subject)
            if made is not None and made.words != old.value.words:
                return Being(old.relation, old.subject, made), teller.pick(settings["says"]), {"x": old.subject, "v": made}
    return None, "", {}
