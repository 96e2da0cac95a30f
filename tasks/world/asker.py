"""What every question shares: its query, the answer that the state has, and how it is said.

asker.template("where", "where_person", ("where", mary), {"x": mary})
->  Asked("Where is Mary now?", Found("span", [kitchen]))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from . import answers, deed_answers, fact_answers, more_answers
from .entities import Entity
from .found import Found
from .lexicon import table
from .lines import Line
from .telling import Teller
from .templates import fill

Query = tuple[Any, ...]


@dataclass
class Asked:
    """A question: its kind, what it asks of the state, its answer, and how it is said."""

    kind: str
    query: Query
    found: Found
    say: Callable[[Line], None]
    names: dict[str, Entity] = field(default_factory=dict)
    missing: Callable[[Line], None] | None = None  # of a deed: what nothing says, "why Rex left"


QUESTIONS: dict[str, Callable[..., Found | None]] = {  # a query's first word -> who answers it
    "where": answers.where,
    "which_place": answers.which_place,
    "where_before": answers.where_before,
    "is_in": answers.is_in,
    "who_in": answers.who_in,
    "what_in": answers.what_in,
    "anybody": answers.anybody,
    "people_in": answers.people_in,
    "who_with": answers.who_with,
    "together": answers.together,
    "both_in": answers.both_in,
    "where_not": answers.where_not,
    "went": answers.went,
    "which_of": answers.which_of,
    "who_has": deed_answers.who_has,
    "does_have": deed_answers.does_have,
    "list_carried": deed_answers.list_carried,
    "count_carried": deed_answers.count_carried,
    "had": deed_answers.had,
    "deed": deed_answers.deed,
    "did": deed_answers.did,
    "fact_value": fact_answers.fact_value,
    "fact_who": fact_answers.fact_who,
    "used_to": fact_answers.used_to,
    "fact_is": fact_answers.fact_is,
    "is_more": fact_answers.is_more,
    "which_more": fact_answers.which_more,
    "more_than": fact_answers.more_than,
    "most": fact_answers.most,
    "beside": fact_answers.beside,
    "of_what": fact_answers.of_what,
    "is_beside": fact_answers.is_beside,
    "where_beside": fact_answers.where_beside,
    "path": fact_answers.path,
    "kin": fact_answers.kin,
    "is_kin": fact_answers.is_kin,
    "count_have": more_answers.count_have,
    "count_both": more_answers.count_both,
    "count_more": more_answers.count_more,
    "count_unknown": more_answers.count_unknown,
    "count_change": more_answers.count_change,
    "rule": more_answers.rule_value,
    "goes": more_answers.goes,
    "rule_is": more_answers.rule_is,
    "tint": more_answers.tint_of,
    "by_value": more_answers.compare_values,
}


class Asker:
    """Draws questions about a teller's story."""

    def __init__(self, teller: Teller):
        self.teller = teller
        self.pick, self.chance, self.random = teller.pick, teller.chance, teller.random

    def template(self, kind: str, section: str, query: Query, names: dict[str, Entity], key: str = "asks") -> Asked | None:
        """A question of a template of asking.toml, where the state has one answer or none."""
        texts = table("asking.toml")[section][key]
        return self.text(kind, texts, query, names)

    def text(self, kind: str, texts: list[str], query: Query, names: dict[str, Entity]) -> Asked | None:
        """A question of one of several templates."""
        if any(entity.speaking for entity in names.values()):
            texts = [text for text in texts if "I find" not in text and "I look" not in text]
        if not texts:
            return None
        found = QUESTIONS[query[0]](self.teller.world, *query[1:])
        if found is None:
            return None
        text = texts[0] if self.teller.dials.published else self.pick(texts)
        return Asked(kind, query, found, lambda line: fill(line, text, names), names)

    # ---- which things

    def other(self, entity: Entity) -> Entity:
        """Another of its kind: of the story, mostly."""
        cast = self.teller.cast
        if entity.kind == "person":
            people = [one for one in cast.people if one is not entity]
            return self.pick(people) if people else cast.person(entity)
        pool = {"place": cast.places, "container": cast.containers, "thing": cast.things}.get(entity.kind, [])
        others = [one for one in pool if one is not entity and one.kind == entity.kind]
        if others and self.chance(0.75):
            return self.pick(others)
        made = cast.new_place() if entity.kind == "place" else cast.new_thing()
        made.owner = None
        return made if entity.kind in ("place", "thing") else entity
