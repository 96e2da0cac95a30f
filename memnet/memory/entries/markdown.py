"""Markdown by markdown-it: paragraphs, headings, items of lists and rows of tables; code and marks are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from memnet.memory.entries.entry import Passage, Reading, single_spaced
from memnet.memory.entries.tables import of_rows
from memnet.memory.entries.when import Clock, stamp

if TYPE_CHECKING:
    from markdown_it.token import Token

FRONT_MATTER = "---\n"


def passages(text: str, line: int, clock: Clock, reading: Reading) -> Iterator[Passage]:
    """Of a text that begins in a line of this number. A heading that is a date is the time of what follows."""
    from markdown_it import MarkdownIt

    text, skipped = without_front_matter(text, reading) if line == 1 else (text, 0)
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    row, rows, last, place = list[str](), list[tuple[int, list[str]]](), 0, line + skipped
    for at, token in enumerate(tokens):
        last = token.map[0] if token.map else last
        if token.type in ("fence", "code_block"):
            reading.count.left_out["lines of code"] += len(token.content.splitlines())
        elif token.type == "html_block":
            from memnet.memory.entries.html import passages as of_html

            yield from (one._replace(line=place + last) for one in of_html(token.content, clock, reading))
        elif token.type == "table_open":
            rows = []
        elif token.type == "tr_open":
            row = []
        elif token.type == "tr_close":
            rows.append((place + last, row))
        elif token.type == "table_close" and rows:
            yield from of_rows(rows[0][1], rows[1:], clock, reading)
        elif token.type == "inline":
            if tokens[at - 1].type in ("th_open", "td_open"):
                row.append(words(token.children or ()))
            else:
                yield from of_block(token, place + last, tokens[at - 1].type == "heading_open", clock, reading)


def of_block(token: Token, line: int, heading: bool, clock: Clock, reading: Reading) -> Iterator[Passage]:
    """A paragraph, an item or a heading."""
    text = words(token.children or ())
    found = stamp(text)
    if found is not None and clock.heading(found, len(text)):
        reading.count.left_out["headings of a date alone"] += 1
    elif text:
        when = clock.when(found) if found else clock.current
        breaks = [place for place in range(1, len(text)) if text[place - 1] == "\n"]
        yield Passage(
            single_spaced(text[found.end :] if found and not heading else text), line, when, breaks=() if found else breaks
        )


def words(children: Sequence[Token]) -> str:
    """The text of a block: that of links and of code among words too; a line of the source a line."""
    parts = list[str]()
    for child in children:
        if child.type in ("softbreak", "hardbreak"):
            parts.append("\n")
        elif child.type in ("text", "code_inline", "image"):
            parts.append(child.content)
        elif child.type == "html_inline" and child.content[:3] in ("<br", "<BR"):
            parts.append(" ")
    return "\n".join(" ".join(line.split()) for line in "".join(parts).split("\n")).strip()


def without_front_matter(text: str, reading: Reading) -> tuple[str, int]:
    """A text without the settings that some programs put before it, and how many lines those are."""
    if text.startswith(FRONT_MATTER) and (end := text.find("\n---\n", 3)) > 0:
        lines = text.count("\n", 0, end + 5)
        reading.count.left_out["lines of settings before a text"] += lines
        return text[end + 5 :], lines
    return text, 0


def is_markdown(head: str) -> bool:
    """Whether a text looks like Markdown: headings with other marks, or several kinds of marks."""
    lines = head.split("\n")
    kinds = (
        any(re.match(r"#{1,6} \S", line) for line in lines),
        any(line.startswith(("```", "~~~")) for line in lines),
        any(re.match(r"\|?\s*:?-{3,}:?\s*\|", line) for line in lines),
        any(re.search(r"\[[^\]]+\]\([^)\s]+\)", line) for line in lines),
        sum(bool(re.match(r"\s*[-*+] \S", line)) for line in lines) >= 2,
        any(re.search(r"\*\*\S[^*]*\*\*", line) for line in lines),
    )
    return sum(kinds) >= 2
