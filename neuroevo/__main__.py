"""The main command.

python -m neuroevo                              lists the experiments
python -m neuroevo +exp=NAME [key=value …]      runs one
"""

import os
import signal
import sys


def _leave(number: int, frame: object) -> None:
    os.write(2, b"neuroevo: stopped before anything was computed\n")
    os._exit(128 + number)


for _name in ("SIGINT", "SIGTERM", "SIGHUP"):  # imports take seconds, in which Python would print a traceback
    if __name__ == "__main__" and hasattr(signal, _name):
        signal.signal(getattr(signal, _name), _leave)

from dataclasses import replace
from pathlib import Path

import hydra
from hydra.core.hydra_config import HydraConfig
from hydra.errors import HydraException
from hydra.types import RunMode
from omegaconf import DictConfig, OmegaConf
from omegaconf import errors as omega
from rich.console import Console

from jaxgames import console
from neuroevo.app import cli, config, registry, sweeps
from neuroevo.runtime.settings import ConfigError

CONF = cli.conf_folder()
registry.store()
OmegaConf.register_new_resolver("run_folder", sweeps.run_folder, use_cache=True, replace=True)
OmegaConf.register_new_resolver("sweep_folder", sweeps.sweep_folder, use_cache=True, replace=True)


@hydra.main(config_path=str(CONF), config_name="config", version_base="1.3")
def job(composed: DictConfig) -> None:
    """One run of the config that Hydra composed. A sweep calls it for every combination of values."""
    from jaxgames import devices
    from neuroevo.app import experiment

    hydra_config = HydraConfig.get()
    folder = Path(hydra_config.runtime.output_dir)
    with sweeps.errors_leave():  # otherwise Hydra would add lines of its own
        built = config.built(composed)
        devices.set_up(built.run.devices, cli.cache_folder())
        if hydra_config.mode == RunMode.MULTIRUN and built.tracker.group is None:
            group = built.run.tracker["group"] = Path(hydra_config.sweep.dir).name
            built = replace(built, tracker=replace(built.tracker, group=group))
        results = experiment.run(built, folder, hydra_config.overrides.task)
    cli.show(results, folder, Console())


def main() -> None:
    """The command line. Exits with 1 and one line on stderr for a wrong config."""
    console.set_up()
    if len(sys.argv) == 1:
        cli.list_experiments(CONF, Console())
        return
    os.environ.setdefault("HYDRA_FULL_ERROR", "1")  # Hydra raises errors instead of printing them
    try:
        registry.load_plugins(cli.plugins(sys.argv))
        registry.store()
        job()
    except (ConfigError, HydraException, omega.OmegaConfBaseException, OSError) as error:
        print(f"neuroevo: {cli.explain(error, CONF)}", file=sys.stderr)
        sys.exit(1)
    except ValueError as error:
        if "Config group override" not in str(error):  # Hydra's words for `strategy=null`
            raise
        print(f"neuroevo: {error}", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
