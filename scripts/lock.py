"""Write ``requirements.lock``: what the tests and the site need, every version with the hashes of its files on PyPI.

``python scripts/lock.py`` asks uv, under constraints.txt, for Linux on x86-64 and Python 3.11.7. Torch is left out, and with it
the libraries of its CUDA build: PyPI has no CPU build for Linux, so each machine gets its own.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
LOCK = ROOT / "requirements.lock"
NO_TORCH = "torch ; python_version < '3'\n"  # for no Python that memnet runs on
TORCH_NEEDS = "sympy\nnetworkx\n"
NOT_OF_PYPI = "certifi!=2026.10.19.post1\n"  # a mirror's own


def main() -> None:
    """Write the file, or end with what uv says."""
    with tempfile.TemporaryDirectory() as scratch:
        files = {"no-torch.txt": NO_TORCH, "needs.txt": TORCH_NEEDS, "not.txt": NOT_OF_PYPI}
        for name, text in files.items():
            (Path(scratch) / name).write_text(text, encoding="utf-8")
        no_torch, needs, not_of_pypi = (Path(scratch) / name for name in files)
        options = [
            "--python-version",
            "3.11.7",
            "--python-platform",
            "x86_64-manylinux_2_28",
            "--generate-hashes",
            "--no-annotate",
        ]
        limits = [
            "--overrides",
            no_torch,
            "-c",
            ROOT / "constraints.txt",
            "-c",
            not_of_pypi,
            "--default-index",
            "https://pypi.org/simple",
        ]
        given = [ROOT / "pyproject.toml", "--extra", "test", "--extra", "docs", needs]
        command = [sys.executable, "-m", "uv", "pip", "compile", "-q", "--no-header", *options, *limits, *given, "-o", LOCK]
        sys.exit(subprocess.run(list(map(str, command)), check=False).returncode)


if __name__ == "__main__":
    main()
