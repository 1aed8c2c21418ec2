"""Everything public is explained where it stands: modules, classes, functions, methods, fields of dataclasses.

Public is what has no name with a leading underscore on its path. A method needs no text of its own when it implements
one that is documented: when a base class of ours documents a method of that name, or when the class offers all methods
of a Protocol of ours (`core.Player`, `tasks.Task`, `strategies.Strategy`, …) that documents it. The same holds for
fields. A field is explained by its name in the class docstring, or by a comment behind it or right above it.
"""

import ast
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = sorted([*ROOT.glob("jaxgames/**/*.py"), *ROOT.glob("neuroevo/**/*.py")])
PUBLIC = [path for path in FILES if not any(re.match(r"_(?!_)", part) for part in path.relative_to(ROOT).parts)]
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Class:
    """A class of ours: the names of its bases, and its members by name, each with whether it is explained."""

    name: str
    bases: tuple[str, ...]
    methods: dict[str, bool]
    fields: dict[str, bool]
    constants: set[str]  # assigned in the class body without an annotation


@cache
def source(path):
    return path.read_text(encoding="utf-8")


def is_public(name):
    return not name.startswith("_")


def last_name(node):
    """The last name of `flax.struct.dataclass` or of `dataclass(frozen=True)`."""
    node = node.func if isinstance(node, ast.Call) else node.value if isinstance(node, ast.Subscript) else node
    return ast.unparse(node).rpartition(".")[2]


def class_of(node, lines):
    text = ast.get_docstring(node) or ""
    methods, fields, constants = {}, {}, set()
    for member in node.body:
        if isinstance(member, Function):
            setter = any(last_name(decorator) == "setter" for decorator in member.decorator_list)
            methods[member.name] = methods.get(member.name, False) or setter or bool(ast.get_docstring(member))
        elif isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name):
            name, line = member.target.id, (member.end_lineno or member.lineno) - 1
            beside = "#" in lines[line] or lines[member.lineno - 2].strip().startswith("#")
            fields[name] = beside or re.search(rf"\b{name}\b", text) is not None
        elif isinstance(member, ast.Assign):
            constants |= {target.id for target in member.targets if isinstance(target, ast.Name)}
    return Class(node.name, tuple(last_name(base) for base in node.bases), methods, fields, constants)


@cache
def classes():
    """All classes of both packages by name; a name that two classes share stands for both."""
    found = {}
    for path in FILES:
        lines = source(path).splitlines()
        for node in ast.walk(ast.parse(source(path))):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(class_of(node, lines))
    return found


def ancestors(one):
    """The class itself and all its bases of ours."""
    found, waiting = [], [one]
    while waiting:
        found.append(waiting.pop())
        waiting += [base for name in found[-1].bases for base in classes().get(name, []) if base not in found]
    return found


@cache
def protocols():
    return [one for same in classes().values() for one in same if "Protocol" in one.bases]


def templates(one):
    """The bases of a class, and the Protocols whose methods it offers all, itself or by its bases."""
    offered = {name for base in ancestors(one) for name in {*base.methods, *base.fields, *base.constants}}
    kept = [p for p in protocols() if p != one and p.methods and offered >= p.methods.keys()]
    return [base for base in ancestors(one) if base != one] + [base for p in kept for base in ancestors(p)]


def has_fields(node):
    """Whether the annotated names of a class are its fields."""
    decorators = {last_name(decorator) for decorator in node.decorator_list}
    return "dataclass" in decorators or {"Module", "NamedTuple"} & {last_name(base) for base in node.bases}


def unexplained(path):
    """What a file leaves without a word, as `Class.member`."""
    lines, tree = source(path).splitlines(), ast.parse(source(path))
    missing = [] if ast.get_docstring(tree) else ["the module"]
    for node in tree.body:
        if not isinstance(node, Function | ast.ClassDef) or not is_public(node.name):
            continue
        if not ast.get_docstring(node):
            missing.append(node.name)
        if isinstance(node, ast.ClassDef):
            one = class_of(node, lines)
            models = templates(one)
            told = {name for model in models for name, known in (model.methods | model.fields).items() if known}
            members = one.methods | (one.fields if has_fields(node) else {})
            missing += [f"{node.name}.{name}" for name, known in members.items()
                        if is_public(name) and not known and name not in told]  # fmt: skip
    return missing


@pytest.mark.parametrize("path", PUBLIC, ids=lambda path: str(path.relative_to(ROOT)))
def test_everything_public_is_explained(path):
    assert not unexplained(path)
