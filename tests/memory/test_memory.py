"""The library's interface to a memory: what is added is searched, asked and forgotten, by threads too."""

import subprocess
import sys
import threading
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from filelock import FileLock

import memnet
from memnet.errors import AskError, BusyError, ConfigError, NetworkError
from memnet.memory import Entry, Found, Held, Memory
from memnet.memory.files import LOCK, TEXT
from memnet.memory.times import moment
from tests.conftest import memnet as called
from tests.conftest import refused

LOG = [
    Entry("Mary went to the kitchen.", "2026-03-01", "a.txt", 1),
    Entry("Mary went to the garden.", "2026-03-02T10:00", "a.txt", 2),
    Entry("John took the milk.", "last Monday", "b.txt", 1),
    Entry("Élodie went to the hall."),
]


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    memory = Memory.open(tmp_path / "memory")
    assert memory.add(LOG) == [0, 1, 2, 3]
    return memory


def numbers(held: list[Held]) -> list[int]:
    return [one.number for one in held]


def test_it_is_imported_without_torch_and_is_the_same_everywhere() -> None:
    code = "import memnet, memnet.memory as m, sys; m.Entry('a'); assert 'torch' not in sys.modules\n"
    code += "print(memnet.Memory is m.Memory)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
    assert memnet.Memory is Memory
    for module in (memnet, memnet.memory):
        with pytest.raises(AttributeError, match="no attribute 'Memori'"):
            module.Memori  # noqa: B018


def test_what_is_added_is_there_for_another_who_opens_it(memory: Memory, tmp_path: Path) -> None:
    assert [*memory] == [Held(number, *one) for number, one in enumerate(LOG)]
    assert memory.add("Bob left. Nobody knew it.", when=date(2026, 4, 1), source="chat") == [4, 5]
    assert memory.add([Entry("Bob came back.", line=3), "Bob slept."], when="2026-04-02", source="chat") == [6, 7]
    assert memory.add(Entry("Bob woke.", "2026-04-03", "me", 1), source="chat") == [8]
    assert memory.add("") == memory.add([]) == memory.add(Entry(" ")) == []
    memory.close()
    with Memory.open(tmp_path / "memory") as again:
        assert len(again) == 9
        assert [again[number] for number in range(4, 9)] == [
            Held(4, "Bob left.", "2026-04-01", "chat", 0),
            Held(5, "Nobody knew it.", "2026-04-01", "chat", 0),
            Held(6, "Bob came back.", "2026-04-02", "chat", 3),
            Held(7, "Bob slept.", "2026-04-02", "chat", 0),
            Held(8, "Bob woke.", "2026-04-03", "me", 1),
        ]
        assert repr(again) == f"<Memory of 9 sentences in {tmp_path / 'memory'}>"


def test_search_gives_sentences_with_all_that_is_noted(memory: Memory) -> None:
    first, second = memory.search("Who took the milk to the kitchen?", k=2)
    assert first[:5] == (2, *LOG[2])
    assert isinstance(first, Found)
    assert first.score > second.score > 0
    assert numbers(memory.search("elodie")) == numbers(memory.search("ÉLODIE?"))
    assert memory.search("elodie")[0].number == 3
    assert memory.search("spectrometer") == []


def test_questions_are_answered_from_what_is_there_and_not_struck(memory: Memory) -> None:
    assert memory.ask("Where is Mary?").answer == "garden"
    assert numbers(memory.forget(about="mary garden")) == [1]
    assert memory.ask("Where is Mary?").answer == "kitchen"
    assert len(memory.forget(number=[0, 2, 3])) == 3
    with pytest.raises(AskError, match="no statement"):
        memory.ask("Where is Mary?")


