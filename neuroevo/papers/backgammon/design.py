"""Designs of the study `backgammon_scaled`: numbers of players, rivals and games, and the kind of variation."""

from dataclasses import dataclass, replace

from neuroevo.evolution import Evolution
from neuroevo.strategies import KillMergeMutate, MirroredES
from neuroevo.tasks import RoundRobin

EVERYWHERE, MIRRORED = "all", "mirrored"  # kinds of variation


@dataclass(frozen=True)
class Cell:
    """One design. Its text is `population/rivals/games/famous`, followed by `/variation` if there is one.

    population: number of players.
    rivals: number of others that a player meets in a generation.
    games: number of games of a pair.
    famous: number of past champions that a player meets in a generation.
    variation: empty for the strategy's own; `all`: every player mutates in all weights, with half the sigma;
        `mirrored`: `MirroredES`, whose genomes meet their mirror images.
    """

    population: int
    rivals: int
    games: int
    famous: int
    variation: str = ""

    @staticmethod
    def parse(text: str) -> "Cell":
        """The design of a text. Raises ValueError for a text that describes none."""
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
        """Number of games of one player in a generation."""
        return (self.rivals + self.famous) * self.games

    def of(self, evolution: Evolution) -> Evolution:
        """The evolution with this design. Raises ValueError if the evolution has a strategy that the design cannot use.

        A mirrored design replaces `KillMergeMutate` by `MirroredES` with its default values.
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
        """Number of games of one replica in a generation."""
        task = self.of(evolution).task
        assert isinstance(task, RoundRobin)
        return task.games_of(self.population, self.famous)
