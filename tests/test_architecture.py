"""The architecture: arrows between folders point down, and files, functions and argument lists stay small."""

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = sorted([*ROOT.glob("jaxgames/**/*.py"), *ROOT.glob("neuroevo/**/*.py"), *ROOT.glob("benchmarks/**/*.py")])

# From the bottom up. A room (a folder or a file of a package) imports only itself and rooms of lower floors.
FLOORS = [
    [
        "jaxgames.bitboard",
        "jaxgames.randomness",
        "jaxgames.xla",
        "jaxgames.devices",
        "jaxgames.files",
        "jaxgames.console",
    ],
    ["jaxgames.core"],
    ["jaxgames.search"],
    ["jaxgames.games"],
    ["jaxgames.players"],
    ["jaxgames.arena"],
    ["jaxgames.records", "jaxgames.render", "jaxgames.testing"],
    ["jaxgames"],
    ["neuroevo.encoders", "neuroevo.strategies"],
    ["neuroevo.networks"],
    ["neuroevo.players"],
    ["neuroevo.tasks"],
    ["neuroevo.td"],
    ["neuroevo.report", "neuroevo.runtime"],
    ["neuroevo.evolution"],
    ["neuroevo.papers"],
    ["neuroevo.app"],
    ["neuroevo"],
    ["neuroevo.cross_table", "neuroevo.serve", "neuroevo.__main__"],
    ["benchmarks"],
]
APART = {  # folders whose own folders do not import each other, but for these
    "jaxgames.games": {("pente", "gomoku")},  # Pente is Gomoku with captures
    "jaxgames.records": set(),
    "neuroevo.papers": set(),
}
MOST_ENTRIES = 14  # of a package's own folder, without __init__.py


def module_name(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imported(path):
    """Names of our own modules that a file imports at run time, also inside functions."""
    known = {module_name(p) for p in FILES}
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing_only = [n for n in ast.walk(tree) if isinstance(n, ast.If) and ast.unparse(n.test) == "TYPE_CHECKING"]
    skipped = {inner for node in typing_only for inner in ast.walk(node)}
    found = []
    for node in ast.walk(tree):
        if node in skipped:
            continue
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names if alias.name in known]
        elif isinstance(node, ast.ImportFrom) and node.module in known:
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            found += [name if name in known else node.module for name in inner]
    return tuple(found)


def room(module):
    """The room that a module lies in: jaxgames.arena for jaxgames.arena.walks."""
    parts = module.split(".")
    return parts[0] if parts[0] == "benchmarks" else ".".join(parts[:2])


def floor(module):
    return next(number for number, rooms in enumerate(FLOORS) if room(module) in rooms)


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_imports_point_down(path):
    module = module_name(path)
    for other in imported(path):
        assert room(other) == room(module) or floor(other) < floor(module), f"{module} imports {other}"


@pytest.mark.parametrize("package", APART)
def test_neighbours_do_not_import_each_other(package):
    folders = {path.parent.name for path in FILES if module_name(path).startswith(f"{package}.")}
    for path in FILES:
        module = module_name(path)
        if not module.startswith(f"{package}.") or path.parent.parent != ROOT / package.replace(".", "/"):
            continue
        for other in imported(path):
            neighbour = other.removeprefix(f"{package}.").partition(".")[0]
            if other.startswith(f"{package}.") and neighbour in folders - {path.parent.name}:
                assert (path.parent.name, neighbour) in APART[package], f"{module} imports {other}"


def test_no_module_imports_itself_through_others():
    arrows = {module_name(path): set(imported(path)) - {module_name(path)} for path in FILES}
    while arrows:  # take away what imports nothing that is left
        free = {module for module, others in arrows.items() if not others & arrows.keys()}
        assert free, f"these import each other: {sorted(arrows)}"
        arrows = {module: others for module, others in arrows.items() if module not in free}


@pytest.mark.parametrize("package", ["jaxgames", "neuroevo"])
def test_a_package_is_a_table_of_contents(package):
    entries = [path.name for path in (ROOT / package).iterdir() if path.suffix == ".py" or any(path.glob("*.py"))]
    assert len(set(entries) - {"__init__.py"}) <= MOST_ENTRIES, sorted(entries)


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
