"""`make quick` chooses the tests that stand next to a change."""

import pytest

from tests.quick import SHARED_TESTS, browser_steps, choose_tests, python_steps


def test_an_app_brings_its_own_tests_and_those_of_the_whole_that_import_it() -> None:
    chosen = choose_tests(["apps/tickets/rooms.py", "apps/tickets/tests/test_race.py"])
    assert "apps/tickets/tests" in chosen
    assert "tests/test_routing_menus.py" in chosen
    assert not {"apps/tickets/tests/test_race.py", "tests/test_crash.py"} & set(chosen)


def test_a_test_brings_itself_alone() -> None:
    chosen = choose_tests(["apps/tickets/tests/test_race.py", "tests/test_that_has_gone.py"])
    assert chosen == ["apps/tickets/tests/test_race.py"]


@pytest.mark.parametrize(
    "name", ["apps/common/errors.py", "config/settings.py", "tests/factories.py", "conftest.py"]
)
def test_what_is_shared_brings_a_few_tests_of_everything(name: str) -> None:
    assert choose_tests([name]) == sorted(SHARED_TESTS)


def test_each_half_is_looked_at_only_where_it_changed() -> None:
    python, browser = ["apps/tickets/rooms.py"], ["frontend/src/lib/forms.ts"]
    assert python_steps(browser) == browser_steps(python) == ([], [])
    assert [each.name for each in python_steps(python)[0]] == ["format", "lint", "types", "layers"]
    looks, tests = browser_steps(browser)
    assert [each.name for each in looks] == ["prettier", "eslint", "tsc"]
    assert [each.name for each in tests] == ["vitest"]
