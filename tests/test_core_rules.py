"""Rules of the house: every trace is the core's, and no model addresses its memory by itself."""

import ast
import dataclasses
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from memnet.attention import Trace
from memnet.attention.attend import Memory
from memnet.config import Training
from memnet.encode.batch import Batch, batches
from memnet.encode.examples import Examples
from memnet.models import MODELS, Network, Output
from memnet.models.memn2n import MemN2NConfig
from memnet.nn.random import Random
from tests.core_uses import ALLOWED
from tests.test_memn2n import network

ROOT = Path(__file__).parent.parent

# Every trace is the core's


TINY: dict[str, Any] = {"dim": 8, "hidden": 8, "heads": 2, "align": "softmax", "dropout": 0.0}  # what a configuration has of it
MORE: dict[str, tuple[str, dict[str, Any]]] = {  # kinds of reading that the default settings leave out
    "transformer of words": ("transformer", {"elements": "words"}),
    "transformer, plain": ("transformer", {"universal": False, "layers": 2}),
    "dmn of 2016": ("dmn", {"input": "words", "features": "kumar", "align": "sigmoid", "read": "gated_gru", "update": "gru"}),
    "dmn that may stop": ("dmn", {"stop": True}),
    "memnn that may stop": ("memnn", {"adaptive": True}),
    "memnn, hard": ("memnn", {"align": "hard", "samples": 2, "time": "age"}),
    "memn2n, word by word": ("memn2n", {"decoder": "words"}),
    "memn2n, pooled": ("memn2n", {"encoding": "self_attention", "attention_rows": 2}),
    "lstm, one class": ("lstm", {"decoder": "class"}),
}


def tiny(kind: type[Network], changed: dict[str, Any]) -> Training:
    names = {field.name for field in dataclasses.fields(kind.Config)}
    pairs = {"align": "tournament"} if "pairs" in str(vars(kind.Config()).get("time")) else {}
    settings = {**{name: value for name, value in TINY.items() if name in names}, **pairs, **changed}
    return dataclasses.replace(kind.Config(), **settings)


READERS = {name: tiny(kind, {}) for name, kind in MODELS.items() if not kind.Config.fitted}
READERS |= {name: tiny(MODELS[kind], changed) for name, (kind, changed) in MORE.items()}


def only_the_oldest(
    self: Memory, query: Tensor, mask: Tensor | None = None, null: Tensor | None = None, *_: Any, **__: Any
) -> Trace:
    """In place of :meth:`Memory.ask`: whatever is asked, the first memory is read and nothing else."""
    logits = torch.full_like(self.score(query), float("-inf"))
    logits[..., 0] = 0.0
    weights = logits.exp()
    return Trace(self.read(weights), weights, logits, None, None if null is None else torch.zeros_like(weights[..., 0]))


