"""Which players are alike: those that share one computation, and those that are stacked and computed as a batch."""

import inspect
from collections.abc import Hashable, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import jax
import jax.numpy as jnp

from jaxgames.xla import structure

NOT_COMPARED = "reset", "replace"  # `replace`: flax gives every class one of its own


def answer_alike(one: Any, other: Any) -> bool:
    """Whether two players, values or evaluations answer the same questions alike: one computation serves both.

    They do if they are the same object, or if they have no leaves, equal fields and the same methods. Their classes
    may differ, in two ways: in `reset`, and in class attributes that `reset` alone reads. Two such players differ in
    what they remember from the start of a game and in nothing else, as `Simple` and `Better` do. A subclass that
    overrides another method, or a property, is another player.
    """
    if one is other or jax.tree.leaves((one, other)):
        return one is other
    return _fields(one) == _fields(other) and _methods(type(one)) == _methods(type(other))


def _fields(instance: Any) -> dict[str, Any]:
    if is_dataclass(instance):
        return {field.name: getattr(instance, field.name) for field in fields(instance)}
    return vars(instance)


def _methods(kind: type) -> dict[str, Any]:
    """The functions and properties of a class by name, inherited ones too, but for `reset` and special ones."""
    names = [name for name in dir(kind) if not name.startswith("__") and name not in NOT_COMPARED]
    found = {name: inspect.getattr_static(kind, name) for name in names}
    return {name: x for name, x in found.items() if inspect.isroutine(x) or isinstance(x, property)}


def stackable(players: Sequence) -> list[list[int]]:
    """The indices of the players in groups, in order of their first members. Those of a group have the same classes,
    static fields and shapes of leaves, so that their leaves can be stacked.
    """
    groups: dict[Hashable, list[int]] = {}
    for number, player in enumerate(players):
        groups.setdefault((structure(player), *map(jnp.shape, jax.tree.leaves(player))), []).append(number)
    return list(groups.values())
