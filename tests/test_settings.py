"""The list of a network's settings: every one has its type, its default and a meaning."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import pytest

from memnet.config import Training, parse_settings
from memnet.models import MODELS
from memnet.models.memn2n import MemN2NConfig
from memnet.reports.settings import Setting, comments_of, settings_of, settings_table


def setting(name: str, of: type[Training] = MemN2NConfig) -> Setting:
    [found] = [setting for setting in settings_of(of) if setting.name == name]
    return found


@pytest.mark.parametrize("name", MODELS)
def test_every_setting_of_a_model_has_a_meaning_and_a_default_that_the_command_line_reads(name: str):
    config = MODELS[name].Config
    found = settings_of(config)
    assert {setting.name for setting in found} == {
        field.name for field in dataclasses.fields(config) if config.takes(field.name)
    }
    assert [setting.name for setting in found if len(setting.meaning) < 5] == []
    defaults = parse_settings([f"{setting.name}={setting.default}" for setting in found], config)
    assert defaults == {name: getattr(config(), name) for name in defaults}


def test_a_setting_says_what_it_is():
    assert setting("hops") == Setting("hops", "whole number", "3", "how often the memory is read", "network")
    assert setting("null")[1:3] == ("none or unused", "unused")
    assert setting("temporal")[1:3] == ("true or false", "true")
    assert setting("lr")[1:] == ("number", "0.01", "learning rate", "training")
    assert setting("samples").group == "attention"
    assert setting("score").type.startswith("dot, ")


def test_what_a_model_declares_anew_keeps_the_meaning_and_its_own_default():
    dmn = MODELS["dmn"].Config
    assert setting("lr", dmn)[2:] == ("0.001", "learning rate", "training")
    assert setting("score", dmn)[2:] == (
        "interaction",
        "the gate is interaction; others do not see the question again",
        "attention",
    )


def test_the_networks_own_come_first():
    groups = [setting.group for setting in settings_of(MemN2NConfig)]
    assert groups == sorted(groups, key=["network", "attention", "training"].index)
    assert set(groups) == {"network", "attention", "training"}


def test_a_baseline_has_only_what_it_takes():
    names = {setting.name for setting in settings_of(MODELS["baseline"].Config)}
    assert {"ngrams", "questions"} <= names
    assert not names & {"epochs", "lr"}


def test_a_comment_may_stand_anywhere_in_its_field():
    # fmt: off
    @dataclass(frozen=True)
    class Own(Training):
        """A configuration."""

        # of no field
        width: int = (
            3  # on a line of its own,
        )  # and behind
        other: str = "a # b"
    # fmt: on

    assert comments_of(Own) == {"width": "on a line of its own, and behind"}
    assert setting("other", Own) == Setting("other", "word", "a # b", "", "network")


def test_a_class_without_a_source_has_no_meanings():
    made = dataclasses.make_dataclass("Made", [("width", int, 3)], bases=(Training,), frozen=True)
    assert comments_of(made) == {}
    assert setting("width", made).meaning == ""
    assert setting("epochs", made).meaning


def test_a_table_of_settings():
    lines = settings_table(MemN2NConfig, "network").splitlines()
    assert lines[0] == "| setting | default | values | meaning |"
    assert "| `hops` | `3` | whole number | how often the memory is read |" in lines
    assert settings_table(MODELS["baseline"].Config, "attention") == ""


def test_a_bar_in_a_meaning_ends_no_cell():
    [line] = [line for line in settings_table(MemN2NConfig, "training").splitlines() if line.startswith("| `l2` ")]
    assert r"l2 \|parameters\|^2 / 2" in line
