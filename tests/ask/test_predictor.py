"""Networks by name, many questions at once, and what a network is saved and published as."""

import copy
import io
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import memnet
from memnet.ask.description import network_text
from memnet.ask.encoded import with_markers
from memnet.ask.hub import BUNDLED, NETWORKS, files_bar, find_network, packaged
from memnet.ask.predictor import Predictor
from memnet.ask.ranking import Ranker
from memnet.encode.vocabulary import NO_EVIDENCE, STOP, UNKNOWN, Vocabulary
from memnet.errors import AskError, NetworkError
from memnet.infer.attention import Floats, Integers
from memnet.infer.network import Output
from memnet.models.causal import CausalConfig
from memnet.models.checkpoint import CARD, CONFIG, MODEL
from memnet.show.terminal import Layout, answer_text
from memnet.tasks.text.entities import Binding, EntityReader
from tests.ask.serving import Terminal
from tests.training import a_run, run_in

STORY = ["Mary went to the kitchen.", "John moved to the garden.", "Mary travelled to the office."]


@pytest.fixture(scope="module")
def network() -> Predictor:
    """The small MemN2N, which knows so many words and no other."""
    return memnet.load("memn2n")


def test_the_packages_own_network_answers(network: Predictor):
    answer = network.ask(STORY, "Where is Mary?")
    assert (answer.answer, answer.answerable) == ("office", True)
    assert 3 in [read.number for read in answer.evidence]
    assert not network.ask(STORY, "Where is Sandra?").answerable


def test_many_questions_are_answered_as_one_by_one(network: Predictor):
    asked = [(STORY[:told], f"Where is {who}?") for told in (1, 2, 3) for who in ("Mary", "John", "Sandra")] * 20
    found = network.ask_many(asked, runners_up=2, reads=2, batch=50)
    assert len(found) == len(asked)
    for (story, question), many in zip(asked[:9], found, strict=False):
        one = network.ask(story, question, runners_up=2, reads=2)
        assert many.answer == one.answer
        assert many.probability == pytest.approx(one.probability, abs=1e-5)
        assert [[read.number for read in hop] for hop in many.hops] == [[read.number for read in hop] for hop in one.hops]
        assert many.answerable == one.answerable
    assert network.ask_many([]) == []
    with pytest.raises(AskError, match=r"question 2: The story is empty"):
        network.ask_many([(STORY, "Where is Mary?"), ([], "Where is Mary?")])
    with pytest.raises(AskError, match=r"question 1: I know none"):
        network.ask_many([(STORY, "Pourquoi donc?")])


def test_answers_decoded_as_a_batch_are_those_decoded_one_by_one():
    small = {"epochs": 1, "stream": 20, "dim": 16, "hidden": 16, "heads": 2, "steps": 2}
    trained = memnet.train("sim/qa1", "sim/qa8", preset="open-joint", **small).predictor
    told = ["Zoltan picked up the laptop.", "Zoltan took the wine glass there.", "Bertha is in the laundry."]
    asked = [(told[:number], question) for number in (1, 2, 3) for question in ("What is Zoltan carrying?", "Where is Bertha?")]
    answers = [trained.ask(*pair, runners_up=0, reads=1) for pair in asked]
    assert len({answer.answer for answer in answers}) > 1
    for one, many in zip(answers, trained.ask_many(asked), strict=True):
        assert (many.answer, many.answerable, many.reason) == (one.answer, one.answerable, one.reason)
        assert many.probability == pytest.approx(one.probability, abs=1e-5)


def test_saved_and_loaded_as_the_hub_does(network: Predictor, tmp_path: Path):
    network.save_pretrained(tmp_path / "copy")
    for name in (MODEL, CONFIG, CARD):
        assert (tmp_path / "copy" / name).read_bytes() == (NETWORKS / "memn2n" / name).read_bytes()
    for again in (Predictor.from_pretrained(str(tmp_path / "copy")), memnet.load(tmp_path / "copy")):
        assert again.ask(STORY, "Where is Mary?").probability == network.ask(STORY, "Where is Mary?").probability
    with pytest.raises(NetworkError, match="no card"):
        Predictor(network.net, network.vocabulary).save_pretrained(tmp_path / "bare")


def test_published_whole(network: Predictor, monkeypatch: pytest.MonkeyPatch):
    """The hub's client is handed a folder that is a network; nothing leaves this machine."""
    from huggingface_hub import HfApi

    sent: dict[str, bytes] = {}

    def create(self: HfApi, repo_id: str, **options: object) -> object:
        return type("Repository", (), {"repo_id": repo_id})()

    def upload(self: HfApi, *, folder_path: Path, **options: object) -> str:
        sent.update({path.name: path.read_bytes() for path in Path(folder_path).iterdir()})
        return "done"

    monkeypatch.setattr(HfApi, "create_repo", create)
    monkeypatch.setattr(HfApi, "upload_folder", upload)
    assert network.push_to_hub("someone/babi") == "done"
    assert sent == {name: (NETWORKS / "memn2n" / name).read_bytes() for name in (MODEL, CONFIG, CARD)}


