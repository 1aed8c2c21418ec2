"""What must hold of shapes and dtypes in any game."""

from typing import Any

import jax
import jax.numpy as jnp

from jaxgames.core import Rules, State

TOLERANCE = 1e-5  # of floats; all else must agree exactly


def check_closed(game: Rules, step: str, before: State, after: State) -> None:
    """Raises AssertionError unless two states have the same structure, shapes and dtypes. `step`: what leads from one
    to the other.
    """
    described, behind = _described(before), _described(after)
    for name in sorted(described.keys() | behind.keys()):
        old, new = described.get(name, "missing"), behind.get(name, "missing")
        require(game, old == new, f"the state is not closed under {step}: state{name} is {old} before and {new} after")
    same = jax.tree.structure(before) == jax.tree.structure(after)
    require(game, same, f"the state is not closed under {step}: its structure changes")


def check_type(game: Rules, name: str, value: Any, shape: tuple[int, ...], kind: Any) -> None:
    """Raises AssertionError unless `value` has this shape and a dtype of this kind, such as jnp.integer."""
    fine = value.shape == shape and jnp.issubdtype(value.dtype, kind)
    require(game, fine, f"{name} is {_type_name(value)} instead of {kind.__name__.rstrip('_')}{list(shape)}")


def require(game: Rules, fine: bool, sentence: str) -> None:
    """Raises AssertionError unless it is fine."""
    if not fine:
        raise AssertionError(f"{game}: {sentence}")


def _described(tree: Any) -> dict[str, str]:
    leaves, _ = jax.tree_util.tree_flatten_with_path(tree)
    return {jax.tree_util.keystr(path): _type_name(leaf) for path, leaf in leaves}


def _type_name(value: Any) -> str:
    return f"{value.dtype}{list(value.shape)}"
