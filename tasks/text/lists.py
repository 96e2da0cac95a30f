"""Lists as data: a name at the start of a line, under it, indented, what is in the list, between bars."""

from __future__ import annotations

import re
from importlib import resources


def read_lists(package: str, file: str) -> dict[str, tuple[str, ...]]:
    """The lists of a text file of a package by their names, in the file's order; lines that begin with # are left out."""
    text = resources.files(package).joinpath(file).read_text(encoding="utf-8")
    blocks = re.split(r"\n(?=\S)", re.sub(r"(?m)^#.*\n", "", text).strip())
    parts = (block.partition("\n") for block in blocks)
    return {name: tuple(" ".join(one.split()) for one in listed.split("|")) for name, _, listed in parts}
