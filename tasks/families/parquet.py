"""Parquet files of stories, as rows or as records."""

from __future__ import annotations

import io

from ..text import FormatError, Story
from .choices import Reading
from .records import record, row


def read_parquet(content: bytes, name: str, reading: Reading | None = None) -> list[Story]:
    """The stories of a parquet file's bytes, a row each. Raises :class:`~memnet.tasks.text.FormatError` with ``name``."""
    reading = reading or Reading()
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
    return [  # a table of passages, questions and answers, or of stories
        (record if "question" in one else row)(one, f"{name}, row {number}", reading) for number, one in enumerate(rows)
    ]
