"""The documentation site in a browser, on a phone: nothing is cut off, and the letters of charts keep their size."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.ask.playing import serving

ROOT = Path(__file__).parents[2]
WIDTH = 390
CUT_OFF = """[...document.querySelectorAll('.md-content *')].filter(each => {
  if (each.getBoundingClientRect().right <= innerWidth + 1) return false;
  for (let one = each; one !== document.body; one = one.parentElement)
    if (getComputedStyle(one).overflowX !== 'visible') return false;
  return true;
}).map(each => each.textContent.slice(0, 60))"""
SHRUNK = """[...document.querySelectorAll('.md-content img[src$=".svg"]')]
  .filter(each => each.getBoundingClientRect().width < 0.9 * each.naturalWidth).map(each => each.src)"""


@pytest.mark.slow
def test_every_page_fits_a_phone(browser: Any, tmp_path: Path):
    pytest.importorskip("mkdocs", reason="the site needs the extra docs: pip install '.[docs]'")
    subprocess.run([sys.executable, "-m", "mkdocs", "build", "-q", "-d", tmp_path / "site"], cwd=ROOT, check=True)
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": WIDTH, "height": 900, "deviceScaleFactor": 1, "mobile": True}
    )
    pages = [path for path in sorted((tmp_path / "site").rglob("index.html")) if "play" not in path.parts]
    assert len(pages) > 50
    found = {}
    with serving(tmp_path / "site") as address:
        for page in pages:
            name = page.relative_to(tmp_path / "site").as_posix()
            browser.get(f"{address}/{name}")
            wide, cut, shrunk = browser.execute_script(f"return [document.documentElement.scrollWidth, {CUT_OFF}, {SHRUNK}]")
            if wide > WIDTH or cut or shrunk:
                found[name] = (wide, cut, shrunk)
    assert found == {}
