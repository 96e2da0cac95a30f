"""Files that are written whole or not at all, and tensors that are read without unpickling."""

from __future__ import annotations

import glob
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from memnet.errors import NetworkError

if TYPE_CHECKING:
    from torch import Tensor


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Have an error of the system say which file it is about: of one while a file is written, Python does not know."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


def write_atomically(path: Path, data: bytes | str) -> None:
    """Write a file whole or not at all."""
    with whole_file(path) as file:
        file.write(data.encode() if isinstance(data, str) else data)


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write to piece by piece, which is there whole in the end or not at all."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    except OSError as error:
        error.filename = str(path)  # what was asked for, not the temporary name
        raise
    try:
        with naming(path), os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o666 & ~umask())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def leftovers(path: Path) -> list[Path]:
    """What processes that were killed while they wrote a file left beside it; only where nobody writes it now."""
    return list(path.parent.glob(f".{glob.escape(path.name)}.*.tmp"))


def sync(path: Path) -> None:
    """Wait until what was written to a file is where a power cut leaves it."""
    with naming(path), open(path, "ab") as file:
        os.fsync(file.fileno())


def sync_folder(path: Path) -> None:
    """Wait until the names in a folder are where a power cut leaves them, where a system can."""
    if os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def umask() -> int:
    """The process's file mode mask."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_json(path: Path, value: Any) -> None:
    """A JSON file, whole or not at all."""
    write_atomically(path, json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def write_tensors(path: Path, tensors: Mapping[str, Tensor], metadata: Mapping[str, str] | None = None) -> None:
    """A safetensors file, whole or not at all."""
    from safetensors.torch import save

    whole = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    write_atomically(path, save(whole, metadata=dict(metadata or {})))


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """A safetensors file of arrays, without torch, whole or not at all."""
    from safetensors.numpy import save

    write_atomically(path, save({name: np.ascontiguousarray(array) for name, array in arrays.items()}))


def read_tensors(path: Path) -> tuple[dict[str, Tensor], dict[str, str]]:
    """The tensors and the metadata of a safetensors file. Raises :class:`NetworkError`."""
    found, metadata = whole_tensors(path, "pt")
    return found, metadata


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """The tensors of a safetensors file as arrays, without torch. Raises :class:`NetworkError`."""
    found, _ = whole_tensors(path, "np")
    return {name: np.asarray(value) for name, value in found.items()}


def whole_tensors(path: Path, framework: str) -> tuple[dict[str, Any], dict[str, str]]:
    """The tensors of a file as a framework's, and its metadata. Raises :class:`NetworkError`."""
    try:
        with safe_open(path, framework=framework) as file:
            return {name: file.get_tensor(name) for name in file.keys()}, file.metadata() or {}  # noqa: SIM118
    except FileNotFoundError as error:
        raise NetworkError(f"{path} is missing") from error
    except (SafetensorError, OSError, ValueError) as error:
        raise NetworkError(f"{path} is not a whole safetensors file: {error}") from error


def read_shapes(path: Path) -> dict[str, tuple[str, tuple[int, ...]]]:
    """The types and shapes of a safetensors file's tensors, from its header alone. Raises :class:`NetworkError`."""
    if path.exists() and not path.is_file():
        raise NetworkError(f"{path} is no file")
    try:
        with safe_open(path, framework="np") as file:
            slices = {name: file.get_slice(name) for name in file.keys()}  # noqa: SIM118
            return {name: (part.get_dtype(), tuple(part.get_shape())) for name, part in slices.items()}
    except FileNotFoundError as error:
        raise NetworkError(f"{path} is missing") from error
    except (SafetensorError, OSError, ValueError) as error:
        raise NetworkError(f"{path} is not a whole safetensors file: {error}") from error
