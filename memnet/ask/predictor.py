"""A trained network answering free text: the one path under the prompt, the page, the endpoint and Python."""

from __future__ import annotations

import difflib
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from reprlib import repr as short
from typing import Any

import torch

from memnet.ask.answer import Answer
from memnet.ask.arguments import as_pair, as_probability, check_order, check_question, spelled_out, story_statements
from memnet.ask.description import trained_on
from memnet.ask.encoded import EncodedStory, encoded_by, evidence_traces, hop_reads, network_identity, with_markers
from memnet.ask.english import English
from memnet.ask.hub import check_name, fetch, find_network, publish
from memnet.ask.pipeline import Pipeline
from memnet.ask.ranking import Ranker, Ranking
from memnet.ask.reasons import may_answer, out_of_story, typing_errors, why_none
from memnet.encode.batch import Batch, batches
from memnet.encode.examples import Examples, examples
from memnet.encode.normalizer import Normalizer
from memnet.encode.vocabulary import NO_EVIDENCE, STOP, UNKNOWN, Vocabulary
from memnet.errors import AskError, NetworkError
from memnet.models import Network, model_of
from memnet.models.checkpoint import CALIBRATION, FACTS, ORIGIN, load_network, read_card, save_network
from memnet.models.network import Output, mean_answer
from memnet.tasks.text import Question, Story, one_line, words
from memnet.training.evaluate import answers, drawing

SUGGESTED, NEAREST = 20, 3  # unknown words of a text that get suggestions, and how many each
CACHED_SUGGESTIONS = 10_000  # words


