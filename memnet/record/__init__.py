"""What is on record: files of measurements, and what made each number."""
