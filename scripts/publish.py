"""Put a network on the Hugging Face hub: ``python scripts/publish.py FOLDER OWNER/NAME`` (log in first: ``hf auth login``)."""

import sys

from httpx import HTTPError
from huggingface_hub.errors import HfHubHTTPError

from memnet import load
from memnet.errors import NetworkError

if len(sys.argv) != 3:
    sys.exit("expected: python scripts/publish.py FOLDER OWNER/NAME")
try:
    print(load(sys.argv[1]).push_to_hub(sys.argv[2]))
except (NetworkError, HfHubHTTPError, HTTPError, OSError, ValueError) as error:
    sys.exit(f"memnet: {error}")
