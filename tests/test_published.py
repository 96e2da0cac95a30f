"""Where data comes from: looked for in order, verified, fetched safely."""

import hashlib
import io
import os
import sys
import tarfile
from pathlib import Path

import pytest

from memnet.tasks.families import DataError, find
from memnet.tasks.families import archive as module
from memnet.tasks.families.archive import FOLDER, Entry, check, extract, fetch, manifest, text_folder
from memnet.tasks.families.folder import own_tasks
from memnet.tasks.families.layout import part_of
from memnet.tasks.text import FormatError, write
from tests.conftest import memnet, wander


def test_the_manifest_names_every_file_of_the_eight_variants():
    assert len(manifest()) == 360
    assert sum(entry.sha256 is None for entry in manifest().values()) == 4
    assert all(len(entry.git_blob_sha1) == 40 for entry in manifest().values())


def test_git_blob_hash_stands_in_for_a_missing_sha256():
    # the git hash of the six bytes "hello\n", as `git hash-object` prints it
    entry = Entry("x", None, None, "ce013625030ba8dba906f756967f9e9ca394464a")
    assert entry.matches(b"hello\n")
    assert not entry.matches(b"hello")


def test_published_tasks(published: Path):
    tasks = find(["all"], data=published)
    assert [task.name for task in tasks] == [f"babi/qa{n}" for n in range(1, 21)]
    assert all(sum(len(story.questions) for story in task.train) == 1000 for task in tasks)
    assert find(["babi/all"], data=published) == tasks


def test_a_published_text_is_parsed_once(published: Path):
    (first,), (again,) = find(["babi/qa1"], data=published), find(["babi/qa1"], data=published)
    assert again.train[0] is first.train[0]
    first.train.clear()  # a list of its own
    assert len(again.train) == len(find(["babi/qa1"], data=published)[0].train) > 0


def test_the_flag_then_the_variable_then_the_cache(published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.setenv("MEMNET_DATA", str(empty))
    assert find(["qa1"], data=published)[0].name == "babi/qa1"
    with pytest.raises(DataError, match=r"not in MEMNET_DATA \(.*empty\) or the cache .*memnet data fetch"):
        find(["babi/qa1"])
    assert find(["qa1"])[0].name == "sim/qa1"
    cache = tmp_path / "xdg" / "memnet"
    cache.mkdir(parents=True)
    (cache / FOLDER).symlink_to(text_folder(published).resolve())
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert find(["qa1"])[0].name == "babi/qa1"
    with pytest.raises(DataError, match=r"babi/qa1 is not in --data"):
        find(["qa1"], data=empty)


def test_changed_text_is_never_called_published(published: Path, tmp_path: Path):
    (tmp_path / "en").mkdir()
    for path in text_folder(published).glob("en/qa1_*"):
        (tmp_path / "en" / path.name).write_bytes(path.read_bytes().replace(b"Mary", b"Jane"))
    with pytest.raises(DataError, match="differs from the published text"):
        find(["qa1"], data=tmp_path)
    missing, changed, good = check(tmp_path)
    assert (len(missing), len(changed), good) == (358, 2, 0)


def test_unknown_and_repeated_names(published: Path):
    with pytest.raises(DataError, match="no data set is called 'qa21'"):
        find(["qa21"], data=published)
    with pytest.raises(DataError, match="babi/qa1 is named more than once"):
        find(["qa1", "qa1"], data=published)


def test_a_folder_of_several_pairs_is_several_tasks(tmp_path: Path):
    (tmp_path / "train").mkdir()
    for name in ("a_train.txt", "a_test.txt", "b-Train-1.txt", "b-test-1.txt", "notes.md"):
        (tmp_path / name).write_text(write(wander(3, stories=2)))
    assert [task.name for task in own_tasks(tmp_path)] == ["own/a", "own/b"]
    (tmp_path / "a_valid.txt").write_text(write(wander(4, stories=1)))
    assert len(own_tasks(tmp_path)[0].valid) == 1


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ([], "has no task"),
        (["a_train.txt"], "has no test file beside it"),
        (["train_1.txt", "train_2.txt", "test.txt"], "are both 'train' of one task"),
    ],
)
def test_a_folder_without_a_pair(files: list[str], expected: str, tmp_path: Path):
    for name in files:
        (tmp_path / name).write_text(write(wander(5, stories=1)))
    with pytest.raises(DataError, match=expected):
        own_tasks(tmp_path)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("qa1_x_train.txt", ("qa1_x_", "train", "")),
        ("latest_train.txt", ("latest_", "train", "")),
        ("my-Test-1.txt", ("my-", "test", "1")),
        ("mytrain2.txt", ("my", "train", "2")),
        ("train.csv", None),
        ("notes.txt", None),
    ],
)
def test_what_a_files_name_says(name: str, expected: tuple[str, str, str] | None):
    assert part_of(name) == expected


def test_a_file_without_a_question(tmp_path: Path):
    (tmp_path / "train.txt").write_text("1 Mary went home.\n")
    (tmp_path / "test.txt").write_text("1 Mary went home.\n")
    with pytest.raises(DataError, match=r"train\.txt has no question"):
        own_tasks(tmp_path)
    (tmp_path / "train.txt").write_bytes(b"")
    with pytest.raises(FormatError, match="empty"):
        own_tasks(tmp_path)


