"""What a training takes besides its stories: word vectors, the names of an open vocabulary, a network to start from."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from memnet.config import Training
from memnet.errors import ConfigError
from memnet.tasks.text.names import read_names
from memnet.training.start import Start, weights_hash


@dataclass(frozen=True)
class Inputs:
    """Files, each None where there is none. What they hold is part of a run's identity, so they are read before it is made."""

    vectors: Path | None = None
    names: Path | None = None
    start: Path | None = None  # the folder of a network

    def check(self, config: Training) -> None:
        """Raise :class:`ConfigError` where the settings have no use for a file, or for two of them together."""
        if self.names is not None and not config.open_vocabulary:
            raise ConfigError("names say which words are markers in an open vocabulary; set open_vocabulary=true too")
        if self.names is not None and self.start is not None:
            raise ConfigError(
                "names are of a vocabulary that is learned, and a network to start from has its own; leave one out"
            )

    @cached_property
    def given_names(self) -> frozenset[str] | None:
        """The words of names in the file."""
        return None if self.names is None else read_names(self.names)

    def begun(self, config: Training) -> Start | None:
        """The network to start from. Raises :class:`ConfigError` where it does not fit the settings."""
        return None if self.start is None else Start.read(self.start, config)

    @property
    def names_hash(self) -> str:
        """Of the words of names; empty where there is no such file."""
        names = self.given_names
        return "" if names is None else hashlib.sha256(" ".join(sorted(names)).encode()).hexdigest()[:12]

    def hashes(self) -> list[str]:
        """A hash for each file, in a fixed order."""
        found = [] if self.start is None else [weights_hash(self.start)]
        found += [self.names_hash] if self.names_hash else []
        if self.vectors is not None:
            with open(self.vectors, "rb") as file:
                found.append(hashlib.file_digest(file, "sha256").hexdigest()[:12])
        return found
