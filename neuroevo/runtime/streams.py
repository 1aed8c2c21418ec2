"""Streams of random numbers for games outside evolution, one for each purpose. A run uses each purpose once.

Evolution derives its own numbers from (seed, replica, generation), see `neuroevo.evolution`. All other games of a study
(tests of champions, self-play, sample games) take their streams from here, so that no test repeats the games by which
champions were selected.
"""

import zlib

import jax
import jax.numpy as jnp
from jaxtyping import Array, UInt32

from jaxgames.randomness import mix, stream_from_key

FRESH = 2**31 - 1  # the "generation" from which all streams are derived; no evolution reaches it

# Results kept in docs/papers are older than the names of purposes. Streams of these purposes are consecutive numbers,
# which begin with the number given here. Purposes with the same number play on different boards or for different tasks.
CONSECUTIVE = {
    "retest": 0,
    "sample games": 1,
    "sample games of a gauntlet": 0,
    "tournament": 0,
    "absolute": 0,
    "scaling": 0,
    "transfer": 0,
    "test": 0,
    "test elsewhere": 0,
    "self-play": 0,
    "illustrative games": 0,
    "finals": 0,
    "matches": 0,
    "games to fit": 0,
}
# The same for purposes of backgammon, whose streams are hashed from the numbers given here.
NUMBERED = {
    "test against Pubeval": 1,
    "truth against Pubeval": 1,  # its numbers begin after those of the tests
    "retest against Pubeval": 2,
    "games to learn": 1,
    "tests of learners": 2,
    "retests of learners": 3,
}


def streams(seed: int, purpose: str, number: int = 0, replicas: int = 1) -> UInt32[Array, "replicas"]:
    """A stream for each replica. `number` distinguishes the uses of one purpose: a generation, a batch, a chunk."""
    first = stream_from_key(jax.random.fold_in(jax.random.key(seed), FRESH))
    every = jnp.arange(replicas, dtype=jnp.uint32)
    if purpose in CONSECUTIVE:
        return first + jnp.uint32(CONSECUTIVE[purpose] + number) + every
    code = NUMBERED.get(purpose, zlib.crc32(purpose.encode()))
    return mix(mix(mix(first + jnp.uint32(code)) + jnp.uint32(number)) + every)
