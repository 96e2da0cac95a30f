"""Pages and tables as Markdown templates (jinja), whose figures are quoted by macro."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "templates"


@cache
def environment() -> Any:
    """Where the templates are; a name that is not given is an error."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(loader=FileSystemLoader(FOLDER), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


def render(template: str, **values: object) -> str:
    """A template with its values, without a line end."""
    return str(environment().get_template(f"{template}.md").render(**values)).rstrip("\n")
