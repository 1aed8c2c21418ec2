"""python -m neuroevo +exp=NAME [key=value …]: runs an experiment; without arguments: lists them."""

import os
import sys
from dataclasses import replace
from pathlib import Path

import hydra
from hydra.core.hydra_config import HydraConfig
from hydra.errors import HydraException
from hydra.types import RunMode
from omegaconf import DictConfig, OmegaConf
from omegaconf import errors as omega
from rich.console import Console

from neuroevo.app import cli, config, registry, sweeps
from neuroevo.runtime.settings import ConfigError

CONF = cli.conf_folder()
registry.store()
OmegaConf.register_new_resolver("run_folder", sweeps.run_folder, use_cache=True, replace=True)
OmegaConf.register_new_resolver("sweep_folder", sweeps.sweep_folder, use_cache=True, replace=True)


@hydra.main(config_path=str(CONF), config_name="config", version_base="1.3")
def job(composed: DictConfig) -> None:
    from jaxgames import devices
    from neuroevo.app import experiment

    hydra_config = HydraConfig.get()
    folder = Path(hydra_config.runtime.output_dir)
    with sweeps.errors_leave():  # Hydra would add lines of its own
        built = config.built(composed)
        devices.set_up(built.run.devices, cli.cache_folder())
        if hydra_config.mode == RunMode.MULTIRUN and built.tracker.group is None:
            built = replace(built, tracker=replace(built.tracker, group=Path(hydra_config.sweep.dir).name))
        results = experiment.run(built, folder, hydra_config.overrides.task)
    cli.show(results, folder, Console())


def main() -> None:
    if len(sys.argv) == 1:
        cli.list_experiments(CONF, Console())
        return
    os.environ.setdefault("HYDRA_FULL_ERROR", "1")  # errors come here instead of being printed over several lines
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
