"""A setting carries its rule and its help: from its annotation come checks, what is parsed, what is listed and the page."""

import inspect
import re
from dataclasses import dataclass, fields, make_dataclass
from pathlib import Path
from typing import Annotated, Literal

import pytest

from memnet.config import SYNONYMS, Training, check_names, override, parse_settings, taken
from memnet.config.settings import OneOf, Range, Setting, settings_of, written
from memnet.errors import ConfigError
from memnet.models import MODELS
from memnet.models.memn2n import MemN2NConfig
from memnet.papers import PRESETS
from memnet.record.runs import read_rows
from memnet.reports.settings import model_settings, settings_table
from memnet.training.spec import config_hash
from tests.conftest import ran

ROOT = Path(__file__).parent.parent
TYING = ("adjacent", "layerwise")


@dataclass(frozen=True)
class Mine(MemN2NConfig):
    """As a plugin may have it: in plain annotations, and some fields declared anew."""

    width: int = 3
    other: str = "a # b"
    hops: int = 2
    tying: Annotated[str, "as I like it"] = "layerwise"
    optimizer: Literal["sgd"] = "sgd"


@pytest.mark.parametrize("name", MODELS)
def test_every_setting_of_a_model_has_a_meaning_and_a_default_that_the_command_line_reads(name: str):
    config = MODELS[name].Config
    found = taken(config)
    assert {setting.name for setting in found} == {one.name for one in fields(config) if config.takes(one.name)}
    assert [setting.name for setting in found if len(setting.meaning) < 5] == []
    defaults = parse_settings([f"{setting.name}={written(setting.default)}" for setting in found], config)
    assert defaults == {name: getattr(config(), name) for name in defaults}
    groups = [setting.group for setting in found]  # the network's own come first
    assert groups == sorted(groups, key=["network", "attention", "training"].index)


@pytest.mark.parametrize(
    ("kind", "said", "values"),
    [
        (MemN2NConfig, ("hops", int, Range(1, 64), 3, "how often the memory is read"), "whole number, 1 to 64"),
        (MemN2NConfig, ("temporal", bool, None, True, "memories carry their age"), "true or false"),
        (Mine, ("width", int, None, 3, ""), "whole number"),
        (Mine, ("other", str, None, "a # b", ""), "word"),
        (Mine, ("hops", int, Range(1, 64), 2, "how often the memory is read"), "whole number, 1 to 64"),
        (Mine, ("tying", str, OneOf(TYING), "layerwise", "as I like it"), "adjacent or layerwise"),
        (make_dataclass("Made", [("a", float, 2.0)]), ("a", float, None, 2.0, ""), "number"),
    ],
)
def test_a_setting_is_what_its_annotations_say_and_keeps_what_is_not_said_anew(kind: type, said: tuple, values: str):
    assert settings_of(kind)[said[0]] == Setting(*said, "network")
    assert settings_of(kind)[said[0]].values == values


def test_a_setting_that_is_declared_anew_is_still_of_its_group():
    found = settings_of(MODELS["dmn"].Config)
    assert (found["lr"].default, found["lr"].meaning, found["lr"].group) == (0.001, "learning rate", "training")
    assert (found["score"].default, found["score"].group) == ("interaction", "attention")
    assert found["score"].rule == settings_of(MemN2NConfig)["score"].rule
    assert found["score"].meaning.startswith("the gate is interaction")


@pytest.mark.parametrize(
    ("kind", "name", "value", "expected"),
    [
        (MemN2NConfig, "lr", -1, "above 0, not -1"),
        (MemN2NConfig, "lr", float("nan"), "a number, not nan"),
        (MemN2NConfig, "lr", 10**400, "a number, not 1000"),
        (MemN2NConfig, "l2", -0.5, "0 or more, not -0.5"),
        (MemN2NConfig, "facts", 0, "above 0, at most 1, not 0"),
        (MemN2NConfig, "warmup", 1.0, "0 or more, below 1, not 1.0"),
        (MemN2NConfig, "validation", 1.0, "between 0 and 1, not 1.0"),
        (MemN2NConfig, "epochs", 1_000_001, "0 to 1000000, not 1000001"),
        (MemN2NConfig, "hops", 0, "1 to 64, not 0"),
        (MemN2NConfig, "hops", 2.0, "a whole number, not 2.0"),
        (MemN2NConfig, "relu", 1, "true or false, not 1"),
        (MemN2NConfig, "encoding", "glove", "bow or pe or pe_code or self_attention, not 'glove'"),
        (MemN2NConfig, "score", ["dot"], "dot or scaled_dot or general or concat or interaction, not ['dot']"),
        (MODELS["transformer"].Config, "dim", 12, "a multiple of 8 (heads=4), not 12"),
        (Mine, "hops", 65, "1 to 64, not 65"),
        (Mine, "width", "3", "a whole number, not '3'"),
        (Mine, "tying", "loose", "adjacent or layerwise, not 'loose'"),
        (Mine, "optimizer", "adam", "sgd, not 'adam'"),
    ],
)
def test_a_value_that_breaks_a_rule_is_refused_in_a_sentence(kind: type[Training], name: str, value: object, expected: str):
    with pytest.raises(ConfigError, match=re.escape(f"{name} must be {expected}")):
        override(kind(), {name: value})


