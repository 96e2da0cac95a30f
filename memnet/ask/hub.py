"""Networks by name: folders, the package's own, and the Hugging Face hub."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from memnet.encode.saved import CARD, CONFIG, MODEL
from memnet.errors import NetworkError, extra_needed

NETWORKS = Path(__file__).parent / "networks"  # those of the package, a folder each, made by scripts/make_network.py
BUNDLED_NAME = "memnet"  # the one that answers where none is named
BUNDLED = NETWORKS / BUNDLED_NAME
COMPOSER = "composer"  # what config.json calls the model of memnet.composing
HUB_ID = re.compile(r"[\w.-]{1,96}/[\w.-]{1,96}")


def find_network(name: Path | str | None = None) -> Path:
    """The folder of a network: a run's, one of the package's by its name, or one fetched from the hub by its id.

    Without a name it is ``memnet``. A folder that holds a network is taken before one of the package of the same name, and what
    would lie in a folder that exists is not looked for on the hub. Raises :class:`~memnet.errors.NetworkError`.
    """
    if name is None:
        return BUNDLED
    check_name(name)
    folder = Path(name)
    if str(name) in packaged() and not (folder / CONFIG).exists():
        return NETWORKS / str(name)
    if isinstance(name, str) and folder.name == name and not folder.exists():
        raise NetworkError(
            f"{name} is no folder; expected one made by 'memnet train', or a network of the package: {', '.join(packaged())}"
        )
    if folder.exists() or isinstance(name, Path) or not HUB_ID.fullmatch(name) or folder.parent.is_dir():
        check_kind(folder)
        return folder
    return fetch(name)


def check_kind(folder: Path) -> None:
    """Raise :class:`~memnet.errors.NetworkError` for a composer of answers, which speaks in dialogs: it says how."""
    try:
        saved = json.loads((folder / CONFIG).read_bytes())
    except (OSError, ValueError, RecursionError):  # said by who opens it
        return
    if isinstance(saved, dict) and saved.get("model") == COMPOSER:
        raise NetworkError(
            f"{folder} composes what a bot says in a dialog, and answers no questions about a story: talk to it with "
            f"'memnet chat {folder}', measure it with 'memnet eval {folder}'"
        )


def packaged() -> list[str]:
    """The names of the networks in the package, the one that answers where none is named first."""
    return sorted(
        (folder.name for folder in NETWORKS.iterdir() if folder.is_dir()), key=lambda name: (name != BUNDLED_NAME, name)
    )


def check_name(name: object) -> None:
    """Raise :class:`~memnet.errors.NetworkError` for what cannot be the name of a network: it says what is expected."""
    if not isinstance(name, str | Path) or not str(name).strip():
        raise NetworkError(
            f"{name!r} names no network; expected the folder of a run such as 'runs/mine', the id of a network on the hub, "
            f"'owner/name', or one of the package: {', '.join(packaged())}"
        )


def fetch(identity: str, revision: str | None = None) -> Path:
    """The folder that holds the files of a network on the hub. Raises :class:`~memnet.errors.NetworkError`."""
    if not HUB_ID.fullmatch(identity):
        raise NetworkError(f"{identity!r} is neither a folder nor the id of a network on the hub, owner/name")
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, RepositoryNotFoundError
    except ModuleNotFoundError as error:
        raise NetworkError(extra_needed(f"{identity} is no folder; a network of the hub", "huggingface_hub", "hub")) from error
    try:
        return Path(
            snapshot_download(identity, revision=revision, allow_patterns=[CONFIG, MODEL, CARD], tqdm_class=files_bar())
        )
    except (RepositoryNotFoundError, HFValidationError) as error:
        raise NetworkError(f"{identity} is neither a folder nor a network on the hub") from error
    except (HfHubHTTPError, LocalEntryNotFoundError, OSError) as error:
        raise NetworkError(f"{identity} is no folder, and the hub cannot be reached for a network of that name") from error


def files_bar() -> Any:
    """Of the bars that the hub's client shows at the same time, the class of the one that counts files."""
    from tqdm import tqdm

    class FilesBar(tqdm):  # type: ignore[misc]
        def __init__(self, *args: Any, **options: Any) -> None:
            shown = str(options.get("desc", "")).startswith("Fetching")
            super().__init__(*args, **options | {"disable": None if shown else True, "leave": False})

    return FilesBar


def publish(
    folder: Path, identity: str, private: bool | None = None, token: str | None = None, branch: str | None = None
) -> str:
    """Put a network's folder on the hub as ``identity``, "owner/name", in one commit, whose address comes back.

    The repository is made where there is none. Without a ``token`` the one of ``hf auth login`` is used.
    """
    try:
        from huggingface_hub import HfApi
    except ModuleNotFoundError as error:
        raise NetworkError(extra_needed("publishing a network", "huggingface_hub", "hub")) from error
    api = HfApi(token=token)
    known = api.create_repo(repo_id=identity, private=private, exist_ok=True).repo_id
    return api.upload_folder(
        repo_id=known, repo_type="model", folder_path=folder, commit_message="A network of memnet", revision=branch
    )
