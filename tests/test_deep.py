"""CI finds what changed, and says of a suite for which it has no time that it did not run."""

import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import gate
from tests.deep import COMMITS, asked_for, base, changed_since, run_suites
from tests.deep_suites import SUITES, Suite

Git = Callable[..., str]


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Git:
    """Return a function that gives a command to a new repository, CI's from now on."""
    monkeypatch.setattr(gate, "ROOT", tmp_path)

    def give(*arguments: str) -> str:
        known = ["git", "-c", "user.name=Ana", "-c", "user.email=ana@example.com", *arguments]
        done = subprocess.run(known, cwd=tmp_path, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    give("init", "--quiet", "--initial-branch=main")
    return give


def commit(git: Git, name: str) -> str:
    """Commit a new file and return the commit."""
    (gate.ROOT / name).write_text(name)
    git("add", name)
    git("commit", "--quiet", "--message", name)
    return git("rev-parse", "HEAD")


def test_a_branch_is_compared_with_where_it_left_main(git: Git) -> None:
    left = commit(git, "a")
    git("update-ref", "refs/remotes/origin/main", left)
    commit(git, "b")
    commit(git, "c")
    assert base() == left
    assert changed_since(base()) == ["b", "c"]


def test_main_is_compared_with_the_last_tag(git: Git) -> None:
    commit(git, "a")
    tagged = commit(git, "b")
    git("tag", "v1")
    git("update-ref", "refs/remotes/origin/main", commit(git, "c"))
    assert base() == tagged
    git("tag", "v2")  # what is given out now was not looked at before
    assert base() == tagged


def test_main_without_a_tag_is_compared_with_some_commits_ago(git: Git) -> None:
    made = [commit(git, f"{number:02}") for number in range(COMMITS + 3)]
    assert base() == made[2]
    assert len(changed_since(base())) == COMMITS


def test_of_a_single_commit_everything_is_new(git: Git) -> None:
    commit(git, "a")
    assert changed_since(base()) == ["a"]


def test_a_test_brings_the_suite_that_it_is_in_and_no_other() -> None:
    assert list(asked_for(["apps/tickets/tests/test_bot_alone.py"])) == ["properties"]
    assert list(asked_for(["tests/journeys/test_kanban.py"])) == ["journeys: inbox"]
    assert asked_for(["apps/tickets/tests/test_open_ticket.py"]) == {}


def test_a_suite_that_would_end_too_late_is_named_and_not_begun() -> None:
    now = time.monotonic()
    done, untried = run_suites(["screens"], pace=2.0, budget_until=now + 600, until=now + 900)
    assert done == []
    assert untried == ["NOT RUN screens: no time for its 14:00"]


def test_a_deep_suite_that_fails_fails_the_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    test = tmp_path / "test_one.py"
    test.write_text("import pytest\n\n@pytest.mark.alone\ndef test_one():\n    assert False\n")
    monkeypatch.setitem(SUITES, "one", Suite("alone", 0.1, (str(test),), ("one/",)))
    endless = float("inf")
    done, untried = run_suites(["one"], pace=1.0, budget_until=endless, until=endless)
    assert ([each.code for each in done], untried) == ([pytest.ExitCode.TESTS_FAILED], [])
    assert gate.report(done, [], untried) == 1
