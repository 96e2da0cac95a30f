"""PDF by pypdf and DOCX by python-docx, which come with an extra."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from pathlib import Path

from memnet.errors import ConfigError, extra_needed
from memnet.memory.entries.entry import Passage, Reading, single_spaced
from memnet.memory.entries.layout import Layout
from memnet.memory.entries.tables import of_rows
from memnet.memory.entries.when import Clock
from memnet.tasks.text import FormatError, one_line

HYPHEN = re.compile(r"(?<=[a-z])-\n(?=[a-z])")


def of_pdf(path: Path, name: str, reading: Reading) -> Iterator[Passage]:
    """Page by page; the line is the page. Raises :class:`~memnet.tasks.text.FormatError` where it is no PDF, or has no text."""
    try:
        import pypdf
        from pypdf.errors import PyPdfError
    except ImportError as error:
        raise ConfigError(extra_needed(f"{name}: reading PDF", "pypdf", "documents")) from error
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # what it says of a broken file, one sentence says here
    page, some = 0, False
    try:
        with open(path, "rb") as file:
            for page, one in enumerate(pypdf.PdfReader(file).pages, 1):
                text = HYPHEN.sub("", one.extract_text() or "")
                for told in Layout().passages(text, 1):
                    some = True
                    yield told._replace(line=page, breaks=())
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        where = f"page {page + 1}" if page else "its beginning"
        raise FormatError(
            f"{name}: {where} cannot be read as PDF ({one_line(str(error), 100)}); mend or save it anew"
        ) from error
    if not some:
        raise FormatError(
            f"{name} has no text on its {page} pages: they may be pictures; let a program recognise their letters"
        )


def of_docx(path: Path, name: str, clock: Clock, reading: Reading) -> Iterator[Passage]:
    """Paragraph by paragraph, and tables row by row; the line is the number of the paragraph or table."""
    try:
        import docx
        from docx.opc.exceptions import OpcError
        from docx.table import Table
    except ImportError as error:
        raise ConfigError(extra_needed(f"{name}: reading DOCX", "python-docx", "documents")) from error
    try:
        content = [*docx.Document(str(path)).iter_inner_content()]
    except (OpcError, ValueError, KeyError, OSError) as error:
        raise FormatError(f"{name} cannot be read as DOCX ({one_line(str(error), 100)})") from error
    for number, one in enumerate(content, 1):
        if isinstance(one, Table):
            rows = [[single_spaced(cell.text) for cell in row.cells] for row in one.rows]
            if rows:
                yield from of_rows(rows[0], ((number, row) for row in rows[1:]), clock, reading)
        else:
            for line in one.text.split("\n"):
                if text := single_spaced(line):
                    yield Passage(text, number)
