"""Focus networks for Othello (Moriarty & Miikkulainen 1994, figure 3): the outputs of a marker network for a position,
and the moves that it lets a search look at.

Every square has two inputs, 2 · square for a disc of the network's side and 2 · square + 1 for a disc of its opponent,
and two outputs, `square` for a move of the network's side and 64 + `square` for a move of its opponent.

Up to 32 positions are evaluated at a time, each as one bit of an integer (a *word*): a unit's activations are one word,
and a link adds its weight in the positions whose bit is set. To evaluate many positions by many networks, `vmap` over
the networks outside and over the positions inside: both become axes of one loop over the networks' rows.
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
from jaxgames.core import Memory
from jaxgames.games.othello.rules import Othello
from jaxgames.games.othello.squares import WIDTH, WORDS
from neuroevo.networks.marker import INPUTS, OUTPUTS, MarkerNetwork

SQUARES = Othello.num_actions
WORD_TYPES = np.uint8, np.uint16, np.uint32


@flax.struct.dataclass
class FocusWindow:
    """The window of a search by the network's side, see `jaxgames.search`: which moves it looks at."""

    network: MarkerNetwork

    def reset(self) -> Memory:
        """Activations before the first position; nothing if the network does not carry them."""
        return self.network.initial if self.network.carried else ()

    def keep(
        self, node: Any, moves: bb.Board, ply: Int[Array, ""], memory: Memory
    ) -> tuple[bb.Board, bb.Board, Memory]:
        """See the function `keep`; the third result is the new memory.

        node: has the discs of the side to move, `own`, and of the `other` side
        moves: the legal ones
        ply: of the search; at even plies the network's side is to move
        """
        own_move = ply % 2 == 0
        own, other = bb.select(own_move, node.own, node.other), bb.select(own_move, node.other, node.own)
        return keep(self.network, own, other, moves, own_move, memory)


def keep(
    network: MarkerNetwork,
    own: bb.Board,
    other: bb.Board,
    moves: bb.Board,
    own_move: Bool[Array, ""],
    past: Bool[Array, "rows"] | tuple = (),
) -> tuple[bb.Board, bb.Board, Bool[Array, "rows"] | tuple]:
    """(the moves whose output is at least 0; the move with the highest output, of equals the first; the rows'
    activations, or () without `past`).

    own, other: the discs of the network's side and of its opponent
    moves: the legal moves, of the network's side if `own_move`, else of its opponent
    past: the rows' activations at the position before, if the network carries them
    """
    return _keep(network, (own, other, moves, own_move, past))


def evaluate(network: MarkerNetwork, own: bb.Board, other: bb.Board) -> Int[Array, "outputs"]:
    """All outputs for a position, from the initial activations."""
    return _evaluate(network, (own, other))


def carry(
    network: MarkerNetwork, own: bb.Board, other: bb.Board, past: Bool[Array, "rows"]
) -> tuple[Int[Array, "outputs"], Bool[Array, "rows"]]:
    """(all outputs, the rows' activations) for a position.

    `past`: the rows' activations at the position before, at first `network.initial`. Raises ValueError for a network
    that was not decoded with carried=True.
    """
    if not network.carried:
        raise ValueError("only a network decoded with carried=True remembers activations")
    return _carry(network, (own, other, past))


# ---------------------------------------------------------------- many networks on many positions
def _grouped(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A function of one network and one position, made of `function(networks[groups], positions[groups, lanes])`, whose
    results lead with [groups, lanes].

    vmap over networks multiplies the groups, vmap over positions alone multiplies the lanes:

        vmap(vmap(f, (None, 0)), (0, 0))(networks[n], positions[n, p]) = function(networks[n], positions[n, p])
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
    return jnp.moveaxis(_merged(outputs, 2), 0, -1)[:, : own[0].shape[1]]


@_grouped
def _carry(networks: MarkerNetwork, positions: tuple) -> tuple[jax.Array, jax.Array]:
    own, other, past = positions
    lanes = own[0].shape[1]
    units = _units(networks, own, other, _words(jnp.moveaxis(past, -1, 0)))
    outputs = _merged(_outputs(networks, units), 2)
    return jnp.moveaxis(outputs, 0, -1)[:, :lanes], _activations(units, lanes)


def _activations(units: jax.Array, lanes: int) -> Bool[Array, "groups lanes rows"]:
    return jnp.moveaxis(_merged(_lanes(units[INPUTS:-1]), 2), 0, -1)[:, :lanes]


@_grouped
def _keep(networks: MarkerNetwork, positions: tuple) -> tuple[bb.Board, bb.Board, Any]:
    own, other, moves, own_move, past = positions
    carried, lanes = isinstance(past, jax.Array), own_move.shape[1]
    units = _units(
        networks, own, other, _words(jnp.moveaxis(past, -1, 0)) if carried else _at_first(networks, own_move)
    )
    outputs = _outputs(networks, units)
    moves, own_move = jax.tree.map(_padded, (moves, own_move))

    def look(square: jax.Array, so_far: tuple) -> tuple:
        """One square. A loop over them is several times as fast as reductions along the axis of the outputs."""
        kept, best, highest = so_far
        output = jnp.where(own_move, outputs[square], outputs[SQUARES + square])
        move = bb.one_hot(square, WORDS, WIDTH)
        legal = functools.reduce(operator.or_, (x & y for x, y in zip(moves, move, strict=True))) != 0
        higher = legal & (output > highest)
        kept = tuple(jnp.where(legal & (output >= 0), x | y, x) for x, y in zip(kept, move, strict=True))
        best = tuple(jnp.where(higher, y, x) for x, y in zip(best, move, strict=True))
        return kept, best, jnp.where(higher, output, highest)

    none = (jnp.zeros(own_move.shape, jnp.uint32),) * WORDS
    lowest = jnp.full(own_move.shape, np.iinfo(np.int32).min)
    found = jax.lax.fori_loop(0, SQUARES, look, (none, none, lowest), unroll=8)[:2]
    kept, best = jax.tree.map(lambda x: _merged(x, 1)[:, :lanes], found)
    return kept, best, _activations(units, lanes) if carried else ()


# ---------------------------------------------------------------- units as words of up to 32 positions
def _word_type(lanes: int) -> np.dtype:
    """The smallest type of word with a bit for each lane, or the largest one."""
    return next((np.dtype(kind) for kind in WORD_TYPES if np.iinfo(kind).bits >= lanes), np.dtype(np.uint32))


def _bits(kind: np.dtype) -> np.ndarray:
    return np.array([1 << i for i in range(np.iinfo(kind).bits)], kind)


def _padded(x: jax.Array) -> jax.Array:
    """[… lanes] → [… words, width]."""
    width = np.iinfo(_word_type(x.shape[-1])).bits
    return jnp.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, -x.shape[-1] % width)]).reshape(*x.shape[:-1], -1, width)


