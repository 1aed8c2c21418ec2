"""The recorded games from which networks learn in Muijrers' experiments."""

from neuroevo.runtime.settings import ConfigError
from neuroevo.td.sources import Loaded, Source


def loaded_games(source: Source, seed: int) -> Loaded:
    """The games of a source. Raises ConfigError without games, or for a wrong record that the source must not skip."""
    try:
        return source.load(seed)
    except ValueError as error:  # RecordError is one
        raise ConfigError(f"data: {error}") from error
