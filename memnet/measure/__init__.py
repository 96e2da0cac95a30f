"""Measurements: what runs networks to find their speed, memory, growth and answers, and writes that on record."""
