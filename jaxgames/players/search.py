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
from jaxgames.search.evaluation import StaticEvaluation
from jaxgames.search.state import Effort, MoveFilter, SearchState
from jaxgames.search.trees import Tree, tree_of
from jaxgames.xla import stage

STEPS = 8  # of a search between two checks whether it is done


@flax.struct.dataclass
class EndingsOnly:
    """A StaticEvaluation that gives every position the value 0: a search by it sees wins and losses only."""

    bound = 0

    def value(self, node: Any) -> Int[Array, ""]:
        """See `search.evaluation`."""
        return jnp.int32(0)


@flax.struct.dataclass
class Search:
    """Plays one of the best moves by a search `level` plies deep, drawn; with probability `random`, any legal move.

    level: search depth in plies per game, at most `max_level` (the default).
    ordered: number of plies from the root at which moves are ordered by their static values; further down the tree's
        classes order them or, without `by_class`, their actions.
    breadth: number of moves of the best static values that are searched in a position (0: all).

    Move ordering changes speed only, unless `breadth` cuts moves.
    """

    game: Game = flax.struct.field(pytree_node=False)
    evaluation: StaticEvaluation  # of positions at the search's depth
    max_level: int = flax.struct.field(pytree_node=False)
    level: Leaf = None  # Int[""]
    random: Leaf = 0.0  # Float[""]
    move_filter: MoveFilter | None = None  # keeps the search to some of the moves
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
        """The search itself, without what may differ from game to game."""
        return AlphaBeta(
            tree=self.tree or tree_of(self.game),
            max_level=self.max_level,
            max_ordered=self.ordered,
            max_breadth=self.breadth,
            filtered=self.move_filter is not None,
            by_class=self.by_class,
            bound=self.evaluation.bound,
        )

    @property
    def effort(self) -> Effort:
        """What may differ from game to game: level, ordering and cuts."""
        level = self.max_level if self.level is None else self.level
        return Effort(
            level=jnp.asarray(level, jnp.int32),
            ordered=jnp.int32(self.ordered),
            breadth=jnp.int32(self.breadth),
            filtered=jnp.bool_(self.move_filter is not None),
        )

    def reset(self, bits: UInt32[Array, ""], seat: Int[Array, ""]) -> Memory:
        """What the `move_filter` remembers at the start, if there is one."""
        return self.move_filter.reset() if self.move_filter is not None else ()

    def watch(self, seat: Int[Array, ""], state: State, memory: Memory) -> Memory:
        """Nothing changes."""
        return memory

    def act(
        self, bits: UInt32[Array, ""], seat: Int[Array, ""], state: State, memory: Memory
    ) -> tuple[Int[Array, ""], Memory]:
        """Runs the search to its end. `play_searches` is faster where many games are played."""
        return self.choose(self.finish(self.begin(bits, seat, state, memory)))

    def finish(self, search: SearchState) -> SearchState:
        """Runs the search to its end. Scans of STEPS steps give it a clock without a batch axis, which stages need."""

        def step(search: SearchState, clock: Int[Array, ""]) -> tuple[SearchState, None]:
            return self.rules.advance(search, self.evaluation, self.move_filter, partial(stage, clock)), None

        return jax.lax.while_loop(
            lambda search: ~self.done(search), lambda search: jax.lax.scan(step, search, jnp.arange(STEPS))[0], search
        )

    # ---------------------------------------------------------------- in small steps
    def begin(self, bits: UInt32[Array, ""], seat: Int[Array, ""], state: State, memory: Memory) -> SearchState:
        """The state of a search before its first step."""
        rules = self.rules
        node, moves = rules.tree.root(state)
        search = rules.begin(node, moves, self.effort, bits, memory)
        return rules.decided(search, moves, plays_anything(bits, self.random))

    def advance(self, search: SearchState) -> SearchState:
        """One step of the search."""
        return self.rules.advance(search, self.evaluation, self.move_filter)

    def done(self, search: SearchState) -> Bool[Array, ""]:
        """Whether the search has its result."""
        return search.done

    def choose(self, search: SearchState) -> tuple[Int[Array, ""], Memory]:
        """(a drawn one of the best moves, what the player remembers from now on)."""
        return self.rules.chosen(search), search.memory


def plays_anything(bits: UInt32[Array, ""], probability: Any) -> Bool[Array, ""]:
    """Whether the player draws among all its moves at this ply."""
    coin = mix(bits + jnp.uint32(GOLDEN))  # the bits themselves decide what is played
    return (coin >> 8).astype(jnp.float32) / 2**24 < probability
