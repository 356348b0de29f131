"""A pytest plugin that tells at the end which tests passed only when they were run again.

Three are let through, so that a test that fails now and then does not stop those who did not break
it; a fourth fails the run. `FLAKY_FILE` is where a command of several runs counts them together.
"""

import json
import os
from collections.abc import Iterable
from pathlib import Path

import pytest

MOST_FLAKY = 3
# Where a run notes those that it met, one line of JSON each.
FILE = "FLAKY_FILE"


class Reruns:
    """What failed and was run again, in all processes of one run."""

    def __init__(self) -> None:
        self.first_failures: dict[str, str] = {}
        self.failed: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.outcome == "rerun":  # type: ignore[comparison-overlap]  # pytest-rerunfailures'
            self.first_failures.setdefault(report.nodeid, report.longreprtext)
        elif report.failed:
            self.failed.add(report.nodeid)

    def flaky(self) -> dict[str, str]:
        """Return the tests that passed at last, each with the trace of its failure."""
        return {test: why for test, why in self.first_failures.items() if test not in self.failed}

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if place := os.environ.get(FILE):
            with Path(place).open("a") as file:
                for test, why in self.flaky().items():
                    file.write(json.dumps({"test": test, "why": why}) + "\n")
        elif len(self.flaky()) > MOST_FLAKY and session.exitstatus == 0:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        failed = {test: why for test, why in self.first_failures.items() if test in self.failed}
        for line in (*told(failed.items(), "FIRST TRY OF"), *told(self.flaky().items())):
            terminalreporter.write_line(line)


def told(flaky: Iterable[tuple[str, str]], word: str = "FLAKY") -> list[str]:
    """Return the lines that tell of tests that were run again, the trace of the first try first."""
    return [line for test, why in flaky for line in ("", *why.splitlines(), f"{word} {test}")]


def pytest_configure(config: pytest.Config) -> None:
    """Listen where the reports of all processes arrive."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Reruns())
