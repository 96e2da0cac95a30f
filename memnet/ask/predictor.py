"""A trained network answering free text: the one path under the prompt, the page, the endpoint and Python."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path
from reprlib import repr as short
from typing import TYPE_CHECKING, Any

import numpy as np

from memnet.ask.answer import Answer
from memnet.ask.arguments import as_probability
from memnet.ask.description import trained_on
from memnet.ask.encoded import EncodedStory, evidence_hops, hop_reads
from memnet.ask.engine import Engine, side_by_side
from memnet.ask.engines import in_torch, open_engine
from memnet.ask.english import English
from memnet.ask.example import Example, examples_beside
from memnet.ask.hub import check_name, fetch, find_network, publish
from memnet.ask.ranking import Ranker, Ranking
from memnet.ask.reasons import may_answer, out_of_story, why_none
from memnet.ask.text_reader import TextReader
from memnet.encode.saved import CALIBRATION, FACTS, ORIGIN, read_card
from memnet.encode.vocabulary import NO_EVIDENCE, STOP, UNKNOWN, Vocabulary
from memnet.errors import AskError, NetworkError
from memnet.infer.network import Output
from memnet.tasks.text import one_line

if TYPE_CHECKING:
    from memnet.models import Network

CACHED_SUGGESTIONS = 10_000  # words


class Predictor(TextReader):
    """A network with its vocabulary, and where it comes from: the ``metadata`` of its configuration and its card.

    ``save_pretrained(folder)``, ``from_pretrained(folder or hub id)``, ``push_to_hub(id)`` as for every model of the hub, whose
    client is imported when it is needed. Threads may ask one at once, and get what they would get alone, if nobody changes it.
    """

    def __init__(
        self,
        engine: Engine | Network,
        vocabulary: Vocabulary,
        metadata: Mapping[str, Any] | None = None,
        card: str | None = None,
        english: English | None = None,
        folder: Path | None = None,
    ) -> None:
        self.engine = engine if isinstance(engine, Engine) else in_torch(engine, vocabulary)
        self.vocabulary, self.metadata, self.card, self.folder = vocabulary, dict(metadata or {}), card, folder
        self.always_told = frozenset(self.metadata.get("always_told", ()))
        self.sure = 0.0  # the least probability of an answer that is given
        self.examples: Sequence[Example] = ()  # stories whose words it knows, where its folder keeps some
        self.english = english  # what reads stories of other forms than those of the network's tasks
        self.reads_english = english is not None
        self.known_words = [
            entry
            for entry in vocabulary.entries
            if entry not in (UNKNOWN, STOP, NO_EVIDENCE, *vocabulary.markers) and "," not in entry  # a list is no word
        ]
        self.suggested = lru_cache(CACHED_SUGGESTIONS)(self.suggest)
        self.ranker = Ranker(vocabulary, float(self.metadata.get("temperature", 1.0)))

    def __repr__(self) -> str:
        """Its model, what it was trained on where that is known, its words and its size."""
        learned = f", trained on {trained_on(self.metadata)}" if self.metadata else ""
        known = len(self.vocabulary) - len(self.vocabulary.markers)
        size = f"{known:,} words and answers; {self.engine.parameters:,} parameters"
        return one_line(f"<{self.engine.model}{learned}; {size}>")

    @cached_property
    def net(self) -> Network:
        """The network in torch: to look into it, to go on training or to measure it. Answers do not need it."""
        from memnet.ask.torch_engine import TorchEngine
        from memnet.models.checkpoint import load_network

        if isinstance(self.engine, TorchEngine):
            return self.engine.net
        assert self.folder is not None
        return load_network(self.folder)[0]

    @classmethod
    def load(cls, folder: Path | str) -> Predictor:
        """From a run's folder. Raises :class:`~memnet.errors.NetworkError`."""
        path = Path(folder)
        engine, vocabulary, saved = open_engine(path)
        facts = {name: saved[name] for name in (*FACTS, *ORIGIN, *CALIBRATION) if name in saved}
        found = cls(engine, vocabulary, facts, read_card(path), English.beside(path, vocabulary), path)
        found.examples = examples_beside(path)
        return found

    @classmethod
    def from_pretrained(cls, pretrained_model_name_or_path: Path | str, *, revision: str | None = None) -> Predictor:
        """From a folder, or from the hub by its id. Raises :class:`~memnet.errors.NetworkError`."""
        name = pretrained_model_name_or_path
        check_name(name)
        return cls.load(name if Path(name).exists() else fetch(str(name), revision))

    @classmethod
    def from_name(cls, name: Path | str | None = None, sure: float = 0.0) -> Predictor:
        """See :func:`memnet.load`."""
        found = cls.load(find_network(name))
        found.sure = as_probability(sure)
        return found

    def save_pretrained(self, save_directory: Path | str) -> None:
        """Save the network and its card. Raises :class:`~memnet.errors.NetworkError` where it has no card."""
        if self.card is None or not self.metadata:
            raise NetworkError("this network was not loaded from a folder: it has no card to be saved with")
        from memnet.models.checkpoint import save_network

        save_network(Path(save_directory), self.engine.model, self.net, self.vocabulary, self.card, self.metadata)
        if self.english is not None:
            self.english.save(Path(save_directory))

    def push_to_hub(
        self, repo_id: str, *, private: bool | None = None, token: str | None = None, branch: str | None = None
    ) -> str:
        """Publish the network on the hub as ``repo_id``, "owner/name"; the address of the commit. Raises what the hub does."""
        with tempfile.TemporaryDirectory() as scratch:
            self.save_pretrained(scratch)
            return publish(Path(scratch), repo_id, private, token, branch)

    def ask(
        self, story: str | Sequence[str] | EncodedStory, question: str, runners_up: int = 3, reads: int | None = None
    ) -> Answer:
        """Answer a question about a story of statements, oldest first, or one that is encoded. Raises :class:`AskError`.

        The evidence is the ``reads`` sentences that each hop read most, all of them without.
        """
        encoded, question = self.read_pair(story, question)
        if answer := self.read_english(encoded, question, runners_up, reads):
            return answer
        asked = self.as_asked(encoded, question)
        kept = self.is_kept(encoded)
        output = self.engine.answer_kept(encoded.memory, *asked) if kept else self.engine.answer([asked])
        return self.make_answers([(encoded, question)], output, runners_up, reads)[0]

    def ask_many(
        self,
        asked: Sequence[tuple[str | Sequence[str] | EncodedStory, str]],
        runners_up: int = 0,
        reads: int | None = 1,
        batch: int = 128,
    ) -> list[Answer]:
        """Answer many questions, (story, question) each, at most ``batch`` of them at once; otherwise as :meth:`ask`.

        Stories of similar length are read together, and each once. Raises :class:`AskError`, which names the question by its
        number from 1.
        """
        if not isinstance(asked, Sequence) or isinstance(asked, str):
            raise AskError(f"What is asked is a list of pairs, (story, question), not {short(asked)}.")
        if batch < 1:
            raise AskError(f"A batch holds 1 question or more, not {batch}.")
        pairs = self.read_pairs(asked)
        found = {at: answer for at, pair in enumerate(pairs) if (answer := self.read_english(*pair, runners_up, reads))}
        rest = [at for at in range(len(pairs)) if at not in found]
        for places in side_by_side([pairs[at][0].as_read for at in rest], batch, self.engine.looks_back):
            part = [rest[place] for place in places]
            found |= zip(part, self.answer_batch([pairs[at] for at in part], runners_up, reads), strict=True)
        return [found[at] for at in range(len(pairs))]

    def read_english(self, story: EncodedStory, question: str, runners_up: int, reads: int | None) -> Answer | None:
        """The answer of the reader of ordinary English; ``None`` where the network has learned a task of such sentences."""
        if runners_up < 0 or (reads is not None and reads < 0):
            raise AskError("Runners-up and reads are 0 or more.")
        if self.english is None or self.english.is_task(story.statements, question):
            return None
        found = self.english.answer(story.statements, question, runners_up, reads)
        return replace(found, sure=max(self.sure, found.sure))

    def answer_batch(self, pairs: Sequence[tuple[EncodedStory, str]], runners_up: int, reads: int | None) -> list[Answer]:
        """The network's answers to questions, all at once."""
        if not pairs:
            return []
        output = self.engine.answer([self.as_asked(*pair) for pair in pairs])
        return self.make_answers(pairs, output, runners_up, reads)

    def make_answers(
        self,
        asked: Sequence[tuple[EncodedStory, str]],
        output: Output,
        runners_up: int,
        reads: int | None,
    ) -> list[Answer]:
        """What a network made of the questions of a batch, as answers."""
        if not np.isfinite(output.logits).all():
            raise AskError("This network's numbers overflow; it cannot answer.")
        allowed = np.stack([may_answer(self.vocabulary, question, story.markers) for story, question in asked])
        ranked = self.ranker.rank(output, allowed, 1 + runners_up, self.engine.reads_by_word)
        return [
            self.make_answer(story, question, ranking, output, row, reads)
            for row, ((story, question), ranking) in enumerate(zip(asked, ranked, strict=True))
        ]

    def make_answer(
        self,
        story: EncodedStory,
        question: str,
        ranking: Ranking,
        output: Output,
        row: int,
        reads: int | None,
    ) -> Answer:
        """The answer to the question in a row of a batch."""
        (best, probability), *others = story.merged(ranking.answers)
        hops = evidence_hops(self.engine, output, row)
        in_memory = len(story.statements) - story.truncated
        unknown = self.unknown_words(question, normalizer=story.normalizer)
        answer = Answer(
            best,
            probability,
            others,
            [hop_reads(hop, row, story, reads) for hop in hops],
            [0.0 if hop.null is None else float(hop.null[row]) for hop in hops],
            story.unknown_words | unknown,
            story.truncated,
            None if output.steps is None else float(output.steps[row]),
            ranking.nothing,
            [part[row, :, :in_memory].tolist() for part in output.heads],
            [part[row, :, -1].tolist() for part in output.heads],
            out_of_story(self.vocabulary, story.in_memory, question, story.markers, self.always_told),
            None if output.passes is None else int(output.passes[row]),
            str(self.metadata.get("calibrated_on", "")),
            question=question,
            story=story.statements,
            typing_errors=story.typing_errors | self.errors_after(story, question),
            longest_story=int(self.metadata.get("longest_story", 0)),
            sure=self.sure,
        )
        if not answer.answerable:
            missing, older = answer.out_of_story_words, story.statements[: story.truncated]
            why = why_none(self.vocabulary, story.in_memory, question, story.markers, missing, older)
            answer = replace(answer, reason=why)
        return answer
