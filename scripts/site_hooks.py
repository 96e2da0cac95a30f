"""What the documentation site has besides the pages of ``docs``: notebooks, linked files of the repository, formulas, pictures.

MkDocs calls these functions (``hooks`` in ``mkdocs.yml``). Nothing is fetched: formulas become MathML, which browsers
draw themselves.
"""

from __future__ import annotations

import html
import json
import os
import re
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
LINK = re.compile(r"(?<=\]\()([^)\s#]+)(#[^)\s]*)?(?=\))")
FORMULA = re.compile(r'<(span|div) class="arithmatex">\\[(\[](.*?)\\[)\]]</\1>', re.DOTALL)
ROLE = re.compile(r":(?:class|func|meth|mod|data|attr):<code>~?(?:[\w.]*\.)?(\w+)</code>")
PICTURE = re.compile(r'<p>(<img alt="([^"]*)" src="((?!data:)[^"]+)"\s*/?>)</p>')
RENAMED = {"README.md": "readme-page.md", "tasks/README.md": "data-card.md"}  # a file of the repository -> its page


def place(path: Path) -> str:
    """Where a file of the repository stands in the site: pages of ``docs`` at its root, all else under its own path."""
    if path.is_relative_to(DOCS):
        inside = path.relative_to(DOCS)
        return (inside.with_suffix(".md") if path.suffix == ".ipynb" else inside).as_posix()
    inside = path.relative_to(ROOT).as_posix()
    card = re.fullmatch(r"memnet/ask/(?:networks/([\w-]+)|reader)/README\.md", inside)
    return f"networks/{card[1] or 'reader'}.md" if card else RENAMED.get(inside, inside)


def targets(text: str, folder: Path) -> list[Path]:
    """The files of the repository that a page links."""
    found = [Path(os.path.normpath(folder / match[0].partition("#")[0])) for match in LINK.finditer(text)]
    return [path for path in found if path.is_relative_to(ROOT) and path.exists()]


def notebook(path: Path) -> str:
    """A notebook as a page: its text, its code, and what the code showed."""
    parts = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        parts += [shown(output) for output in cell.get("outputs", [])]
    return "\n\n".join(parts) + "\n"


def shown(output: dict[str, Any]) -> str:
    """An output of a notebook's cell, in the richest form that it has."""
    data = output.get("data", {"text/plain": output.get("text", "")})
    for kind in ("text/html", "image/svg+xml"):
        if kind in data:
            return f'<div class="output">{"".join(data[kind])}</div>'
    if "image/png" in data:
        return f'<img alt="" src="data:image/png;base64,{"".join(data["image/png"]).strip()}">'
    return f"```text\n{''.join(data['text/plain']).rstrip()}\n```"


def on_config(config: Any) -> Any:
    """Notebooks stand among the first pages."""
    found = sorted(DOCS.glob("*.ipynb"))
    next(iter(config["nav"][0].values())).extend({"Notebook": place(path)} for path in found)
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add notebooks as pages, what the pages link outside ``docs``, and what these link in turn; of a folder all its files."""
    for path in sorted(DOCS.glob("*.ipynb")):
        files.append(File.generated(config, place(path), content=notebook(path)))
    todo = [DOCS / file.src_uri for file in files.documentation_pages() if file.generated_by is None]
    seen = set(todo)
    while todo:
        page = todo.pop()
        for path in targets(page.read_text(encoding="utf-8"), page.parent):
            for file in sorted(path.iterdir()) if path.is_dir() else [path]:
                if file in seen or file.is_relative_to(DOCS):
                    continue
                seen.add(file)
                files.append(File.generated(config, place(file), abs_src_path=str(file)))
                todo += [file] if file.suffix == ".md" else []
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links as the site has them: a page of the repository links files beside it, the site has them elsewhere."""
    source = Path(page.file.abs_src_path or DOCS / page.file.src_uri)

    def linked(match: re.Match[str]) -> str:
        if not (found := targets(f"]({match[0]})", source.parent)):
            return match[0]
        target = Path(place(found[0] / sorted(found[0].iterdir())[0].name if found[0].is_dir() else found[0]))
        return os.path.relpath(target, Path(page.file.src_uri).parent) + (match[2] or "")

    return LINK.sub(linked, markdown)


def framed(match: re.Match[str]) -> str:
    """A chart that keeps its size on a phone and is moved sideways there; of a screen a link to the picture in full size."""
    picture, alt, source = match.groups()
    if source.endswith(".svg"):
        return f'<div class="chart" role="group" tabindex="0" aria-label="{alt}">{picture}</div>'
    return f'<p><a class="screen" href="{source}" title="Open the picture in full size">{picture}</a></p>'


def on_page_content(content: str, **_: Any) -> str:
    """Formulas as MathML, references of docstrings without their marks, and pictures that can be read on a phone."""

    def formula(match: re.Match[str]) -> str:
        return convert(html.unescape(match[2]).strip(), display="block" if match[1] == "div" else "inline")

    return PICTURE.sub(framed, ROLE.sub(r"<code>\1</code>", FORMULA.sub(formula, content)))
