"""The shape of the code: arrows between modules go down only; files, functions and argument lists stay small."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = sorted([*ROOT.glob("jaxgames/**/*.py"), *ROOT.glob("neuroevo/**/*.py"), *ROOT.glob("benchmarks/**/*.py")])

# From the bottom up. A module may import from its own layer's modules and from those above it in this list.
LAYERS = [
    ["jaxgames.bitboard", "jaxgames.randomness", "jaxgames.staging", "jaxgames.devices", "jaxgames.lanes"],
    ["jaxgames.core"],
    ["jaxgames.packing", "jaxgames.liberties", "jaxgames.threats", "jaxgames.schedule", "jaxgames.counting"],
    ["jaxgames.checkers", "jaxgames.walks"],
    ["jaxgames.backgammon_walk"],
    ["jaxgames.backgammon"],
    ["jaxgames.atari_go", "jaxgames.gomoku", "jaxgames.othello"],
    ["jaxgames.pente"],
    ["jaxgames.pente_rows"],
    ["jaxgames.evaluations", "jaxgames.openings", "jaxgames.edge_table"],
    ["jaxgames.bill"],
    ["jaxgames.trees"],
    ["jaxgames.work"],
    ["jaxgames.search"],
    ["jaxgames.players"],
    ["jaxgames.raters"],
    ["jaxgames.arena", "jaxgames.walk_arena"],
    ["jaxgames.search_arena"],
    ["jaxgames"],
    ["jaxgames.render", "jaxgames.testing", "jaxgames.pairings", "jaxgames.records"],
    ["neuroevo.networks", "neuroevo.encoders", "neuroevo.genome", "neuroevo.statistics", "neuroevo.evaluation"],
    [
        "neuroevo",
        "neuroevo.files",
        "neuroevo.interrupts",
        "neuroevo.claims",
        "neuroevo.provenance",
        "neuroevo.findings",
    ],
    ["neuroevo.afterstates", "neuroevo.players", "neuroevo.strategies", "neuroevo.td"],
    ["neuroevo.values"],
    ["neuroevo.crowds"],
    ["neuroevo.td_data", "neuroevo.td_records", "neuroevo.td_training", "neuroevo.td_moves"],
    ["neuroevo.tasks"],
    ["neuroevo.evolution", "neuroevo.backgammon_td", "neuroevo.gnu_backgammon"],
    ["neuroevo.settings", "neuroevo.checkpoint", "neuroevo.figures", "neuroevo.search_figures", "neuroevo.report"],
    ["neuroevo.figures_backgammon"],
    ["neuroevo.lab", "neuroevo.tracking"],
    ["neuroevo.evolution", "neuroevo.tournament"],
    ["neuroevo.studies"],
    ["neuroevo.config"],
    ["neuroevo.run_folder", "neuroevo.champions", "neuroevo.sweeps", "neuroevo.cli"],
    ["neuroevo.experiment", "neuroevo.cross_table", "neuroevo.serve"],
    ["neuroevo.__main__"],
    ["benchmarks"],
]


def module_name(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def layer(module):
    """The layer of the longest listed name that `module` is or lies in."""
    listed = {name: level for level, names in enumerate(LAYERS) for name in names}
    while module not in listed:
        module, dot, _ = module.rpartition(".")
        assert dot, "a new module must be given a layer"
    return listed[module]


def imported(path):
    """Names of our own modules that a file imports at run time."""
    known = {module_name(p) for p in FILES}
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing_only = [n for n in ast.walk(tree) if isinstance(n, ast.If) and ast.unparse(n.test) == "TYPE_CHECKING"]
    skipped = {inner for node in typing_only for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if node in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module in known:
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from [name if name in known else node.module for name in inner]


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_imports_point_down(path):
    module = module_name(path)
    for other in imported(path):
        assert layer(other) <= layer(module), f"{module} imports {other}"


def test_jaxgames_never_imports_neuroevo():
    for path in FILES:
        if module_name(path).startswith("jaxgames"):
            assert not any(name.startswith("neuroevo") for name in imported(path))


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_files_functions_and_argument_lists_are_small(path):
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 300
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            length = node.end_lineno - node.lineno + 1
            arguments = [a for a in node.args.args + node.args.kwonlyargs if a.arg != "self"]
            assert length <= 40, f"{node.name}: {length} lines"
            assert len(arguments) <= 6, f"{node.name}: {len(arguments)} arguments"


def test_every_module_says_what_it_is():
    for path in FILES:
        assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), path
