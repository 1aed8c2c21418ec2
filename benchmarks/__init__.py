"""Games per second, of ours and of peers in the same call. `python -m benchmarks --help`."""
