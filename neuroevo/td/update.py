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
    """Games as one side sees them. All leaves share leading batch axes; `inputs` lacks the last of them, the views.

    features: Float[plies features], arbitrary beyond the end
    length: Int[""], number of plies; 0 for a free place
    outcome: Float[""], z
    inputs: Int[features], the network's inputs that the features are; None if they are all inputs
    """

    features: Leaf
    length: Leaf
    outcome: Leaf
    inputs: Leaf = None


@flax.struct.dataclass
class Rule:
    """How weights change. The numbers are leaves, so that one program serves many rates.

    alpha: Float[""], α, the learning rate, which is part of the desired values too
    lambda_: Float[""], λ
    gamma: Float[""], γ, the discount
    optimizer: one of OPTIMIZERS
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
        """The optimiser's state before the first step."""
        return self._optimizer.init(weights)

    def step(
        self, weights: Weights, optimizer_state: Any, games: Episodes
    ) -> tuple[Weights, Any, Float[Array, "games"]]:
        """(weights, optimiser's state, total errors of the games before the update).

        The update is the mean over games of the sums over their episodes and positions; episodes lead with [games,
        views].
        """
        gradient, errors = jax.grad(half_error, has_aux=True)(weights, games, self)
        changes, optimizer_state = self._optimizer.update(gradient, optimizer_state, weights)
        return jax.tree.map(jnp.add, weights, changes), optimizer_state, errors

    @property
    def _optimizer(self) -> optax.GradientTransformation:
        return OPTIMIZERS[self.optimizer](self.alpha)


def desired(
    seen: Float[Array, "plies"], length: Int[Array, ""], outcome: Float[Array, ""], rule: Rule
) -> Float[Array, "plies"]:
    """D of each position from the values V, `seen`; arbitrary beyond the end.

    D(t) is the sum over plies s ≥ t of λ^(s−t) times what ply s adds: one product by a triangular matrix.
    """
    ply = jnp.arange(len(seen))
    ahead = ply[None] - ply[:, None]
    decay = jnp.where(ahead >= 0, jnp.asarray(rule.lambda_, jnp.float32) ** jnp.maximum(ahead, 0), 0)
    change = rule.gamma * jnp.roll(seen, -1) - seen
    added = jnp.where(ply == length - 1, outcome, rule.alpha * (1 - rule.lambda_) * change)
    return decay @ jnp.where(ply < length, added, 0)


def errors(weights: Weights, episode: Episodes, rule: Rule) -> Float[Array, "plies"]:
    """E of each position of one episode, 0 beyond its end. Gradients take the desired values for constants."""
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
    rule: Rule, weights: Weights, optimizer_state: Any, steps: Episodes
) -> tuple[Weights, Any, Float[Array, "steps games"]]:
    """(weights, optimiser's state, total errors before each step) after one update a step.

    Episodes lead with [steps, games, views]. The paper has one game a step.
    """

    def step(carry: tuple, games: Episodes) -> tuple[tuple, jax.Array]:
        weights, optimizer_state = carry
        weights, optimizer_state, totals = rule.step(weights, optimizer_state, games)
        return (weights, optimizer_state), totals

    (weights, optimizer_state), totals = jax.lax.scan(step, (weights, optimizer_state), steps)
    return weights, optimizer_state, totals
