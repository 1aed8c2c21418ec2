"""The vocabulary between strategies and tasks: whom genomes are to meet, and what came of it."""

import flax.struct
import jax
import jax.numpy as jnp

from jaxgames.core import Leaf


@flax.struct.dataclass
class Opponents:
    """Genomes that a strategy wants its population to meet; a task with an opponent of its own ignores them."""

    genomes: Leaf  # Float[opponents genes]
    present: Leaf  # Bool[opponents], False where there is no such opponent yet: its games count for nothing


@flax.struct.dataclass
class Evaluation:
    """What the games of a population say. A *case* is what a strategy may tell apart in a genome's performance: one
    opponent, one seat, one board size. Of a case only the order of the genomes counts, and whether it is above 0.
    """

    fitness: Leaf  # Float[population], mean score
    cases: Leaf  # Float[population cases], more is better
    counted: Leaf  # Bool[cases], False for the case of an opponent that is not present
    wins: Leaf  # Float[population], share of games won
    draws: Leaf  # Float[population]
    plies: Leaf  # Float[population], mean length of a game
    busy: Leaf  # Float[population], share of lane-moves that were played


def plain(fitness: jax.Array) -> Evaluation:
    """An evaluation that knows nothing but the fitness[population], which is its only case."""
    nothing = jnp.zeros_like(fitness)
    return Evaluation(fitness, fitness[:, None], jnp.ones(1, bool), nothing, nothing, nothing, nothing)