def test_pairs_are_parsed():
    pairs = ["dim=50", "relu=true", " lr = 1e-3", "tying=layerwise"]
    assert parse_settings(pairs, MemN2NConfig) == {"dim": 50, "relu": True, "lr": 1e-3, "tying": "layerwise"}


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        (["dim"], "a setting is written key=value, not 'dim'"),
        (["dim=big"], "dim must be a whole number, not 'big'"),
        (["relu=perhaps"], "relu must be true or false, not 'perhaps'"),
        (["dim=20", "hops=3", "dim=50"], "dim is given twice"),
    ],
)
def test_pairs_that_cannot_be_parsed(pairs: list[str], expected: str):
    with pytest.raises(ConfigError, match=expected):
        parse_settings(pairs, MemN2NConfig)


@pytest.mark.parametrize(
    ("model", "name", "meant"),
    [
        *[("memn2n", "learning_rate", "lr"), ("memnn", "batch_size", "batch"), ("dmn", "num_epochs", "epochs")],
        *[("transformer", "hidden_size", "dim"), ("causal", "d_model", "dim"), ("lstm", "embedding_dim", "dim")],
        *[
            ("memnn", "n_hops", "hops"),
            ("dmn", "num_hops", "passes"),
            ("lstm", "dropout_rate", "dropout"),
            ("lstm", "dims", "dim"),
        ],
    ],
)
def test_what_other_libraries_call_a_setting_finds_it(model: str, name: str, meant: str):
    with pytest.raises(ConfigError, match=rf"there is no setting '{name}'; did you mean '{meant}'\?"):
        check_names([name], MODELS[model].Config)


def test_every_synonym_is_of_a_setting_and_is_none_itself():
    known = {name for kind in MODELS.values() for name in settings_of(kind.Config)}
    assert {meant for names in SYNONYMS.values() for meant in names} <= known
    assert not known & SYNONYMS.keys()


def test_annotations_are_looked_up_once(monkeypatch: pytest.MonkeyPatch):
    """Thousands of configurations are made to compare recorded runs with them."""
    assert MemN2NConfig().dim != 7

    def never(*_: object, **__: object) -> None:
        raise AssertionError("looked up again")

    monkeypatch.setattr(inspect, "get_annotations", never)
    assert MemN2NConfig(dim=7).dim == 7
    assert parse_settings(["dim=7"], MemN2NConfig) == {"dim": 7}


def test_recorded_settings_still_have_the_hash_that_they_were_recorded_with():
    """But for the runs of a preset as it once was."""
    recorded = {(row["preset"], row["settings"], row["config"]) for row in read_rows(ROOT / "results" / "runs.csv")}
    assert len(recorded) > 200
    for preset, settings, known in recorded:
        config = PRESETS[preset]
        found = config_hash(override(config, parse_settings(settings.split(), type(config))))
        assert found == known or preset == "dmn-plus-10k", (preset, settings)


# The page


def test_what_a_network_does_not_take_is_said():
    assert "- `align=hard`: the questions of a story share what" in model_settings("causal")
    assert "- `align=softmax`, `align=linear`, `align=sigmoid`" in model_settings("memnn")
    taken = "it takes `validation`, `selection`, `questions`, `memory_size`, `phrases`, `consistent`, `synonyms`, `canonical`, "
    assert taken + "`name_order` alone" in model_settings("baseline")


def test_a_table_of_settings():
    lines = settings_table(settings_of(MemN2NConfig).values()).splitlines()
    assert lines[0] == "| setting | default | values | meaning |"
    assert "| `hops` | `3` | whole number, 1 to 64 | how often the memory is read |" in lines
    assert any(r"l2 \|parameters\|^2 / 2" in line for line in lines)  # a bar ends no cell


@pytest.mark.parametrize("name", sorted(set(MODELS) & set(PRESETS)))
def test_settings_of_a_name_that_a_network_and_a_preset_share_are_the_presets(name: str):
    """What a training of that name has."""
    shown = ran("settings", name).stdout
    for setting, value in vars(PRESETS[name]).items():
        if f"  {setting}=" in shown:
            assert f"  {setting}={written(value)} " in shown.replace("\n", " \n")
