"""What `make test` leaves out is in a suite, and a change brings the suites that it needs."""

import re
from pathlib import Path

import pytest

from tests.deep import asked_for
from tests.deep_suites import SUITES
from tests.gate import DEEP, TEST, of_suite
from tests.main_ways import KEPT, MAIN_WAYS, main_ways
from tests.selection import is_deep, is_named
from tests.sqlite_tests import WHERE_DATABASES_DIFFER

pytestmark = pytest.mark.sources

ROOT = Path(__file__).resolve().parent.parent
FEATURES = sorted(path.name for path in (ROOT / "frontend/src/features").iterdir())
DIFFERS = re.compile(
    r"\.vendor\b|\bdef as_(?:postgresql|sqlite)\b|\.cursor\(\)|\bRawSQL\("
    r"|\b(?:update|ignore)_conflicts="
)
BROWSER = ("app", "components", "i18n", "lib", "routes", "simulator", "stores", "theme")
# What the product and its installation are made of, one path of each.
PRODUCT = [
    *(f"apps/{path.parent.name}/models.py" for path in sorted(ROOT.glob("apps/*/apps.py"))),
    *(str(path.relative_to(ROOT)) for path in sorted(ROOT.glob("config/*.py"))),
    *(f"frontend/src/features/{name}/api.ts" for name in FEATURES),
    *(f"frontend/src/{name}/a.ts" for name in BROWSER),
    *(str(path.relative_to(ROOT)) for path in sorted(ROOT.glob("docker/*"))),
    *(str(path.relative_to(ROOT)) for path in sorted(ROOT.glob("systemd/*"))),
    *("gateway/src/main.ts", "gateway/package-lock.json", "frontend/package-lock.json"),
    *("docs/operator-guide.md", "docs/gateway.md", "requirements.txt", "manage.py", "Makefile"),
]


def function_of(name: str) -> tuple[str, str]:
    """Return the file and the function that a name leads to; the function may be empty."""
    file, _, test = name.partition("::")
    return file, test.partition("[")[0]


@pytest.mark.parametrize("path", PRODUCT)
def test_every_path_of_the_product_brings_a_suite(path: str) -> None:
    assert asked_for([path])


@pytest.mark.parametrize("name", SUITES)
def test_every_suite_is_brought_by_a_path_that_is_there(name: str) -> None:
    assert SUITES[name].paths
    for path in SUITES[name].paths:
        assert list(ROOT.glob(f"{path}*")) or (ROOT / path).exists(), path


def test_what_brings_nothing_deep_is_text() -> None:
    assert asked_for(["README.md", "CONTRIBUTING.md", "docs/decisions/0001-x.md"]) == {}


def test_every_name_of_a_test_leads_to_one() -> None:
    named = [test for suite in SUITES.values() for test in suite.tests]
    for name in [*named, *KEPT, *main_ways()]:
        file, function = function_of(name)
        if function:
            assert f"def {function}(" in (ROOT / file).read_text(), name
        else:
            assert list(ROOT.glob(f"{file}*")), name


def test_every_journey_is_in_one_suite() -> None:
    for path in sorted(ROOT.glob("tests/journeys/test_*.py")):
        file = str(path.relative_to(ROOT))
        suites = [
            name
            for name, suite in SUITES.items()
            if suite.place == "journeys" and any(each.startswith(file) for each in suite.tests)
        ]
        assert len(suites) == 1 or path.name == "test_screens.py", (file, suites)


def test_every_feature_has_its_main_way_in_the_gate() -> None:
    assert sorted(MAIN_WAYS) == FEATURES
    assert all(MAIN_WAYS.values())
    assert 60 <= len(set(main_ways())) <= 80


def test_make_test_runs_nothing_that_is_bound_to_seconds() -> None:
    marked = [
        str(path.relative_to(ROOT))
        for path in ROOT.glob("tests/test_*.py")
        if re.search(
            r"^(?:pytestmark = .*|    )pytest\.mark\.alone\b", path.read_text(), re.MULTILINE
        )
    ]
    assert len(marked) == 2
    assert all(is_deep(file) for file in marked)


@pytest.mark.parametrize(
    ("test", "is_left_out"),
    [
        ("tests/test_guide.py::test_the_commands_for_systemd_lead_to_a_product_that_works", True),
        ("tests/test_guide_blocks.py::test_every_block_is_run_or_says_why_not", False),
        ("tests/test_crash_pace.py::test_two_workers_keep_one_pace_over_the_death_of_one", True),
        ("tests/test_crash_bot.py::test_a_worker@processes", False),
        ("tests/journeys/test_screens.py::test_wide_and_at_200_percent[audit-log]", False),
        ("tests/journeys/test_screens.py::test_wide_and_at_200_percent[audit]", True),
        ("apps/tickets/tests/test_race.py::test_of_two_who_accept_one_wins", False),
    ],
)
def test_what_is_left_out(test: str, is_left_out: bool) -> None:
    assert is_deep(test) == is_left_out


def test_a_name_is_no_beginning_of_another() -> None:
    assert not is_named("tests/test_guide_blocks.py::test_a", "tests/test_guide")
    assert is_named("apps/chat/tests/test_chats.py::test_a", "apps/chat/")


def test_a_whole_run_leaves_nothing_out() -> None:
    deep = {name: command.arguments for line in DEEP for name, command in line.items()}
    assert {name for line in TEST for name in line} <= set(deep)
    assert not any("not deep" in each for arguments in deep.values() for each in arguments)
    assert all(of_suite(name).arguments for name in SUITES)


def test_sqlite_runs_what_differs_there() -> None:
    differing = {
        str(path.relative_to(ROOT))
        for path in ROOT.glob("apps/**/*.py")
        if not {"tests", "migrations"} & set(path.parts) and DIFFERS.search(path.read_text())
    }
    assert len(differing) > 20
    assert differing - set(WHERE_DATABASES_DIFFER) == set(), "tests/sqlite_tests.py names them not"
    for tests in WHERE_DATABASES_DIFFER.values():
        assert all((ROOT / test).is_file() for test in tests)
