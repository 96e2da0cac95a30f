"""The tutorials, and the pages on own data and on families: every block of code runs, in order, and prints what the page says.

A block of ``sh`` or ``python`` runs in an empty folder of its page; the block of ``text`` after it is what it prints, line by
line, where numbers and bars may differ; a line that is cut ends in three dots, and a line of three dots stands for lines that
are left out. A block with a title is a file. What needs the internet is not run: installing, which is README's command, and
fetching the published text. Of two restarts one is trained, and sweeps have fewer epochs.
"""

import os
import re
import signal
import subprocess
import urllib.request
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from memnet.tasks.families.archive import text_folder

ROOT = Path(__file__).parent.parent
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
PAGES = [*TUTORIALS, ROOT / "docs" / "own-data.md", ROOT / "docs" / "families.md"]
FENCE = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.DOTALL | re.MULTILINE)
INSTALL = re.compile(r"python3 -m venv \.venv\n\. \.venv/bin/activate\npip install -q -c constraints\.txt '\.\[[a-z,]+\]'\n")
FETCH = "memnet data fetch\n"
PUBLISHED = "researcher"  # the page that needs the published text, and trains for minutes
CUT = "..."  # what a page puts where it cuts a line
LONG = {PUBLISHED, "engineer", "service", "own-data-set", "own-data", "families", "teacher"}
TRAINED = [pytest.param(page, marks=pytest.mark.slow) if page.stem in LONG else page for page in PAGES]


class Block(NamedTuple):
    """A block of code: its language, the file that it is, if it is one, and its text."""

    language: str
    title: str
    text: str

    @property
    def needs_the_internet(self) -> bool:
        return bool(INSTALL.fullmatch(self.text)) or self.text == FETCH


def blocks(page: Path) -> list[Block]:
    return [Block(*found) for found in FENCE.findall(page.read_text(encoding="utf-8"))]


def plain(line: str) -> str:
    """A line without bars and numbers; a mean with its spread is a number, and no head of a table has "one restart"."""
    bare = re.sub(r"[▏▎▍▌▋▊▉█]", " ", line)
    bare = bare.replace(", one restart", "") if bare.startswith("|") else bare
    numbers = re.sub(r"[+-]?\d+([.,]\d+)*( ± \d+([.,]\d+)*)?", "#", bare)
    return " ".join(numbers.split())


def is_printed(expected: str, printed: str) -> bool:
    """Whether a line was printed so: as a whole, or to where the page cuts it with an ellipsis."""
    whole, wanted = plain(printed), plain(expected)
    return whole.startswith(wanted.removesuffix(CUT).rstrip()) if wanted.endswith(CUT) else whole == wanted


def fits(wanted: list[str], lines: list[str]) -> bool:
    """Whether these lines were printed and no others, but for those that a line of dots stands for."""
    if not wanted or wanted[0].strip() == CUT:
        return any(fits(wanted[1:], lines[at:]) for at in range(len(lines) + 1)) if wanted else not lines
    return bool(lines) and is_printed(wanted[0], lines[0]) and fits(wanted[1:], lines[1:])


def missing(expected: str, printed: str) -> list[str]:
    """The first line that one of both has and the other has not there; a line of dots stands for any lines."""
    wanted, lines = ([line for line in text.splitlines() if line.strip()] for text in (expected, printed))
    if fits(wanted, lines):
        return []
    place, left_out = 0, False
    for line in wanted:
        if line.strip() != CUT:
            there = next((at for at in range(place, len(lines)) if is_printed(line, lines[at])), len(lines))
            if there == len(lines) or (there > place and not left_out):
                return [line if there == len(lines) else lines[place]]
            place = there + 1
        left_out = line.strip() == CUT
    return [] if left_out else lines[place : place + 1]


def run(block: Block, folder: Path, programs: Path) -> tuple[int, str]:
    """Run a block in a folder where ``memnet`` and ``python`` are those of these tests: its exit status and its output."""
    text = block.text.replace("--restarts 2", "--restarts 1")  # the pages say so
    if text.startswith("memnet sweep"):  # in this process: others take seconds to start
        text = text.replace("--set epochs=10 ", "--set epochs=2 --jobs 1 ")
    command = ["bash", "-euo", "pipefail", "-c", text] if block.language == "sh" else [programs / "python", "-c", text]
    path = os.environ["PATH"] if text.startswith("nohup ") else f"{programs}:{os.environ['PATH']}"  # what is killed is real
    environment = os.environ | {"PATH": path, "COLUMNS": "128"}
    done = subprocess.run(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=500
    )
    return done.returncode, done.stdout


