"""How long files and functions are, what variables are called, and who may import whom."""

import ast
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from memnet.record.provenance import LEARNING, files_of
from tests.test_core_rules import ROOT, python_files

LONGEST = 350  # lines of a file
LONGEST_FUNCTION = 60
EVERYTHING = ("memnet", "tasks", "scripts", "tests")
PARSE = ("tasks/text/__init__.py", "parse")  # of the code whose hash stands in every recorded row
NO_NAMES = {"of", "its", "own", "theirs"}  # a reader does not learn from these what a variable holds


class Source(NamedTuple):
    """What the rules here are about, of a file."""

    lines: int
    functions: dict[str, int]  # their lines
    variables: set[str]  # parameters too
    imports: list[ast.Import | ast.ImportFrom]  # within functions too
    calls: list[ast.Call]  # those of :func:`about_configs_or_networks`


@cache
def source(path: Path) -> Source:
    text = path.read_text(encoding="utf-8")
    found = Source(len(text.splitlines()), {}, set(), [], [])
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.functions[node.name] = max(found.functions.get(node.name, 0), (node.end_lineno or 0) - node.lineno + 1)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found.imports.append(node)
        elif isinstance(node, ast.arg):
            found.variables.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.variables.add(node.id)
        elif isinstance(node, ast.Call) and about_configs_or_networks(node):
            found.calls.append(node)
    return found


def test_no_file_and_no_function_is_long():
    found = {path.relative_to(ROOT).as_posix(): source(path) for path in python_files(*EVERYTHING)}
    assert len(found) > 400
    assert {name: one.lines for name, one in found.items() if one.lines > LONGEST} == {}
    functions = {(name, function): lines for name, one in found.items() for function, lines in one.functions.items()}
    assert {key for key, lines in functions.items() if lines > LONGEST_FUNCTION} <= {PARSE}


def test_variables_have_names_that_say_what_they_hold():
    """But in the code whose hash stands in every recorded row."""
    hashed = {path.resolve() for path in files_of(LEARNING)}
    free = [path for path in python_files(*EVERYTHING) if path.resolve() not in hashed]
    assert {path: named for path in free if (named := source(path).variables & NO_NAMES)} == {}


def test_tasks_stand_alone(tmp_path: Path):
    """A copy of tasks/ elsewhere is imported, every module of it, without memnet and without torch."""
    shutil.copytree(ROOT / "tasks", tmp_path / "tasks", ignore=shutil.ignore_patterns("__pycache__"))
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in python_files("tasks")]
    lazy = "tasks.families.dataset"  # for the library datasets, which brings torch where that is installed
    assert lazy in names
    assert len(names) > 25
    code = (
        f"import sys; sys.path[:] = [{str(tmp_path)!r}, *(p for p in sys.path if p and p != {str(ROOT)!r})]\n"
        "sys.modules['memnet'] = None\n"  # an import of it fails
        f"import {', '.join(name for name in names if name != lazy)}\n"
        "assert 'torch' not in sys.modules, 'torch'\n"
        f"assert tasks.__file__.startswith({str(tmp_path)!r}), tasks.__file__\n"
        f"import {lazy}\n"
        "assert tasks.find(['sim/qa1'])[0].train\n"
    )
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr


def test_tasks_name_neither_torch_nor_memnet():
    for path in python_files("tasks"):
        for node in source(path).imports:
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            assert not {name.partition(".")[0] for name in names} & {"torch", "memnet"}, path


def about_configs_or_networks(call: ast.Call) -> bool:
    """``getattr(config, ...)``, ``hasattr(config, ...)`` or ``isinstance(net, ...)``, however config and net are reached."""
    name = getattr(call.func, "id", "")
    if name not in ("getattr", "hasattr", "isinstance") or not call.args:
        return False
    first = call.args[0]
    last = first.attr if isinstance(first, ast.Attribute) else getattr(first, "id", "")
    if name == "isinstance":
        return last in ("net", "network", "networks", "model", "config")
    variable = len(call.args) < 2 or not isinstance(call.args[1], ast.Constant)
    return last == "config" and not (name == "getattr" and variable)  # going through all fields is no question about one