@pytest.mark.parametrize(
    ("asked", "struck"),
    [
        ({"number": 2}, [2]),
        ({"number": [3, 0, 3]}, [0, 3]),
        ({"source": "a.txt"}, [0, 1]),
        ({"source": ""}, [3]),
        ({"source": "c.txt"}, []),
        ({"before": "2026-03-02"}, [0]),
        ({"before": date(2026, 3, 3)}, [0, 1]),
        ({"before": datetime(2026, 3, 2, 10, 1, tzinfo=UTC)}, [0, 1]),
        ({"before": "2026-03-02T12:00+05:00"}, [0]),
        ({"before": "2026"}, []),
        ({"before": "2027"}, [0, 1]),
        ({"about": "Mary"}, [0, 1]),
        ({"about": "ELODIE hall"}, [3]),
        ({"about": "?!"}, []),
        ({"about": "Mary", "before": "2026-03-02"}, [0]),
        ({"about": "Mary", "source": "b.txt"}, []),
        ({"about": "went", "number": [1, 2]}, [1]),
    ],
)
@pytest.mark.parametrize("wipe", [True, False])
def test_what_fits_all_that_is_given_is_forgotten(memory: Memory, asked, struck: list[int], wipe: bool) -> None:
    assert memory.forget(**asked, wipe=wipe) == [Held(number, *LOG[number]) for number in struck]
    assert numbers([*memory]) == [number for number in range(4) if number not in struck]
    assert len(memory) == 4 - len(struck)
    assert memory.forget(**asked) == []
    found = {one.number for one in memory.search("mary john elodie went took", k=9)}
    assert found == {*range(4)} - {*struck}
    text = (memory.long.folder / TEXT).read_text()
    assert [one.text in text for one in LOG] == [not wipe or number not in struck for number in range(4)]
    for number in struck:
        with pytest.raises(KeyError):
            memory[number]


def test_what_cannot_be_is_one_sentence(memory: Memory, tmp_path: Path) -> None:
    for asked, said in (
        ({}, "say what to forget"),
        ({"number": 4}, "there is no sentence 4; the memory has the numbers 0 to 3"),
        ({"number": -1}, "no sentence -1"),
        ({"before": "soon"}, "'soon' is no time"),
    ):
        with pytest.raises(ConfigError, match=said):
            memory.forget(**asked)  # type: ignore[arg-type]
    for asked in ({"number": "3"}, {"number": 0.5}, {"source": 3}, {"before": 3}, {"about": b"Mary"}):
        with pytest.raises(ConfigError, match=r"no sentence|is a text|is no time"):
            memory.forget(**asked)  # type: ignore[arg-type]
    with pytest.raises(KeyError):
        memory[-1]
    with FileLock(memory.long.folder / LOCK):
        for write in (lambda: memory.add("Bob left."), lambda: memory.forget(number=0)):
            with pytest.raises(BusyError):
                write()
    assert len(memory) == 4
    memory.close()
    for use in (lambda: len(memory), lambda: memory.add("Bob left."), lambda: memory.search("Bob"), lambda: [*memory]):
        with pytest.raises(ConfigError, match="is closed; open it again"):
            use()
    (tmp_path / "letter.txt").write_text("Dear Mary")
    with pytest.raises(NetworkError, match=r"letter\.txt"):
        Memory.open(tmp_path)


@pytest.mark.parametrize("added", [None, 3, b"Mary left.", [3], [None], {"Mary": "left"}])
def test_what_is_no_text_is_not_added(memory: Memory, added) -> None:
    with pytest.raises(ConfigError, match=r"expected a text or an Entry to add, not (None|3|b'Mary left.'|{'Mary': 'left'})$"):
        memory.add(added)
    assert len(memory) == 4


@pytest.mark.parametrize("entry", [Entry(3), Entry("Bob left.", 3), Entry("Bob left.", source=3), Entry("Bob left.", line="7")])
def test_what_is_no_entry_is_not_added(memory: Memory, entry: Entry) -> None:
    with pytest.raises(ConfigError, match=r"of an Entry is a (text|whole number from 0), not (3|'7')$"):
        memory.add(["Ann left.", entry])
    with pytest.raises(ConfigError, match="the source is a text, not 3"):
        memory.add("Bob left.", source=3)  # type: ignore[arg-type]
    assert len(memory) == 4
    memory.add(Entry("Bob left.", date(2026, 4, 1)))  # type: ignore[arg-type]
    assert memory[4].when == "2026-04-01"


