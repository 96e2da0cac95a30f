"""Networks by name: folders, the package's own, and the Hugging Face hub."""

from __future__ import annotations

import re
from pathlib import Path

from memnet.checkpoint import CARD, CONFIG, MODEL, NetworkError

OWN = Path(__file__).parent / "network"  # made by scripts/make_network.py
HUB_ID = re.compile(r"[\w.-]{1,96}/[\w.-]{1,96}")


def find_network(name: Path | str | None = None) -> Path:
    """The folder of a network: a run's, one fetched from the hub by its id, or, without a name, the package's own.

    A folder that exists is taken before an id of the same name. Raises :class:`~memnet.checkpoint.NetworkError`.
    """
    if name is None:
        return OWN
    folder = Path(name)
    if folder.exists() or isinstance(name, Path) or not HUB_ID.fullmatch(name):
        return folder
    return fetched(name)


def fetched(identity: str, revision: str | None = None) -> Path:
    """The folder that holds the files of a network on the hub. Raises :class:`~memnet.checkpoint.NetworkError`."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, RepositoryNotFoundError

    try:
        return Path(snapshot_download(identity, revision=revision, allow_patterns=[CONFIG, MODEL, CARD]))
    except (RepositoryNotFoundError, HFValidationError) as error:
        raise NetworkError(f"{identity} is neither a folder nor a network on the hub") from error
    except (HfHubHTTPError, LocalEntryNotFoundError, OSError) as error:
        raise NetworkError(f"{identity} is no folder, and the hub cannot be reached for a network of that name") from error
