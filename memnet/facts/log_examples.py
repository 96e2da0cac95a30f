"""Lines of logs with their facts, and questions about logs: the half of forms and words that is there to learn from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from memnet.facts.examples import Sentence, Span, sentence
from memnet.tasks import movements
from memnet.tasks.text.tokens import split

LINES = 400  # of a log
ROLES = {"who": "who", "what": "what", "from": "source", "to": "to", "receiver": "receiver"}
ASKED = {  # kind of a log's question -> kind of question, of fact, the roles that it names
    "where": ("where", "", ("what",)),
    "person": ("where", "", ("what",)),
    "has": ("who has", "", ("what",)),
    "nobody has": ("who has", "", ("what",)),
    "before": ("where before", "", ("what", "to")),
    "when": ("when", "put", ("what", "to")),
    "mover": ("who did", "put", ("what",)),
    "had": ("had last", "", ("what",)),
    "often": ("how often", "put", ("what",)),
}
ACCOMPANIED = frozenset({"took", "taken", "take", "brought", "carried", "drove"})  # who does so goes along


def line_of(line: movements.Line) -> Sentence:
    """A line as a sentence with its facts."""
    words, kind = split(line.text), line.fact.kind
    roles: dict[str, Span] = {ROLES[role]: span for role, span in line.spans.items()}
    if kind == "none":
        return sentence(words, False, ())
    if kind == "at" and "what" not in roles:
        roles = {"what": roles["who"], **{role: span for role, span in roles.items() if role != "who"}}
    if kind == "drop" and "to" in roles:
        kind = "put"
    if kind == "move":
        kind = "carry" if "who" in roles and not ACCOMPANIED.isdisjoint(words) else "put"
    return sentence(words, False, [(kind, roles)])


def place_of(words: Sequence[str], name: str) -> Span | None:
    """Where a name stands among words."""
    wanted = split(name)
    for first in range(len(words) - len(wanted) + 1):
        if [*words[first : first + len(wanted)]] == wanted:
            return first, first + len(wanted)
    return None


def question_of(asked: movements.Question, names: Sequence[str]) -> Sentence | None:
    """A question about a log; ``names`` are those that it may speak of."""
    if asked.kind not in ASKED:
        return None
    kind, deed, roles = ASKED[asked.kind]
    words = split(asked.text)
    places = sorted({span for name in names if (span := place_of(words, name)) is not None}, key=lambda span: span[0] - span[1])
    found: list[Span] = []
    for span in places:  # the longest first
        if all(span[1] <= first or last <= span[0] for first, last in found):
            found.append(span)
    if len(found) != len(roles):
        return None
    ordered = sorted(found, reverse=words[0].lower() == "before" and len(found) == 2)
    return sentence(words, True, [(kind, dict(zip(roles, ordered, strict=True))), *([(deed, {})] if deed else [])])


def of_logs(seed: int) -> Iterator[Sentence]:
    """Lines and questions without end, the same for the same seed."""
    random = Random(f"logs {seed}")
    while True:
        log = movements.draw(random, LINES, half="train", dates=random.random() < 0.8, number=20)
        yield from map(line_of, log.lines)
        names = [one.name for part in (log.cast.people, log.cast.things, log.cast.places) for one in part]
        for asked in log.questions:
            if (found := question_of(asked, names)) is not None:
                yield found