@pytest.mark.parametrize("when", ["yesterday", "", 3])
def test_what_is_no_time_is_refused_wherever_a_time_is_given(memory: Memory, when) -> None:
    for use in (
        lambda: memory.add("Mary went home.", when=when),
        lambda: memory.ask("Where is Mary?", since=when),
        lambda: memory.ask("Where is Mary?", until=when),
        lambda: memory.forget(before=when),
    ):
        with pytest.raises(ConfigError, match=f"{when!r} is no time; expected ISO 8601, such as 2026-03-01"):
            use()
    assert len(memory) == 4


@pytest.mark.parametrize("k", [0, -1, 1.5, "2", None])
def test_one_sentence_or_more_is_searched_for(memory: Memory, k) -> None:
    with pytest.raises(ConfigError, match=f"k is a whole number from 1, not {k!r}"):
        memory.search("Mary", k=k)
    with pytest.raises(ConfigError, match="a query is a text, not 3"):
        memory.search(3)  # type: ignore[arg-type]


def test_two_questions_at_once_are_not_one(memory: Memory) -> None:
    with pytest.raises(AskError, match=r"These are 2 questions; ask one after another: 'Where is Mary\?'"):
        memory.ask("Where is Mary? Where is John?")


@pytest.mark.parametrize(("question", "said"), [("", "it has no words"), (" ?!", "it has no words"), (3, "is a text, not 3")])
def test_what_is_no_question_of_a_memory_is_said(memory: Memory, question, said: str) -> None:
    with pytest.raises(AskError, match=said):
        memory.ask(question)
    if isinstance(question, str):
        asked = called("ask", "--memory", memory.long.folder, "--question", question)
        assert (asked.returncode, asked.stderr) == (1, "That is no question: it has no words.\n")


def test_statements_are_those_that_are_answered_from(memory: Memory) -> None:
    assert numbers(memory.statements()) == [0, 1, 2, 3]
    assert numbers(memory.statements(["went", "MARY"])) == [0, 1]
    memory.add("It was the best of times, it was the worst of times, said Mary.")
    assert numbers(memory.statements(["mary"])) == [0, 1]


def test_threads_add_one_at_a_time_and_read_meanwhile(memory: Memory) -> None:
    failed, added, done = list[BaseException](), list[int](), threading.Event()

    def tried(work) -> threading.Thread:
        def run() -> None:
            try:
                work()
            except BaseException as error:
                failed.append(error)

        return threading.Thread(target=run)

    def write(name: str) -> None:
        for _ in range(8):
            number, other = memory.add(f"{name} went to the quay. {name} went to the barn.", source=name)
            assert (memory[number].text, other) == (f"{name} went to the quay.", number + 1)
            added.extend((number, other))
            if name == "Ada":
                assert numbers(memory.forget(number=other)) == [other]

    def read() -> None:
        while not done.is_set():
            assert memory.ask("Where is Mary?").answer == "garden"
            assert [one.text for one in memory.search("milk", k=1)] == [LOG[2].text]
            assert all(one.source in one.text for one in memory.search("quay", k=5))
            assert numbers([*memory])[:4] == [0, 1, 2, 3]

    writers = [tried(lambda name=name: write(name)) for name in ("Ada", "Ida", "Una")]
    readers = [tried(read) for _ in range(2)]
    for thread in (*writers, *readers):
        thread.start()
    for thread in writers:
        thread.join()
    done.set()
    for thread in readers:
        thread.join()
    assert not failed
    assert sorted(added) == list(range(4, 52))
    assert len(memory) == 52 - 8


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2026", datetime(2026, 1, 1, tzinfo=UTC)),
        ("2026-05", datetime(2026, 5, 1, tzinfo=UTC)),
        (" 2026-05-06 ", datetime(2026, 5, 6, tzinfo=UTC)),
        ("2026-05-06 07:08", datetime(2026, 5, 6, 7, 8, tzinfo=UTC)),
        ("2026-05-06T07:08:09Z", datetime(2026, 5, 6, 7, 8, 9, tzinfo=UTC)),
        ("2026-13", None),
        ("2026-02-30", None),
        ("Monday", None),
        ("", None),
    ],
)
def test_times_are_read(text: str, found: datetime | None) -> None:
    assert moment(text) == found


