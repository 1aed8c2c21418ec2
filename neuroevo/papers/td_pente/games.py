"""The games on record that Muijrers' experiments learn."""

from neuroevo.runtime.settings import ConfigError
from neuroevo.td.sources import Loaded, Source


def loaded_games(source: Source, seed: int) -> Loaded:
    """The games of a source. Raises ConfigError where there are none, and for a wrong one that must not be left out."""
    try:
        return source.load(seed)
    except ValueError as error:  # RecordError is one
        raise ConfigError(f"data: {error}") from error
