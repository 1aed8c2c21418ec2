"""The command line: from a config to a run."""
