"""Our sources use no name that another library keeps for itself."""

import ast
import importlib
import inspect
import sys
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

pytestmark = pytest.mark.sources

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("apps", "config", "tests")
# Names with an underscore that their libraries document: Django's models and named tuples.
PUBLISHED = {
    *("_meta", "_state", "_default_manager", "_base_manager"),
    *("_asdict", "_replace", "_fields", "_make", "_exit"),
}


def is_private(name: str) -> bool:
    """Tell whether a name is kept by its library for itself."""
    return name.startswith("_") and not name.endswith("__") and name not in {"_", *PUBLISHED}


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def trees() -> dict[Path, ast.Module]:
    """Return the syntax trees of our sources."""
    paths = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
    return {path: parsed(path) for path in paths if "migrations" not in path.parts}


def names_defined(tree: ast.AST) -> Iterator[str]:
    """Yield the names that a tree defines: of functions, classes, variables and attributes."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()):
                yield name


def ours(name: str) -> bool:
    """Tell whether a module is in one of `FOLDERS`, and not a library's."""
    return name.partition(".")[0] in FOLDERS


def faults_of(path: Path, tree: ast.AST, known: set[str]) -> Iterator[str]:
    """Yield the uses of others' private names; `known` are those that our sources define."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name) if is_private(name) and name not in known:
                found = [name]
            case ast.ImportFrom(module=str(module), names=names, level=0) if not ours(module):
                found = [*module.split("."), *(each.name for each in names)]
            case ast.Import(names=names):
                found = [part for each in names for part in each.name.split(".")]
            case _:
                continue
        for name in found:
            if is_private(name):
                yield f"{path}:{node.lineno}: {name}"


def test_no_private_name_of_another_library_is_used() -> None:
    known = {name for tree in trees().values() for name in names_defined(tree)}
    faults = [
        fault
        for path, tree in trees().items()
        for fault in faults_of(path.relative_to(ROOT), tree, known)
    ]
    assert faults == []


@pytest.mark.parametrize(
    "source",
    [
        "pool._work_queue = 1",
        "from uvicorn._types import Scope",
        "import _argon2_cffi_bindings",
        "from argon2 import _utils",
    ],
)
def test_a_private_name_is_found(source: str) -> None:
    assert list(faults_of(Path("a.py"), ast.parse(source), {"_own"}))


def modules() -> Iterator[ModuleType]:
    """Import and yield the product's modules with derived classes that define private names."""
    for path, tree in trees().items():
        parts = path.relative_to(ROOT).with_suffix("").parts
        derived = (each for each in ast.walk(tree) if isinstance(each, ast.ClassDef) and each.bases)
        if "tests" not in parts and any(map(is_private, chain(*map(names_defined, derived)))):
            yield importlib.import_module(".".join(parts).removesuffix(".__init__"))


@cache
def classes_of(module: str) -> dict[str, ast.ClassDef]:
    """Return the classes that a module's source defines, by name; none without Python source."""
    path = getattr(sys.modules.get(module), "__file__", None) or ""
    if not path.endswith(".py"):
        return {}
    walked = ast.walk(parsed(Path(path)))
    return {each.name: each for each in walked if isinstance(each, ast.ClassDef)}


def written_names(kind: type[Any]) -> set[str]:
    """Return the private names that a class's source defines."""
    tree = classes_of(kind.__module__).get(kind.__name__)
    return set(filter(is_private, names_defined(tree))) if tree else set()


def overridden(kind: type[Any]) -> set[str]:
    """Return the private names of other libraries' classes that a class of ours defines again."""
    own = written_names(kind)
    foreign = [base for base in kind.__mro__[1:] if own and not ours(base.__module__)]
    return own & {name for base in foreign for name in (*written_names(base), *vars(base))}


def test_no_private_name_of_another_librarys_class_is_overridden() -> None:
    classes = {
        each
        for module in modules()
        for each in vars(module).values()
        if inspect.isclass(each) and ours(each.__module__)
    }
    faults = {f"{each.__module__}.{each.__qualname__}": overridden(each) for each in classes}
    assert {name: found for name, found in faults.items() if found} == {}


def test_an_overridden_private_name_is_found() -> None:
    from concurrent.futures import ThreadPoolExecutor

    class Own(ThreadPoolExecutor):
        def _adjust_thread_count(self) -> None:
            pass

    assert overridden(Own) == {"_adjust_thread_count"}
