"""What strategies share: checks of sizes, mutation (Schaul & Schmidhuber 2008, section V-C), the hall of fame, and what
they do with faulty genomes, whose fitness is −inf (`evaluation.without_faults`).
"""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, Num, PRNGKeyArray


def check_sizes(mu: int, lambda_: int, sigma: float, initial_scale: float) -> None:
    """Raises ValueError for sizes and scales that no strategy can have."""
    if mu < 1 or lambda_ < 1:
        raise ValueError(f"mu and lambda must be at least 1, not {mu} and {lambda_}")
    if sigma < 0 or initial_scale < 0:
        raise ValueError(f"sigma and initial_scale must not be negative: {sigma} and {initial_scale}")


def mutants(
    key: PRNGKeyArray, parents: Float[Array, "mu genes"], count: int, sigma: float
) -> Float[Array, "count genes"]:
    """Offspring with N(0, sigma) added to every gene; parent i has offspring i, i + mu, …"""
    noise = jax.random.normal(key, (count, parents.shape[1]))
    return parents[jnp.arange(count) % len(parents)] + sigma * noise


def without_faulty(genomes: Num[Array, "population genes"], fitness: Float[Array, "population"]) -> Num[Array, "..."]:
    """The genomes [population genes], the fittest in place of each faulty one: a faulty genome has no offspring."""
    return jnp.where(jnp.isfinite(fitness)[:, None], genomes, genomes[jnp.argmax(fitness)])


def finite(fitness: Float[Array, "population"]) -> Float[Array, "population"]:
    """The fitness, the worst finite one in place of −inf (0 if none is finite): for strategies that compute with it."""
    known = jnp.isfinite(fitness)
    worst = jnp.min(jnp.where(known, fitness, jnp.inf))
    return jnp.where(known, fitness, jnp.where(jnp.any(known), worst, 0))


def sample_hall(key: PRNGKeyArray, hall_count: Int[Array, ""], number: int, capacity: int) -> Int[Array, "number"]:
    """Places in a hall of fame of which `hall_count` champions have been put in, drawn without replacement.

    While the hall has fewer champions than are asked for, all of them are drawn, and free places after them.
    """
    order = jax.random.uniform(key, (capacity,))
    return jax.lax.top_k(jnp.where(jnp.arange(capacity) < hall_count, 1 + order, -order), number)[1]
