"""Focus networks for Othello (Moriarty & Miikkulainen 1994, figure 3): what a marker network says of a position, and
which moves it lets a search look at.

Every square has two inputs, 2 · square for a disc of the network's side and the next one for one of its opponent's, and
two outputs: `square` for the network's moves and 64 + `square` for its opponent's.

Positions are evaluated 32 at a time, each a bit of a word: a unit is one word, and a link adds its weight where the
word has a bit. Evaluate many positions of every network by `vmap`, the networks outside and the positions inside; both
become axes of one loop over the networks' rows.
"""

import functools
import operator
from collections.abc import Callable
from typing import Any

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int

from jaxgames import bitboard as bb
from jaxgames.othello import WIDTH, WORDS, Othello
from neuroevo.networks.marker import INPUTS, MarkerNetwork

SQUARES = Othello.num_actions
BITS = np.uint32(1) << np.arange(32, dtype=np.uint32)
SLOTS_AT_ONCE = 4  # links to an output: few have more


@flax.struct.dataclass
class FocusWindow:
    """Which moves a search looks at that the network's side carries out."""

    network: MarkerNetwork

    def keep(self, node: Any, moves: bb.Board, ply: Int[Array, ""]) -> tuple[bb.Board, bb.Board]:
        """See the function `keep`. `node` has the discs of the side to move, `own`, and of the `other` one. At even
        plies the network's side is to move.
        """
        own_move = ply % 2 == 0
        own, other = bb.select(own_move, node.own, node.other), bb.select(own_move, node.other, node.own)
        return keep(self.network, own, other, moves, own_move)


def keep(
    network: MarkerNetwork, own: bb.Board, other: bb.Board, moves: bb.Board, own_move: Bool[Array, ""]
) -> tuple[bb.Board, bb.Board]:
    """(the moves whose output is 0 or more, of all moves the one with the highest output and of equals the first).

    The network sees the discs of its `own` side and of the `other`. The legal `moves` are its own side's or not.
    """
    return _keep(network, (own, other, moves, own_move))


def evaluate(network: MarkerNetwork, own: bb.Board, other: bb.Board) -> Int[Array, "outputs"]:
    """All outputs, from the initial values."""
    return _evaluate(network, (own, other))


def carry(
    network: MarkerNetwork, own: bb.Board, other: bb.Board, past: Bool[Array, "rows"]
) -> tuple[Int[Array, "outputs"], Bool[Array, "rows"]]:
    """(all outputs, the rows' activations), from the activations at the position before, at first `network.initial`.
    Raises ValueError for a network that was not decoded for this.
    """
    if not network.carried:
        raise ValueError("only a network decoded with carried=True remembers activations")
    return _carry(network, (own, other, past))


