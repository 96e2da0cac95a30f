"""Are simulated stories like the published ones? Tests, a classifier, and a reader who answers by replay."""
