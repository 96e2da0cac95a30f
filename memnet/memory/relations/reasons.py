"""Why there is no answer, as a sentence: what of a question nothing says."""

from __future__ import annotations

from collections.abc import Sequence

from memnet.memory.relations.words import ARTICLES, Part, Span

BE = frozenset(("is", "was", "are", "were"))
DO = frozenset(("did", "does", "do", "has", "have", "can"))


def nothing_says(parts: Sequence[Part], name: Span, hops: Sequence[Sequence[int]], hop: int, reached: str) -> str:
    """What the words of a hop ask about the name that was reached.

    "Nothing says who the head coach of Ajax is.", "Nothing says what the team that Tom Reed plays for is."
    """
    inside = {*range(*name), *(word for earlier in hops[:hop] for word in earlier)}
    of_hop = [word for word in hops[hop] if word not in inside]
    said: list[str] = []
    for word in range(min([*of_hop, *inside]), max([*of_hop, *inside]) + 1):
        if word in of_hop and parts[word].text not in "?.":
            said += [parts[word].text]
        elif word in inside and (not said or said[-1] != reached):
            said += [reached]
    if hop < len(hops) - 1:
        return f"Nothing says what {joined(said)} is."
    if not DO.isdisjoint(said):
        return f'Nothing answers "{joined(said)}?"'
    return f"Nothing says {turned(said, reached)}."


def turned(said: list[str], reached: str) -> str:
    """A question's words as of a question within a sentence: "Who is X" -> "who X is"."""
    words = [said[0] if said[0] == reached else said[0].lower(), *said[1:]]
    if len(words) > 2 and words[1] in BE and (len(words) == 3 or words[2] in ARTICLES or words[-2] == "'s"):
        return joined([words[0], *words[2:], words[1]])
    for at, word in enumerate(words[:-1]):
        if word in BE and words[at + 1] == reached:
            return joined([*words[:at], reached, word, *words[at + 2 :]])
    return joined(words)


def joined(said: Sequence[str]) -> str:
    """Words with blanks between them, but for 's."""
    return " ".join(said).replace(" 's", "'s").replace(" ’s", "’s")
