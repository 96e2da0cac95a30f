"""The archive of the published bAbI v1.2 text: where it lies, whether it is as published, and how it is fetched.

It is looked for in the folder given, in the folder named by ``MEMNET_DATA``, and in the cache that ``memnet data fetch`` fills,
in this order. What is read from it is compared with the checksums of ``manifest.csv`` first.
"""

from __future__ import annotations

import contextlib
import csv
import hashlib
import os
import shutil
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from ..files import DataError

ARCHIVE_REPO, ARCHIVE_FILE = "facebook/babi_qa", "data/tasks_1-20_v1-2.tar.gz"
FOLDER = "tasks_1-20_v1-2"
NOTICES = ("LICENSE.txt", "README.txt")  # travel with the text, at most so large:
NOTICE_BYTES = 100_000
ENVIRONMENT = "MEMNET_DATA"


class Entry(NamedTuple):
    """A line of the manifest; ``size`` and ``sha256`` are None where only the git hash is known."""

    file: str
    size: int | None
    sha256: str | None
    git_blob_sha1: str

    def matches(self, data: bytes) -> bool:
        """Whether these bytes are the published file's."""
        if self.sha256 is not None:
            return hashlib.sha256(data).hexdigest() == self.sha256
        return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest() == self.git_blob_sha1


@cache
def manifest() -> dict[str, Entry]:
    """Every file of the published archive by its path in it, language first."""
    with open(Path(__file__).parent.parent / "manifest.csv", newline="", encoding="utf-8") as file:
        return {
            row["file"]: Entry(
                row["file"], int(row["bytes"]) if row["bytes"] else None, row["sha256"] or None, row["git_blob_sha1"]
            )
            for row in csv.DictReader(file)
        }


