"""What memnet uses of the library safetensors, which has no build for browsers: its format, read with numpy alone.

A file is the length of its header in 8 bytes, the header in JSON, and the numbers (https://github.com/huggingface/safetensors).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I8": "i1", "U8": "u1", "BOOL": "?"}


class SafetensorError(Exception):
    """A file that is not whole."""


class Slice(NamedTuple):
    """The type and the shape of an array that is not read."""

    dtype: str
    shape: list[int]

    def get_dtype(self) -> str:
        """Its type, by the name in the file."""
        return self.dtype

    def get_shape(self) -> list[int]:
        """Its shape."""
        return self.shape


class safe_open:
    """A file, for a ``with`` statement; ``framework`` is "np"."""

    def __init__(self, path: Path | str, framework: str) -> None:
        data = Path(path).read_bytes()
        size = int.from_bytes(data[:8], "little")
        try:
            self.header = json.loads(data[8 : 8 + size])
        except ValueError as error:
            raise SafetensorError(f"the header is no JSON: {error}") from error
        self.about = self.header.pop("__metadata__", None)
        self.body = memoryview(data)[8 + size :]

    def __enter__(self) -> safe_open:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is open."""

    def keys(self) -> list[str]:
        """The names of the arrays."""
        return list(self.header)

    def metadata(self) -> dict[str, str] | None:
        """What else the header says."""
        return self.about

    def get_tensor(self, name: str) -> Any:
        """An array."""
        part = self.header[name]
        start, end = part["data_offsets"]
        return np.frombuffer(self.body[start:end], TYPES[part["dtype"]]).reshape(part["shape"]).copy()

    def get_slice(self, name: str) -> Slice:
        """What an array is, without its numbers."""
        return Slice(self.header[name]["dtype"], self.header[name]["shape"])
