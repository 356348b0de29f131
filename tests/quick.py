"""A look at what changed and the tests that stand next to it: `make quick`.

Changed is what the working tree holds beyond the last commit; where it holds nothing, the last
commit; with `BASE=main` all since the branch left main. `make check` and `make test` are the whole.
"""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FRONTEND = ROOT / "frontend"
PROGRAMS = Path(sys.executable).parent
NODE_PROGRAMS = FRONTEND / "node_modules" / ".bin"
# Every app stands on these; what runs then asks a little of all of them.
SHARED = ("apps/common/", "config/", "tests/", "conftest.py", "pyproject.toml", "requirements")
SHARED_TESTS = ["apps/common/tests", "tests/calls/test_tenancy.py", "tests/test_openapi.py"]
# What pytest returns where all that was chosen needs PostgreSQL or a browser.
NONE_SELECTED = 5
# Below so many files a second process costs more than it spares.
FILES_FOR_TWO = 8


@dataclass(frozen=True)
class Step:
    """One command; what it says is shown where it fails."""

    name: str
    program: Path
    arguments: list[str]
    about: str = ""

    def run(self) -> bool:
        """Run it, print its line and tell whether it succeeded."""
        started_at = time.monotonic()
        done = subprocess.run(
            [self.program, *self.arguments],
            cwd=FRONTEND if self.program.is_relative_to(FRONTEND) else ROOT,
            env=os.environ | {"TEST_DATABASE": "sqlite", "NO_COLOR": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        seconds = time.monotonic() - started_at
        outcome = {0: self.about, NONE_SELECTED: "none of them runs here"}.get(done.returncode)
        print(f"{self.name:8} {seconds:5.1f} s  {outcome or ''}".rstrip(), flush=True)
        if outcome is None:
            print(f"FAILED\n{done.stdout}", flush=True)
        return outcome is not None


def git(*arguments: str) -> list[str]:
    """Return the names that a git command lists."""
    command = ["git", *arguments, "-z"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [name for name in listed.split("\0") if name]


def changed_files() -> tuple[str, list[str]]:
    """Return since when, and the paths that changed; some may be gone."""
    base = os.environ.get("BASE")
    compare = ["diff", "--name-only", "--no-renames"]
    untracked = git("ls-files", "--others", "--exclude-standard")
    differing = git(*compare, *(["--merge-base", base] if base else ["HEAD"]))
    if base or differing or untracked:
        return f"since {base or 'the last commit'}", sorted({*differing, *untracked})
    return "in the last commit", git(*compare, "HEAD~1", "HEAD")


def named(files: list[str], *endings: str) -> list[str]:
    """Return those of the files that exist and end so."""
    return [name for name in files if name.endswith(endings) and (ROOT / name).is_file()]


def whole_system_tests(app: str) -> list[str]:
    """Return the files in tests/ that import an app and need no PostgreSQL."""
    texts = {path: path.read_text() for path in ROOT.glob("tests/test_*.py")}
    return [
        str(path.relative_to(ROOT))
        for path, text in texts.items()
        if f"apps.{app}." in text and "mark.postgres" not in text
    ]


def choose_tests(files: list[str]) -> list[str]:
    """Return the test files and directories that stand next to Python files."""
    tests = {name for name in files if Path(name).name.startswith("test_")}
    chosen = set(named(sorted(tests), ".py"))
    for name in set(files) - tests:
        if name.startswith(SHARED):
            chosen.update(SHARED_TESTS)
        elif name.startswith("apps/"):
            app = name.split("/")[1]
            chosen.add(f"apps/{app}/tests")
            chosen.update(whole_system_tests(app))
    return sorted(
        each
        for each in chosen
        if (ROOT / each).exists() and not any(str(up) in chosen for up in Path(each).parents)
    )


def python_steps(files: list[str]) -> tuple[list[Step], list[Step]]:
    """Return the steps that look at Python files, and those that run tests."""
    files = [each for each in files if each.endswith(".py") or each == "pyproject.toml"]
    if not files:
        return [], []
    sources = named(files, ".py")
    looks = [
        Step("format", PROGRAMS / "ruff", ["format", "--check", "--quiet", *sources]),
        Step("lint", PROGRAMS / "ruff", ["check", "--quiet", *sources]),
        Step("types", Path("make"), ["check-types"]),
        Step("layers", Path("make"), ["check-layers"]),
    ]
    tests = choose_tests(files)
    count = sum(len(list((ROOT / each).rglob("test_*.py"))) or 1 for each in tests)
    processes = ["-n", "2", "--dist", "worksteal"] if count >= FILES_FOR_TWO else []
    selection = ["-q", "-m", "not journey", *processes, *tests]
    return looks, [Step("tests", PROGRAMS / "pytest", selection, " ".join(tests))] if tests else []


def browser_steps(files: list[str]) -> tuple[list[Step], list[Step]]:
    """Return the steps that look at the browser application's files, and those that run tests."""
    files = [each.removeprefix("frontend/") for each in files if each.startswith("frontend/")]
    if not files:
        return [], []
    present = [each for each in files if (FRONTEND / each).is_file()]
    scripts = [each for each in present if each.endswith((".ts", ".tsx", ".js"))]
    looks, tests = [], []
    if present:
        check = ["--check", "--ignore-unknown"]
        looks.append(Step("prettier", NODE_PROGRAMS / "prettier", [*check, *present]))
    if scripts:
        strict = ["--max-warnings", "0", "--no-warn-ignored"]
        looks.append(Step("eslint", NODE_PROGRAMS / "eslint", [*strict, *scripts]))
        related = ["related", "--run", "--reporter=dot", "--passWithNoTests", *scripts]
        tests.append(Step("vitest", NODE_PROGRAMS / "vitest", related, "related tests"))
    looks.append(Step("tsc", NODE_PROGRAMS / "tsc", ["-p", "tsconfig.json"]))
    if any(each.startswith("src/i18n/") for each in files):
        tests.append(Step("texts", NODE_PROGRAMS / "vitest", ["run", "src/i18n"]))
    return looks, tests


def run_all(steps: list[Step]) -> bool:
    """Run one after the other, all of them: a failure does not hide what the others find."""
    outcomes = [step.run() for step in steps]
    return all(outcomes)


def main() -> int:
    """Look and test, both at once, and return the exit code."""
    started_at = time.monotonic()
    when, files = changed_files()
    print(f"{len(files)} files {when}")
    looks, tests = (
        python + browser
        for python, browser in zip(python_steps(files), browser_steps(files), strict=True)
    )
    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(run_all, (looks, tests)))
    if any(name.startswith(SHARED) for name in files):
        print("What every app stands on has changed: `make test` runs them all.")
    print(f"{'total':8} {time.monotonic() - started_at:5.1f} s")
    return 0 if all(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
