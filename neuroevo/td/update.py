"""Offline TD(λ): a network learns from whole games to tell their results beforehand (Muijrers 2011, sections 3.3–3.5).

An *episode* is a game as one side sees it: the features of the position after each ply, and its outcome z for that
side. When the game is over, desired values D are computed backwards from it,

    D(T) = z,    D(t) = λ D(t+1) + α (1 − λ) (γ V(t+1) − V(t)),

and every weight changes by α Σ E(t) ∂V(t)/∂w with E = D − V, summed over the positions of the game. The paper's formula
for D is lost; this reading gives its printed errors. The total error is Σ E²: printed with a factor ½, which the table
does not have.
"""

from dataclasses import replace
from functools import partial
from typing import Any

import flax.struct
import jax
import jax.numpy as jnp
import optax
from jaxtyping import Array, Float, Int

from jaxgames.core import Leaf
from neuroevo.networks.value import Weights, values

PERSPECTIVES = "winner", "first", "both"
OPTIMIZERS = {
    "sgd": optax.sgd,
    "momentum": partial(optax.sgd, momentum=0.9),
    "rmsprop": optax.rmsprop,
    "adam": optax.adam,
}


@flax.struct.dataclass
class Episodes:
    """Leaves may lead with further axes, alike in all of them but `inputs`, which does not lead with views."""

    features: Leaf  # Float[plies features], whatever beyond the end
    length: Leaf  # Int[""], plies; 0: there is no game here
    outcome: Leaf  # Float[""], z
    inputs: Leaf = None  # Int[features], which of the network's inputs they are, alike in all views; None: all inputs


@flax.struct.dataclass
class Rule:
    """How weights change. `alpha` is the learning rate and stands in the desired values too. The numbers are leaves, so
    that one program serves many rates.
    """

    alpha: Leaf = 0.001
    lambda_: Leaf = 0.8
    gamma: Leaf = 0.9
    optimizer: str = flax.struct.field(pytree_node=False, default="sgd")

    def check(self) -> None:
        """Raises ValueError for numbers without a meaning."""
        if self.optimizer not in OPTIMIZERS:
            raise ValueError(f"optimizer must be one of {', '.join(OPTIMIZERS)}, not {self.optimizer!r}")
        if self.alpha <= 0 or not 0 <= self.lambda_ <= 1 or not 0 <= self.gamma <= 1:
            raise ValueError(
                f"alpha must be above 0, lambda_ and gamma from 0 to 1, not {self.alpha}, {self.lambda_}, {self.gamma}"
            )

    def start(self, weights: Weights) -> Any:
        """The optimiser's memory before the first step."""
        return self._optimizer.init(weights)

    def step(self, weights: Weights, memory: Any, games: Episodes) -> tuple[Weights, Any, Float[Array, "games"]]:
        """One update by the mean over games of the sums over their episodes and positions; episodes lead with [games,
        views]. Returns the games' total errors before it, too.
        """
        gradient, errors = jax.grad(half_error, has_aux=True)(weights, games, self)
        changes, memory = self._optimizer.update(gradient, memory, weights)
        return jax.tree.map(jnp.add, weights, changes), memory, errors

    @property
    def _optimizer(self) -> optax.GradientTransformation:
        return OPTIMIZERS[self.optimizer](self.alpha)


def desired(
    seen: Float[Array, "plies"], length: Int[Array, ""], outcome: Float[Array, ""], rule: Rule
) -> Float[Array, "plies"]:
    """D of each position from V. Beyond the end it means nothing.

    D(t) is a sum over the later plies s of λ^(s−t) times what ply s adds, so all of it is one product by a triangle.
    """
    ply = jnp.arange(len(seen))
    ahead = ply[None] - ply[:, None]
    decay = jnp.where(ahead >= 0, jnp.asarray(rule.lambda_, jnp.float32) ** jnp.maximum(ahead, 0), 0)
    change = rule.gamma * jnp.roll(seen, -1) - seen
    added = jnp.where(ply == length - 1, outcome, rule.alpha * (1 - rule.lambda_) * change)
    return decay @ jnp.where(ply < length, added, 0)


def errors(weights: Weights, episode: Episodes, rule: Rule) -> Float[Array, "plies"]:
    """E of each position of one episode, 0 beyond its end; the desired values are constants to a gradient."""
    seen = values(weights, episode.features)
    wanted = jax.lax.stop_gradient(desired(seen, episode.length, episode.outcome, rule))
    return jnp.where(jnp.arange(len(seen)) < episode.length, wanted - seen, 0)


def half_error(weights: Weights, games: Episodes, rule: Rule) -> tuple[Float[Array, ""], Float[Array, "games"]]:
    """(half the mean of the games' total errors, the total errors); episodes lead with [games, views]."""

    def of_game(views: Episodes) -> jax.Array:
        used = weights
        if views.inputs is not None:
            used = weights | {"hidden": weights["hidden"][:, views.inputs]}
        return jax.vmap(errors, (None, 0, None))(used, replace(views, inputs=None), rule)

    total = (jax.vmap(of_game)(games) ** 2).sum((1, 2))
    return 0.5 * total.mean(), total


def learn(
    rule: Rule, weights: Weights, memory: Any, steps: Episodes
) -> tuple[Weights, Any, Float[Array, "steps games"]]:
    """Update after update; episodes lead with [steps, games, views]. One game a step is what the paper does."""

    def step(carry: tuple, games: Episodes) -> tuple[tuple, jax.Array]:
        weights, memory = carry
        weights, memory, found = rule.step(weights, memory, games)
        return (weights, memory), found

    (weights, memory), found = jax.lax.scan(step, (weights, memory), steps)
    return weights, memory, found
