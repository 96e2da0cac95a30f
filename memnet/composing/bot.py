"""A trained composer in a folder, and a conversation with it.

bot = Bot.load("runs/dialog")
bot.reply("may i have a table in tokyo")   ->   Reply("i'm on it", ...)
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import torch

from memnet.composing.answers import answer_all, composed
from memnet.composing.examples import batch_of, dialog
from memnet.composing.lexicon import FIRST, Lexicon
from memnet.composing.network import MOST_MEMBERS, Composer, ComposerConfig, Ensemble
from memnet.errors import NetworkError
from memnet.files import read_tensors, write_json, write_tensors
from memnet.tasks.dialogs import BOT, SILENCE, USER, one_space
from memnet.tasks.text import Story
from memnet.tasks.text.sentences import line_ends

CONFIG, MODEL = "config.json", "model.safetensors"
KIND = "composer"  # what config.json calls its model
AGAIN = 0.9  # of the times that a bot says something, after which it speaks again
CALL = "api_call"
MOST_REPLIES = 4  # that a bot gives to one utterance


class Reply(NamedTuple):
    """What a bot says, and the newest memory that has each copied word."""

    text: str
    copied: tuple[tuple[str, str], ...] = ()  # a word, and a statement


@dataclass
class Trained:
    """A trained network with its words, and what is known of its making."""

    net: Composer | Ensemble
    lexicon: Lexicon
    again: frozenset[str] = frozenset()  # what it says before it speaks again, with names left out
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def hide(self) -> float:
        """The share of names that are read as any name."""
        return float(self.facts.get("course", {}).get("hide", 1.0))

    def answers(self, stories: Sequence[Story]) -> Iterator[list[str]]:
        """What it answers at every turn of stories, each turn after what was said in truth."""
        return answer_all(self.net.eval(), self.lexicon, stories, self.hide)

    def save(self, folder: Path) -> None:
        """Weights and config.json."""
        folder.mkdir(parents=True, exist_ok=True)
        write_tensors(folder / MODEL, dict(self.net.named_parameters()))
        sizes = {"model": KIND, "network": self.net.config.as_dict(), "networks": self.net.networks}
        write_json(folder / CONFIG, {**self.facts, **sizes, "lexicon": self.lexicon.saved(), "again": sorted(self.again)})

    @classmethod
    def load(cls, folder: Path) -> Trained:
        """From a folder that :meth:`save` wrote. Raises :class:`~memnet.errors.NetworkError`."""
        saved = read_config(folder)
        if saved is None:
            raise NetworkError(f"{folder} holds no network that composes answers; train one: memnet train dialog/task5")
        try:
            lexicon, sizes = Lexicon.loaded(saved["lexicon"]), ComposerConfig(**saved["network"])
            if (len(lexicon.known) + FIRST, len(lexicon.spoken)) != (sizes.words, sizes.spoken):
                raise ValueError(f"its words are not the {sizes.words} and {sizes.spoken} of the network")
            many = saved.get("networks", 1)
            if not isinstance(many, int) or not 1 <= many <= MOST_MEMBERS:
                raise ValueError(f"its networks are {many!r}; expected 1 to {MOST_MEMBERS}")
            net = Composer(sizes) if many == 1 else Ensemble([Composer(sizes) for _ in range(many)])
            net.load_state_dict(read_tensors(folder / MODEL)[0])
            found = cls(net.eval(), lexicon, frozenset(saved.get("again", ())), saved)
            found.hide  # noqa: B018 - a number, or it is refused here
        except (AttributeError, KeyError, TypeError, ValueError, RuntimeError) as error:
            what = f"{CONFIG} has no {error}" if isinstance(error, KeyError) else error
            raise NetworkError(f"{folder} holds a network that cannot be opened: {what}; train it again") from error
        return found


def read_config(folder: Path) -> dict[str, Any] | None:
    """What config.json says of a composer; None where the folder holds none."""
    try:
        saved = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return saved if isinstance(saved, dict) and saved.get("model") == KIND else None


def again_of(stories: Iterable[Story], lexicon: Lexicon) -> frozenset[str]:
    """What a bot says in training before it speaks again, with names left out."""
    said, silent = Counter[str](), Counter[str]()
    for story in stories:
        for question, following in zip(story.questions, story.questions[1:], strict=False):
            said[lexicon.frame(question.answer)] += 1
            silent[lexicon.frame(question.answer)] += following.text == SILENCE
    return frozenset(text for text, times in said.items() if silent[text] >= AGAIN * times)


class Bot:
    """A conversation. ``rows`` is a knowledge base by subject: what an ``api_call`` finds becomes statements."""

    def __init__(self, trained: Trained, rows: Mapping[str, Sequence[str]] | None = None) -> None:
        self.trained, self.rows = trained, dict(rows or {})
        self.statements: list[str] = []
        self.found: list[str] = []  # the rows that the last reply called for

    def replies(self, utterance: str) -> Iterator[Reply]:
        """What the bot says to it, and says next where it speaks again."""
        for _ in range(MOST_REPLIES):
            reply = self.reply(utterance)
            calls = reply.text.startswith(f"{CALL} ")
            self.found = self.call(reply.text) if calls else []
            self.statements += self.found
            yield reply
            if not (self.found if calls else self.trained.lexicon.frame(reply.text) in self.trained.again):
                return
            utterance = SILENCE

    @torch.no_grad()
    def reply(self, utterance: str) -> Reply:
        """What the bot says to one utterance; both are remembered."""
        self.statements.append(f"{USER} {one_space(utterance) or SILENCE}")
        story, lexicon = Story(tuple(self.statements), ()), self.trained.lexicon
        one = dialog(story, lexicon, [len(self.statements) - 1])
        ((text,),) = composed(self.trained.net, batch_of([one], lexicon, names=self.trained.hide), [one], lexicon)
        places = {name.lower(): int(one.place[at, 0]) for at, number in enumerate(one.name) for name in [one.surface[number]]}
        copied = [
            (word, self.statements[places[word.lower()]])
            for word in text.split()
            if word.lower() in places and word not in lexicon.number
        ]
        self.statements.append(f"{BOT} {text}")
        return Reply(text, tuple(copied))

    def call(self, text: str) -> list[str]:
        """The rows of everything that has all values of a call; a value such as R_price is any."""
        wanted = {word for word in text.split()[1:] if not word.startswith("R_")}
        return [row for rows in self.rows.values() if wanted <= {row.split()[-1] for row in rows} for row in rows]


def knowledge_base(text: str, name: str) -> dict[str, list[str]]:
    """The rows of a file, ``1 resto_rome R_price cheap`` a line, by whom they are about. Raises NetworkError with the line."""
    found: dict[str, list[str]] = {}
    for at, line in enumerate(line_ends(text).split("\n"), 1):
        parts = line.split()
        if not parts:
            continue
        parts = parts[1:] if parts[0].isdigit() else parts
        if len(parts) != 3 or not parts[1].startswith("R_"):
            raise NetworkError(f"{name}:{at}: expected a row such as '1 resto_rome R_price cheap', found {line[:40]!r}")
        found.setdefault(parts[0], []).append(" ".join(parts))
    if not found:
        raise NetworkError(f"{name}:1: the file is empty; expected rows such as '1 resto_rome R_price cheap'")
    return found
