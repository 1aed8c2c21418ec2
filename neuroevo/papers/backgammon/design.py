"""Designs of `backgammon_scaled`: how many players meet how many rivals in how many games, and how they vary."""

from dataclasses import dataclass, replace

from neuroevo.evolution import Evolution
from neuroevo.strategies import KillMergeMutate, MirroredES
from neuroevo.tasks import RoundRobin

EVERYWHERE, MIRRORED = "all", "mirrored"


@dataclass(frozen=True)
class Cell:
    """One design, as text `population/rivals/games/famous`, and `/all` if every player mutates in all weights,
    with half the sigma, or `/mirrored` for `MirroredES`, whose genomes meet their mirror images.
    """

    population: int
    rivals: int
    games: int
    famous: int
    variation: str = ""

    @staticmethod
    def parse(text: str) -> "Cell":
        """Raises ValueError."""
        numbers, variation = text.split("/"), ""
        if len(numbers) == 5 and numbers[-1] in (EVERYWHERE, MIRRORED):
            *numbers, variation = numbers
        if len(numbers) != 4 or not all(number.isdecimal() for number in numbers):
            raise ValueError(f"a cell is population/rivals/games/famous[/{EVERYWHERE}|{MIRRORED}], not {text!r}")
        population, rivals, games, famous = map(int, numbers)
        if not rivals:
            raise ValueError(f"everybody needs at least one rival: {text!r}")
        if variation == MIRRORED and (rivals, famous) != (1, 0):
            raise ValueError(f"mirrored genomes have one rival, their mirror image, and no past champions: {text!r}")
        return Cell(population, rivals, games, famous, variation)

    def __str__(self) -> str:
        numbers = self.population, self.rivals, self.games, self.famous
        return "/".join([*map(str, numbers), *filter(None, [self.variation])])

    @property
    def games_of_a_player(self) -> int:
        """In a generation."""
        return (self.rivals + self.famous) * self.games

    def of(self, evolution: Evolution) -> Evolution:
        """The evolution with this design. A mirrored one has `MirroredES` as it stands where the evolution has
        `KillMergeMutate`; otherwise the evolution's strategy must be the design's. Raises ValueError.
        """
        task, strategy = evolution.task, evolution.strategy
        assert isinstance(task, RoundRobin)
        mirrored = self.variation == MIRRORED
        task = replace(task, games=self.games, rivals=self.rivals, mirrored=mirrored)
        if mirrored and isinstance(strategy, MirroredES | KillMergeMutate):
            own = strategy if isinstance(strategy, MirroredES) else MirroredES()
            return replace(evolution, task=task, strategy=replace(own, population=self.population))
        if not isinstance(strategy, KillMergeMutate):
            raise ValueError(f"{self} needs strategy={'mirrored_es' if mirrored else 'kill_merge_mutate'}")
        changed = replace(strategy, population=self.population, famous=self.famous)
        if self.variation == EVERYWHERE:
            changed = replace(changed, everywhere=True, mutation_rate=1.0, sigma=strategy.sigma / 2)
        return replace(evolution, task=task, strategy=changed)

    def games_per_generation(self, evolution: Evolution) -> int:
        """Of one replica."""
        task = self.of(evolution).task
        assert isinstance(task, RoundRobin)
        return task.games_of(self.population, self.famous)
