"""Memory networks that answer questions about a story."""

from pathlib import Path as _Path

__version__ = "0.1.0"

# An installed package holds memnet/tasks; in a checkout the folder tasks/ lies beside memnet/.
_folder = _Path(__file__).parent
if not (_folder / "tasks").is_dir() and (_folder.parent / "tasks" / "text.py").is_file():
    __path__.append(str(_folder.parent))
