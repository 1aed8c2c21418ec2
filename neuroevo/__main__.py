"""python -m neuroevo +exp=NAME [key=value …]: runs an experiment; without arguments: lists them."""

import os
import sys
from pathlib import Path

import hydra
from hydra.core.hydra_config import HydraConfig
from hydra.errors import HydraException
from hydra.types import RunMode
from omegaconf import DictConfig, OmegaConf
from omegaconf import errors as omega
from rich.console import Console

from neuroevo import cli, config, sweeps

CONF = cli.conf_folder()
config.register()
OmegaConf.register_new_resolver("run_folder", sweeps.run_folder, use_cache=True, replace=True)
OmegaConf.register_new_resolver("sweep_folder", sweeps.sweep_folder, use_cache=True, replace=True)


@hydra.main(config_path=str(CONF), config_name="config", version_base="1.3")
def job(composed: DictConfig) -> None:
    from jaxgames import devices
    from neuroevo import experiment

    run = config.validate(composed)
    devices.set_up(run.devices, cli.cache_folder())
    folder = Path(HydraConfig.get().runtime.output_dir)
    if HydraConfig.get().mode == RunMode.MULTIRUN and run.tracker["group"] is None:
        run.tracker["group"] = Path(HydraConfig.get().sweep.dir).name
    try:
        results = experiment.run(run, folder)
    except config.ConfigError as error:  # Hydra would add lines of its own
        print(f"neuroevo: {error}", file=sys.stderr)
        raise SystemExit(1) from error
    cli.show(results, folder, Console())


def main() -> None:
    if len(sys.argv) == 1:
        cli.list_experiments(CONF, Console())
        return
    os.environ.setdefault("HYDRA_FULL_ERROR", "1")  # errors come here instead of being printed over several lines
    try:
        job()
    except (config.ConfigError, HydraException, omega.OmegaConfBaseException) as error:
        print(f"neuroevo: {cli.explain(error, CONF)}", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
