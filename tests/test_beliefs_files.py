"""Files of ToMi and ToM-bAbI that are cut short, damaged or of another form: each a sentence."""

import zipfile
from pathlib import Path

import pytest

from memnet.tasks.families import find
from memnet.tasks.families.beliefs import order_of
from memnet.tasks.families.family import NotAtHand
from memnet.tasks.families.tom_babi import TRAIN
from memnet.tasks.families.tomi import ARCHIVE
from memnet.tasks.files import DataError
from memnet.tasks.text import FormatError
from tests.test_beliefs import asked, tomi_files, write_tom_babi, write_tomi


def cut(text: str, more: int) -> str:
    """A file of two stories: the second ends before its last question, or after its first line."""
    lines = text.splitlines(keepends=True)
    return "".join(lines[:-7] if more == 7 else lines[: len(lines) // 2 + more])


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("fb_all_val.trace", lambda text: text.replace("memory", "memry"), r"fb_all_val.trace:1: expected the events"),
        ("fb_all_test.trace", lambda text: text.partition("\n")[2], r"test.trace:11: 11 lines for 12 questions"),
        ("fb_all_train.txt", lambda text: text.replace("2 Bob", "3 Bob", 1), r"train.txt:2: line number 3 is out of order"),
        ("fb_all_train.txt", lambda text: text.replace("\told_box\t1", "", 1), r"train.txt:7: a question needs a tab"),
        ("fb_all_val.txt", lambda text: "", r"val.txt:1: the file is empty"),
        ("fb_all_val.txt", lambda text: text.replace("really?", "now?", 1), r"val.txt:14: 'Where is the fig now\?' is none of"),
        (
            "fb_all_test.txt",
            lambda text: cut(text, 7),
            r"test.txt:43: the story that begins here has 5 question\(s\), expected 6",
        ),
        (
            "fb_all_test.txt",
            lambda text: cut(text, 1),
            r"test.txt:43: the story that begins here has 0 question\(s\), expected 6",
        ),
        (
            "fb_all_test.trace",
            lambda text: text.replace("reality", "memory"),
            r"trace:2: the kind is memory, but question 2 of",
        ),
    ],
)
def test_broken_files_are_refused_in_a_sentence(tmp_path: Path, name: str, change, said: str):
    files = tomi_files()
    files[name] = change(files[name])
    with pytest.raises(FormatError, match=said):
        find(["tomi/order-2"], write_tomi(tmp_path, files))


def test_files_that_are_missing_or_no_zip_are_said_with_their_address(tmp_path: Path):
    with pytest.raises(NotAtHand, match=r"ToMi is not here \(looked for tomi_balanced.*facebookresearch/ToMi"):
        find(["tomi/order-2"], tmp_path)
    files = tomi_files()
    del files["fb_all_val.trace"]
    with pytest.raises(NotAtHand, match=r"has no file tomi_balanced_story_types/fb_all_val.trace; get it again from https"):
        find(["tomi/order-2"], write_tomi(tmp_path, files))
    (tmp_path / "families" / "tomi" / ARCHIVE).write_bytes(b"no zip")
    with pytest.raises(NotAtHand, match="cannot be read as a zip file"):
        find(["tomi/order-2"], tmp_path)
    root = write_tom_babi(tmp_path)
    (root / "families/tom-babi/tom_easy/tom_easy/world_large_nex_1000_0" / TRAIN).unlink()
    with pytest.raises(NotAtHand, match=r"qa21_task_AB_train.txt cannot be read \(No such file"):
        find(["tom-babi/easy"], root)


def test_a_question_of_another_form_is_refused(tmp_path: Path):
    files = tomi_files()
    files["fb_all_train.txt"] = files["fb_all_train.txt"].replace("Where is the fig really?", "Where is it?")
    with pytest.raises(FormatError, match=r"fb_all_train\.txt:14: 'Where is it\?' is none of the questions of these data"):
        find(["tomi/order-1"], write_tomi(tmp_path, files))
    with pytest.raises(DataError, match="'Where is it\\?' is none of the questions of these data"):
        order_of(asked("Where is it?"))


def test_a_zip_file_with_damaged_bytes_is_refused(tmp_path: Path):
    path = write_tomi(tmp_path, tomi_files(2)) / "families" / "tomi" / ARCHIVE
    content = {name: text.encode() for name, text in tomi_files().items()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in content.items():
            archive.writestr(f"{ARCHIVE.removesuffix('.zip')}/{name}", data)
    whole = bytearray(path.read_bytes())
    whole[60:200] = bytes(140)
    path.write_bytes(whole)
    with pytest.raises(NotAtHand, match="cannot be read as a zip file"):
        find(["tomi/order-2"], tmp_path)
