"""The player that looks ahead by alpha-beta search."""

from functools import partial
from typing import Any

import flax.struct
import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer
from jaxtyping import Array, Bool, Int, UInt32

from jaxgames.core import Game, Leaf, Memory, State
from jaxgames.randomness import GOLDEN, mix
from jaxgames.search.alpha_beta import AlphaBeta
from jaxgames.search.evaluation import Evaluation
from jaxgames.search.state import Effort, Window, Work
from jaxgames.search.trees import Tree, tree_of
from jaxgames.xla import stage

STEPS = 8  # of which the last may be in vain


@flax.struct.dataclass
class EndingsOnly:
    """An evaluation that holds every position for even, so that a search by it tells wins and losses alone."""

    bound = 0

    def value(self, node: Any) -> Int[Array, ""]:
        """See `search.evaluation`."""
        return jnp.int32(0)


@flax.struct.dataclass
class Search:
    """Plays one of the best moves by a search `level` plies deep, drawn; with probability `random`, any legal move.

    `level` may differ from game to game up to `max_level`, which it is if not given. `ordered`: at how many plies moves
    are ordered by their static values; elsewhere by the tree's classes or, without `by_class`, by action. `breadth`:
    only so many moves of the best static values are searched (0: all). Orders change the cost of a search and not its
    result, but for its breadth.
    """

    game: Game = flax.struct.field(pytree_node=False)
    evaluation: Evaluation
    max_level: int = flax.struct.field(pytree_node=False)
    level: Leaf = None  # Int[""]
    random: Leaf = 0.0  # Float[""]
    window: Window | None = None
    ordered: int = flax.struct.field(pytree_node=False, default=2)
    breadth: int = flax.struct.field(pytree_node=False, default=0)
    by_class: bool = flax.struct.field(pytree_node=False, default=True)
    tree: Tree | None = flax.struct.field(pytree_node=False, default=None)  # the game's quickest one if not given

    def check_level(self) -> None:
        """Raises ValueError if a level is known to be impossible."""
        if self.level is None or isinstance(self.level, Tracer):
            return
        if not (np.min(self.level) >= 1 and np.max(self.level) <= self.max_level):
            raise ValueError(f"level must be from 1 to max_level, {self.max_level}, not {self.level}")

    @property
    def rules(self) -> AlphaBeta:
        return AlphaBeta(
            tree=self.tree or tree_of(self.game),
            max_level=self.max_level,
            max_ordered=self.ordered,
            max_breadth=self.breadth,
            windowed=self.window is not None,
            by_class=self.by_class,
            bound=self.evaluation.bound,
        )

    @property
    def effort(self) -> Effort:
        level = self.max_level if self.level is None else self.level
        return Effort(
            level=jnp.asarray(level, jnp.int32),
            ordered=jnp.int32(self.ordered),
            breadth=jnp.int32(self.breadth),
            windowed=jnp.bool_(self.window is not None),
        )

    def reset(self, word: UInt32[Array, ""], seat: Int[Array, ""]) -> Memory:
        return self.window.reset() if self.window is not None else ()

    def watch(self, seat: Int[Array, ""], state: State, memory: Memory) -> Memory:
        return memory

    def act(
        self, word: UInt32[Array, ""], seat: Int[Array, ""], state: State, memory: Memory
    ) -> tuple[Int[Array, ""], Memory]:
        """A loop of its own. Where many games are played, `play_searches` is quicker."""
        return self.choose(self.finish(self.begin(word, seat, state, memory)))

    def finish(self, work: Work) -> Work:
        """Several steps in a row, so that under `vmap` too there is a clock that is the same everywhere, for stages."""

        def step(work: Work, clock: Int[Array, ""]) -> tuple[Work, None]:
            return self.rules.advance(work, self.evaluation, self.window, partial(stage, clock)), None

        return jax.lax.while_loop(
            lambda work: ~self.done(work), lambda work: jax.lax.scan(step, work, jnp.arange(STEPS))[0], work
        )

    # ---------------------------------------------------------------- in small steps
    def begin(self, word: UInt32[Array, ""], seat: Int[Array, ""], state: State, memory: Memory) -> Work:
        rules = self.rules
        node, moves = rules.tree.root(state)
        work = rules.begin(node, moves, self.effort, word, memory)
        return rules.settled(work, moves, plays_anything(word, self.random))

    def advance(self, work: Work) -> Work:
        return self.rules.advance(work, self.evaluation, self.window)

    def done(self, work: Work) -> Bool[Array, ""]:
        return work.done

    def choose(self, work: Work) -> tuple[Int[Array, ""], Memory]:
        return self.rules.chosen(work), work.memory


def plays_anything(word: UInt32[Array, ""], probability: Any) -> Bool[Array, ""]:
    """Whether the player draws among all its moves this time."""
    coin = mix(word + jnp.uint32(GOLDEN))  # the word itself decides what is played
    return (coin >> 8).astype(jnp.float32) / 2**24 < probability
