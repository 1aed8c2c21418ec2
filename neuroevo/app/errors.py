"""Errors of a config in one line, which names the wrong key and the nearest valid one."""

import difflib
from collections.abc import Iterable
from typing import Any

from omegaconf import errors as omega

from neuroevo.runtime.settings import ConfigError


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word that is most similar to `word`."""
    return difflib.get_close_matches(word, sorted(known), n=1, cutoff=0.0)[0]


def unknown_key(key: str, known: Iterable[str], group: str = "") -> str:
    """The line for a key that does not exist. `group`: the config group that it is in; empty for the top level."""
    prefix, known = f"{group}." if group else "", sorted(known)
    if not known:
        return f"there is no key {prefix}{key}; this {group} has no keys"
    return f"there is no key {prefix}{key}; the nearest valid one is {prefix}{nearest(key, known)}"


def choose(key: str, value: str, options: dict[str, Any]) -> Any:
    """options[value]. Raises a ConfigError that lists the options if `value` is none of them."""
    if value not in options:
        raise ConfigError(f"{key} must be one of {', '.join(options)}, not {value!r}")
    return options[value]


def one_line(error: omega.OmegaConfBaseException) -> str:
    """The first line of an OmegaConf error, after the full key that it is about."""
    what = str(error).splitlines()[0]
    return f"{error.full_key}: {what}" if error.full_key else what
