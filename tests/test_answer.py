"""Networks by name, many questions at once, and what a network is saved and published as."""

from __future__ import annotations

from pathlib import Path

import pytest

import memnet
from memnet.answer import Answerer, AskError
from memnet.checkpoint import CARD, CONFIG, MODEL, NetworkError
from memnet.hub import OWN

STORY = ["Mary went to the kitchen.", "John moved to the garden.", "Mary travelled to the office."]


@pytest.fixture(scope="module")
def network() -> Answerer:
    return memnet.load()


def test_the_packages_own_network_answers(network: Answerer):
    answer = network.ask(STORY, "Where is Mary?")
    assert (answer.answer, answer.known) == ("office", True)
    assert 3 in [read.number for read in answer.evidence]
    assert not network.ask(STORY, "Where is Sandra?").known


def test_many_questions_are_answered_as_one_by_one(network: Answerer):
    asked = [(STORY[:told], f"Where is {who}?") for told in (1, 2, 3) for who in ("Mary", "John", "Sandra")] * 20
    found = network.ask_many(asked, runners_up=2, reads=2, batch=50)
    assert len(found) == len(asked)
    for (story, question), many in zip(asked[:9], found, strict=False):
        one = network.ask(story, question, runners_up=2, reads=2)
        assert many.answer == one.answer
        assert many.probability == pytest.approx(one.probability, abs=1e-5)
        assert [[read.number for read in hop] for hop in many.hops] == [[read.number for read in hop] for hop in one.hops]
        assert many.known == one.known
    assert network.ask_many([]) == []
    with pytest.raises(AskError, match=r"question 2: The story is empty"):
        network.ask_many([(STORY, "Where is Mary?"), ([], "Where is Mary?")])
    with pytest.raises(AskError, match=r"question 1: I know none"):
        network.ask_many([(STORY, "Pourquoi donc?")])


def test_saved_and_loaded_as_the_hub_does(network: Answerer, tmp_path: Path):
    network.save_pretrained(tmp_path / "copy")
    for name in (MODEL, CONFIG, CARD):
        assert (tmp_path / "copy" / name).read_bytes() == (OWN / name).read_bytes()
    for again in (Answerer.from_pretrained(str(tmp_path / "copy")), memnet.load(tmp_path / "copy")):
        assert again.ask(STORY, "Where is Mary?").probability == network.ask(STORY, "Where is Mary?").probability
    with pytest.raises(NetworkError, match="no card"):
        Answerer(network.net, network.vocabulary).save_pretrained(tmp_path / "bare")


def test_published_whole(network: Answerer, monkeypatch: pytest.MonkeyPatch):
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
    assert sent == {name: (OWN / name).read_bytes() for name in (MODEL, CONFIG, CARD)}


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
    monkeypatch.setattr(huggingface_hub, "snapshot_download", lambda *_, **__: str(OWN))
    assert memnet.load("someone/babi").ask(STORY, "Where is Mary?").answer == "office"
