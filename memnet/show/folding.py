"""A story as it is shown with an answer: sentences that were read, and in a long story the others folded."""

from __future__ import annotations

from typing import NamedTuple

from memnet.ask.answer import Answer
from memnet.show.notebook import SHORT_STORY
from memnet.show.terminal import Row, rows_with_null, visible_weight

HARDLY = 0.02  # sentences that every hop read less are folded, in a story that is not short
ALL_STATEMENTS = 1 << 30
NULLS = {"(nothing)": "no sentence", "(end)": "nothing more: the hops end here"}  # what such a line says


class Fold(NamedTuple):
    """Neighbouring sentences that were hardly read, or not at all."""

    rows: list[Row]

    @property
    def text(self) -> str:
        """How many they are: "41 sentences not read"."""
        count = f"{len(self.rows):,} sentences"
        read = any(visible_weight(weight) for row in self.rows for weight in row.weights)
        return f"{count} read less than {HARDLY:.0%} each" if read else f"{count} not read"


def story_parts(answer: Answer) -> list[Row | Fold]:
    """The sentences in memory in story order, and last reading nothing where a hop did; of a long story, unread ones folded."""
    rows = rows_with_null(answer, ALL_STATEMENTS)
    if len(rows) <= SHORT_STORY:
        return list(rows)
    parts, hidden = list[Row | Fold](), list[Row]()
    for row in [*rows, None]:
        if row and row.number and not row.is_evidence and max(map(visible_weight, row.weights)) < HARDLY:
            hidden.append(row)
            continue
        parts += [Fold(hidden)] if len(hidden) > 1 else hidden
        parts += [row] if row else []
        hidden = []
    return parts
