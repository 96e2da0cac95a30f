"""What a search is compared with and narrowed by: BM25 by SQLite's FTS5, and BM25 as it is printed elsewhere."""

from __future__ import annotations

import math
import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

WORD = re.compile(r"\w+")


class LexicalIndex:
    """Texts in an index of SQLite's FTS5, in the process's memory."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.base = sqlite3.connect(":memory:")
        self.base.execute("CREATE VIRTUAL TABLE told USING fts5(text, tokenize='unicode61')")
        self.base.executemany("INSERT INTO told (rowid, text) VALUES (?, ?)", enumerate(texts))

    def rank(self, words: Sequence[str], k: int) -> list[int]:
        """The numbers of the ``k`` texts that fit any of the words best, by FTS5's own BM25."""
        query = " OR ".join('"' + word.replace('"', '""') + '"' for word in words if WORD.search(word))
        if not query:
            return []
        sql = "SELECT rowid FROM told WHERE told MATCH ? ORDER BY rank, rowid LIMIT ?"
        return [number for (number,) in self.base.execute(sql, (query, k))]


class BM25:
    """Okapi's BM25 over words in small letters (Robertson & Zaragoza 2009): k1 = 1.5, b = 0.75, no stop words, no stems."""

    K1, B = 1.5, 0.75

    def __init__(self, texts: Sequence[str]) -> None:
        told = [Counter(WORD.findall(text.lower())) for text in texts]
        length = np.array([sum(one.values()) for one in told], np.float64)
        self.usual = self.K1 * (1 - self.B + self.B * length / max(float(length.mean()), 1.0))
        self.places: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, one in enumerate(told):
            for word, count in one.items():
                self.places[word].append((number, count))

    def rank(self, query: str, k: int) -> list[int]:
        """The numbers of the ``k`` texts that fit best, the oldest of equals first."""
        scores, many = np.zeros(len(self.usual)), len(self.usual)
        for word in WORD.findall(query.lower()):
            found = self.places.get(word, [])
            rare = math.log(1 + (many - len(found) + 0.5) / (len(found) + 0.5))
            for number, count in found:
                scores[number] += rare * count * (self.K1 + 1) / (count + self.usual[number])
        order: list[int] = np.argsort(-scores, kind="stable")[:k].tolist()
        return order
