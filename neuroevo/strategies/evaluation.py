"""The vocabulary between strategies and tasks: the opponents a strategy asks for, and the results a task reports."""

import flax.struct
import jax
import jax.numpy as jnp

from jaxgames.core import Leaf


@flax.struct.dataclass
class Opponents:
    """Genomes that a strategy wants its population to meet. A task with opponents of its own ignores them.

    genomes: Float[opponents genes]
    present: Bool[opponents], False for a free place of the hall of fame: games against it count for nothing
    """

    genomes: Leaf
    present: Leaf


@flax.struct.dataclass
class Evaluation:
    """The results of one generation's games.

    `cases[:, k]` scores every genome on test k: an opponent, a seat, a board size. Strategies may use the order within
    a case and whether a score is above 0, not its scale.

    fitness: Float[population], to be maximised; the task says of what it is the mean
    cases: Float[population cases], more is better
    present: Bool[cases], False for the case of an opponent that is not present
    wins: Float[population], share of games won
    draws: Float[population], share of games that ended in a draw by the rules
    truncated: Float[population], share of games that the ply cap stopped
    plies: Float[population], mean length of a game
    busy: Float[population], share of the arena's steps in which a lane had a game to play
    """

    fitness: Leaf
    cases: Leaf
    present: Leaf
    wins: Leaf
    draws: Leaf
    truncated: Leaf
    plies: Leaf
    busy: Leaf


def plain(fitness: jax.Array) -> Evaluation:
    """The evaluation of a function without games: fitness[population] is also its only case, all else is 0."""
    zero = jnp.zeros_like(fitness)
    return Evaluation(
        fitness=fitness,
        cases=fitness[:, None],
        present=jnp.ones(1, bool),
        wins=zero,
        draws=zero,
        truncated=zero,
        plies=zero,
        busy=zero,
    )
