"""What every strategy offers. Strategies maximise, know nothing of games, and keep their state in a pytree."""

from typing import Any, Protocol, runtime_checkable

from jaxtyping import Array, Num, PRNGKeyArray, PyTree

from neuroevo.strategies.evaluation import Evaluation, Opponents


@runtime_checkable
class Strategy(Protocol):
    """Ask for genomes, tell what came of them. One generation is `ask`, an evaluation elsewhere, `tell`."""

    @property
    def gene_type(self) -> Any:
        """The dtype of the genes, which the task's networks must share: see `Evolution.check`."""
        ...

    @property
    def population(self) -> int:
        """How many genomes a generation evaluates."""
        ...

    def init(self, key: PRNGKeyArray, genes: int) -> PyTree: ...
    def ask(self, state: Any) -> tuple[Num[Array, "population genes"], Opponents | None]:
        """The genomes to evaluate, and whom they shall meet if the strategy cares."""
        ...

    def tell(self, key: PRNGKeyArray, state: Any, evaluation: Evaluation) -> Any:
        """Selects on the evaluation of what `ask` gave and makes the next generation."""
        ...

    def champion(self, state: Any) -> Num[Array, "genes"]:
        """The best genome of the last generation told, by the strategy's own criterion."""
        ...
