"""HTML by selectolax: what a page says, block by block, without scripts, styles and navigation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from memnet.errors import ConfigError, extra_needed
from memnet.memory.entries.entry import Passage, Reading, single_spaced
from memnet.memory.entries.tables import is_head, of_rows
from memnet.memory.entries.when import Clock, stamp

LEFT_OUT = re.findall(
    r"\w+", "script style noscript template nav aside footer form button select option svg iframe canvas object"
)
LEFT_OUT += ["head", "[hidden]", '[aria-hidden="true"]', '[role="navigation"]', '[role="banner"]', '[role="contentinfo"]']
BLOCKS = frozenset(
    re.findall(
        r"\w+",
        """html body main article section header div p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote figure figcaption address
    details summary hr table thead tbody tfoot tr td th caption pre""",
    )
)
LOOKS = re.compile(r"<!doctype html|<(?:html|head|body|div|p|ul|ol|table|h[1-6]|span|article|section)\b[^>]*>", re.IGNORECASE)


def passages(text: str, clock: Clock, reading: Reading) -> Iterator[Passage]:
    """Of a page; the line is the number of the block. Raises :class:`~memnet.errors.ConfigError` without selectolax."""
    try:
        from selectolax.lexbor import LexborHTMLParser
    except ImportError as error:
        raise ConfigError(extra_needed("reading HTML", "selectolax", "long")) from error
    root = LexborHTMLParser(text).root
    if root is None:
        return
    for selector in LEFT_OUT:
        for node in root.css(selector):
            if node.tag not in ("html", "body"):
                reading.count.left_out[f"<{node.tag}>"] += node.tag != "head"
                node.decompose()
    for node in root.css("pre"):
        reading.count.left_out["lines of code"] += len(node.text().splitlines())
        node.decompose()
    number = 0
    for block in blocks(root):
        number += 1
        if not isinstance(block, str):
            yield from of_table(block, number, clock, reading)
            continue
        found = stamp(block)
        if found is not None and clock.heading(found, len(block)):
            reading.count.left_out["headings of a date alone"] += 1
            continue
        when = clock.when(found) if found else clock.current
        yield Passage(block[found.end :] if found else block, number, when)


def blocks(node: Any) -> Iterator[Any]:
    """The texts of a page's blocks in order, single-spaced; a table of data as its node."""
    held = list[str]()

    def flush() -> Iterator[str]:
        if text := single_spaced("".join(held)):
            yield text
        held.clear()

    stack = [iter([node])]
    while stack:
        one = next(stack[-1], None)
        if one is None:
            stack.pop()
            continue
        if isinstance(one, str):
            yield from flush()
        elif one.tag == "-text":
            held.append(one.text(deep=False))
        elif one.tag == "br":
            held.append(" ")
        elif one.tag == "table" and is_table(one):
            yield from flush()
            yield one
        elif one.tag in BLOCKS:
            yield from flush()
            stack.append(iter([*one.iter(include_text=True), "end"]))
        elif not one.tag.startswith(("-", "_", "!")):
            stack.append(iter([*one.iter(include_text=True)]))
    yield from flush()


def rows_of(table: Any) -> list[list[str]]:
    """The cells of a table."""
    return [[single_spaced(cell.text()) for cell in row.css("th, td")] for row in table.css("tr")]


def is_table(table: Any) -> bool:
    """Whether a table has data under a row of names, and is no means of layout."""
    rows = [row for row in rows_of(table) if row]
    named = table.css_first("tr th") is not None
    return len(rows) > 1 and len(rows[0]) > 1 and (named or is_head(rows[0])) and not table.css("table table")


def of_table(table: Any, number: int, clock: Clock, reading: Reading) -> Iterator[Passage]:
    """The sentences of a table's rows."""
    head, *rows = [row for row in rows_of(table) if row]
    yield from of_rows(head, ((number, row) for row in rows), clock, reading)


def looks(head: str) -> bool:
    """Whether a text looks like HTML."""
    found = LOOKS.findall(head)
    return bool(found) and (head.lstrip()[:1] == "<" or len(found) > 3)