class Predictor(Pipeline):
    """A network with its vocabulary, and where it comes from: the ``metadata`` of its configuration and its card.

    ``save_pretrained(folder)``, ``from_pretrained(folder or hub id)``, ``push_to_hub(id)`` as for every model of the hub, whose
    client is imported when it is needed. Threads may ask one at once, and get what they would get alone, if nobody changes it.
    """

    def __init__(
        self,
        net: Network,
        vocabulary: Vocabulary,
        metadata: Mapping[str, Any] | None = None,
        card: str | None = None,
        english: English | None = None,
    ) -> None:
        self.net, self.vocabulary, self.metadata, self.card = net, vocabulary, dict(metadata or {}), card
        self.always_told = frozenset(self.metadata.get("always_told", ()))
        self.identity = network_identity(net, vocabulary)
        self.sure = 0.0  # the least probability of an answer that is given
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
        size = sum(parameter.numel() for parameter in self.net.parameters())
        return one_line(f"<{model_of(self.net.config)}{learned}; {known:,} words and answers; {size:,} parameters>")

    @classmethod
    def load(cls, folder: Path | str) -> Predictor:
        """From a run's folder. Raises :class:`~memnet.errors.NetworkError`."""
        net, vocabulary, saved = load_network(Path(folder))
        facts = {name: saved[name] for name in (*FACTS, *ORIGIN, *CALIBRATION) if name in saved}
        return cls(net, vocabulary, facts, read_card(Path(folder)), English.beside(Path(folder), vocabulary))

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
        save_network(Path(save_directory), model_of(self.net.config), self.net, self.vocabulary, self.card, self.metadata)
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

    @torch.no_grad()
    def encode_story(self, story: str | Sequence[str]) -> EncodedStory:
        """Take in a story of statements, oldest first, to be asked about. Raises :class:`AskError`.

        A MemN2N encodes it once and for all, unless it names words for each question anew; the other networks read a story anew
        with every question.
        """
        read = self.read_story(story)
        return read if self.vocabulary.per_question else self.encode(read)

    def encode(self, read: EncodedStory) -> EncodedStory:
        """A story with its memory, where a network makes that before a question."""
        if not self.net.keeps_stories or read.batch is not None:
            return read
        data, batch = self.as_batch([(read, "")])
        return replace(read, batch=batch, memory=self.net.encode_story(batch, self.net.encode_data(data)))

    def read_story(self, story: str | Sequence[str]) -> EncodedStory:
        """The statements of a story, not yet encoded; of a text, its sentences. Raises :class:`AskError` without any."""
        statements = [sentence for sentence in story_statements(story) if words(sentence)]
        if not statements:
            raise AskError("The story is empty: tell me something first, for example 'Mary went to the kitchen.'")
        truncated = max(0, len(statements) - self.net.config.memory_size)
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
        if read.binding is None or read.batch is not None or not (self.vocabulary.per_question or read.binding.is_full):
            return read
        binding = self.vocabulary.bind()
        as_read = [*read.statements[: read.truncated], *with_markers(read.statements[read.truncated :], binding, question)]
        return replace(read, as_read=as_read, binding=binding)

    def as_batch(self, asked: Sequence[tuple[EncodedStory | None, str]]) -> tuple[Examples, Batch]:
        """Stories, each with its question, as numbers: a data set, and all of it as one batch (R = 1)."""
        stories = []
        for story, text in asked:
            statements, question = () if story is None else tuple(story.as_read), self.vocabulary.normalizer.normalize(text)
            if story is not None and story.binding is not None:
                question = story.binding.asked(question)
            stories.append(Story(statements, (Question(question, UNKNOWN, (), len(statements)),)))
        data = examples([stories], self.vocabulary, self.net.config.memory_size)
        return data, next(batches(data, torch.arange(len(stories)).view(1, 1, -1), self.net.sizes.ages))

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

    @torch.no_grad()
    def ask(
        self, story: str | Sequence[str] | EncodedStory, question: str, runners_up: int = 3, reads: int | None = None
    ) -> Answer:
        """Answer a question about a story of statements, oldest first, or one that is encoded. Raises :class:`AskError`.

        The evidence is the ``reads`` sentences that each hop read most, all of them without.
        """
        encoded, question = self.read_pair(story, question)
        if answer := self.read_english(encoded, question, runners_up, reads):
            return answer
        encoded = self.encode(encoded)
        if encoded.batch is not None:
            read = self.vocabulary.normalizer.normalize(question)
            asked = read if encoded.binding is None else encoded.binding.asked(read)
            encoded_data = self.net.encode_data(self.as_batch([(None, asked)])[0])
            output = self.net.answer_from(encoded.memory, encoded.batch, encoded_data, *drawing(self.net))
            logits = mean_answer(output.logits)
        else:
            data, batch = self.as_batch([(encoded, question)])
            logits, output = answers(self.net, batch, self.net.encode_data(data))
        return self.make_answers([(encoded, question)], logits, output, runners_up, reads)[0]

    @torch.no_grad()
    def ask_many(
        self,
        asked: Sequence[tuple[str | Sequence[str] | EncodedStory, str]],
        runners_up: int = 0,
        reads: int | None = 1,
        batch: int = 128,
    ) -> list[Answer]:
        """Answer many questions, (story, question) each, ``batch`` of them at once; otherwise as :meth:`ask`.

        Raises :class:`AskError`, which names the question by its number from 1.
        """
        found: list[Answer] = []
        if not isinstance(asked, Sequence) or isinstance(asked, str):
            raise AskError(f"What is asked is a list of pairs, (story, question), not {short(asked)}.")
        if batch < 1:
            raise AskError(f"A batch holds 1 question or more, not {batch}.")
        for start in range(0, len(asked), batch):
            pairs = []
            for number, pair in enumerate(asked[start : start + batch], start + 1):
                try:
                    pairs.append(self.read_pair(*as_pair(pair)))
                except AskError as error:
                    raise AskError(f"question {number}: {error}") from error
            english = {at: answer for at, pair in enumerate(pairs) if (answer := self.read_english(*pair, runners_up, reads))}
            rest = iter(self.answer_batch([pair for at, pair in enumerate(pairs) if at not in english], runners_up, reads))
            found += [english[at] if at in english else next(rest) for at in range(len(pairs))]
        return found

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
        data, numbers = self.as_batch(pairs)
        logits, output = answers(self.net, numbers, self.net.encode_data(data))
        return self.make_answers(pairs, logits, output, runners_up, reads)

    def make_answers(
        self,
        asked: Sequence[tuple[EncodedStory, str]],
        logits: torch.Tensor,
        output: Output,
        runners_up: int,
        reads: int | None,
    ) -> list[Answer]:
        """What a network made of the questions of a batch: ``logits (1, B, A, V)`` and the rest of its output."""
        if not bool(logits.isfinite().all()):
            raise AskError("This network's numbers overflow; it cannot answer.")
        allowed = torch.stack([may_answer(self.vocabulary, question, story.markers) for story, question in asked])
        again = output.decode or partial(self.ask_again, asked)
        ranked = self.ranker.rank(logits[0], allowed, 1 + runners_up, again, output.beams, self.net.reads_by_word)
        return [
            self.make_answer(story, question, ranking, logits, output, row, reads)
            for row, ((story, question), ranking) in enumerate(zip(asked, ranked, strict=True))
        ]

    def ask_again(self, asked: Sequence[tuple[EncodedStory, str]], given: torch.Tensor) -> torch.Tensor:
        """Scores (1, B, K, A, V) of answers whose first words are ``given (1, B, K, A)``, -1 after them."""
        data, batch = self.as_batch(asked)
        encoded_data = self.net.encode_data(data)
        parts = [self.net(batch, encoded_data, given=given[:, :, one]).logits for one in range(given.shape[2])]
        return torch.stack([mean_answer(part) for part in parts], 2)

    def make_answer(
        self,
        story: EncodedStory,
        question: str,
        ranking: Ranking,
        logits: torch.Tensor,
        output: Output,
        row: int,
        reads: int | None,
    ) -> Answer:
        """The answer to the question in a row of a batch."""
        (best, probability), *others = story.merged(ranking.answers)
        traces = evidence_traces(self.net, logits, output, row)
        in_memory = len(story.statements) - story.truncated
        unknown = self.unknown_words(question, normalizer=story.normalizer)
        answer = Answer(
            best,
            probability,
            others,
            [hop_reads(trace, row, story, reads) for trace in traces],
            [0.0 if trace.null is None else float(trace.null[0, row].mean()) for trace in traces],
            story.unknown_words | unknown,
            story.truncated,
            None if output.steps is None else float(output.steps[0, row]),
            ranking.nothing,
            [part[0, row, :, :in_memory].tolist() for part in output.heads],
            [part[0, row, :, -1].tolist() for part in output.heads],
            out_of_story(self.vocabulary, story.in_memory, question, story.markers, self.always_told),
            None if output.passes is None else int(output.passes[0, row]),
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
