"""Own files in odd formats, encodings, line ends, nested, empty, huge: read rightly, or refused in a sentence."""

import io
import json
import os
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow
import pyarrow.parquet
import pytest

from memnet.errors import TrainingError
from memnet.papers import PRESETS
from memnet.tasks.families import DataError, find
from memnet.tasks.families.rows import row
from memnet.tasks.text import FormatError, parse
from memnet.training.limits import check_lengths
from tests.trials.trial import run_list

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="POSIX processes")]

TEXT = "1 Mary went home.\n2 John left.\n3 Where is Mary?\thome\t1\n"
RIGHT = [(("Mary went home.", "John left."), (("Where is Mary?", "home", 2),))]
RECORD = {"passage": "Mary went home. John left.", "question": "Where is Mary?", "answer": "home"}
ASKED = {"question": "Where is Mary?", "answers": [{"text": "home", "answer_start": 10}], "id": "1"}
PARAGRAPH = {"context": "Mary went home. John left.", "qas": [ASKED]}
SQUAD = {"version": "1.1", "data": [{"title": "Mary", "paragraphs": [PARAGRAPH]}]}
PARLAI = "text:Mary went home.\\nJohn left.\\nWhere is Mary?\tlabels:home\tepisode_done:True\n"


def table(*rows: dict[str, Any]) -> bytes:
    """Rows as a parquet file."""
    content = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(list(rows)), content)
    return content.getvalue()


class Case(NamedTuple):
    """Training stories as somebody may have them; the same in ``{}`` files for testing unless they are named."""

    name: str
    content: str | bytes
    file: str = "a_{}.txt"
    refused: str = ""  # a part of the sentence, after the file's name; nothing where the stories are read
    beside: dict[str, bytes] = {}  # noqa: RUF012
    times: int = 1  # that the story stands there


def lines(**changes: Any) -> str:
    """A line of JSON with some keys changed; None leaves one out."""
    return json.dumps({key: value for key, value in {**RECORD, **changes}.items() if value is not None}) + "\n"