def check_traces(net: Network, batch: Batch, codes: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail where a trace of the network says that anything but the oldest statement was read, though nothing else was."""
    asked = list[Memory]()

    def recorded(self: Memory, *args: Any, **options: Any) -> Trace:
        asked.append(self)
        return only_the_oldest(self, *args, **options)

    with monkeypatch.context() as patched, torch.no_grad():
        patched.setattr(Memory, "ask", recorded)
        traces = net(batch, codes).traces
    assert traces, "a network that reads gives a trace a hop"
    assert len(asked) >= len(traces), "fewer questions were put to the core than traces are shown"
    for trace in traces:
        assert trace.weights.shape[:2] == batch.mask.shape[:2], "of every question"
        torch.testing.assert_close(trace.weights[..., 0], torch.ones_like(trace.weights[..., 0]))
        assert bool((trace.weights[..., 1:] == 0).all()), "the trace was not made by the core"
        assert bool((trace.logits[..., 1:] == float("-inf")).all()), "the logits are not the core's"
        assert bool(trace.logits[..., 0].isfinite().all())


def asked_alike(net: Network, data: Examples) -> tuple[Batch, Any]:
    """Questions about four statements each, so that no story is padded."""
    index = (data.count == 4).nonzero().flatten()[:5]
    return next(batches(data, index.expand(1, net.replicas, -1), net.sizes.ages)), net.encode_data(data)


@pytest.mark.parametrize("name", READERS)
def test_every_trace_is_made_by_the_core(name: str, monkeypatch: pytest.MonkeyPatch):
    net, data, _ = network(READERS[name], 2)
    check_traces(net, *asked_alike(net, data), monkeypatch)


class OwnSoftmax(Network):
    """A network that is not allowed: it addresses its memory by itself, and asks the core for show."""

    Config = MemN2NConfig

    def __init__(self, inner: Network, honest: bool) -> None:
        super().__init__(inner.config, inner.sizes, Random(0, 1))
        self.inner, self.honest = inner, honest

    def encode_data(self, data: Examples) -> Any:
        return self.inner.encode_data(data)

    def forward(self, batch: Batch, codes: Any, *args: Any, **options: Any) -> Output:
        output = self.inner(batch, codes, *args, **options)
        if self.honest:
            return output
        logits = torch.randn(*batch.mask.shape[:2], 1, batch.mask.shape[2]).masked_fill(~batch.mask.unsqueeze(2), float("-inf"))
        return output._replace(traces=[Trace(trace.output, logits.softmax(-1), logits) for trace in output.traces])


def test_a_network_with_a_softmax_of_its_own_is_found_out(monkeypatch: pytest.MonkeyPatch):
    inner, data, _ = network(READERS["memn2n"], 1)
    check_traces(OwnSoftmax(inner, honest=True), *asked_alike(inner, data), monkeypatch)
    with pytest.raises(AssertionError):
        check_traces(OwnSoftmax(inner, honest=False), *asked_alike(inner, data), monkeypatch)


def test_every_kind_of_network_is_asked_for_its_traces():
    assert {type(config) for config in READERS.values()} == {kind.Config for kind in MODELS.values() if not kind.Config.fitted}
    assert {kind for kind in MODELS if MODELS[kind].Config.fitted} == {"baseline"}, "what is fitted reads nothing"


# No file but those of the core addresses a memory


NEVER, LARGEST = "-inf", "max(dim)"  # names for what is written in several ways
ADDRESSING = {
    *("softmax", "log_softmax", "softmin", "gumbel_softmax", "sparsemax", "scaled_dot_product_attention"),
    *("exp", "exp_", "exp2", "expm1", "logsumexp"),  # a softmax in two steps
    *("argmax", "argmin", "topk", "sort", "argsort", "msort", "kthvalue", "amax", "cummax", LARGEST, "multinomial"),
    *("masked_fill", "masked_fill_", NEVER),
}
CORE = ("attention", "nn", "infer/attention.py")  # folders, and the core in numpy


def python_files(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def never(node: ast.AST) -> bool:
    """Whether this is minus infinity, or a number that stands for it in a mask, however it is written."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        operand = node.operand
        large = isinstance(operand, ast.Constant) and isinstance(operand.value, int | float) and operand.value >= 10_000
        return large or name_of(operand) == "inf" or (isinstance(operand, ast.Call) and endless(operand, "inf", "infinity"))
    return name_of(node) in ("NEVER", "lowest_finite", "finfo") or (
        isinstance(node, ast.Call) and endless(node, "-inf", "-infinity")
    )


def endless(call: ast.Call, *names: str) -> bool:
    """``float("-inf")``, of one of these names."""
    given = call.args[0] if name_of(call.func) == "float" and call.args else None
    return isinstance(given, ast.Constant) and str(given.value).lower() in names


def name_of(node: ast.AST) -> str:
    """The last name of ``a``, ``x.a`` or ``x.y.a``."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def called(call: ast.Call) -> str:
    """What is called; of ``x.max(-1)`` and ``torch.max(x, dim=2)``, which say where the largest is: ``max(dim)``."""
    name = name_of(call.func)
    if name in ("max", "min") and isinstance(call.func, ast.Attribute):
        of_module = name_of(call.func.value) == "torch"
        if len(call.args) > of_module or any(option.arg == "dim" for option in call.keywords):
            return LARGEST
    return name


def uses(tree: ast.AST, inside: str = "") -> Iterator[tuple[str, str]]:
    """Every call, and every minus infinity, with the function that it stands in, such as ``Network.objective``."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Call):
            yield called(node), inside
        if never(node):
            yield NEVER, inside
        named = isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef)
        yield from uses(node, f"{inside}.{node.name}".lstrip(".") if named else inside)  # type: ignore[attr-defined]


def found(wanted: set[str]) -> set[tuple[str, str]]:
    """Where one of these is used in memnet, but for the core and what it stands on."""
    places = set()
    for path in python_files("memnet"):
        relative = path.relative_to(ROOT / "memnet")
        if not {relative.parts[0], relative.as_posix()} & {*CORE}:
            places |= {(relative.as_posix(), inside) for name, inside in uses_of(path) if name in wanted}
    return places


@cache
def uses_of(path: Path) -> frozenset[tuple[str, str]]:
    """The uses of a file, read once for all rules."""
    return frozenset(uses(ast.parse(path.read_text(encoding="utf-8"))))


def test_no_file_outside_the_core_addresses_a_memory():
    assert found(ADDRESSING) == set(ALLOWED), "name what is new with its reason; strike out what is gone"


def test_a_trace_is_made_in_the_core_alone():
    assert found({"Trace"}) == set()


def test_the_check_finds_calls_of_every_form():
    source = (
        "class A:\n def f(self):\n  return F.softmax(x)\ndef g():\n def h():\n  return softmax(x) + x.y.argmax(-1)\n Trace(1)\n"
    )
    assert set(uses(ast.parse(source))) == {("softmax", "A.f"), ("softmax", "g.h"), ("argmax", "g.h"), ("Trace", "g")}


@pytest.mark.parametrize(
    ("code", "use"),
    [
        ("(x - x.amax(-1, keepdim=True)).exp() / total", {"exp", "amax"}),
        ("torch.where(mask, x, float('-inf'))", {NEVER}),
        ("x.where(mask, -math.inf)", {NEVER}),
        ("x + torch.full_like(x, -torch.inf) * empty", {NEVER}),
        ("x - mask * -float('Infinity')", {NEVER}),
        ("x.where(mask, NEVER)", {NEVER}),
        ("x.where(mask, torch.finfo(x.dtype).min)", {NEVER}),
        ("x + (1 - mask) * -1e9", {NEVER}),
        ("x.sort(-1, descending=True).indices[..., 0]", {"sort"}),
        ("x.max(-1).indices", {LARGEST}),
        ("x.max(dim=2)[1]", {LARGEST}),
        ("torch.max(x, 1)", {LARGEST}),
        ("(-x).min(-1)", {LARGEST}),
        ("x.max() + max(1, y) + torch.max(x) + -9999 * min(a, b) + math.inf + float('inf')", set()),
    ],
)
def test_the_check_finds_addresses_that_have_no_name(code: str, use: set[str]):
    assert {name for name, _ in uses(ast.parse(code))} & ADDRESSING == use


# Structure
