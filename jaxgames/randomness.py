"""Random bits by counters: cheap, and independent of lanes, batches and devices.

A game's randomness is a function of (stream, game id, ply) and of nothing else. A *stream* is a uint32 that stands for
everything outside the arena: seed, replica, generation. Where JAX keys are at hand, `stream_from_key` makes one.
docs/decisions/001-words-instead-of-keys.md says why these are not JAX keys.
"""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Int, PRNGKeyArray, UInt32

GOLDEN = 0x9E3779B9  # 2³² / golden ratio, odd: its multiples run through all 32-bit numbers
PLY = 0x85EBCA6B  # another odd constant, so that plies and games do not meet


def mix(x: UInt32[Array, "*numbers"]) -> UInt32[Array, "*numbers"]:
    """A bijection of 32-bit numbers in which every input bit flips every output bit with probability near one half.

    The finaliser "lowbias32", found by C. Wellons' search for multipliers of low bias.
    """
    x = (x ^ x >> 16) * jnp.uint32(0x7FEB352D)
    x = (x ^ x >> 15) * jnp.uint32(0x846CA68B)
    return x ^ x >> 16


def random_bits(stream: UInt32[Array, ""], game: Int[Array, ""], ply: Int[Array, ""]) -> UInt32[Array, ""]:
    """32 random bits for one ply of one game. Games of one stream never share their whole sequence of them."""
    of_game = mix(mix(stream) + game.astype(jnp.uint32) * jnp.uint32(GOLDEN))
    of_ply = mix(ply.astype(jnp.uint32) * jnp.uint32(PLY) + jnp.uint32(GOLDEN))
    return mix(of_game ^ of_ply)


def more_bits(bits: UInt32[Array, ""], number: int) -> UInt32[Array, "number"]:
    """`number` further uint32 from one, for players that need several in a ply."""
    return jax.vmap(mix)(bits + jnp.arange(1, number + 1, dtype=jnp.uint32) * jnp.uint32(GOLDEN))


def stream_from_key(key: PRNGKeyArray) -> UInt32[Array, ""]:
    """A stream drawn by a JAX key, which is thereby used up."""
    return jax.random.bits(key, dtype=jnp.uint32)
