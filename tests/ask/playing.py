"""The playground, made anew and served, and its page in a browser."""

import functools
import http.server
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

BUSY = 600  # seconds at most


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address of a folder's files, served from this machine."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@contextmanager
def playground(making: ModuleType, folder: Path) -> Iterator[str]:
    """The address of the page, made anew. It needs Node.js, and npm and PyPI or what they brought before."""
    if not shutil.which("npm"):
        pytest.skip("the playground is built with Node.js")
    sizes = making.make(folder / "play")
    assert making.loaded(sizes) <= making.MOST
    with serving(folder) as address:
        yield f"{address}/play/index.html"


class Page:
    """The playground in a browser."""

    def __init__(self, browser: Any, address: str) -> None:
        self.browser, self.address = browser, address
        browser.set_script_timeout(BUSY)
        browser.get(address)
        self.answered()

    def answered(self) -> None:
        from selenium.webdriver.support.ui import WebDriverWait

        script = "document.querySelector('#status').textContent.startsWith('Answered') && !document.querySelector('.stale')"
        WebDriverWait(self.browser, BUSY).until(lambda _: self.run(script))

    def run(self, script: str) -> Any:
        return self.browser.execute_script(f"return {script}")

    def said(self) -> str:
        return str(self.browser.find_element("css selector", "#answer .answer").text)

    def click(self, selector: str) -> None:
        self.run(f"document.querySelector({selector!r}).click()")
        self.answered()

    def ask(self, requests: list[dict[str, Any]]) -> list[Any]:
        script = (
            "const [requests, done] = arguments;"
            "import('./play.js').then(({ call }) => Promise.all(requests.map(call))).then(done, (error) => done(String(error)))"
        )
        return list(self.browser.execute_async_script(script, requests))
