"""Where the data of a task comes from: the published bAbI v1.2 text, the simulator, or a folder of one's own.

The published text is looked for in the folder given, in the folder named by ``MEMNET_DATA``, and in
the cache that ``memnet data fetch`` fills, in this order. What is read from it is compared with the
checksums of ``manifest.csv`` first, so "published" is never said of anything else.
Where it is nowhere, stories are simulated, and called so.
"""

from __future__ import annotations

import contextlib
import csv
import hashlib
import lzma
import os
import re
import shutil
import tarfile
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Literal, NamedTuple

from .own import PARTS
from .own import DataError as DataError
from .own import Task as Task
from .own import own_tasks as own_tasks
from .own import part_of as part_of
from .simulator import FILES, VERSION, known_tasks, simulate, simulated_task
from .text import Story, decode, divide, parse, write

ARCHIVE_REPO, ARCHIVE_FILE = "facebook/babi_qa", "data/tasks_1-20_v1-2.tar.gz"
FOLDER = "tasks_1-20_v1-2"
NOTICES = ("LICENSE.txt", "README.txt")  # travel with the text, at most so large:
NOTICE_BYTES = 100_000
NUMBERS = range(1, 21)
ENVIRONMENT = "MEMNET_DATA"

Size = Literal["1k", "10k"]
Variant = Literal["en", "hn", "shuffled"]
SIZES: tuple[Size, ...] = ("1k", "10k")
VARIANTS: tuple[Variant, ...] = ("en", "hn", "shuffled")


Source = Literal["auto", "published", "simulated", "transfer", "resampled"]
SOURCES: tuple[Source, ...] = ("auto", "published", "simulated", "transfer", "resampled")
DRAWN = ("simulated", "transfer", "resampled")  # sources that a story seed chooses from
NO_SEED = "--story-seed chooses among simulated or resampled stories, and these are neither; leave it out"
QUESTIONS = {"1k": 1000, "10k": 10_000}  # to train on
TESTS = 1000


class NotAtHand(DataError):
    """A published task is nowhere."""


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
    """Every file of the published archive by its path in it, as ``en/qa1_..._train.txt``."""
    with open(Path(__file__).parent / "manifest.csv", newline="", encoding="utf-8") as file:
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
    """The folder that holds ``en/``, ``hn/`` ...: ``folder`` itself or ``tasks_1-20_v1-2`` in it."""
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


def published_task(number: int, size: Size = "1k", variant: Variant = "en", data: Path | None = None) -> Task:
    """Task ``number`` of the published text. Raises :class:`DataError` where it is nowhere or changed."""
    layout = variant + ("-10k" if size == "10k" else "")
    names = {part: next(f for f in manifest() if re.match(rf"{layout}/qa{number}_.*{part}\.txt$", f)) for part in PARTS}
    looked = []
    for place, folder in places(data):
        root = text_folder(folder)
        if root is None or any(not (root / name).is_file() for name in names.values()):
            looked.append(f"{place} ({folder})")
            continue
        digest, stories = hashlib.sha256(), {}
        for part, name in names.items():
            content = (root / name).read_bytes()
            if not manifest()[name].matches(content):
                raise DataError(
                    f"{root / name} differs from the published text (checksum). Run 'memnet data check {root}'; "
                    "to train on a text of your own, give its folder in place of the task's name."
                )
            digest.update(content)
            stories[part] = parse(decode(content, str(root / name)), str(root / name))
        return Task(f"qa{number}", stories["train"], stories["test"], None, "published", digest.hexdigest()[:12])
    raise NotAtHand(
        f"qa{number} ({size}, {variant}) is not in {' or '.join(looked)}. Run 'memnet data fetch', or point --data or "
        f"{ENVIRONMENT} at a folder that holds {names['train']} and its test file."
    )


def simulated(name: str, size: Size = "1k", seed: int = 0) -> Task:
    """A task as the simulator tells it, as large as the published one."""
    train, test = simulated_task(name, QUESTIONS[size], TESTS, seed)
    return Task(name, train, test, None, "simulated", stories_hash(train, test), seed)


def transferred(name: str, size: Size = "1k", seed: int = 0, data: Path | None = None) -> Task:
    """Simulated training stories and the published test set of a task: are the simulated ones worth as much?"""
    train, test = simulate(name, QUESTIONS[size], 2 * seed), published_task(number_of(name), "1k", data=data).test
    return Task(name, train, test, None, "transfer", stories_hash(train, test), seed)


