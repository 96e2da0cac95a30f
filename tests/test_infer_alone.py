"""Asking without torch, and stories that go on."""

import dataclasses
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import memnet
from memnet.ask.engine import NumpyEngine
from memnet.ask.going_on import Telling, going_on
from memnet.ask.hub import find_network, packaged
from memnet.infer.network import Numbers
from memnet.tasks.simulator import simulate
from tests.test_infer import CLOSE, both, changed

WITHOUT_TORCH = """
import sys
sys.modules["torch"] = None  # an import of it fails
import memnet
answer = memnet.load({name!r}).ask({story!r}, "Where is the laptop?")
print(answer.answer)
"""


@pytest.mark.parametrize("name", packaged())
def test_asking_needs_no_torch(name: str):
    story = ["Bob went to the office.", "Bob took the milk there.", "Bob moved to the garden."]
    code = WITHOUT_TORCH.format(name=name, story=story).replace("the laptop", "the milk")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() in ("garden", "office")


def test_english_facts_and_memories_need_no_torch(tmp_path: Path):
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "import memnet\n"
        "print(memnet.load().ask(['My cousin Rita keeps bees behind the old mill.'], 'Who keeps bees?').answer)\n"
        f"with memnet.Memory.open({str(tmp_path / 'memory')!r}) as memory:\n"
        "    memory.add('Ann put the ladder in the shed. The landlord of flat 3 is Mr Osei.')\n"
        "    print(memory.ask('Where is the ladder?').answer, memory.ask('Who is the landlord of flat 3?').answer, sep='\\n')\n"
        "    print(memory.search('a ladder')[0].text)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert "Rita" in lines[0]
    assert "shed" in lines[1]
    assert "Osei" in lines[2]
    assert "ladder" in lines[3]


def test_without_torch_a_network_that_needs_it_says_how_to_get_it(tmp_path: Path):
    shutil.copytree(find_network("memn2n"), tmp_path / "net")
    changed(tmp_path / "net", align="sparsemax")
    code = f"import sys; sys.modules['torch'] = None; import memnet; memnet.load({str(tmp_path / 'net')!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert "needs torch" in done.stderr.splitlines()[-1]


def test_settings_are_those_of_torch():
    mine, trained = both("memnet")
    assert dataclasses.asdict(mine.net.config) == dict(trained.engine.settings)
    assert all(mine.engine.settings[name] == value for name, value in trained.engine.settings.items())


def test_a_story_that_goes_on_is_read_as_a_whole_one():
    qa = memnet.load()
    stories = [simulate(task, 30, 3)[0] for task in ("qa1", "qa2", "qa12")]
    for story in stories:
        told, telling = list[str](), qa.encode_story(story.statements[:1])
        for question in story.questions:
            more = story.statements[max(1, len(told)) : question.after]
            told = list(story.statements[: question.after])
            telling = going_on(qa, telling, more)
            whole = qa.read_story(told)
            assert (telling.statements, telling.as_read, telling.unknown_words) == (told, whole.as_read, whole.unknown_words)
            one, other = qa.ask(telling, question.text), qa.ask(told, question.text)
            assert (one.answer, one.typing_errors) == (other.answer, other.typing_errors)
            assert one.probability == pytest.approx(other.probability, abs=CLOSE)
            assert one.hops[0][0].weight == pytest.approx(other.hops[0][0].weight, abs=2 * CLOSE)


def test_a_story_with_more_names_than_markers_is_read_anew():
    qa = memnet.load()
    ends = ("ra", "ri", "ro", "ru", "ry", "re", "rn", "rt")
    names = [f"{first}{last}" for first in ("Ab", "Eb", "Ib", "Ob", "Ub", "Yb") for last in ends]
    told = [f"{name} went to the garden." for name in names]
    grown = going_on(qa, qa.encode_story(told[:30]), told[30:])
    assert grown.markers is not None
    assert grown.markers.is_full
    assert qa.ask(grown, f"Where is {names[-1]}?").answer == "garden"


def test_networks_that_look_ahead_read_a_story_that_goes_on_anew():
    qa = memnet.load("memn2n")
    story = ["Mary went to the kitchen.", "John moved to the garden.", "Mary travelled to the office."]
    grown = going_on(qa, qa.encode_story(story[:2]), story[2:])
    assert qa.ask(grown, "Where is Mary?") == qa.ask(story, "Where is Mary?")
    assert going_on(qa, grown, []) is grown


def test_a_conversation_reads_a_statement_once(monkeypatch: pytest.MonkeyPatch):
    qa, telling, read = memnet.load(), Telling(), list[int]()
    story = ["Mary went to the kitchen.", "John moved to the garden."]
    assert isinstance(qa.engine, NumpyEngine)
    whole = qa.engine.network.read

    def counted(numbers: Numbers, before: object = None) -> object:
        read.append(int(numbers.statements.sum()))
        return whole(numbers, before)

    monkeypatch.setattr(qa.engine.network, "read", counted)
    assert qa.ask(telling.about(qa, story, "Where is Mary?"), "Where is Mary?").answer == "kitchen"
    assert qa.ask(telling.about(qa, story, "Where is John?"), "Where is John?").answer == "garden"
    assert read == [2]
    story = [*story, "Mary travelled to the office."]
    assert qa.ask(telling.about(qa, story, "Where is Mary?"), "Where is Mary?").answer == "office"
    assert read == [2, 1]
    assert qa.ask(telling.about(qa, story[1:], "Where is Mary?"), "Where is Mary?").answer == "office"
    assert read == [2, 1, 2], "another story"
    odd = ["My cousin Rita keeps bees behind the old mill."]
    assert telling.about(qa, odd, "Who keeps bees?") == odd, "the reader of English answers"


def test_what_needs_the_extra_train_says_so(tmp_path: Path):
    code = "import sys; sys.modules[{0!r}] = None; sys.argv = ['memnet', *{1!r}]; from memnet.cli import main; main()"
    for module, command in (("torch", ["train", "qa1"]), ("torch", ["eval", "x"]), ("sklearn", ["faq", "x.csv"])):
        done = subprocess.run(
            [sys.executable, "-c", code.format(module, command)], capture_output=True, text=True, cwd=tmp_path
        )
        said = f"memnet: this needs {'torch' if module == 'torch' else 'scikit-learn'}, of the extra train: pip install"
        assert done.returncode == 1
        assert done.stderr.startswith(said), done.stderr
    code = "import sys; sys.modules['torch'] = None; import memnet; memnet.train('qa1')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert done.stderr.splitlines()[-1].startswith("ImportError: training needs torch, of the extra train")


def test_function_words_are_those_of_scikit_learn():
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    from memnet.tasks.text.english import ALSO_NOUNS, function_words

    assert function_words() == ENGLISH_STOP_WORDS - ALSO_NOUNS
