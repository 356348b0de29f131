"""What runs in production imports nothing that only tests install."""

import ast
import re
import sys
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest

pytestmark = pytest.mark.sources

ROOT = Path(__file__).resolve().parent.parent
OWN = {"apps", "config"}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def declared() -> set[str]:
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    matches = [re.match(r"[\w.-]+", line) for line in lines if not line.startswith(("#", "-"))]
    return {normal(match[0]) for match in matches if match}


def with_dependencies(names: set[str]) -> set[str]:
    seen: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        try:
            found = requires(name) or []
        except PackageNotFoundError:
            continue
        needs = [re.match(r"[\w.-]+", line) for line in found if "extra ==" not in line]
        waiting += [normal(match[0]) for match in needs if match]
    return seen


def imported_modules() -> dict[str, str]:
    modules: dict[str, str] = {}
    files = [*ROOT.glob("apps/**/*.py"), *ROOT.glob("config/**/*.py"), ROOT / "manage.py"]
    for file in files:
        if "tests" in file.parts:
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module]
            else:
                continue
            modules |= {name.partition(".")[0]: str(file.relative_to(ROOT)) for name in names}
    return modules


def test_run_time_code_imports_only_what_requirements_txt_installs() -> None:
    allowed = with_dependencies(declared())
    distributions = packages_distributions()
    strangers = {
        module: file
        for module, file in imported_modules().items()
        if module not in OWN and module not in sys.stdlib_module_names
        if not {normal(name) for name in distributions.get(module, [])} & allowed
    }
    assert strangers == {}
