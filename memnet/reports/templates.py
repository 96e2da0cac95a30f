"""Pages and tables as Markdown templates (jinja), whose figures are quoted by macro."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Any

from memnet.record.measurements import Measurement, measured_by

FOLDER = Path(__file__).parent / "templates"


@cache
def environment() -> Any:
    """Where the templates are; a name that is not given is an error."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    found = Environment(loader=FileSystemLoader(FOLDER), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    found.filters |= {"form": form, "measured_by": measured_by, "Measured_by": at_the_start}
    return found


def form(value: float | None, spec: str) -> str:
    """A figure, written as ``spec`` says; nothing where there is none."""
    return "" if value is None else format(value, spec)


def at_the_start(lines: Collection[Measurement]) -> str:
    """What measured them, at the start of a sentence."""
    return measured_by(lines).replace("m", "M", 1)


def render(template: str, **values: object) -> str:
    """A template with its values, without a line end."""
    return str(environment().get_template(f"{template}.md").render(**values)).rstrip("\n")
