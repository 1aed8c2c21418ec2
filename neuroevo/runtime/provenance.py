"""What a result was computed with: commit, version, device, JAX."""

import subprocess
from pathlib import Path
from typing import Any

import jax

from jaxgames import __version__


def provenance() -> dict[str, Any]:
    """Commit, version, device and JAX version, as they are kept in results.json."""
    return {"commit": commit(), "version": __version__, "device": device(), "jax": jax.__version__}


def device() -> str:
    """The kind and number of devices, such as `CPU × 2`."""
    first = jax.devices()[0]
    return f"{'CPU' if first.platform == 'cpu' else first.device_kind} × {jax.device_count()}"


def commit() -> str | None:
    """The commit of the checkout that the code runs from, with "+" if files differ from it; None outside a checkout."""
    here = Path(__file__)

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(here.parent), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=10).stdout.strip()

    try:
        git("ls-files", "--error-unmatch", here.name)  # an installed package may lie inside somebody else's repository
        changed = git("status", "--porcelain", "--untracked-files=no", "--", ":/jaxgames", ":/neuroevo", ":/conf")
        return git("rev-parse", "--short=12", "HEAD") + ("+" if changed else "")
    except (OSError, subprocess.SubprocessError):
        return None
