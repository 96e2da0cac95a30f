"""An answer in a notebook: the question, the answer, and the story as a heat map, as HTML legible on white and on black."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from html import escape

from memnet.ask.answer import Answer
from memnet.show.terminal import Layout, Row, answer_text, omission_notes, rows_with_null, visible_weight
from memnet.tasks.text import visible

SHORT_STORY = 12  # statements: up to so many are all shown, of a longer story those that were read
MAX_ROWS = 50  # statements of a table
MOST_LISTED = 200  # statements of a list
UNFOLDED = Layout(width=1_000_000)  # a line is as long as it is: the page wraps it
BLUE, STRONGEST = (37, 99, 235), 0.55  # a cell is this much of this colour at weight 1; the text keeps the page's colour
STYLE = """
.memnet-read { border-collapse: collapse; margin: .4em 0; color: inherit; }
.memnet-read th, .memnet-read td { border: 1px solid rgba(128,128,128,.35); padding: 1px 6px; color: inherit; }
.memnet-read th, .memnet-read td { text-align: right; }
.memnet-read th.text, .memnet-read td.text { text-align: left; overflow-wrap: anywhere; }
.memnet-read tr.evidence td { font-weight: bold; }
.memnet-story { overflow-wrap: anywhere; }
"""


def answer_html(answer: Answer) -> str:
    """Question and answer, below them the story: a row a statement with the percent that each hop read of it."""
    first, *others = answer_text(replace(answer, hops=[], null_weights=[]), UNFOLDED).split("\n")
    name, bracket, rest = first.partition(" (")
    lines = [escape(visible(answer.question))] if answer.question else []
    lines += [f"<strong>{escape(name)}</strong>{escape(bracket + rest)}", *map(escape, others)]
    return f"<div>{'<br>'.join(lines)}{read_table(answer) or story_html(answer)}</div>"


def read_table(answer: Answer) -> str:
    """The heat map as a table, and below it what was not read, folded; nothing for a network that reads no statements."""
    rows = rows_with_null(answer, MAX_ROWS)
    in_memory = {read.number for hop in answer.hops for read in hop}
    if len(in_memory) > SHORT_STORY:
        rows = [row for row in rows if row.is_evidence or was_read(row)]
    if not rows:
        return ""
    hops = "".join(f'<th scope="col">{hop}</th>' for hop in range(1, len(answer.hops) + 1))
    unread, notes = left_out(answer, rows)
    notes = ["* the answer relied on it"] * any(row.is_evidence for row in rows) + notes
    return (
        f'<style>{STYLE}</style><table class="memnet-read">'
        f'<thead><tr><th></th><th></th>{hops}<th class="text">hop, % read</th></tr></thead>'
        f"<tbody>{''.join(map(row_html, rows))}</tbody></table>"
        f"<small>{'<br>'.join(map(escape, notes))}{unread_html(unread)}</small>"
    )


def unread_html(unread: Mapping[int, str]) -> str:
    """Statements that no hop read, folded; "" where there are none."""
    if not unread:
        return ""
    title = f"{len(unread):,} other statement{'s were' if len(unread) > 1 else ' was'} not read"
    return f"<details><summary>{title}</summary>{numbered(unread)}</details>"


def story_html(answer: Answer) -> str:
    """The story of a network that does not say what it read."""
    return numbered(dict(enumerate(answer.story, 1)))


def numbered(statements: Mapping[int, str]) -> str:
    """Statements with their numbers in the story, a line each; of very many the last."""
    shown = sorted(statements)[-MOST_LISTED:]
    lines = [f"({len(statements) - len(shown):,} more)"] * (len(shown) < len(statements))
    lines += [f"{number} {escape(visible(statements[number]))}" for number in shown]
    return f'<div class="memnet-story">{"<br>".join(lines)}</div>' if lines else ""


def was_read(row: Row) -> bool:
    """Whether a hop read the statement with a weight that is shown."""
    return any(map(visible_weight, row.weights))


def row_html(row: Row) -> str:
    """A row: a star where the answer relied on it, its number, a cell a hop, the statement."""
    kind, star = (' class="evidence"', "*") if row.is_evidence else ("", "")
    cells = "".join(map(cell_html, row.weights))
    return f'<tr{kind}><td>{star}</td><td>{row.number or ""}</td>{cells}<td class="text">{escape(row.sentence)}</td></tr>'


def cell_html(weight: float) -> str:
    """A weight in percent, the bluer the more; blank where it counts as none."""
    shown = visible_weight(weight)
    if shown == 0:
        return "<td></td>"
    colour = f"rgba({','.join(map(str, BLUE))},{STRONGEST * shown:.2f})"
    return f'<td style="background:{colour}">{round(100 * weight)}</td>'


def left_out(answer: Answer, rows: list[Row]) -> tuple[dict[int, str], list[str]]:
    """What has no row: the statements that no hop read, by number, and in words those read less or beyond the memory."""
    read = {one.number for hop in answer.hops for one in hop if visible_weight(one.weight)}
    shown = read | {row.number for row in rows}
    unread = {one.number: one.sentence for hop in answer.hops for one in hop if one.number not in shown}
    hidden = replace(answer, hops=[[one for one in hop if one.number not in unread] for hop in answer.hops])
    return unread, omission_notes(hidden, rows)
