"""Marker-based encoding: a chromosome of 8-bit integers that spells a network's hidden nodes (Fullmer & Miikkulainen
1992, as used by Moriarty & Miikkulainen 1994, figures 4 and 5).

An allele a is a start marker if |a| mod 25 = 1 and an end marker if |a| mod 25 = 2. From a start to the next end,
whatever lies between, an allele is data of one node:

    start  label  value  (key label weight) (key label weight) …  end

A key of 0 or more links the node from the input unit `label` if the label is not negative, else to the output unit
`label` + 128. A negative key links it from the hidden node with the nearest label; labels lie on a circle, and of nodes
equally near the first in the chromosome is meant. Incomplete links and nodes without a label and a value do not count.
The chromosome is a circle: it is read from its first start marker once around, and a node that is still open ends
there.

Nodes are evaluated in the order of the chromosome: 1 if the weighted sum is 0 or more, else 0. A link from a later
node, or from the node itself, reads what that node was before: 1 or 0 as its `value` is above 0 or not, or, if
activations are *carried* from one position to the next, its last output. Outputs are weighted sums. All numbers are
integers.
"""

from dataclasses import dataclass
from typing import Any

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int, Int8

from jaxgames.core import Leaf
from jaxgames.games.any_game import title_of
from jaxgames.games.othello.rules import Othello
from neuroevo.networks.base import BINARY, FOCUSED_SEARCH

PERIOD, START, END = 25, 1, 2
INPUTS = OUTPUTS = 128
LABELS = 256
SLOTS = 8  # links a row: more would mostly be empty, fewer make more rows
FIRST_LINKS = 3  # of an output: few have more
LABEL, VALUE, LINK = 1, 2, 3  # where they are, behind the start of a node


@dataclass(frozen=True)
class Markers:
    """Networks spelled by chromosomes of `alleles` 8-bit integers, at least 3 (else ValueError)."""

    alleles: int = 5000
    gene_type = np.int8

    def __post_init__(self):
        if self.alleles < LINK:
            raise ValueError(f"a chromosome has at least {LINK} alleles, not {self.alleles}")

    def input_shape(self, game: Any, encoding: str = BINARY) -> tuple[int, int, int]:
        """One input per seat and square."""
        return game.num_seats, game.rows, game.columns

    def player_kind(self, game: Any) -> str:
        """Raises ValueError for all but Othello."""
        if not isinstance(game, Othello):
            raise ValueError(f"network=markers plays Othello, not {title_of(game)}")
        return FOCUSED_SEARCH


@flax.struct.dataclass
class MarkerNetwork:
    """The nodes that reach an output, as rows of up to SLOTS links in the order of the chromosome. A node's further
    links follow in further rows, and the last one holds its output.

    A *unit* is the number of an input (below INPUTS) or INPUTS + the number of a row; the last unit is never on.

    sources: Int[rows SLOTS], the units that the links of a row come from
    weights: Int[rows SLOTS], of these links
    constant: Int[rows], the sum that links from later nodes add
    further: Bool[rows], whether the row goes on with the sum of the row before
    initial: Bool[rows], outputs before the first evaluation
    rows: Int[""], number of rows in use
    output_sources: Int[OUTPUTS FIRST_LINKS], the units of the first links of every output
    output_weights: Int[OUTPUTS FIRST_LINKS]
    further_outputs: Int[links], the output of each further link, and OUTPUTS behind the last of them
    further_sources: Int[links], units
    further_weights: Int[links]
    nodes: Int[""], number of complete nodes in the chromosome
    links: Int[""], number of complete links in the chromosome
    reaching: Int[""], number of nodes that reach an output
    carried: whether activations are carried from one position to the next
    """

    sources: Leaf
    weights: Leaf
    constant: Leaf
    further: Leaf
    initial: Leaf
    rows: Leaf
    output_sources: Leaf
    output_weights: Leaf
    further_outputs: Leaf
    further_sources: Leaf
    further_weights: Leaf
    nodes: Leaf
    links: Leaf
    reaching: Leaf
    carried: bool = flax.struct.field(pytree_node=False, default=False)


