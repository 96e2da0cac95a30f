"""Make memnet/reading/words.npz from GloVe's vectors: a byte a number, and the lemma of each word.

python scripts/make_words.py glove.6B.100d-40k.npz      (an array of words, by frequency, and one of their vectors)
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from lemminflect import getAllLemmas

from memnet.files import whole_file
from memnet.reading.words import FILE


def lemma_of(word: str) -> str:
    """The one lemma of a word: of a verb where its form differs, else of a noun."""
    found = getAllLemmas(word)
    for kind in ("AUX", "VERB", "NOUN"):
        for lemma in found.get(kind, ()):
            if lemma != word:
                return str(lemma)
    return word


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("glove", type=Path)
    parser.add_argument("--out", type=Path, default=FILE)
    given = parser.parse_args()
    with np.load(given.glove) as file:
        texts, vectors = [str(word) for word in file["words"]], file["vec"].astype(np.float32)
    scales = np.abs(vectors).max(1) / 127
    rows = {text: row for row, text in enumerate(texts, 1)}
    lemmas = [rows.get(lemma_of(text), row) for row, text in enumerate(texts, 1)]
    with whole_file(given.out) as out:
        np.savez_compressed(
            out,
            words=np.frombuffer("\n".join(texts).encode("utf-8"), np.uint8),
            vectors=np.rint(vectors / scales[:, None]).astype(np.int8),
            scales=scales.astype(np.float16),
            lemmas=np.array([0, *lemmas], np.uint16),
        )


if __name__ == "__main__":
    main()
