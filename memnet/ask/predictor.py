"""A trained network answering free text: the one path under the prompt, the page, the endpoint and Python."""

from __future__ import annotations

import difflib
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path
from reprlib import repr as short
from typing import TYPE_CHECKING, Any

import numpy as np

from memnet.ask.answer import Answer
from memnet.ask.arguments import as_pair, as_probability, check_order, check_question, spelled_out, story_statements
from memnet.ask.description import trained_on
from memnet.ask.encoded import EncodedStory, encoded_by, evidence_hops, hop_reads, with_markers
from memnet.ask.engine import Engine, side_by_side
from memnet.ask.engines import in_torch, open_engine
from memnet.ask.english import English
from memnet.ask.example import Example, examples_beside
from memnet.ask.hub import check_name, fetch, find_network, publish
from memnet.ask.pipeline import Pipeline
from memnet.ask.ranking import Ranker, Ranking
from memnet.ask.reasons import may_answer, out_of_story, typing_errors, why_none
from memnet.encode.normalizer import Normalizer
from memnet.encode.saved import CALIBRATION, FACTS, ORIGIN, read_card
from memnet.encode.vocabulary import NO_EVIDENCE, STOP, UNKNOWN, Vocabulary
from memnet.errors import AskError, NetworkError
from memnet.infer.network import Output
from memnet.tasks.text import one_line, words

if TYPE_CHECKING:
    from memnet.models import Network

SUGGESTED, NEAREST = 20, 3  # unknown words of a text that get suggestions, and how many each
CACHED_SUGGESTIONS = 10_000  # words


class Predictor(Pipeline):
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
        self.known_words = [
            entry for entry in vocabulary.entries if entry not in (UNKNOWN, STOP, NO_EVIDENCE, *vocabulary.markers)
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
    def identity(self) -> str:
        """Of the network, see :meth:`~memnet.ask.engine.Engine.identity`."""
        return self.engine.identity()

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

    def unknown_words(self, *texts: str, normalizer: Normalizer | None = None) -> dict[str, list[str]]:
        """The words of texts that the network does not know, and, of the first twenty, the nearest that it does.

        Where the vocabulary is open they are names, and not unknown. ``normalizer`` is how a question and its story are read.
        """
        if self.vocabulary.markers:
            return {}
        read = self.vocabulary.normalizer if normalizer is None else normalizer
        unknown = dict.fromkeys(word for text in texts for word in read.unknown(text, self.vocabulary.number))
        return {word: self.suggested(word) if place < SUGGESTED else [] for place, word in enumerate(unknown)}

    def suggest(self, word: str) -> list[str]:
        """The known words that are nearest to an unknown one."""
        near = difflib.get_close_matches(word, self.known_words, NEAREST)
        return [self.vocabulary.normalizer.shown(found) for found in near if found != word]

    def typing_errors(self, *texts: str, story: Sequence[str] = ()) -> dict[str, list[str]]:
        """Words of texts, after those of the ``story``, that look like typing errors; none where the vocabulary is not open."""
        return typing_errors(self.vocabulary, texts, story)

    def encode_story(self, story: str | Sequence[str]) -> EncodedStory:
        """Take in a story of statements, oldest first, to be asked about. Raises :class:`AskError`.

        A MemN2N encodes it once and for all, unless it names words for each question anew; the other networks read a story anew
        with every question.
        """
        read = self.read_story(story)
        return read if self.vocabulary.per_question else self.encode(read)

    def encode(self, read: EncodedStory) -> EncodedStory:
        """A story with its memory, where a network makes that before a question."""
        if not self.engine.keeps_stories or self.is_kept(read):
            return read
        return replace(read, memory=self.engine.read(read.as_read), kept_by=self.engine.name)

    def is_kept(self, read: EncodedStory) -> bool:
        """Whether a story has its memory, as this engine makes it."""
        return read.memory is not None and read.kept_by == self.engine.name

    def read_story(self, story: str | Sequence[str]) -> EncodedStory:
        """The statements of a story, not yet encoded; of a text, its sentences. Raises :class:`AskError` without any."""
        statements = [sentence for sentence in story_statements(story) if words(sentence)]
        if not statements:
            raise AskError("The story is empty: tell me something first, for example 'Mary went to the kitchen.'")
        truncated = max(0, len(statements) - self.engine.memory_size)
        binding = self.vocabulary.bind()
        read = [self.vocabulary.normalizer.normalize(statement) for statement in statements]
        read = [*read[:truncated], *with_markers(read[truncated:], binding)]
        unknown, errors = self.unknown_words(*statements[truncated:]), self.typing_errors(*statements[truncated:])
        return EncodedStory(statements, truncated, unknown, read, errors, binding, network=self.identity)

    def read_about(self, read: EncodedStory, question: str) -> EncodedStory:
        """A story that is to be asked a question: of more names than there are markers, those that it is about have one.

        And where interchangeable words or names are named for each question, they are.
        """
        normalizer = self.vocabulary.normalizer
        if normalizer.per_question:
            about = normalizer.about(read.statements, question)
            bound = about.bind(read.statements, question)
            unknown = read.unknown_words if about is normalizer else self.unknown_words(*read.in_memory, normalizer=about)
            as_read = [bound.asked(statement) for statement in read.statements]
            return replace(read, as_read=as_read, binding=bound, unknown_words=unknown)
        if read.binding is None or read.memory is not None or not (self.vocabulary.per_question or read.binding.is_full):
            return read
        binding = self.vocabulary.bind()
        as_read = [*read.statements[: read.truncated], *with_markers(read.statements[read.truncated :], binding, question)]
        return replace(read, as_read=as_read, binding=binding)

    def as_asked(self, story: EncodedStory, question: str) -> tuple[Sequence[str], str]:
        """A story and a question as the network reads them."""
        read = self.vocabulary.normalizer.normalize(question)
        return story.as_read, read if story.binding is None else story.binding.asked(read)

    def read_question(self, question: str) -> str:
        """The question as the network reads it. Raises :class:`AskError` where it cannot be understood at all."""
        check_question(question)
        question = spelled_out(question, self.vocabulary.number)
        asked = words(question)
        if not asked:
            raise AskError("That is no question: it has no words.")
        unknown = self.vocabulary.normalizer.unknown(question, self.vocabulary.number)
        if not self.vocabulary.markers and len(words(" ".join(unknown))) == len(asked):
            raise AskError(f"I know none of the words of that question ({', '.join(asked)}).")
        return question

    def read_pair(self, story: Any, question: Any) -> tuple[EncodedStory, str]:
        """A story and a question about it, read. Raises :class:`AskError` where they make no sense, or are swapped."""
        check_order(story, question)
        read = encoded_by(self.identity, story) or self.read_story(story)
        asked = self.read_question(question)
        return self.read_about(read, asked), asked

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
        pairs = []
        for number, pair in enumerate(asked, 1):
            try:
                pairs.append(self.read_pair(*as_pair(pair)))
            except AskError as error:
                raise AskError(f"question {number}: {error}") from error
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
        return replace(self.english.answer(story.statements, question, runners_up, reads), sure=self.sure)

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
            typing_errors=story.typing_errors | self.typing_errors(question, story=story.in_memory),
            longest_story=int(self.metadata.get("longest_story", 0)),
            sure=self.sure,
        )
        if not answer.answerable:
            missing, older = answer.out_of_story_words, story.statements[: story.truncated]
            why = why_none(self.vocabulary, story.in_memory, question, story.markers, missing, older)
            answer = replace(answer, reason=why)
        return answer