def bounds(alleles: int) -> tuple[int, int, int]:
    """(nodes, links, rows) that no chromosome of this length exceeds, so that nothing is ever cut off.

    A node takes 4 alleles, but for one that may do without its end, and a link 3. A node that reaches an output has at
    least one link there, or to another such node, which makes 7. It has one row, and one more for every SLOTS links
    after its first; more nodes make more rows than more links do.
    """
    nodes, links = (alleles + 1) // 4, (alleles - LINK) // 3
    return max(nodes, 1), max(links, 1), max((alleles + 1) * (SLOTS + 1) // (7 * SLOTS), 1)


def decode(chromosome: Int8[Array, "alleles"], carried: bool = False) -> MarkerNetwork:
    """The network of a chromosome. Without `carried`, links from later nodes become constants."""
    nodes, links = _read(chromosome)
    count, (_, _, capacity) = len(nodes.present), bounds(len(chromosome))
    source = _nearest(nodes)[links.label & (LABELS - 1)]
    inner, outward = links.present & (links.key < 0), links.present & (links.key >= 0) & (links.label < 0)
    behind = inner & ~(carried | (source < links.node))  # from a later node
    live = _reaching(count, links, source, outward, inner & ~behind)
    rows = _arrange(capacity, live, links.node, links.present & ~outward & ~behind & live[links.node])
    table, outputs, order = _by_output(links, outward)
    unit = jnp.append(INPUTS + rows.last[links.node], INPUTS + capacity)  # behind the last link: what is never on
    weight = jnp.append(links.weight, 0)
    return MarkerNetwork(
        sources=rows.table(INPUTS + capacity, jnp.where(inner, INPUTS + rows.last[source], links.label)),
        weights=rows.table(0, links.weight),
        constant=rows.column(0, rows.first, _sum_into(count, links.node, behind & nodes.on[source], links.weight)),
        further=rows.column(True, rows.first, jnp.zeros_like(live)),
        initial=rows.column(False, rows.last, nodes.on),
        rows=rows.used,
        output_sources=unit[table],
        output_weights=weight[table],
        further_outputs=outputs,
        further_sources=unit[order],
        further_weights=weight[order],
        nodes=nodes.present.sum(dtype=jnp.int32),
        links=links.present.sum(dtype=jnp.int32),
        reaching=live.sum(dtype=jnp.int32),
        carried=carried,
    )


# ---------------------------------------------------------------- reading
@flax.struct.dataclass
class _Nodes:
    """Complete nodes in the order of the chromosome, then free places.

    present: Bool[nodes], False for a free place
    label: Int[nodes]
    on: Bool[nodes], the output before the first evaluation
    """

    present: Leaf
    label: Leaf
    on: Leaf


@flax.struct.dataclass
class _Links:
    """Complete links in the order of the chromosome, then free places.

    present: Bool[links], False for a free place
    node: Int[links], the number of the node in whose data the link stands
    key, label, weight: Int[links]
    """

    present: Leaf
    node: Leaf
    key: Leaf
    label: Leaf
    weight: Leaf


def _read(chromosome: Int8[Array, "alleles"]) -> tuple[_Nodes, _Links]:
    alleles = chromosome.astype(jnp.int32)  # the absolute value of −128 is no int8
    alleles = jnp.roll(alleles, -jnp.argmax(jnp.abs(alleles) % PERIOD == START))
    marker = jnp.abs(alleles) % PERIOD
    index = np.arange(len(alleles))
    is_marker = (marker == START) | (marker == END)
    last = jax.lax.cummax(jnp.where(is_marker, 2 * index + 2 + (marker == START), 0))  # odd behind a start
    open_before = jnp.pad(last[:-1], (1, 0)) % 2 == 1
    begins, data = ~open_before & (marker == START), open_before & (marker != END)
    place = index - jax.lax.cummax(jnp.where(begins, index, 0))
    two_follow = _ahead(data, 1) & _ahead(data, 2)
    complete, links = begins & two_follow, data & (place % 3 == 0) & two_follow
    max_nodes, max_links, _ = bounds(len(alleles))
    (at,) = jnp.nonzero(complete, size=max_nodes, fill_value=len(alleles))
    nodes = _Nodes(at < len(alleles), _allele(alleles, at + LABEL), _allele(alleles, at + VALUE) > 0)
    (at,) = jnp.nonzero(links, size=max_links, fill_value=len(alleles))
    node = _allele(jnp.cumsum(complete) - 1, at)
    return nodes, _Links(at < len(alleles), node, *(_allele(alleles, at + i) for i in range(3)))


def _ahead(flags: Bool[Array, "alleles"], steps: int) -> Bool[Array, "alleles"]:
    return jnp.pad(flags[steps:], (0, min(steps, len(flags))))


def _allele(values: Int[Array, "alleles"], at: Int[Array, "places"]) -> Int[Array, "places"]:
    return values.at[at].get(mode="fill", fill_value=0)


def _nearest(nodes: _Nodes) -> Int[Array, "labels"]:
    """For every label, modulo 256, the node that it means."""
    count = len(nodes.present)
    where = jnp.where(nodes.present, nodes.label & (LABELS - 1), LABELS)
    first = jnp.full(LABELS, count).at[where].min(np.arange(count), mode="drop")
    apart = np.subtract.outer(np.arange(LABELS), np.arange(LABELS)) % LABELS
    rank = np.minimum(apart, -apart % LABELS) * (count + 1) + first
    return jnp.min(jnp.where(first < count, rank, np.iinfo(np.int32).max), 1) % (count + 1)


# ---------------------------------------------------------------- arranging
def _reaching(
    count: int, links: _Links, source: jax.Array, outward: jax.Array, forward: jax.Array
) -> Bool[Array, "nodes"]:
    """The nodes with a link to an output, or from which such a node has a link, and so on."""
    live = _any_into(count, links.node, outward)

    def spread(step: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        live, _ = step
        more = live | _any_into(count, source, forward & live[links.node])
        return more, jnp.any(more != live)

    return jax.lax.while_loop(lambda step: step[1], spread, (live, jnp.any(live)))[0]


def _any_into(count: int, place: Int[Array, "links"], flags: Bool[Array, "links"]) -> Bool[Array, "nodes"]:
    return jnp.zeros(count, bool).at[jnp.where(flags, place, count)].set(True, mode="drop")


def _sum_into(
    count: int, place: Int[Array, "links"], included: Bool[Array, "links"], values: Int[Array, "links"]
) -> Int[Array, "nodes"]:
    return jnp.zeros(count, jnp.int32).at[jnp.where(included, place, count)].add(values, mode="drop")


@flax.struct.dataclass
class _Rows:
    """The rows of nodes and links; for what has none, the number is `capacity`, behind the last row.

    first: Int[nodes], a node's first row
    last: Int[nodes], a node's last row, which holds its output
    link: (Int[links], Int[links]), row and slot of a link
    used: Int[""], number of rows in use
    """

    first: Leaf
    last: Leaf
    link: Leaf
    used: Leaf
    capacity: int = flax.struct.field(pytree_node=False)

    def table(self, empty: int, values: Int[Array, "links"]) -> Int[Array, "rows slots"]:
        return jnp.full((self.capacity, SLOTS), empty, jnp.int32).at[self.link].set(values, mode="drop")

    def column(self, empty: Any, at: Int[Array, "nodes"], values: jax.Array) -> jax.Array:
        return jnp.full(self.capacity, empty, values.dtype).at[at].set(values, mode="drop")


def _arrange(
    capacity: int, live: Bool[Array, "nodes"], node: Int[Array, "links"], included: Bool[Array, "links"]
) -> _Rows:
    fan_in = _sum_into(len(live), node, included, jnp.ones_like(node))
    end = jnp.cumsum(jnp.where(live, jnp.maximum(-(-fan_in // SLOTS), 1), 0))
    first = jnp.pad(end[:-1], (1, 0))
    rank = jnp.cumsum(included) - 1 - (jnp.cumsum(fan_in) - fan_in)[node]
    return _Rows(
        first=jnp.where(live, first, capacity),
        last=jnp.where(live, end - 1, capacity),
        link=(jnp.where(included, first[node] + rank // SLOTS, capacity), rank % SLOTS),
        used=end[-1],
        capacity=capacity,
    )


def _by_output(
    links: _Links, outward: Bool[Array, "links"]
) -> tuple[Int[Array, "outputs first"], Int[Array, "links"], Int[Array, "links"]]:
    """(the first links of every output, the outputs of the further links, the further links); behind the last link of
    an output, and of the further ones, the number of all links.
    """
    count = len(outward)
    output = jnp.where(outward, links.label + OUTPUTS, OUTPUTS)
    ordered = jnp.sort(output * count + np.arange(count))  # one key costs half as much as an argsort
    output, link = ordered // count, ordered % count
    rank = np.arange(count) - jnp.searchsorted(output, output).astype(jnp.int32)
    table = jnp.full((OUTPUTS, FIRST_LINKS), count).at[output, rank].set(link, mode="drop")
    (further,) = jnp.nonzero((output < OUTPUTS) & (rank >= FIRST_LINKS), size=count, fill_value=count)
    return table, jnp.append(output, OUTPUTS)[further], jnp.append(link, count)[further]
