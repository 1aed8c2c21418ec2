"""What strategies share: sizes, mutation (Schaul & Schmidhuber 2008, section V-C), and draws from a hall of fame."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray


def check_sizes(mu: int, lambda_: int, sigma: float, initial_scale: float) -> None:
    """Raises ValueError for what no strategy can do."""
    if mu < 1 or lambda_ < 1:
        raise ValueError(f"mu and lambda must be at least 1, not {mu} and {lambda_}")
    if sigma < 0 or initial_scale < 0:
        raise ValueError(f"sigma and initial_scale must not be negative: {sigma} and {initial_scale}")


def mutants(
    key: PRNGKeyArray, parents: Float[Array, "mu genes"], count: int, sigma: float
) -> Float[Array, "count genes"]:
    """Offspring whose every gene is changed by N(0, sigma); parent i has offspring i, i + mu, …"""
    noise = jax.random.normal(key, (count, parents.shape[1]))
    return parents[jnp.arange(count) % len(parents)] + sigma * noise


def draw_famous(key: PRNGKeyArray, inducted: Int[Array, ""], famous: int, capacity: int) -> Int[Array, "famous"]:
    """Without replacement from those that are there; while they are too few, all of them and empty places."""
    order = jax.random.uniform(key, (capacity,))
    return jax.lax.top_k(jnp.where(jnp.arange(capacity) < inducted, 1 + order, -order), famous)[1]
