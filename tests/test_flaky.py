"""A test that passes only on its second run is told of and let through, three times."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import gate
from tests.gate import Done, report
from tests.product import is_alive, wait_for

ROOT = Path(__file__).resolve().parent.parent
# Fails in its first run and leaves word for the second.
ONCE = """
from pathlib import Path
import pytest

@pytest.mark.parametrize("number", range({count}))
def test_once(number):
    been = Path(__file__).with_name(f"been-{{number}}")
    was_here = been.exists()
    been.touch()
    assert was_here, f"the first time of {{number}}"

def test_never():
    assert {is_well}
"""


# Nothing else is loaded: it takes longer than the tests.
PLUGINS = ["-p", "tests.flaky", "-p", "pytest_rerunfailures", "-p", "xdist.plugin"]


def run(
    folder: Path, *, count: int, is_well: bool = True, processes: int = 0, flaky_file: str = ""
) -> tuple[int, str]:
    """Run such tests in this many processes beside the first; return exit code and output."""
    (folder / "test_once.py").write_text(ONCE.format(count=count, is_well=is_well))
    arguments = ["-q", "--reruns", "1", "-n", str(processes), *PLUGINS]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *arguments, "--rootdir", str(folder), "-c", os.devnull]
        + [str(folder)],
        cwd=folder,
        env=os.environ
        | {
            "PYTHONPATH": str(ROOT),
            "FLAKY_FILE": flaky_file,
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return done.returncode, done.stdout + done.stderr


def test_three_are_let_through_and_told_of_with_their_traces(tmp_path: Path) -> None:
    code, printed = run(tmp_path, count=3, processes=2)
    assert code == 0, printed
    assert sorted(line for line in printed.splitlines() if line.startswith("FLAKY")) == [
        f"FLAKY test_once.py::test_once[{number}]" for number in range(3)
    ]
    assert "AssertionError: the first time of 2" in printed


def test_a_fourth_fails_the_run(tmp_path: Path) -> None:
    code, printed = run(tmp_path, count=4)
    assert (code, printed.count("FLAKY ")) == (1, 4), printed


def test_what_fails_twice_is_no_flaky_test(tmp_path: Path) -> None:
    code, printed = run(tmp_path, count=0, is_well=False)
    assert code == 1
    assert "FLAKY" not in printed
    assert "FIRST TRY OF test_once.py::test_never" in printed


def test_several_runs_of_a_command_note_theirs_in_one_place(tmp_path: Path) -> None:
    place = tmp_path / "flaky"
    for number in range(2):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert run(folder, count=2, flaky_file=str(place))[0] == 0
    assert len([json.loads(line) for line in place.read_text().splitlines()]) == 4
    flaky = gate.noted(place)
    assert sorted(test for test, _ in flaky) == [
        f"test_once.py::test_once[{number}]" for number in (0, 0, 1, 1)
    ]


def test_the_end_says_how_long_each_took_and_counts_all(capsys: pytest.CaptureFixture[str]) -> None:
    done = [Done("postgres", 187.4, 0), Done("journeys", 61, 0)]
    flaky = [(f"test_{number}", "why") for number in range(4)]
    assert report(done, flaky[:3], []) == 0
    assert report(done, flaky, ["NOT RUN screens: no time for its 7:00"]) == 1
    printed = capsys.readouterr().out
    assert "  3:07  postgres\n  1:01  journeys\n  4:08  in all" in printed
    assert "why\nFLAKY test_3" in printed and "NOT RUN screens" in printed


@pytest.mark.parametrize("code", [1, None])
def test_what_failed_or_was_ended_fails_the_command(
    capsys: pytest.CaptureFixture[str], code: int | None
) -> None:
    assert report([Done("postgres", 1, 0), Done("journeys", 1, code)], [], []) == 1
    assert ("STOPPED" if code is None else "FAILED") in capsys.readouterr().out


def test_a_suite_whose_time_is_over_is_ended_with_what_it_started(tmp_path: Path) -> None:
    word = tmp_path / "word"
    child = f"echo $$ > {word}.new; mv {word}.new {word}; exec sleep 600"
    process = subprocess.Popen(["bash", "-c", f"bash -c '{child}' & wait"], start_new_session=True)
    wait_for(word.exists, "the child")
    gate.end(process)
    assert process.poll() is not None
    wait_for(lambda: not is_alive(int(word.read_text())), "the child's end")
    assert (
        gate.run("late", gate.Command("", ["sleep", "600"]), is_seen=False, until=0.0).code is None
    )
