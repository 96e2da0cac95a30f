"""Classical baselines under a memory network's commands: linear classifiers over counts of n-grams, the most frequent answer.

scikit-learn fits them; what it learned is kept as tensors, so that they are saved, evaluated and asked as every network is.

    scores = W x + b        x = counts of the n-grams of a question and its story, or their TF-IDF
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from memnet.config.baselines import BaselineConfig
from memnet.encode.batch import Batch, batches
from memnet.encode.examples import Examples, Sentences, Sizes
from memnet.encode.vocabulary import Vocabulary
from memnet.models.encoders import feature_code
from memnet.models.network import Network, Output
from memnet.nn.random import Random


class Bags(NamedTuple):
    """Distinct sentences and questions as counts of n-grams, (U, width) and (U', width), and which belong together, (U', U)."""

    sentences: Tensor
    questions: Tensor
    related: Tensor

    def to(self, device: torch.device | str) -> Bags:
        """On another device."""
        return Bags(*(part.to(device) for part in self))


class Baseline(Network):
    """Linear classifiers, R times the same: ``weight (R, F, V)``, ``bias (R, V)`` and ``idf (R, F)`` of F features.

    F is twice the number of n-grams: the first half counts the story's, the other the question's.
    """

    Config = BaselineConfig
    title = "A linear classifier, no memory network,"
    presets = ("ngram", "ngram")
    config: BaselineConfig

    def __init__(self, config: BaselineConfig, sizes: Sizes, random: Random) -> None:
        super().__init__(config, sizes, random)
        self.width = sizes.vocabulary + len(sizes.grams)
        none = random.normal(2 * self.width, sizes.vocabulary, std=0.0)
        self.weight = nn.Parameter(none)
        self.bias = nn.Parameter(none[:, 0].clone())
        self.idf = nn.Parameter(none[:, :, 0] + 1.0)

    @classmethod
    def measure(cls, config: BaselineConfig, data: Examples, vocabulary: Vocabulary) -> Sizes:  # type: ignore[override]
        """What it must know of the questions that it learns from, their n-grams among it."""
        if config.features != "question":
            return data.sizes(vocabulary, config.ngrams)
        asked = {gram for number in range(len(data.questions.words)) for gram in data.questions.ngrams(number, config.ngrams)}
        return data.sizes(vocabulary)._replace(grams=tuple(sorted(asked)))

    def encode_data(self, data: Examples) -> Bags:
        """Sentences and questions as counts of n-grams; of questions alone no sentences."""
        questions = self.bags(data.questions)
        if self.config.features == "question":
            return Bags(questions[:0], questions, questions[:, :0])
        sentences = self.bags(data.sentences)
        words = self.sizes.vocabulary
        related = torch.ones(len(questions), len(sentences))
        if self.config.features == "related":
            related = (questions[:, :words] @ sentences[:, :words].T > 0).float()
        return Bags(sentences, questions, related)

    def bags(self, table: Sentences) -> Tensor:
        """How often each n-gram stands in each distinct sentence, (U, width)."""
        code = feature_code(table, self.sizes, 0.0)
        return torch.zeros(len(code.row), self.width).scatter_add_(1, code.row, code.coefficient)

    def counts(self, batch: Batch, encoded_data: Bags) -> Tensor:
        """How often each n-gram stands in the story and in the question, (R, B, F).

        With ``related`` the story is its sentences that share a word with the question.
        """
        asked = batch.question.flatten()
        question = encoded_data.questions[asked] * self.config.question
        if self.config.features == "question":
            return torch.cat([torch.zeros_like(question), question], 1).view(*batch.question.shape, -1)
        of_story = torch.zeros(len(asked), len(encoded_data.sentences), device=asked.device)
        of_story.view(-1).index_add_(
            0, batch.story * of_story.shape[1] + batch.sentence, encoded_data.related[asked[batch.story], batch.sentence]
        )
        return torch.cat([of_story @ encoded_data.sentences, question], 1).view(*batch.question.shape, -1)

    def weighted(self, counts: Tensor) -> Tensor:
        """Counts, whether any, or TF-IDF: counts times idf, of length 1 (as scikit-learn's TfidfTransformer)."""
        if self.config.weighting == "tfidf":
            return F.normalize(counts * self.idf.unsqueeze(1), dim=2)
        return (counts > 0).float() if self.config.weighting == "binary" else counts

    def forward(
        self,
        batch: Batch,
        encoded_data: Bags,
        random: Random | None = None,
        samples: int = 1,
        given: Tensor | None = None,
        noise: Random | None = None,
    ) -> Output:
        """Scores of every answer; nothing is read hop by hop, so there is no trace."""
        logits = torch.baddbmm(self.bias.unsqueeze(1), self.weighted(self.counts(batch, encoded_data)), self.weight)
        return Output(logits[:, :, None, None], [])

    @torch.no_grad()
    def fit(self, data: Examples) -> None:
        """Learn from these questions."""
        from scipy.sparse import csr_matrix, vstack
        from sklearn.feature_extraction.text import TfidfTransformer

        encoded_data, one = self.encode_data(data), torch.arange(len(data))
        parts = [
            csr_matrix(
                self.counts(next(batches(data, index.expand(1, self.replicas, -1), self.sizes.ages)), encoded_data)[0].numpy()
            )
            for index in one.split(128)
        ]
        counts, answer = vstack(parts, format="csr"), data.answer[:, 0].numpy()
        if self.config.weighting == "binary":
            counts = (counts > 0).astype("float32")
        if self.config.weighting == "tfidf":
            transformer = TfidfTransformer().fit(counts)
            self.idf[:] = torch.from_numpy(transformer.idf_).float()
            counts = transformer.transform(counts)
        weight, bias, classes = fitted(self.config, counts, answer)
        self.bias.fill_(-1e4)  # an answer that was never seen
        self.bias[:, classes] = bias
        self.weight[:, :, classes] = weight.T


def fitted(config: BaselineConfig, counts: Any, answer: Any) -> tuple[Tensor, Tensor, Tensor]:
    """The estimator's weights (classes, F), intercepts (classes,) and the vocabulary entries of its classes."""
    import numpy as np
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import LinearSVC

    classes, number = np.unique(answer, return_counts=True)
    entries = torch.from_numpy(classes)
    if config.estimator == "frequent" or len(classes) == 1:
        return torch.zeros(len(classes), counts.shape[1]), torch.from_numpy(number / number.sum()).log().float(), entries
    if config.estimator == "logistic":
        estimator = LogisticRegression(C=config.inverse_penalty, max_iter=10_000)
    else:
        estimator = LinearSVC(C=config.inverse_penalty, max_iter=10_000, random_state=0)
    estimator.fit(counts, answer)
    weight, bias = torch.from_numpy(estimator.coef_).float(), torch.from_numpy(estimator.intercept_).float()
    if len(classes) == 2:  # scikit-learn keeps the second class alone
        weight, bias = torch.cat([-weight, weight]) / 2, torch.cat([-bias, bias]) / 2
    return weight, bias, entries
