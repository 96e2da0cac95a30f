"""Building blocks of R networks at once: parameters and random numbers with a leading replica dimension."""