def cache_folder() -> Path:
    """Where fetched data is kept: ``$XDG_CACHE_HOME/memnet``, else ``~/.cache/memnet``."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "memnet"


def text_folder(folder: Path) -> Path | None:
    """The folder that holds the published ones: ``folder`` itself or ``tasks_1-20_v1-2`` in it."""
    layouts = {PurePosixPath(file).parts[0] for file in manifest()}
    for candidate in (folder, folder / FOLDER):
        if any((candidate / layout).is_dir() for layout in layouts):
            return candidate
    return None


def places(data: Path | None) -> Iterator[tuple[str, Path]]:
    """Where published text may lie, the first one first."""
    if data is not None:
        yield "--data", data
        return
    if os.environ.get(ENVIRONMENT):
        yield ENVIRONMENT, Path(os.environ[ENVIRONMENT])
    yield "the cache", cache_folder()


def check(folder: Path) -> tuple[list[str], list[str], int]:
    """Compare a folder with the manifest: files missing, files changed, and how many are as published."""
    root = text_folder(folder) or folder
    missing, changed, good = [], [], 0
    for file, entry in manifest().items():
        path = root / file
        if not path.is_file():
            missing.append(file)
        elif entry.matches(path.read_bytes()):
            good += 1
        else:
            changed.append(file)
    return missing, changed, good


def at_hand() -> Path | None:
    """A folder where the whole published text is found without a flag."""
    for _, folder in places(None):
        if (root := text_folder(folder)) is not None:
            missing, changed, _ = check(root)
            if not missing and not changed:
                return root
    return None


def new_folder(folder: Path) -> Path:
    """Where the text goes. Raises :class:`DataError` where something is there already."""
    target = folder / FOLDER
    if target.exists():
        raise DataError(f"{target} exists already; run 'memnet data check {target}', or remove it to fetch it again")
    return target


def extract(archive: Path, folder: Path) -> Path:
    """Unpack the published archive into ``folder / tasks_1-20_v1-2``, every file checked, all or nothing.

    Paths are the manifest's, never the archive's, and only regular files are read. Raises
    :class:`DataError` and leaves nothing behind where the archive is broken, changed or incomplete.
    """
    target = new_folder(folder)
    wanted, seen = manifest(), set()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"cannot write to {folder}: {error.strerror}") from error
    with contextlib.ExitStack() as stack:
        part = Path(tempfile.mkdtemp(prefix=".memnet-", dir=folder))
        stack.callback(shutil.rmtree, part, ignore_errors=True)
        try:
            with tarfile.open(archive) as tar:
                for member in tar:
                    path = PurePosixPath(member.name)
                    name = "/".join(path.parts[path.parts.index(FOLDER) + 1 :]) if FOLDER in path.parts else ""
                    entry = wanted.get(name)
                    if not member.isfile() or (entry is None and name not in NOTICES):
                        continue
                    if member.size > NOTICE_BYTES and entry is None:
                        continue
                    if entry is not None and entry.size is not None and member.size != entry.size:
                        raise DataError(f"{archive}: {name} has {member.size} bytes, expected {entry.size}")
                    source = tar.extractfile(member)
                    content = source.read(MEMBER_BYTES + 1) if source is not None else b""
                    if entry is not None and not entry.matches(content):
                        raise DataError(f"{archive}: {name} differs from the published text (checksum)")
                    (part / name).parent.mkdir(parents=True, exist_ok=True)
                    (part / name).write_bytes(content)
                    seen.add(name)
        except damaged_errors() as error:
            raise DataError(f"{archive} cannot be unpacked ({error}); nothing was kept, fetch it again") from error
        if missing := sorted(set(wanted) - seen):
            raise DataError(f"{archive} lacks {len(missing)} of {len(wanted)} files, the first is {missing[0]}")
        part.chmod(0o755)
        part.rename(target)
    return target


DAMAGED_ZIP = (OSError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError)  # also one that is encrypted


MEMBER_BYTES = 16 << 20  # larger than any published file


def damaged_errors() -> tuple[type[Exception], ...]:
    """What a damaged archive raises; a Python built without lzma, as in a browser, raises none of its errors."""
    known: tuple[type[Exception], ...] = (tarfile.TarError, EOFError, OSError, zlib.error)
    try:
        from lzma import LZMAError
    except ModuleNotFoundError:
        return known
    return (*known, LZMAError)


def fetch(folder: Path | None = None) -> Path:
    """Download the published archive from the Hugging Face hub and :func:`extract` it to ``folder`` (the cache)."""
    try:
        from huggingface_hub import hf_hub_download
    except ModuleNotFoundError as error:
        raise DataError(
            "a download needs huggingface_hub: pip install huggingface_hub; or get the archive by other means and run "
            "'memnet data fetch --archive FILE'"
        ) from error
    target = folder or cache_folder()
    new_folder(target)
    with tempfile.TemporaryDirectory() as download:
        try:
            reach_hub()
            archive = hf_hub_download(ARCHIVE_REPO, ARCHIVE_FILE, repo_type="dataset", local_dir=download)
        except Exception as error:  # the hub's, the HTTP client's, the system's: whatever broke it
            reason = (str(error).strip().splitlines() or [""])[0].rstrip(". ") or type(error).__name__
            raise DataError(
                f"the download of {ARCHIVE_FILE} from {ARCHIVE_REPO} failed, nothing was kept ({reason}): try again, or get "
                "the archive by other means and run 'memnet data fetch --archive FILE'"
            ) from error
        return extract(Path(archive), target)


def reach_hub(seconds: float = 10.0) -> None:
    """One request for the archive's head, so that a machine without a network need not wait for the hub's client.

    Raises OSError where nobody answers; what is answered is the download's to judge.
    """
    from huggingface_hub import constants, hf_hub_url
    from huggingface_hub.utils import get_session  # type: ignore[attr-defined]

    if constants.HF_HUB_OFFLINE:
        raise OSError("HF_HUB_OFFLINE is set")
    try:
        get_session().head(hf_hub_url(ARCHIVE_REPO, ARCHIVE_FILE, repo_type="dataset"), timeout=seconds)
    except Exception as error:  # of whichever HTTP client the hub's has
        raise OSError("the Hugging Face hub cannot be reached") from error
