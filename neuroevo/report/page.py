"""The pages of a run: report.html, which contains its pictures, and the page of its games."""

import base64
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2

if TYPE_CHECKING:
    from jaxgames.render import Drawing

ENVIRONMENT = jinja2.Environment(
    loader=jinja2.PackageLoader("neuroevo.report"), autoescape=True, trim_blocks=True, lstrip_blocks=True
)


def report_page(
    title: str, results: dict[str, Any], pictures: Sequence[Path], sample: Sequence[tuple[str, "Drawing"]]
) -> str:
    """The HTML of report.html: claims, tables, figures and the champion's games. It needs no other files."""
    images = [(picture.stem, base64.b64encode(picture.read_bytes()).decode()) for picture in pictures]
    apart = "title", "claims", "tables", "experiment", "paper", "overrides"
    facts = {key: value for key, value in results.items() if key not in apart}
    claims = [{**claim, "shown": number_text(claim), "verdict": verdict(claim)} for claim in results["claims"]]
    template = ENVIRONMENT.get_template("report.html")
    return template.render(title=title, results=results, facts=facts, claims=claims, images=images, sample=sample)


def games_page(sample: Sequence[tuple[str, "Drawing"]]) -> str:
    """The HTML of the games alone, for the tracker."""
    return ENVIRONMENT.get_template("games.html").render(sample=sample)


def number_text(claim: dict[str, Any]) -> str:
    """The value of a claim with its interval, such as `0.61 (0.58 … 0.64)`."""
    interval = claim["interval"]
    return f"{claim['ours']}" + (f" ({interval[0]} … {interval[1]})" if interval else "")


def verdict(claim: dict[str, Any]) -> str:
    """Whether a claim holds, in words; – if it is only reported."""
    return {True: "holds", False: "does not hold", None: "–"}[claim["holds"]]
