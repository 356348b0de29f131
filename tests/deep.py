"""CI: the checks, `make test`, then the deep suites that belong to what changed, within its time.

`python -m tests.deep --since BASE` runs the suites that the paths changed since a commit ask for
(`tests.deep_suites`); with `--list` it only names them. `python -m tests.deep --ci` is `.ci/run`.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence

from tests import gate
from tests.deep_suites import SUITES, Suite

# CI knows no base on `main` itself. An issue's work arrives as some ten or twenty commits at once.
COMMITS = 20
# What CI takes on a busy machine, by the clock; a deep suite that would end later is not begun.
BUDGET_MINUTES = 38.0
# Whatever still runs then has hung. `.ci/run` ends all that is left a little later.
LAST_MINUTES = 68.0
# What the checks and the suites of `make test` took on a quiet machine, added up, also those that
# run beside each other; how much longer they take says how busy this one is.
QUIET_MINUTES = 27.0


def git(*arguments: str) -> list[str]:
    """Return the lines that a git command prints; none where it fails."""
    command = ["git", *arguments]
    done = subprocess.run(command, cwd=gate.ROOT, capture_output=True, text=True, check=False)
    return done.stdout.splitlines() if done.returncode == 0 else []


def base() -> str:
    """Return the commit that CI compares with.

    Where the branch left `origin/main`; on `main` itself the last tag, or the commit before the
    last `COMMITS`, whichever is nearer.
    """
    [head] = git("rev-parse", "HEAD")
    for left in git("merge-base", "HEAD", "origin/main"):
        if left != head:
            return left
    last = git("rev-list", "--first-parent", f"--max-count={COMMITS + 1}", "HEAD")
    tagged = git("describe", "--tags", "--abbrev=0", "--match=*", "HEAD^")
    for each in git("rev-parse", f"{tagged[0]}^{{commit}}") if tagged else []:
        if each in last:
            return each
    return last[-1]


def changed_since(commit: str) -> list[str]:
    """Return the paths that differ from a commit; all of them where there is no other commit."""
    if git("rev-parse", "HEAD") == git("rev-parse", commit):
        return git("ls-files")
    return git("diff", "--name-only", "--no-renames", commit)


def brings(path: str, suite: Suite) -> bool:
    """Tell whether a change of a path asks for a suite: a test asks for its own alone."""
    own = tuple(file for test in suite.tests if (file := test.partition("::")[0]).endswith(".py"))
    return path.startswith(own) or ("/tests/" not in path and path.startswith(suite.paths))


def asked_for(paths: Sequence[str]) -> dict[str, str]:
    """Return the suites that paths ask for, each with the first path that does."""
    return {
        name: next(path for path in paths if brings(path, suite))
        for name, suite in SUITES.items()
        if any(brings(path, suite) for path in paths)
    }


def run_suites(
    names: Sequence[str], *, pace: float, budget_until: float, until: float
) -> tuple[list[gate.Done], list[str]]:
    """Run deep suites while their time lasts; return them, and a line for each left out."""
    done: list[gate.Done] = []
    untried: list[str] = []
    for name in names:
        seconds = SUITES[name].minutes * 60 * pace
        if time.monotonic() + seconds > budget_until:
            untried.append(f"NOT RUN {name}: no time for its {gate.minutes(seconds).strip()}")
            continue
        done += gate.run_beside({name: gate.of_suite(name)}, until=until)
    return done, untried


def run_ci() -> int:
    """Run what CI runs and return the exit code."""
    # Since `.ci/run` began: what it installs takes its time, too.
    started_at = time.monotonic() - (time.time() - float(os.environ.get("CI_BEGAN", time.time())))
    until = started_at + LAST_MINUTES * 60
    with gate.counting_flaky() as place:
        lines = [gate.CHECKS, *gate.TEST]
        done = [each for line in lines for each in gate.run_beside(line, until=until)]
        pace = max(1.0, sum(each.seconds for each in done) / 60 / QUIET_MINUTES)
        commit = base()
        names = asked_for(changed_since(commit))
        print(f"since {commit}: {', '.join(names) or 'no deep suite'}", flush=True)
        deep, untried = run_suites(
            list(names),
            pace=pace,
            budget_until=started_at + BUDGET_MINUTES * 60,
            until=until,
        )
        return gate.report([*done, *deep], gate.noted(place), untried)


def main() -> int:
    """Read the command line, run, and return the exit code."""
    parser = argparse.ArgumentParser(description="Run the deep suites that a change asks for.")
    parser.add_argument("--since", metavar="BASE", help="the commit to compare with")
    parser.add_argument("--list", action="store_true", help="only name the suites")
    parser.add_argument("--ci", action="store_true", help="checks and `make test` first")
    given = parser.parse_args()
    if given.ci:
        return run_ci()
    names = asked_for(changed_since(given.since or base()))
    for name, path in names.items():
        print(f"{name}: {path}", flush=True)
    if given.list:
        return 0
    with gate.counting_flaky() as place:
        done, _ = run_suites(list(names), pace=1.0, budget_until=float("inf"), until=float("inf"))
        return gate.report(done, gate.noted(place), [])


if __name__ == "__main__":
    sys.exit(main())
