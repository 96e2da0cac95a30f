"""The card of each network of the package says what it is, how it was made, its errors, size, speed, license and limits."""

import re
import statistics
from pathlib import Path

import pytest

from memnet.api import choose_config
from memnet.ask.hub import NETWORKS, packaged
from memnet.memory.long_memory import READER
from memnet.models import MODELS
from memnet.models.checkpoint import CARD, CONFIG, MODEL
from memnet.tasks.families import FAMILIES
from memnet.training.result import PARTS
from tests.conftest import ran, read_json

ROW = re.compile(r"^\| (\w+/qa\d+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", re.MULTILINE)
MEAN = re.compile(r"^\| mean \| \*\*([\d.]+)\*\* \| \*\*([\d.]+)\*\* \| \*\*([\d.]+)\*\* \|  \|$", re.MULTILINE)
NAMES = [*packaged(), READER.name]


def folder_of(name: str) -> Path:
    return READER if name == READER.name else NETWORKS / name


def card_of(name: str) -> tuple[str, dict[str, object]]:
    folder = folder_of(name)
    return (folder / CARD).read_text(encoding="utf-8"), read_json(folder / CONFIG)


@pytest.mark.parametrize("name", NAMES)
def test_a_card_says_what_the_network_is_and_how_it_may_be_used(name: str):
    card, saved = card_of(name)
    head, front, text = card.split("---\n", 2)
    assert head == ""
    assert {"license: mit", "library_name: memnet-qa"} <= set(front.splitlines())
    assert f"{MODELS[str(saved['model'])].title} that answers questions about a story" in text
    family = FAMILIES[saved["data"][0].partition("/")[0]]
    assert f"\n- data: {family.title}; {family.name}/all; hash " in text
    assert re.search(r"Use: `memnet ask .*Limits: it knows .*\b" + str(saved["memory_size"]) + " most recent", text, re.DOTALL)
    assert "\nLicense: MIT, as memnet. The published bAbI text (Weston et al. 2015) is under CC BY 3.0.\n" in text


@pytest.mark.parametrize("name", NAMES)
def test_a_network_knows_which_answers_suit_a_question(name: str):
    card, saved = card_of(name)
    assert f"\n# {saved['model']}, {saved['preset']}: {saved['data'][0].partition('/')[0]}/all\n" in card
    kinds = saved["kinds"]
    assert isinstance(kinds, dict)
    assert {"no", "yes"} <= set(kinds["whether"])
    assert not {"no", "none", "yes"} & set(kinds["where"])


@pytest.mark.parametrize("name", NAMES)
def test_a_card_has_the_errors_of_every_task_its_size_and_its_speed(name: str):
    card, saved = card_of(name)
    rows = ROW.findall(card)
    assert [task for task, *_ in rows] == saved["data"]
    errors = [[row["data"], *(f"{row[part]:.1f}" for part in PARTS)] for row in saved["errors"]]  # type: ignore[attr-defined]
    assert errors == [list(row[:4]) for row in rows]
    [means] = MEAN.findall(card)
    for column, mean in enumerate(means, 1):
        assert float(mean) == pytest.approx(statistics.mean(float(row[column]) for row in rows), abs=0.11)  # rounded twice
    size = (folder_of(name) / MODEL).stat().st_size
    assert f"Size: {size / 1000:,.0f} KB. Speed: a story of 50 statements and a question about it " in card
    assert all(0 < float(wait) < 1000 for wait in re.findall(r"([\d.]+) ms", card))


@pytest.mark.parametrize("name", NAMES)
def test_the_command_of_a_card_gives_the_settings_of_the_network(name: str):
    card, saved = card_of(name)
    [command] = re.findall(r"^    memnet train (.*)$", card, re.MULTILINE)
    words = command.split()
    assert words[:2] == [f"{saved['data'][0].partition('/')[0]}/all", "--joint"]
    options = dict(zip(words[2::2], words[3::2], strict=True))
    pairs = [value for option, value in zip(words[2::2], words[3::2], strict=True) if option == "--set"]
    preset, config = choose_config(None, options["--preset"], True, pairs)
    assert preset == saved["preset"]
    assert {field: saved[field] for field in vars(config) if field in saved} == {
        field: value for field, value in vars(config).items() if field in saved
    }
    assert int(options.get("--restarts", config.default_restarts)) == saved["restarts"]


def test_the_card_of_a_run_has_the_command_that_made_it(own_folder: Path, tmp_path: Path):
    settings = ["--set", "epochs=1", "--set", "relu=true", "--set", "linear_start=1"]
    ran("train", own_folder, "--restarts", 1, "--seed", 3, *settings, "--out", tmp_path / "run")
    card = (tmp_path / "run" / CARD).read_text(encoding="utf-8")
    made = "--preset pe-ls-rn --set epochs=1 --set linear_start=1 --set relu=true --restarts 1 --seed 3"
    assert f"\n    memnet train FOLDER {made}\n" in card
    assert "- data: a person's own stories; own/moves; hash " in card
    assert "license:" not in card  # is its owner's to choose
    assert "| mean |" not in card  # of one task
