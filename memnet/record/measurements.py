"""Measurements as CSV, a line each: named tuples of words and numbers, written and read back."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, get_type_hints

from memnet.errors import NetworkError

Row = TypeVar("Row")


def write_csv(rows: Sequence[NamedTuple]) -> str:
    """A line a row, below their names; four digits of what is not whole."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(rows[0]._fields)
    writer.writerows([f"{value:.4g}" if isinstance(value, float) else value for value in row] for row in rows)
    return text.getvalue()


def read_csv(path: Path, kind: Callable[..., Row], command: str) -> list[Row]:
    """What :func:`write_csv` wrote for a ``command``; columns with a default may be lacking.

    Raises :class:`~memnet.errors.NetworkError`.
    """
    types: dict[str, Any] = get_type_hints(kind)
    optional = getattr(kind, "_field_defaults", {})
    try:
        with open(path, newline="", encoding="utf-8") as file:
            return [
                kind(**{name: of(row[name]) for name, of in types.items() if name in row or name not in optional})
                for row in csv.DictReader(file)
            ]
    except FileNotFoundError as error:
        raise NetworkError(f"{path} is missing; {command} writes it") from error
    except (OSError, KeyError, TypeError, ValueError, csv.Error) as error:
        raise NetworkError(f"{path} is not what {command} writes: {error}") from error


def counted(values: Sequence[str]) -> str:
    """Values, the most frequent first; how often each is there, where there are several."""
    found = Counter(values).most_common()
    return ", ".join(f"{value} ({number:,})" if len(found) > 1 else value for value, number in found)