def test_the_command_prints_what_it_strikes(memory: Memory) -> None:
    folder = memory.long.folder
    memory.close()
    struck = called("forget", folder, "--about", "mary", "--before", "2026-03-02")
    assert struck.stdout == "0: Mary went to the kitchen. (2026-03-01, a.txt, line 1)\n1 of 4 sentences are struck\n"
    assert struck.returncode == 0
    nothing = called("forget", folder, "--about", "mary", "--before", "2026-03-02")
    assert (nothing.returncode, nothing.stdout, nothing.stderr) == (1, "", "0 of 3 sentences are struck\n")
    wiped = called("forget", folder, "--number", 3, "--number", 0, "--wipe").stdout
    assert wiped == "3: Élodie went to the hall.\n1 of 3 sentences are struck, and their text is wiped\n"
    assert "Élodie" not in (folder / TEXT).read_text()
    assert "1 of 2 sentences are struck" in called("forget", folder, "--source", "a.txt", "--number", 1).stdout
    assert called("forget", folder).returncode == 2
    assert "say what to forget" in refused("forget", folder)
    assert "is no time" in refused("forget", folder, "--before", "soon")
    assert "there is no sentence 9" in refused("forget", folder, "--number", 9)
    assert "holds no memory" in refused("forget", folder.parent, "--number", 9)
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_what_is_no_memory_is_said_alike_by_every_command_and_left_as_it_is(tmp_path: Path):
    file, other = tmp_path / "file", tmp_path / "other"
    other.mkdir()
    for path in (file, other / "letter.txt"):
        path.write_text("Dear Mary, I am well.")
    a_file = f"memnet: {file} is a file, and a memory is a folder; "
    for folder, reads, writes in (
        (file, a_file, a_file),
        (other, f"memnet: {other} holds no memory; ", f"memnet: {other} holds other files, such as 'letter.txt'; "),
        (tmp_path / "none", f"memnet: {tmp_path / 'none'} holds no memory; ", ""),
    ):
        assert refused("forget", folder, "--number", 0) == f"{reads}'memnet remember' makes one\n"
        assert refused("ask", "--memory", folder, "--question", "Who is it?") == f"{reads}'memnet remember' makes one\n"
        if writes:
            said = refused("remember", file, "--out", folder)
            assert said.startswith(writes)
            assert said.count("\n") == 1
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "letter.txt", "other"]


def test_an_empty_memory_has_no_numbers(tmp_path: Path):
    with Memory.open(tmp_path / "memory") as memory, pytest.raises(ConfigError, match="the memory is empty"):
        memory.forget(0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "2024-03-01 08:00 Ann took pump 7 to the lab\n2024-03-01 09:30 INFO Bo went home\n2024-03-02 10:00 pump 7 broke",
            [
                ("Ann took pump 7 to the lab", "2024-03-01T08:00", 1),
                ("Bo went home", "2024-03-01T09:30", 2),
                ("pump 7 broke", "2024-03-02T10:00", 3),
            ],
        ),
        ("Ann: who has it?\nBo: me\nAnn: bring it", [("Ann: who has it?", "", 1), ("Bo: me", "", 2), ("Ann: bring it", "", 3)]),
        ("Mary went home. John took\nthe milk.", [("Mary went home.", "", 1), ("John took the milk.", "", 1)]),
        ("Ann put it in the lab\nBo took it home", [("Ann put it in the lab", "", 1), ("Bo took it home", "", 2)]),
        ("2026-03-02\nAnn left.\n\n2026-03-09\nBo left.", [("Ann left.", "2026-03-02", 2), ("Bo left.", "2026-03-09", 5)]),
        ("Mary went home. John took the milk.", [("Mary went home.", "", 0), ("John took the milk.", "", 0)]),
    ],
)
def test_a_text_of_several_lines_is_taken_in_as_a_file_of_it_is(
    tmp_path: Path, text: str, expected: list[tuple[str, str, int]]
):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add(text, source="book")
        assert [(one.text, (one.when or "")[:16], one.line) for one in memory] == expected
        assert {one.source for one in memory} == {"book"}