def resampled(name: str, size: Size = "1k", part: int = 1, data: Path | None = None) -> Task:
    """Another thousand of a task's published 10k training questions, and its test set: what does the draw alone change?"""
    if size != "1k" or not 1 <= part <= 9:
        raise DataError("resampled stories are 1k and have --story-seed 1 to 9: which thousand of the 10k to train on")
    task = published_task(number_of(name), "10k", data=data)
    train = divide(divide(task.train, part * QUESTIONS["1k"])[1], QUESTIONS["1k"])[0]
    return Task(name, train, task.test, None, "resampled", f"{task.hash}:{part}", part)


def stories_hash(train: list[Story], test: list[Story]) -> str:
    """Of stories that come from no file."""
    return hashlib.sha256(f"{VERSION}\n{write(train)}\n{write(test)}".encode()).hexdigest()[:12]


def number_of(name: str) -> int:
    """Of a published task. Raises :class:`NotAtHand` for one that is only simulated."""
    if (match := re.fullmatch(r"qa(\d{1,2})", name)) and int(match[1]) in NUMBERS:
        return int(match[1])
    if name in FILES:
        raise NotAtHand(f"{name} is not among the published tasks, it is only simulated")
    raise DataError(f"no task is called {name!r}: expected {known_tasks()}, 'all', or a folder of your own files")


def find(
    names: Sequence[str],
    size: Size = "1k",
    variant: Variant = "en",
    data: Path | None = None,
    source: Source = "published",
    seed: int = 0,
) -> list[Task]:
    """The tasks named: ``qa1`` ... ``qa20`` and others the simulator has, ``all`` for the twenty, or folders of one's own.

    ``source`` "auto" takes the published text where it is at hand, and simulates English stories where
    it is nowhere and no folder was named; "transfer" simulates the training stories alone, and "resampled"
    takes another thousand of the published 10k ones. ``seed`` says which.

    Raises :class:`DataError` for a name that is neither, or data that is missing or changed, and
    :class:`~memnet.tasks.text.FormatError` for a malformed file.
    """
    if size not in SIZES or variant not in VARIANTS or source not in SOURCES or seed < 0:
        choices = f"size {' or '.join(SIZES)}, variant {', '.join(VARIANTS)}, source {', '.join(SOURCES)}"
        raise DataError(f"expected {choices}, and a story seed of 0 or more")
    if seed and source == "published":
        raise DataError(NO_SEED)
    if source in DRAWN and variant != "en":
        raise DataError(f"{source} stories are in English; leave --variant out")
    if source == "simulated" and data is not None:
        raise DataError("simulated stories need no folder; leave --data out")

    def named(name: str) -> Task:
        if source == "simulated":
            return simulated(name, size, seed)
        if source == "transfer":
            return transferred(name, size, seed, data)
        if source == "resampled":
            return resampled(name, size, seed, data)
        try:
            return published_task(number_of(name), size, variant, data)
        except NotAtHand:
            if source == "published" or variant != "en" or data is not None:
                raise
            return simulated(name, size, seed)

    tasks: list[Task] = []
    for name in names:
        if name == "all":
            tasks += [named(f"qa{number}") for number in NUMBERS]
        elif name in FILES:
            tasks.append(named(name))
        elif Path(name).is_dir():
            if source in DRAWN:
                raise DataError(f"{name} is a folder of your own files, which --source {source} is not for; leave --source out")
            tasks += own_tasks(Path(name))
        else:
            number_of(name)  # says that there is none
    if seed and not any(task.source in DRAWN for task in tasks):
        raise DataError(NO_SEED)
    twice = {task.name for task in tasks if sum(other.name == task.name for other in tasks) > 1}
    if twice:
        raise DataError(f"{', '.join(sorted(twice))} is named more than once; give each task a name of its own")
    return tasks


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
        except (tarfile.TarError, EOFError, OSError, zlib.error, lzma.LZMAError) as error:
            raise DataError(f"{archive} cannot be unpacked ({error}); nothing was kept, fetch it again") from error
        if missing := sorted(set(wanted) - seen):
            raise DataError(f"{archive} lacks {len(missing)} of {len(wanted)} files, the first is {missing[0]}")
        part.chmod(0o755)
        part.rename(target)
    return target


MEMBER_BYTES = 16 << 20  # larger than any published file


def fetch(folder: Path | None = None) -> Path:
    """Download the published archive from the Hugging Face hub and :func:`extract` it to ``folder`` (the cache)."""
    from huggingface_hub import hf_hub_download

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
