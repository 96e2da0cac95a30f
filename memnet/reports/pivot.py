"""The one pivot: networks by data set and column, their means, failed data sets, restarts and intervals; and how they read."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from memnet.config import RULES, Training
from memnet.errors import NetworkError
from memnet.markdown import one_decimal
from memnet.papers import COLUMNS, JOINT_PRESETS, PRESETS
from memnet.record.runs import BY, Row, errors_of, families, is_joint, labels
from memnet.reports.select import config_of
from memnet.tasks.families import fails_above


def failed_row(family: str) -> str:
    """The head of the row that counts them."""
    return f"failed (> {fails_above(family):g} %)"


@dataclass(frozen=True)
class Networks:
    """All restarts of the networks of a column, each of one data set or of several; errors in percent."""

    rows: Sequence[Row]
    printed: Mapping[str, float] = field(default_factory=dict)  # the paper's errors by data set
    printed_mean: float | None = None  # as the paper prints it
    by: str = BY[0]  # what the errors are of

    def __post_init__(self) -> None:
        count: dict[str, int] = {}
        for row in self.rows:
            count[row["data"]] = count.get(row["data"], 0) + 1
        for data, number in count.items():
            if number != int(self.restarts):
                raise NetworkError(f"{self.preset}, {data}: expected {self.restarts} rows, one a restart, found {number}")
        if self.rows[0]["selection"] not in RULES or not self.chosen:
            raise NetworkError(f"{self.preset}: no row is chosen by a rule that is known ({', '.join(RULES)})")

    def by_label(self, kind: str = "test_error", chosen: bool = True) -> dict[str, list[float]]:
        """The errors of one kind by data set: of the chosen networks, or of all; none of a network that was stopped."""
        found: dict[str, list[float]] = {}
        try:
            for row in self.rows:
                for label, error in errors_of(row, kind, self.by) if row["chosen"] == "1" or not chosen else ():
                    found.setdefault(label, []).append(error)
        except ValueError as error:
            raise NetworkError(f"a row of {self.preset} is not as it was written: {error}") from error
        return found

    @cached_property
    def chosen(self) -> dict[str, float]:
        """The test errors of the chosen networks."""
        return {label: errors[-1] for label, errors in self.by_label().items()}

    @cached_property
    def every(self) -> dict[str, list[float]]:
        """The test errors of all restarts."""
        return self.by_label(chosen=False)

    @property
    def preset(self) -> str:
        """Whose networks these are."""
        return self.rows[0]["preset"]

    @property
    def settings(self) -> str:
        """What is otherwise than in the preset, as ``key=value key=value``."""
        return self.rows[0]["settings"]

    @property
    def config(self) -> Training:
        """Of these networks."""
        return config_of(self.preset, self.settings)

    @property
    def family(self) -> str:
        """Of their data."""
        return min(families(self.rows[0]))

    @property
    def restarts(self) -> str:
        """Of each run."""
        return self.rows[0]["restarts"]

    @property
    def joint(self) -> bool:
        """Whether one network learned all the data sets."""
        return is_joint(self.rows[0])

    @property
    def tasks(self) -> int:
        """How many data sets were learned."""
        return len({label for row in self.rows for label in labels(row)})

    @property
    def seconds(self) -> float:
        """Of one core, all restarts together."""
        return sum(float(row["seconds"]) for row in self.rows)

    @property
    def mean(self) -> float:
        """The mean over data sets, of the chosen networks."""
        return statistics.mean(self.chosen.values())

    def mean_of(self, kind: str) -> float:
        """The same of another kind of error."""
        return statistics.mean(error for errors in self.by_label(kind).values() for error in errors)

    @property
    def means(self) -> dict[str, float]:
        """The mean of all restarts by data set."""
        return {label: statistics.mean(errors) for label, errors in self.every.items()}

    @property
    def mean_of_all(self) -> float:
        """The mean over data sets of all restarts."""
        return statistics.mean(list(self.means.values()))

    @property
    def all_restarts(self) -> str:
        """The same, ± their sample standard deviation, the mean over data sets, where there are several."""
        spreads = [statistics.stdev(errors) for errors in self.every.values() if len(errors) > 1]
        return one_decimal(self.mean_of_all) + (f" ± {statistics.mean(spreads):.1f}" if spreads else "")

    @property
    def failed(self) -> int:
        """Data sets that the chosen networks fail."""
        return failing(self.chosen.values(), self.family)

    @property
    def paper_mean(self) -> float | None:
        """The paper's mean over the same data sets, else the one that it prints."""
        same = [self.printed[label] for label in self.chosen if label in self.printed]
        return statistics.mean(same) if same else self.printed_mean

    def share(self, kind: str) -> float | None:
        """The mean of a share of facts over the chosen networks and their data sets; None where nothing says."""
        shares = (share for row in self.rows if row["chosen"] == "1" for share in row[kind].split())
        found = [float(share) for share in shares if share != "-"]
        return statistics.mean(found) if found else None

    @property
    def facts_read(self) -> str:
        """Precision and recall of the supporting facts in percent."""
        shares = [self.share(kind) for kind in ("fact_precision", "fact_recall")]
        return ", ".join(f"{100 * share:.0f} %" for share in shares if share is not None)

    @property
    def choice(self) -> str:
        """That there is nothing to choose from: one restart, or none drawn at all; empty where there are several."""
        if PRESETS[self.preset].fitted:
            return "fitted once"
        return "one restart" if self.restarts == "1" else ""

    def head(self, name: str = "") -> str:
        """What stands above its column: preset or ``name``, what was set, joint where that does not say so, one restart."""
        joint = "joint" if self.joint and self.preset not in JOINT_PRESETS else ""
        return ", ".join(word for word in (name or self.preset, self.settings, joint, self.choice) if word)

    @property
    def is_of_port(self) -> bool:
        """Whether the figures beside it are of a re-implementation, and none of its paper."""
        declared = COLUMNS.get((self.preset, self.family))
        return declared is not None and declared.reimplemented

    @property
    def printed_cell(self) -> str:
        """The mean over the same data sets that is printed for its network, with "(port)" if of a re-implementation."""
        printed = one_decimal(self.paper_mean)
        return f"{printed} (port)" if printed and self.is_of_port else printed


def failing(errors: Iterable[float], family: str) -> int:
    """How many errors are of a data set of that family that is failed."""
    return sum(error > fails_above(family) for error in errors)
