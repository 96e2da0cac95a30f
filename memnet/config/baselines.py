"""The settings of a baseline."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from memnet.config import Positive, Selection, Training
from memnet.config.settings import Range


@dataclass(frozen=True, repr=False)
class BaselineConfig(Training):
    """A linear classifier over counts, or the most frequent answer: fitted, not trained in epochs."""

    selection: Selection = "validation"
    memory_size: int = 1000
    estimator: Annotated[Literal["frequent", "logistic", "svm"], "most frequent answer, logistic regression, SVM"] = "logistic"
    features: Annotated[
        Literal["related", "story", "question"], "n-grams of sentences with a word of the question, of all, or of none"
    ] = "related"
    question: Annotated[bool, "count the question's n-grams too"] = True
    weighting: Annotated[Literal["binary", "counts", "tfidf"], "n-grams present or not, counted, or by TF-IDF"] = "binary"
    ngrams: Annotated[int, Range(1, 5), "n-grams of 1 to so many words"] = 3
    inverse_penalty: Annotated[Positive, "C of scikit-learn's estimators: the larger, the weaker the penalty"] = 1.0

    fitted = True  # in one piece
    default_restarts = 1
    reading: ClassVar[tuple[str, ...]] = ("phrases", "consistent", "synonyms", "canonical", "name_order")

    def conflicts(self) -> Iterator[str]:
        """Besides: what a baseline has no use for."""
        yield from super().conflicts()
        changed = [field.name for field in dataclasses.fields(self) if getattr(self, field.name) != field.default]
        for name in changed:
            if not self.takes(name):
                yield f"{name} is for networks that are trained step by step; a baseline is fitted in one piece"
            elif self.estimator == "frequent" and name in ("features", "question", "weighting", "ngrams", "inverse_penalty"):
                yield f"{name} changes nothing for estimator=frequent, which looks at answers alone"
        if self.features == "question" and not self.question:
            yield "features=question counts the question's n-grams alone: set question=true"

    @classmethod
    def takes(cls, name: str) -> bool:
        """Its own settings, which questions it is fitted on, and how a text is read."""
        return name in BaselineConfig.__annotations__ or name in ("validation", "questions", *cls.reading)
