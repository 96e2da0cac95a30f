"""What trains a run: its code and versions, also where a run that was stopped goes on by others."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from memnet import plugins
from memnet.files import write_json
from memnet.record.maker import NOT_RECORDED
from memnet.record.provenance import code_hash, code_name, hash_of, versions
from memnet.training.state import CHECKPOINT

MAKERS, THEN = "makers", " then "
Maker = dict[str, str]  # the code's hash, and the version of each thing that a result depends on


def begun(path: Path, device: str, tell: Callable[[str], None], shortcut: str = "") -> Maker:
    """Note in a run's ``run.json``, at ``path``, that this code trains it from here; everything that made it, as one maker.

    A ``shortcut`` that computes in place of the core rounds in its own way: it stands beside numpy's version. Beside memnet's
    stand the plugins that are loaded, each with a hash of its file, which is no part of the code's.

    ``tell`` gets a sentence where its checkpoint was made by others. Of what differs the maker has all, "0.1.0 then 0.2.0";
    memnet 0.1.0 and the first days of 0.2.0 noted nothing.
    """
    now = {"code": code_hash(), **versions(device)}
    now["numpy"] += f", {shortcut}" if shortcut else ""
    now["memnet"] = ", ".join([now["memnet"], *sources()])
    saved = json.loads(path.read_text(encoding="utf-8"))
    before: list[Maker] = []
    if (path.parent / CHECKPOINT).exists():
        noted = saved.get(MAKERS)
        before = [known(one, now) for one in (noted if isinstance(noted, list) and noted else [{}])]
        if different := [name for name in now if named(before[-1], name) != named(now, name)]:
            was, is_now = (", ".join(f"{name} {one[name]}" for name in different) for one in (before[-1], now))
            tell(f"{path.parent} goes on with a checkpoint of other versions ({was}; now {is_now}): the record names both")
    made = before if before and before[-1] == now else [*before, now]
    if saved.get(MAKERS) != made:
        write_json(path, {**saved, MAKERS: made})
    return {name: THEN.join(dict.fromkeys(named(one, name) for one in made)) for name in now} | (
        {"code": now["code"]} if len({named(one, "code") for one in made}) == 1 else {}
    )


def sources() -> list[str]:
    """The files of plugins that are loaded, with what they say but for comments and docstrings, as a hash."""
    files = sorted({*plugins.LOADED, *plugins.INSTALLED})
    return [f"plugin {path.name} {hash_of([path.read_text(encoding='utf-8')])}" for path in files]


def known(maker: object, now: Maker) -> Maker:
    """A maker as it was noted; what was not noted is said to be so."""
    return {name: str(maker.get(name, NOT_RECORDED)) if isinstance(maker, dict) else NOT_RECORDED for name in now}


def named(maker: Maker, name: str) -> str:
    """What a maker says of a thing; of its code the name of that on record which it equals."""
    return code_name(maker[name]) if name == "code" else maker[name]