def serve(block: Block, folder: Path, programs: Path) -> tuple[int, str]:
    """Start the page on a free port, ask for it, and end it."""
    command = [programs / "memnet", *block.text.split()[1:], "--port", "0"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        said = "".join(server.stdout.readline() for _ in range(1 + ("--lesson" in block.text)))
        try:
            with urllib.request.urlopen(re.findall(r"http://\S+", said)[0], timeout=60) as page:
                status = 0 if page.status == 200 else 1
        finally:
            server.send_signal(signal.SIGINT)
    return status, said


def prepare(tmp_path: Path) -> Path:
    """A folder as the reader has it: with the results of the project."""
    folder = tmp_path / "page"
    folder.mkdir()
    (folder / "results").symlink_to(ROOT / "results")
    return folder


@pytest.mark.skipif(os.name == "nt", reason="bash")
@pytest.mark.parametrize("page", TRAINED, ids=lambda page: page.stem)
def test_every_block_runs_and_prints_what_the_page_says(page: Path, tmp_path: Path, programs: Path):
    if page.stem == PUBLISHED and text_folder(Path(os.environ.get("MEMNET_DATA", "nowhere"))) is None:
        pytest.skip("the published text is not at hand: set MEMNET_DATA to its folder")
    folder, printed = prepare(tmp_path), ""
    for block in blocks(page):
        if block.title:
            (folder / block.title).parent.mkdir(exist_ok=True)
            (folder / block.title).write_text(block.text, encoding="utf-8")
        elif block.language == "text":
            assert missing(block.text, printed) == [], printed
        elif block.needs_the_internet:
            printed = block.text if block.text != FETCH else "the published text is in"
        else:
            served = block.text.startswith("memnet serve")
            status, printed = serve(block, folder, programs) if served else run(block, folder, programs)
            refused = status == 1 and (printed.startswith("memnet: ") or "\nI cannot tell" in f"\n{printed}")
            assert status == 0 or refused, f"{block.text}\n{printed}"
            assert "Traceback" not in printed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_block_is_of_a_known_kind_and_every_output_follows_what_prints_it(page: Path):
    found = blocks(page)
    assert len(found) == len(re.findall(r"^```\w", page.read_text(encoding="utf-8"), re.MULTILINE)) > 3
    assert {block.language for block in found if not block.title} <= {"sh", "text", "python"}
    for before, block in pairwise(found):
        if block.language == "text" and not block.title:
            assert before.language in ("sh", "python")
            assert not before.title
            refusal = block.text.startswith("memnet: ")
            assert ("memnet: " in block.text) == refusal, "a refusal stands alone"


def test_what_installs_is_the_command_of_the_readme():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "pip install -q -c constraints.txt '.[train]'" in readme
    for page in TUTORIALS:
        assert [block for block in blocks(page) if INSTALL.fullmatch(block.text)] == blocks(page)[:1], page


def test_lines_are_missed_where_their_words_differ_or_their_order_or_one_is_left_out():
    printed = "attic (99%; then lab 1%)\n* 2 █▊    Bob took it.\n* 3 ██    Bob left.\n"
    assert missing("attic (100%; then lab 2%)\n* 2 █     Bob took it.\n\n* 3 ███▍  Bob left.\n", printed) == []
    assert missing("attic (100%; ...\n...\n* 3 ███▍  Bob left.\n", printed) == missing("attic ...\n...\n", printed) == []
    assert missing("attic (100%; then\n...\n", printed) == ["attic (100%; then"], "cut without a sign"
    assert missing("attic ...\n* 3 ██    Bob left.\n", printed) == ["* 2 █▊    Bob took it."], "left out without a sign"
    assert missing("attic ...\n* 2 █▊    Bob took it.\n", printed) == ["* 3 ██    Bob left."], "the last one, too"
    assert missing("lab (100%; ...\n...\n", printed) == ["lab (100%; ..."]
    assert missing("...\n* 3 ██ Bob ...\n", "* 3 █ Bob left.\n* 4 █ Bob came.\n") == [], "the last of the lines that fit"
    assert missing("| qa5 | 10.3 ± 0.8 | -2.8 |", "| qa5 | 9.1 | +1.0 |") == []
    assert missing("...\n* 3 ███▍  Bob left.\nattic ...\n", printed) == ["attic ..."]