ROW = row(parse(TEXT)[0])
HUB = table(ROW)
CASES = [
    Case("as it should be", TEXT),
    Case("two fields", TEXT.replace("\t1\n", "\n")),
    Case("byte order mark", "\ufeff" + TEXT),
    Case("lines of Windows", TEXT.replace("\n", "\r\n")),
    Case("lines of old Macs", TEXT.replace("\n", "\r")),
    Case("no last line end", TEXT.rstrip("\n")),
    Case("capital ending", TEXT, "A_{}.TXT"),
    Case("UTF-16", TEXT.encode("utf-16"), refused=":1: byte 0xff is not UTF-8 text"),
    Case("UTF-16 without a mark", TEXT.encode("utf-16-le"), refused=":1: expected a line number"),
    Case("UTF-32", TEXT.encode("utf-32"), refused=":1: byte 0xff is not UTF-8 text"),
    Case("Latin-1", TEXT.replace("home", "à").encode("latin-1"), refused=":1: byte 0xe0 is not UTF-8 text"),
    Case("Shift-JIS", TEXT.replace("home", "家").encode("shift-jis"), refused=":1: byte 0x89 is not UTF-8 text"),
    Case("empty", "", refused=":1: the file is empty"),
    Case("blank", " \n\n\t\n", refused=":1: the file is empty"),
    Case("zeros", b"\0" * 4096, refused=":1: expected a line number"),
    Case("no numbers", "Mary went home.\nWhere is Mary?\thome\t1\n", refused=":1: expected a line number"),
    Case("numbers with a full stop", TEXT.replace("1 M", "1. M"), refused=":1: expected a line number"),
    Case("numbers with a tab", TEXT.replace("1 M", "1\tM"), refused=":1: expected a line number"),
    Case("blank line between", TEXT.replace("\n2", "\n\n2"), refused=":2: expected a line number"),
    Case("number left out", TEXT.replace("\n2", "\n4"), refused=":2: line number 4 is out of order"),
    Case("number of Arabic digits", TEXT.replace("1 M", "١ M"), refused=":1: expected a line number"),
    Case("spaces for tabs", TEXT.replace("\t", "    "), refused=":3: a question and its answer with no tab between them"),
    Case("bars for tabs", TEXT.replace("\t", " | "), refused=":3: a question and its answer with no tab between them"),
    Case("no answer", TEXT.replace("home\t1", "\t1"), refused=":3: expected an answer"),
    Case("a tab in a statement", TEXT.replace("John left", "John\tleft"), refused=":2: a statement has no tab"),
    Case("fact that is none", TEXT.replace("\t1\n", "\t9\n"), refused=":3: supporting line '9'"),
    Case("no question", "1 Mary went home.\n", refused=" has no question"),
    Case("four fields, as of FbDialog", TEXT.replace("\t1\n", "\t1\tx|y\n"), refused=":3: expected question<TAB>answer"),
    Case("a line of a million words", TEXT.replace("home.", "home " * 1_000_000), refused=":1: a sentence of 1,000,002 words"),
    Case(
        "a word of ten million letters", TEXT.replace("\n3", " x\n3").replace("John left. x", "x" * 10_000_000), refused="read"
    ),
    Case("web page", "<!doctype html><title>404</title>", refused=":1: expected a line number"),
    Case("a zip file", b"PK\x03\x04\x14\0\0\0\x08\0\xb5\xa9", refused=":1: byte 0xb5 is not UTF-8 text"),
    Case("ParlAI", PARLAI),
    Case("ParlAI, a line a turn", PARLAI.replace("\tepisode_done:True", "")),
    Case("ParlAI, labels of a test", PARLAI.replace("labels", "eval_labels")),
    Case("ParlAI without a label", "text:Mary went home.\\nWhere?\tepisode_done:True\n", refused=":1: expected a tab, labels:"),
    Case("ParlAI of old Macs", (PARLAI * 2).replace("\n", "\r"), "a_{}.txt", times=2),
    Case("ParlAI without a story", "text:Where is Mary?\tlabels:home\n", refused=":1: expected text:, statements"),
    Case("ParlAI, a field without a colon", PARLAI.replace("labels:", "labels"), refused=":1: a field has a name and a colon"),
    Case("JSON lines", lines(), "a_{}.jsonl"),
    Case("JSON lines of Windows", lines().replace("\n", "\r\n"), "a_{}.jsonl"),
    Case("JSON lines of old Macs", (lines() * 2).replace("\n", "\r"), "a_{}.jsonl", times=2),
    Case(
        "JSON lines of old Macs, cut off",
        f"{lines()}{lines()[:20]}".replace("\n", "\r"),
        "a_{}.jsonl",
        ":2: this line is no JSON",
    ),
    Case("JSON lines in .json", lines() + "\n", "a_{}.json"),
    Case("JSON lines, context", lines(passage=None, context=RECORD["passage"]), "a_{}.jsonl"),
    Case("JSON lines, a list of sentences", lines(passage=["Mary went home.", "John left."]), "a_{}.ndjson"),
    Case("JSON lines, answers", lines(answer=None, answers=["home", "at home"]), "a_{}.jsonl"),
    Case("JSON lines of the hub", json.dumps(ROW) + "\n", "a_{}.jsonl"),
    Case("a list of records", json.dumps([RECORD], indent=1), "a_{}.json"),
    Case("SQuAD", json.dumps(SQUAD), "a_{}.json"),
    Case("SQuAD, indented, in .jsonl", json.dumps(SQUAD, indent=2), "a_{}.jsonl"),
    Case("SQuAD, a paragraph a line", json.dumps(PARAGRAPH), "a_{}.jsonl"),
    Case("JSON line cut off", lines() + lines()[:20], "a_{}.jsonl", ":2: this line is no JSON"),
    Case("JSON cut off", json.dumps([RECORD], indent=1)[:-3], "a_{}.json", ": this is no JSON"),
    Case("JSON, nothing", "", "a_{}.json", ":1: the file is empty"),
    Case("JSON, empty list", "[]", "a_{}.json", " has no question"),
    Case("JSON, a number", "7", "a_{}.json", ': expected {"passage"'),
    Case("JSON, nested too deep", "[" * 100_000, "a_{}.json", "too deep"),
    Case("JSON, half a character", lines(answer="home \ud83d"), "a_{}.jsonl", ":1: 'home \\\\ud83d' has half of a character"),
    Case("JSON, no answer", lines() + lines(answer=None), "a_{}.jsonl", ":2: the question has no answer"),
    Case("JSON, an answer that is a number", lines(answer=3), "a_{}.jsonl", ":1: the answer is 3; expected a text"),
    Case("JSON, an answer that is a list", lines(answer=["a", "b"]), "a_{}.jsonl", ":1: the answer is a list"),
    Case("JSON, two passages", lines(context="x"), "a_{}.jsonl", ': expected {"passage"'),
    Case("JSON, an empty passage", lines(passage=" ... "), "a_{}.jsonl", ": the passage has no sentence"),
    Case("SQuAD 2, impossible", json.dumps(SQUAD).replace(json.dumps(ASKED["answers"]), "[]"), "a_{}.json", "has no answer"),
    Case("parquet of the hub", HUB, "a_{}.parquet"),
    Case("parquet of questions", table(RECORD), "a_{}.parquet"),
    Case("parquet as of squad", table({**RECORD, "answer": None, "answers": {"text": ["home"], "at": [10]}}), "a_{}.parquet"),
    Case("parquet of other columns", table({"sentence": "x", "label": 1}), "a_{}.parquet", ", row 0: a row is not a story"),
    Case("parquet that is none", b"PAR1", "a_{}.parquet", " is not a parquet file"),
    Case("other words for the parts", TEXT, "a_{}ing.txt"),
    Case("the hub's folders", HUB, "en-qa1/{}/0000.parquet"),
    Case("a folder a part", TEXT, "{}/qa1.txt"),
    Case("the hub's pieces, the first of one", HUB, "data/{}-00000-of-00001.parquet"),
    Case("a piece is missing", HUB, "{}-00000-of-00002.parquet", "is one of 2 pieces, and piece 00001 is not beside it"),
    Case("two files of a part", TEXT, "{}.txt", "are both", {"train-2.txt": TEXT.encode()}),
    Case("a table", "story,text,answer\n1,a,\n", "a_{}.csv", "a_test.csv is not read: memnet data make reads tables"),
    Case("packed", b"\x1f\x8b", "a_{}.txt.gz", "a_test.txt.gz is not read: unpack it"),
]


def plain(text: str) -> str:
    """Without the spaces around it."""
    return text.strip()


def run_case(case: Case, folder: Path) -> None:
    """Read it as ``memnet train`` does."""
    content = case.content.encode() if isinstance(case.content, str) else case.content
    for part in ("train", "test"):
        path = folder / case.file.format(part)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    for name, more in case.beside.items():
        (folder / name).write_bytes(more)
    try:
        (task,) = find([str(folder)])
        check_lengths(task, PRESETS["pe-ls-rn"])
    except (DataError, FormatError, TrainingError) as error:
        said = str(error)
        assert case.refused, said
        assert case.refused in said, said
        assert said.startswith(str(folder)), said
        assert len(said.splitlines()) == 1, said
        assert len(said) < 700, said
        return
    if case.refused != "read":
        assert not case.refused, "it is read"
        found = [
            (tuple(map(plain, story.statements)), tuple((plain(q.text), plain(q.answer), q.after) for q in story.questions))
            for story in task.train
        ]
        assert found == RIGHT * case.times, found
        assert task.test == task.train


def test_formats(tmp_path: Path):
    run_list("formats", CASES, run_case, tmp_path)