def test_configurations_and_networks_are_not_asked_what_they_are():
    for path in python_files("memnet"):
        relative = path.relative_to(ROOT / "memnet").as_posix()
        if relative.startswith("models/"):
            continue
        for node in source(path).calls:
            raise AssertionError(f"{relative}:{node.lineno}: {ast.unparse(node)}")


@pytest.mark.parametrize(
    ("source", "refused"),
    [
        ("getattr(config, 'heads', 1)", True),
        ("hasattr(self.config, 'heads')", True),
        ("isinstance(self.net, MemN2N)", True),
        ("isinstance(value, str)", False),
        ("getattr(config, field.name)", False),
    ],
)
def test_the_check_knows_a_question_about_a_configuration(source: str, refused: bool):
    call = ast.parse(source, mode="eval").body
    assert isinstance(call, ast.Call)
    assert about_configs_or_networks(call) == refused


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    parts = ("memnet", *parts) if parts[0] == "tasks" else parts
    return ".".join(parts).removesuffix(".__init__")


@cache
def module_graph() -> dict[str, set[str]]:
    """Every module with those that it imports, in its functions and for types alone too."""
    paths = {module_name(path): path for path in python_files("memnet", "tasks")}
    graph: dict[str, set[str]] = {}
    for name, path in paths.items():
        wanted = set[str]()
        for node in source(path).imports:
            if isinstance(node, ast.Import):
                wanted |= {alias.name for alias in node.names}
                continue
            package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(part for part in (base, node.module or "") if part)
            inner = {f"{module}.{alias.name}" for alias in node.names} & paths.keys()
            wanted |= inner if len(inner) == len(node.names) else inner | {module}
        graph[name] = (wanted & paths.keys()) - {name}
    return graph


def cycle(graph: dict[str, set[str]]) -> list[str]:
    """Names that lead back to the first, or none."""
    done = set[str]()

    def visit(name: str, way: list[str]) -> list[str]:
        if name in way:
            return [*way[way.index(name) :], name]
        if name in done:
            return []
        for other in sorted(graph[name]):
            if ring := visit(other, [*way, name]):
                return ring
        done.add(name)
        return []

    return next((ring for name in sorted(graph) if (ring := visit(name, []))), [])


def test_no_module_leads_back_to_itself():
    graph = module_graph()
    assert len(graph) > 100
    assert "memnet.attention.attend" in graph["memnet.models.memn2n"] | graph["memnet.attention"]
    assert cycle(graph) == []


FLOORS = [  # from the ground up; what measures and reports runs what people run, the server included
    {"tasks"},
    {"version", "errors", "files", "locks", "config", "markdown", "figures", "packing"},
    {"attention", "nn", "data", "encode"},
    {"infer"},
    {"models", "reading"},
    {"papers", "plugins"},
    {"record"},
    {"training"},
    {"facts", "composing"},
    {"ask"},
    {"memory"},
    {"show"},
    {"serve", "prompt"},
    {"measure"},
    {"reports"},
    {"api", ""},  # the package itself: load, train and Memory
    {"cli"},
    {"__main__"},
]


def test_imports_go_down():
    """From each package to those on floors below, or beside it; no two beside each other need each other."""
    floor = {name: number for number, names in enumerate(FLOORS) for name in names}
    packages: dict[str, set[str]] = {}
    for name, wanted in module_graph().items():
        package, *others = [other.partition(".")[2].partition(".")[0] for other in (name, *sorted(wanted))]
        packages.setdefault(package, set()).update({*others} - {package})
    up = [(name, other) for name, wanted in packages.items() for other in wanted if floor[other] > floor[name]]
    assert up == []
    assert cycle({name: wanted & packages.keys() for name, wanted in packages.items()}) == []


def test_a_cycle_is_found():
    assert cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert cycle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []
