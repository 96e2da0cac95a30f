"""Stories as numbers: vocabulary, examples, batches."""
