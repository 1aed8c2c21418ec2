"""What every strategy offers. Strategies maximise, know nothing of games, and keep their state in a pytree.

A strategy is a frozen dataclass; its functions are pure and are compiled with the strategy as a constant.
"""

from typing import Any, Protocol, runtime_checkable

from jaxtyping import Array, Num, PRNGKeyArray, PyTree

from neuroevo.strategies.evaluation import Evaluation, Opponents


@runtime_checkable
class Strategy(Protocol):
    """Proposes genomes and is told their evaluation. A generation is `ask`, an evaluation elsewhere, `tell`."""

    @property
    def gene_type(self) -> Any:
        """The dtype of the genes, which the task's networks must share: see `Evolution.check`."""
        ...

    @property
    def population(self) -> int:
        """Number of genomes in a generation."""
        ...

    def init(self, key: PRNGKeyArray, genes: int) -> PyTree:
        """The state before the first generation, for genomes of `genes` genes."""
        ...

    def ask(self, state: Any) -> tuple[Num[Array, "population genes"], Opponents | None]:
        """(the genomes to evaluate, the opponents that they are to meet; None leaves these to the task)."""
        ...

    def tell(self, key: PRNGKeyArray, state: Any, evaluation: Evaluation) -> Any:
        """The state after selection by the evaluation of the genomes that `ask` gave, with the next generation.

        Fitness is finite, or −inf for a faulty genome: `evaluation.without_faults` has been applied. The state stays
        finite as long as one genome is not faulty.
        """
        ...

    def champion(self, state: Any) -> Num[Array, "genes"]:
        """The best genome of the last generation that was told, by the strategy's own criterion."""
        ...