# ---------------------------------------------------------------- many networks on many positions
def _grouped(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """`function(networks[groups], positions[groups, lanes])`, whose results lead with [groups, lanes], for one network
    on one position. `vmap` over networks makes more groups, over positions alone more lanes.
    """
    many = jax.custom_batching.custom_vmap(function)

    @many.def_vmap
    def over_axis(size: int, batched: list, networks: Any, positions: Any) -> tuple[Any, Any]:
        if not any(jax.tree.leaves(batched[0])):
            wide = jax.tree.map(lambda x, b: x if b else _repeated(x, size), positions, batched[1])
            lanes = jax.tree.map(lambda x: _merged(jnp.moveaxis(x, 0, 1), 1), wide)
            result = jax.tree.map(lambda x: jnp.moveaxis(_split(x, 1, size), 1, 0), many(networks, lanes))
        else:
            wide = jax.tree.map(lambda x, b: x if b else _repeated(x, size), (networks, positions), tuple(batched))
            result = many(*jax.tree.map(lambda x: _merged(x, 0), wide))
            result = jax.tree.map(lambda x: _split(x, 0, size), result)
        return result, jax.tree.map(lambda _: True, result)

    def single(network: Any, position: Any) -> Any:
        groups = jax.tree.map(lambda x: jnp.asarray(x)[None], network)
        lanes = jax.tree.map(lambda x: jnp.asarray(x)[None, None], position)
        return jax.tree.map(lambda x: x[0, 0], many(groups, lanes))

    return single


def _repeated(x: jax.Array, size: int) -> jax.Array:
    return jnp.broadcast_to(x, (size, *x.shape))


def _merged(x: jax.Array, axis: int) -> jax.Array:
    """Two axes as one."""
    return x.reshape(*x.shape[:axis], -1, *x.shape[axis + 2 :])


def _split(x: jax.Array, axis: int, size: int) -> jax.Array:
    """The inverse of `_merged`."""
    return x.reshape(*x.shape[:axis], size, x.shape[axis] // size, *x.shape[axis + 1 :])


@_grouped
def _evaluate(networks: MarkerNetwork, positions: tuple) -> jax.Array:
    own, other = positions
    outputs = _outputs(networks, _units(networks, own, other, _at_first(networks, own[0])))
    return jnp.moveaxis(outputs, 1, -1)[:, : own[0].shape[1]]


@_grouped
def _carry(networks: MarkerNetwork, positions: tuple) -> tuple[jax.Array, jax.Array]:
    own, other, past = positions
    lanes = own[0].shape[1]
    units = _units(networks, own, other, _words(jnp.moveaxis(past, -1, 0)))
    activations = jnp.moveaxis(_bits(units[INPUTS:-1]), 0, -1)
    return jnp.moveaxis(_outputs(networks, units), 1, -1)[:, :lanes], activations[:, :lanes]


@_grouped
def _keep(networks: MarkerNetwork, positions: tuple) -> tuple[bb.Board, bb.Board]:
    own, other, moves, own_move = positions
    units = _units(networks, own, other, _at_first(networks, own_move))
    outputs = _outputs(networks, units)[..., : own_move.shape[1]]

    def look(square: jax.Array, found: tuple) -> tuple:
        """A loop over the squares is several times as fast as reductions along the axis of the outputs."""
        kept, best, highest = found
        output = jnp.where(own_move, outputs[:, square], outputs[:, SQUARES + square])
        move = bb.one_hot(square, WORDS, WIDTH)
        legal = functools.reduce(operator.or_, (x & y for x, y in zip(moves, move, strict=True))) != 0
        higher = legal & (output > highest)
        kept = tuple(jnp.where(legal & (output >= 0), x | y, x) for x, y in zip(kept, move, strict=True))
        best = tuple(jnp.where(higher, y, x) for x, y in zip(best, move, strict=True))
        return kept, best, jnp.where(higher, output, highest)

    none = (jnp.zeros(own_move.shape, jnp.uint32),) * WORDS
    lowest = jnp.full(own_move.shape, np.iinfo(np.int32).min)
    return jax.lax.fori_loop(0, SQUARES, look, (none, none, lowest), unroll=8)[:2]


# ---------------------------------------------------------------- units as words of 32 positions
def _words(flags: Bool[Array, "*axes lanes"]) -> jax.Array:
    """UInt32[axes, words]: 32 lanes a word, in the last one as many as there are."""
    padded = jnp.pad(flags, [(0, 0)] * (flags.ndim - 1) + [(0, -flags.shape[-1] % 32)])
    return _packed(padded.reshape(*flags.shape[:-1], -1, 32))


def _packed(flags: jax.Array) -> jax.Array:
    return jnp.sum(jnp.where(flags, BITS, 0), -1, dtype=jnp.uint32)


def _bits(words: jax.Array) -> jax.Array:
    """The inverse of `_words`, with all lanes of the last word."""
    return (words[..., None] & BITS != 0).reshape(*words.shape[:-1], -1)


def _inputs(own: bb.Board, other: bb.Board) -> jax.Array:
    """UInt32[INPUTS, groups, words] for boards of words[groups, lanes]."""
    sides = jnp.stack([jnp.stack(own), jnp.stack(other)], 1)  # [WORDS, 2, groups, lanes]
    shifts = np.arange(WIDTH, dtype=np.uint32).reshape(-1, 1, 1, 1)
    words = _words((sides[:, None] >> shifts) & 1 != 0)
    return words.reshape(INPUTS, *words.shape[3:])


def _at_first(networks: MarkerNetwork, lanes: jax.Array) -> jax.Array:
    on = jnp.where(networks.initial.T, np.uint32(2**32 - 1), np.uint32(0))
    return jnp.broadcast_to(on[..., None], (*on.shape, -(-lanes.shape[1] // 32)))


def _units(networks: MarkerNetwork, own: bb.Board, other: bb.Board, rows: jax.Array) -> jax.Array:
    """UInt32[units, groups, words]: all units after an evaluation that found the rows as they are given."""
    units = jnp.concatenate([_inputs(own, other), rows, jnp.zeros((1, *rows.shape[1:]), jnp.uint32)])

    def fill(row: jax.Array, step: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        units, total = step
        before = jnp.where(networks.further[:, row, None, None], total, 0)
        words = _read(units, networks.sources[:, row])
        total = _added(before + networks.constant[:, row, None, None], words, networks.weights[:, row])
        return units.at[INPUTS + row].set(_packed(total >= 0)), total

    total = jnp.zeros((*rows.shape[1:], 32), jnp.int32)
    return jax.lax.fori_loop(0, jnp.max(networks.rows), fill, (units, total))[0]


def _outputs(networks: MarkerNetwork, units: jax.Array) -> jax.Array:
    """Int[groups, OUTPUTS, lanes]."""
    starts, ends = networks.starts[:, :-1], networks.starts[:, 1:]

    def add(number: jax.Array, total: jax.Array) -> jax.Array:
        at = starts[..., None] + number * SLOTS_AT_ONCE + np.arange(SLOTS_AT_ONCE)  # [groups, OUTPUTS, slots]
        there, at = at < ends[..., None], jnp.minimum(at, networks.output_sources.shape[1] - 1)
        pick = jax.vmap(lambda values, at: values[at])
        sources, weights = pick(networks.output_sources, at), pick(networks.output_weights, at)
        words = _read(units, jnp.where(there, sources, len(units) - 1))
        return _added(total, words, weights)

    rounds = -(-jnp.max(ends - starts) // SLOTS_AT_ONCE)
    total = jnp.zeros((*starts.shape, units.shape[-1], 32), jnp.int32)
    return _merged(jax.lax.fori_loop(0, rounds, add, total), 2)


def _read(units: jax.Array, sources: Int[Array, "groups *links"]) -> jax.Array:
    """UInt32[groups, links, words]."""
    _, groups, words = units.shape
    group = np.arange(groups).reshape(-1, *[1] * (sources.ndim - 1))
    return units.reshape(-1, words).at[sources * groups + group].get(mode="promise_in_bounds")


def _added(total: jax.Array, words: jax.Array, weights: jax.Array) -> jax.Array:
    """Adds the links, the axis before the words, to the total of each lane."""
    for slot in range(weights.shape[-1]):
        on = words[..., slot, :, None] & BITS != 0
        total = total + jnp.where(on, weights[..., slot, None, None], 0)
    return total