def test_a_name_that_is_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    import huggingface_hub
    from huggingface_hub.errors import LocalEntryNotFoundError

    def offline(*_: object, **__: object) -> str:
        raise LocalEntryNotFoundError("no connection")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", offline)
    with pytest.raises(NetworkError, match="nobody/nothing is no folder, and the hub cannot be reached"):
        memnet.load("nobody/nothing")
    with pytest.raises(NetworkError, match="is no folder"):
        memnet.load(tmp_path / "nothing")
    monkeypatch.setattr(huggingface_hub, "snapshot_download", lambda *_, **__: str(BUNDLED))
    assert memnet.load("someone/babi").ask(STORY, "Where is Mary?").answer == "office"


def test_a_plain_installation_says_what_the_hub_needs(network: Predictor, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(NetworkError, match=r"nobody/nothing is no folder.*pip install 'memnet-qa\[hub\]'"):
        memnet.load("nobody/nothing")
    with pytest.raises(NetworkError, match=r"pip install 'memnet-qa\[hub\]'"):
        network.push_to_hub("someone/babi")


def test_a_network_is_fetched_under_one_bar():
    def drawn(description: str, stream: io.StringIO) -> str:
        with files_bar()(total=3, desc=description, file=stream, ncols=80) as bar:
            bar.update(2)
            bar.set_description_str(description)
        return stream.getvalue()

    assert "Fetching 3 files" in drawn("Fetching 3 files", Terminal())
    assert drawn("Fetching 3 files", io.StringIO()) == ""  # of a pipe
    for other in ("Downloading bytes", "Reconstructing (incomplete total...)"):
        assert drawn(other, Terminal()) == ""


def test_a_word_that_nobody_told_is_no_evidence(network: Predictor):
    stranger = network.ask(STORY, "Where is Jhon?")
    assert (stranger.answerable, stranger.out_of_story_words, stranger.evidence) == (False, ["Jhon"], [])
    assert network.ask([*STORY, "Jhon went to the park."], "Where is Jhon?").out_of_story_words == []
    assert network.ask(STORY, "Where is Mary now?").answerable  # function words are about nobody


def test_a_story_may_be_a_text_or_encoded(network: Predictor):
    text = "Mary went to the kitchen. John moved to the garden.\nMary travelled to the office."
    told = network.ask(STORY, "Where is Mary?")
    assert network.ask(text, "Where is Mary?") == told
    assert network.ask_many([(network.encode_story(STORY), "Where is Mary?")])[0].answer == told.answer


@pytest.mark.parametrize("name", ["memnet", "memn2n", "dmn-plus", "memnn"])
def test_an_encoded_story_is_pickled_and_asked_of_its_network_in_another_process(name: str):
    story = memnet.load(name).encode_story(STORY)
    again, qa = pickle.loads(pickle.dumps(story)), memnet.load(name)
    assert qa.ask(again, "Where is Mary?") == qa.ask(story, "Where is Mary?") == qa.ask(STORY, "Where is Mary?")
    assert copy.deepcopy(story).statements == STORY


@pytest.mark.parametrize("name", ["memnet", "memn2n", "dmn-plus", "memnn"])
def test_a_story_that_another_network_took_in_is_refused(name: str, network: Predictor):
    changed = copy.deepcopy(network.net)
    next(changed.parameters()).data.add_(1e-3)
    others = [memnet.load("memnn" if name != "memnn" else "memnet"), Predictor(changed, network.vocabulary)]
    story = memnet.load(name).encode_story(STORY)
    for other in others:
        with pytest.raises(AskError, match="Another network took that story in"):
            other.ask(story, "Where is Mary?")
        with pytest.raises(AskError, match="question 1: Another network took that story in"):
            other.ask_many([(story, "Where is Mary?")])


@pytest.mark.parametrize(
    ("question", "options"), [(None, {}), ("Where is Mary?", {"reads": -1}), ("Where is Mary?", {"runners_up": -1})], ids=str
)
def test_what_makes_no_sense_is_refused(network: Predictor, question: str, options: dict[str, int]):
    with pytest.raises(AskError):
        network.ask(STORY, question, **options)
    with pytest.raises(AskError, match="1 question or more"):
        network.ask_many([(STORY, "Where is Mary?")], batch=0)


def test_nothing_that_a_terminal_would_obey_is_told(network: Predictor):
    from dataclasses import replace

    answer = network.ask(["Mary went to the kitchen \x1b]0;pwn\x07."], "Where is Mary?")
    for untold in (0.0, 0.9):  # as an answer and as a guess
        told = answer_text(replace(answer, answer="\x1b[31mred", unanswerable=untold), Layout())
        assert "\x1b" not in told
        assert "\x07" not in told
        assert r"\x1b[31mred" in told


def test_hostile_cards_and_configurations(tmp_path: Path, network: Predictor):
    network.save_pretrained(tmp_path / "net")
    card = tmp_path / "net" / CARD
    card.unlink()
    os.mkfifo(card)
    with pytest.raises(NetworkError, match="is no file"):
        memnet.load(tmp_path / "net")
    card.unlink()
    with open(card, "wb") as sparse:
        sparse.truncate(3 << 30)
    with pytest.raises(NetworkError, match="no model card"):
        Predictor.from_pretrained(tmp_path / "net")
    card.write_text("card")
    (tmp_path / "net" / CONFIG).write_bytes(b"\xff{")
    with pytest.raises(NetworkError, match=r"config\.json"):
        Predictor.from_pretrained(str(tmp_path / "net"))
    for name in ("", "../x/y"):
        with pytest.raises(NetworkError):
            Predictor.from_pretrained(name)


def test_a_name_in_a_folder_that_exists_is_not_looked_for_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").mkdir()
    with pytest.raises(NetworkError, match="runs/qa1 is no folder"):
        memnet.load("runs/qa1")
    assert memnet.load("memnet").ask(STORY, "Where is Mary?").answer == "office"


SLOW = ("torch._dynamo", "sympy", "pandas", "sklearn", "datasets", "matplotlib", "gradio", "rich")


def test_asking_brings_nothing_that_is_slow_to_import(tmp_path: Path):
    """Sizes of a network that is loaded are compared without numbers: no compiler, no algebra system, no data frames."""
    config = CausalConfig(epochs=1, dim=16, heads=2, hidden=16, steps=2)
    run_in(tmp_path / "run", *a_run(config, 1))
    code = f"import sys, memnet\nfor name in {[*packaged(), str(tmp_path / 'run')]}:\n"
    code += "    memnet.load(name).ask('Mary went to the garden.', 'Where is Mary?')\n"
    code += f"    print(name, *[slow for slow in {SLOW} if slow in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [*packaged(), str(tmp_path / "run")]


def test_an_unknown_name_is_told_the_networks_of_the_package():
    with pytest.raises(NetworkError, match=r"MemN2N is no folder; expected .*: memnet, .*memn2n"):
        Predictor.from_name("MemN2N")


def test_that_there_is_no_evidence_is_no_later_word_of_an_answer():
    vocabulary = Vocabulary([UNKNOWN, STOP, NO_EVIDENCE, "milk", "pen"], answer=2)
    scores = np.array([[[0.0, 0, 0, 9, 5], [8.0, 7, 9, 0, 0]]], np.float32)  # (N, A, V): milk, then the end

    def more(said: Integers, parent: Integers) -> Floats:
        return np.broadcast_to(scores[:, said.shape[2]], (1, said.shape[1], 5))

    [ranking] = Ranker(vocabulary, 1.0).rank(Output(scores, [], more), np.ones((1, 5), bool), 2)
    assert [answer for answer, _ in ranking.answers] == ["milk", "pen"]
    first, end = torch.tensor([9.0, 5]).softmax(0)[0], torch.tensor([7.0, 0, 0]).softmax(0)[0]
    assert ranking.answers[0][1] == pytest.approx(float(first * end))


def test_of_more_names_than_markers_those_of_the_question_have_one():
    known = frozenset({"is", "in", "the", "where", "went", "to"})
    binding = Binding(EntityReader(known), ["entity1", "entity2"])
    told = with_markers(["Ann went to the den", "Bob is in the lab", "Tom is in the pub"], binding, "Where is Ann?")
    assert told[0] == "entity1 went to the entity2"
    assert told[1:] == ["bob is in the lab", "tom is in the pub"]
    last = Binding(EntityReader(known), ["entity1", "entity2"])
    assert with_markers(["Ann is in the den", "Tom is in the pub"], last)[1] == "entity1 is in the entity2"
    assert with_markers(["Ann left"], None) == ["Ann left"]


def test_markers_are_no_words_that_a_network_knows():
    network, facts = memnet.load(), {"data": ["transfer/qa1"]}
    words = len(network.vocabulary) - len(network.vocabulary.markers)
    said = network_text(network.engine.model, network.engine.settings, network.vocabulary, facts, "x")
    assert f"; {words:,} words and answers, and any names;" in said
    assert "trained on transfer/qa1 (simulated)" in said
    assert f"{words:,} words and answers;" in repr(network)


def test_networks_of_the_package_by_name():
    names = packaged()
    assert names[0] == "memnet"
    for name in names:
        assert find_network(name) == NETWORKS / name
        assert memnet.load(name).card
    assert find_network() == BUNDLED == NETWORKS / "memnet"


@pytest.mark.parametrize(
    ("question", "others"),
    [
        ("Where is Mary?", {"yes", "no", "maybe", "nothing"}),
        ("Who is home?", {"yes", "no", "maybe", "nothing"}),
        ("Is Mary home?", None),
    ],
)
def test_runners_up_are_of_the_kind_that_is_asked_for(question: str, others: set[str] | None):
    """Before, "nothing", "no" and 13 stood beside where somebody is, and a place beside yes."""
    found = memnet.load().ask(["Mary went home.", "Mary is home.", "Her soup was cold."], question, runners_up=10)
    shown = {text for text, _ in found.runners_up}
    assert found.answerable
    assert shown
    if others is None:
        assert shown <= {"yes", "no", "maybe"}
    else:
        assert shown.isdisjoint(others)
        assert not any(text.isdigit() for text in shown)
