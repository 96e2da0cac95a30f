"""Parquet files of stories, as rows or as records."""

from __future__ import annotations

import io

from ..text import FormatError, Story
from .records import record
from .rows import story


def read_parquet(content: bytes, name: str) -> list[Story]:
    """The stories of a parquet file's bytes, a row each. Raises :class:`~memnet.tasks.text.FormatError` with ``name``."""
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise FormatError(f"{name} is a parquet file, which pyarrow reads: pip install 'memnet-qa[parquet]'") from error
    try:
        rows = pyarrow.parquet.read_table(io.BytesIO(content)).to_pylist()
    except (pyarrow.ArrowException, OSError) as error:
        raise FormatError(f"{name} is not a parquet file: {error}") from error
    except UnicodeDecodeError as error:
        byte = f"0x{error.object[error.start]:02x}"
        raise FormatError(f"{name} holds text with byte {byte}, which is not UTF-8; write its strings as UTF-8") from error
    stories = []
    for number, one in enumerate(rows):
        if "question" in one:  # a table of passages, questions and answers
            stories.append(record(one, f"{name}, row {number}"))
            continue
        try:
            stories.append(story(one))
        except FormatError as error:
            raise FormatError(f"{name}, row {number}: {error}") from error
    return stories
