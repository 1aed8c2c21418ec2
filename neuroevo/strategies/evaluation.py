"""The vocabulary between strategies and tasks: the opponents a strategy asks for, and the results a task reports."""

from dataclasses import replace

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
    faulty: Bool[population], see `without_faults`; None before it
    """

    fitness: Leaf
    cases: Leaf
    present: Leaf
    wins: Leaf
    draws: Leaf
    truncated: Leaf
    plies: Leaf
    busy: Leaf
    faulty: Leaf = None


def without_faults(evaluation: Evaluation, faulty: jax.Array | None = None) -> Evaluation:
    """The evaluation with the fitness and all cases of faulty genomes −inf, and `faulty` saying which these are.

    A genome is faulty if a player of it made an output that is no finite number, which `faulty`, Bool[population], says
    as far as it is known; or if its fitness or one of its present cases is NaN or infinite. This is the one rule for
    all strategies: `Evolution.step` and `plain` apply it, so that a strategy is told finite fitness or −inf, and never
    has a faulty genome as its champion or as a parent while there is another. Further axes may lead.
    """
    finite = jnp.isfinite(evaluation.cases) | ~evaluation.present[..., None, :]
    wrong = ~jnp.isfinite(evaluation.fitness) | ~finite.all(-1)
    for known in (evaluation.faulty, faulty):
        wrong = wrong if known is None else wrong | known
    return replace(
        evaluation,
        fitness=jnp.where(wrong, -jnp.inf, evaluation.fitness),
        cases=jnp.where(wrong[..., None], -jnp.inf, evaluation.cases),
        faulty=wrong,
    )


def plain(fitness: jax.Array) -> Evaluation:
    """The evaluation of a function without games: fitness[population] is also its only case, all else is 0. What is no
    finite number is faulty, see `without_faults`.
    """
    zero = jnp.zeros_like(fitness)
    evaluation = Evaluation(
        fitness=fitness,
        cases=fitness[:, None],
        present=jnp.ones(1, bool),
        wins=zero,
        draws=zero,
        truncated=zero,
        plies=zero,
        busy=zero,
    )
    return without_faults(evaluation)
