"""The loop over generations, on the host: step, log, save, and stop where a signal asks for it."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from neuroevo.checkpoint import Checkpoints
from neuroevo.evolution import Evolution, Generation
from neuroevo.interrupts import Interrupts

MEASURES = "fitness", "wins", "draws", "plies", "busy"


@dataclass
class History:
    """What all generations left behind; arrays lead with [generations, replicas]."""

    measures: dict[str, np.ndarray]  # each Float[generations replicas population]
    champions: np.ndarray  # Float[generations replicas genes]
    seconds: np.ndarray  # Float[generations], computing time

    @staticmethod
    def blank(evolution: Evolution, generations: int) -> "History":
        shape = generations, evolution.replicas
        return History(
            {name: np.zeros((*shape, evolution.strategy.population), np.float32) for name in MEASURES},
            np.zeros((*shape, evolution.task.genes), np.float32),
            np.zeros(generations),
        )

    def put(self, number: int, generation: Generation, seconds: float) -> None:
        for name, values in self.measures.items():
            values[number] = getattr(generation.evaluation, name)
        self.champions[number] = generation.champions
        self.seconds[number] = seconds

    def summary(self, number: int) -> dict[str, float]:
        """The curves of one generation: means over the replicas."""
        fitness, wins, plies = (self.measures[name][number] for name in ("fitness", "wins", "plies"))
        return {
            "fitness/best": float(fitness.max(1).mean()),
            "fitness/average": float(fitness.mean()),
            "wins/best": float(wins.max(1).mean()),
            "wins/average": float(wins.mean()),
            "plies": float(plies.mean()),
        }


@dataclass
class Trained:
    history: History
    compile_seconds: float


def train(
    evolution: Evolution,
    generations: int,
    checkpoints: Checkpoints,
    save_every: int,
    interrupts: Interrupts,
    log: Callable[[dict[str, float]], None],
) -> Trained:
    """Evolves from the newest checkpoint, or from the start, to the last generation.

    Raises SystemExit after a signal, with everything saved, and CheckpointError for a checkpoint of another run.
    """
    states, history, first = evolution.init(), History.blank(evolution, generations), 0
    if checkpoints.latest() is not None:
        saved = checkpoints.restore(_tree(states, history))
        states, history = _untree(saved, states)
        first = checkpoints.latest() or 0
    started = time.perf_counter()
    step = Evolution.step.lower(evolution, states, jnp.int32(0)).compile()
    compile_seconds = time.perf_counter() - started
    with _progress() as progress:
        bar = progress.add_task("generation", total=generations, completed=first, note="")
        for number in range(first, generations):
            started = time.perf_counter()
            states, generation = step(states, jnp.int32(number))
            generation = jax.device_get(generation)
            history.put(number, generation, time.perf_counter() - started)
            metrics = _metrics(evolution, history, number)
            log(metrics)
            note = f"{metrics['games_per_second']:,.0f} games/s, best {metrics['fitness/best']:+.3f}"
            progress.update(bar, completed=number + 1, note=note)
            if (number + 1) % save_every == 0 or number + 1 == generations or interrupts.signal:
                checkpoints.save(number + 1, _tree(states, history))
                if not progress.console.is_terminal:
                    progress.console.print(f"generation {number + 1} of {generations}: {note}", highlight=False)
            if interrupts.signal:
                raise SystemExit(interrupts.exit_code)
    return Trained(history, compile_seconds)


def _metrics(evolution: Evolution, history: History, number: int) -> dict[str, float]:
    games = evolution.games_per_generation
    return {
        "generation": number,
        "evaluations": (number + 1) * evolution.strategy.population,
        "games": (number + 1) * games,
        "games_per_second": games / history.seconds[number],
        **history.summary(number),
    }


def _tree(states: object, history: History) -> dict:
    """All that a checkpoint holds, as plain dicts of arrays."""
    return {"states": dict(_named_leaves(states)), "history": vars(history)}


def _untree(saved: dict, states: object) -> tuple[object, History]:
    leaves = [jnp.asarray(saved["states"][name]) for name, _ in _named_leaves(states)]
    return jax.tree.unflatten(jax.tree.structure(states), leaves), History(**saved["history"])


def _named_leaves(states: object) -> list[tuple[str, jax.Array]]:
    flat, _ = jax.tree_util.tree_flatten_with_path(states)
    return [(jax.tree_util.keystr(path, simple=True, separator="."), leaf) for path, leaf in flat]


def _progress() -> Progress:
    """A bar on a terminal; elsewhere nothing is drawn."""
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}"),
        console=console,
        disable=not console.is_terminal,
    )
