"""A trained network in words: what ``repr`` and the prompt say of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memnet.encode.vocabulary import Vocabulary

MOST_NAMED = 5  # tasks that are named one by one


def trained_on(facts: Mapping[str, Any]) -> str:
    """The data sets that a network was trained on, or how many they are, and in brackets how their stories were made.

    >>> trained_on({"data": ["sim/lists", "sim/size"]}), trained_on({"data": ["own/family"]})
    ('sim/lists, sim/size (simulated)', 'own/family (own)')
    """
    from memnet.tasks.families import FAMILIES

    names = facts.get("data", ())
    named = ", ".join(names) if len(names) <= MOST_NAMED else f"{len(names)} data sets"
    made = dict.fromkeys(FAMILIES[name.partition("/")[0]].trained_on for name in names if name.partition("/")[0] in FAMILIES)
    return named + (f" ({', '.join(made)})" if made else "")


def network_text(model: str, settings: Mapping[str, Any], vocabulary: Vocabulary, facts: Mapping[str, Any], name: str) -> str:
    """What the prompt says of a network that is called ``name``, with ``facts`` of how it was trained."""
    hops = next((f", {settings[part]} {part}" for part in ("hops", "passes", "layers") if settings.get(part)), "")
    evidence = "says" if settings["unanswerable"] > 0 else "was not taught to say"
    calibrated = f"; its percentages are calibrated on {facts['calibrated_on']}" if facts.get("calibrated_on") else ""
    return (
        f"{name}: {model}{hops}, trained on {trained_on(facts)}; "
        f"{len(vocabulary) - len(vocabulary.markers):,} words and answers"
        f"{', and any names' if vocabulary.markers else ''}; holds {settings['memory_size']:,} statements; "
        f"{evidence} when it has no evidence{calibrated}."
    )
