"""Marker-based encoding in plain Python, written from its description to check faster implementations against."""

from dataclasses import dataclass, field

SQUARES = 64


@dataclass
class Node:
    """A hidden node; links are pairs (number, weight) in the order of the chromosome."""

    label: int
    value: int
    inputs: list = field(default_factory=list)  # from an input unit
    hidden: list = field(default_factory=list)  # from a hidden node, by its place among the nodes
    outputs: list = field(default_factory=list)  # to an output unit

    @property
    def initial(self):
        """Return the output before the first evaluation."""
        return 1 if self.value > 0 else 0


def is_start(allele):
    """Tell whether an allele opens a node where none is open."""
    return abs(int(allele)) % 25 == 1


def is_end(allele):
    """Tell whether an allele closes a node that is open."""
    return abs(int(allele)) % 25 == 2


def definitions(chromosome):
    """Return what lies between the start and the end of each node, from the first start once around the circle."""
    found, current = [], None
    count = len(chromosome)
    first = next((i for i, allele in enumerate(chromosome) if is_start(allele)), 0)
    for step in range(count):
        allele = int(chromosome[(first + step) % count])
        if current is None:
            current = [] if is_start(allele) else None
        elif is_end(allele):
            found.append(current)
            current = None
        else:
            current.append(allele)
    return found if current is None else [*found, current]


def distance(label, other):
    """Return how far two labels lie apart on the circle of the 256 integers."""
    return min((label - other) % 256, (other - label) % 256)


def decode(chromosome):
    """Return the complete nodes in the order of the chromosome."""
    data = [definition for definition in definitions(chromosome) if len(definition) >= 2]
    nodes = [Node(definition[0], definition[1]) for definition in data]
    for node, definition in zip(nodes, data, strict=True):
        triples = definition[2:]
        while len(triples) >= 3:
            key, label, weight = triples[:3]
            del triples[:3]
            if key < 0:
                nearest = min(range(len(nodes)), key=lambda i: (distance(nodes[i].label, label), i))
                node.hidden.append((nearest, weight))
            elif label >= 0:
                node.inputs.append((label, weight))
            else:
                node.outputs.append((label + 128, weight))
    return nodes


def mattering(nodes, carried=False):
    """Return the places of the nodes from which links lead to an output: forward ones, or all if units are carried."""
    found = {i for i, node in enumerate(nodes) if node.outputs}
    waiting = list(found)
    while waiting:
        i = waiting.pop()
        sources = {j for j, _ in nodes[i].hidden if carried or j < i}
        waiting += sources - found
        found |= sources
    return sorted(found)


def inputs_of(own, other):
    """Return the 128 inputs for two sets of squares: for every square one's own disc, then the other's."""
    return [int(square in side) for square in range(SQUARES) for side in (own, other)]


def evaluate(nodes, own, other, past=None):
    """Return the 128 outputs and all nodes' outputs, which start from their initial values or from `past`."""
    inputs = inputs_of(own, other)
    units = [node.initial for node in nodes] if past is None else list(past)
    for i, node in enumerate(nodes):
        total = sum(weight for j, weight in node.inputs if inputs[j])
        total += sum(weight for j, weight in node.hidden if units[j])
        units[i] = 1 if total >= 0 else 0
    outputs = [0] * 2 * SQUARES
    for i, node in enumerate(nodes):
        for j, weight in node.outputs:
            outputs[j] += weight * units[i]
    return outputs, units


def window(outputs, legal, own_move):
    """Return the moves that a search shall look at, and whether no output was high enough."""
    bank = outputs[:SQUARES] if own_move else outputs[SQUARES:]
    kept = {square for square in legal if bank[square] >= 0}
    if kept or not legal:
        return kept, False
    return {min(legal, key=lambda square: (-bank[square], square))}, True
