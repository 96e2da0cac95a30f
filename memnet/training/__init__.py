"""From a spec to trained networks, one at a time or thousands."""