CONTENT = {"en/qa1_a_train.txt": b"1 Mary went home.\n", "en/qa1_a_test.txt": b"1 John went home.\n"}


@pytest.fixture
def small_manifest(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = {name: Entry(name, len(data), hashlib.sha256(data).hexdigest(), "") for name, data in CONTENT.items()}
    monkeypatch.setattr(module, "manifest", lambda: entries)


def archive(path: Path, members: dict[str, bytes], links: dict[str, str] | None = None) -> Path:
    with tarfile.open(path, "w:gz") as tar:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
        for name, target in (links or {}).items():
            info = tarfile.TarInfo(name)
            info.type, info.linkname = tarfile.SYMTYPE, target
            tar.addfile(info)
    return path


def inside(members: dict[str, bytes]) -> dict[str, bytes]:
    return {f"{FOLDER}/{name}": data for name, data in members.items()}


@pytest.mark.usefixtures("small_manifest")
def test_extract_keeps_the_published_files_and_nothing_else(tmp_path: Path):
    hostile = {"../outside.txt": b"x", "/tmp/absolute.txt": b"x", f"{FOLDER}/../../up.txt": b"x", f"{FOLDER}/._odd": b"x"}
    notice = {f"{FOLDER}/LICENSE.txt": b"by"}
    path = archive(tmp_path / "a.tar.gz", hostile | inside(CONTENT) | notice, {f"{FOLDER}/en/link": "/etc/passwd"})
    target = extract(path, tmp_path / "to" / "deep")
    found = {str(file.relative_to(target)): file.read_bytes() for file in target.rglob("*") if file.is_file()}
    assert found == CONTENT | {"LICENSE.txt": b"by"}
    assert sorted(file.name for file in tmp_path.rglob("*") if file.is_file() and FOLDER not in file.parts) == ["a.tar.gz"]
    assert check(target) == ([], [], 2)
    with pytest.raises(DataError, match="exists already"):
        extract(path, tmp_path / "to" / "deep")


@pytest.mark.usefixtures("small_manifest")
@pytest.mark.parametrize("fault", ["truncated", "flipped", "changed", "missing", "longer", "link", "not a tar", "no file"])
def test_a_broken_archive_leaves_nothing_behind(fault: str, tmp_path: Path):
    content = dict(CONTENT)
    first = next(iter(content))
    links = {}
    if fault == "changed":
        content[first] = content[first].replace(b"Mary", b"Jane")
    elif fault == "missing":
        del content[first]
    elif fault == "longer":
        content[first] += b"2 More.\n"
    elif fault == "link":
        del content[first]
        links = {f"{FOLDER}/{first}": "/etc/passwd"}
    path = archive(tmp_path / "a.tar.gz", inside(content), links)
    if fault == "flipped":
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 0xFF
        path.write_bytes(data)
    elif fault == "truncated":
        path.write_bytes(path.read_bytes()[:-40])
    elif fault == "not a tar":
        path.write_bytes(b"<html>503</html>")
    elif fault == "no file":
        path.unlink()
    to = tmp_path / "to"
    with pytest.raises(DataError):
        extract(path, to)
    assert os.listdir(to) == []


def test_a_failed_download_says_so_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    import huggingface_hub

    def refuse(*args: object, **kwargs: object) -> str:
        raise OSError("connection refused.")

    monkeypatch.setattr(module, "reach_hub", lambda: None)
    monkeypatch.setattr(huggingface_hub, "hf_hub_download", refuse)
    with pytest.raises(DataError, match=r"failed, nothing was kept \(connection refused\): try again"):
        fetch(tmp_path / "to")
    assert not (tmp_path / "to").exists() or os.listdir(tmp_path / "to") == []


def test_a_plain_installation_says_what_a_download_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(DataError, match="a download needs huggingface_hub: pip install huggingface_hub"):
        fetch(tmp_path / "to")
    assert os.listdir(tmp_path) == []


def test_without_a_network_one_sentence_is_said_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    import huggingface_hub.utils

    class NoNetwork:
        def head(self, url: str, timeout: float) -> None:
            assert url.endswith("datasets/facebook/babi_qa/resolve/main/data/tasks_1-20_v1-2.tar.gz")
            assert 0 < timeout <= 10
            raise ConnectionError("no route to host")

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(huggingface_hub.utils, "get_session", NoNetwork)
    monkeypatch.setattr(huggingface_hub, "hf_hub_download", None)  # is not asked
    done = memnet("data", "fetch", "--to", tmp_path / "to")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "nothing was kept (the Hugging Face hub cannot be reached): try again, or get the archive" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    assert "nothing was kept (HF_HUB_OFFLINE is set)" in memnet("data", "fetch", "--to", tmp_path / "to").stderr


@pytest.mark.usefixtures("small_manifest")
def test_a_download_is_verified_and_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    import huggingface_hub

    def serve(repo: str, file: str, repo_type: str, local_dir: str) -> str:
        assert (repo, file, repo_type) == ("facebook/babi_qa", "data/tasks_1-20_v1-2.tar.gz", "dataset")
        return str(archive(Path(local_dir) / "a.tar.gz", inside(CONTENT)))

    monkeypatch.setattr(module, "reach_hub", lambda: None)
    monkeypatch.setattr(huggingface_hub, "hf_hub_download", serve)
    assert check(fetch(tmp_path)) == ([], [], 2)