def _words(flags: Bool[Array, "*axes lanes"]) -> jax.Array:
    """[… words]."""
    return _packed(_padded(flags), _word_type(flags.shape[-1]))


def _packed(flags: Bool[Array, "*axes width"], kind: np.dtype) -> jax.Array:
    return jnp.sum(jnp.where(flags, _bits(kind), np.zeros((), kind)), -1, dtype=kind)


def _lanes(words: jax.Array) -> Bool[Array, "*axes width"]:
    """The inverse of `_packed`."""
    return words[..., None] & _bits(words.dtype) != 0


def _inputs(own: bb.Board, other: bb.Board) -> jax.Array:
    """Words[INPUTS, groups, words] of bitboards whose leaves are [groups, lanes]."""
    sides = jnp.stack([jnp.stack(own), jnp.stack(other)], 1)  # [WORDS, 2, groups, lanes]
    shifts = np.arange(WIDTH, dtype=np.uint32).reshape(-1, 1, 1, 1)
    words = _words((sides[:, None] >> shifts) & 1 != 0)
    return words.reshape(INPUTS, *words.shape[3:])


def _at_first(networks: MarkerNetwork, lanes: jax.Array) -> jax.Array:
    kind = _word_type(lanes.shape[1])
    on = jnp.where(networks.initial.T, np.array(np.iinfo(kind).max, kind), np.zeros((), kind))
    return jnp.broadcast_to(on[..., None], (*on.shape, -(-lanes.shape[1] // np.iinfo(kind).bits)))


def _units(networks: MarkerNetwork, own: bb.Board, other: bb.Board, rows: jax.Array) -> jax.Array:
    """Words[units, groups, words]: all units after an evaluation that began with these activations of the `rows`."""
    units = jnp.concatenate([_inputs(own, other), rows, jnp.zeros((1, *rows.shape[1:]), rows.dtype)])

    def fill(row: jax.Array, step: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        units, total = step
        before = jnp.where(networks.further[:, row, None, None], total, 0)
        words = _read(units, networks.sources[:, row])
        total = _added(before + networks.constant[:, row, None, None], words, networks.weights[:, row])
        return units.at[INPUTS + row].set(_packed(total >= 0, units.dtype)), total

    total = jnp.zeros((*rows.shape[1:], np.iinfo(rows.dtype).bits), jnp.int32)
    return jax.lax.fori_loop(0, jnp.max(networks.rows), fill, (units, total))[0]


def _outputs(networks: MarkerNetwork, units: jax.Array) -> jax.Array:
    """Int[OUTPUTS, groups, words, width]."""
    width = np.iinfo(units.dtype).bits
    sources, weights = (jnp.moveaxis(x, 0, 1) for x in (networks.output_sources, networks.output_weights))
    total = jnp.zeros((*sources.shape[:2], units.shape[-1], width), jnp.int32)
    total = _added(total, _read(units, sources, axis=1), weights)

    def add(number: jax.Array, total: jax.Array) -> jax.Array:
        """Adds further link `number` of every network that has it."""
        words = _read(units, networks.further_sources[:, number])
        more = jnp.where(_lanes(words), networks.further_weights[:, number, None, None], 0)
        groups = np.arange(len(more))
        return total.at[networks.further_outputs[:, number], groups].add(more, mode="drop")

    rounds = jnp.max(jnp.sum(networks.further_outputs < OUTPUTS, 1))
    return jax.lax.fori_loop(0, rounds, add, total)


def _read(units: jax.Array, sources: Int[Array, "*links"], axis: int = 0) -> jax.Array:
    """[links, words]; the `axis` of `sources` is that of the groups."""
    _, groups, words = units.shape
    group = np.arange(groups).reshape(-1, *[1] * (sources.ndim - 1 - axis))
    return units.reshape(-1, words).at[sources * groups + group].get(mode="promise_in_bounds")


def _added(total: jax.Array, words: jax.Array, weights: jax.Array) -> jax.Array:
    """The total of each lane after adding the links, which are the axis before the words."""
    for slot in range(weights.shape[-1]):
        total = total + jnp.where(_lanes(words[..., slot, :]), weights[..., slot, None, None], 0)
    return total
