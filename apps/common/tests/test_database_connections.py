"""A database that can't be reached: what callers are told, and what is a fault of ours."""

import pytest
from django.db import DatabaseError, connection, connections, transaction
from django.test import Client

from apps.common.database_connections import is_away
from tests.services import free_port

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def failure_of(statement: str) -> DatabaseError:
    with pytest.raises(DatabaseError) as failed, connection.cursor() as cursor:
        cursor.execute(statement)
    return failed.value


def test_calls_are_told_to_come_again_while_nobody_listens(
    monkeypatch: pytest.MonkeyPatch, wrong_answers: list[str]
) -> None:
    client = Client(raise_request_exception=False)
    login = {"email": "ana@demo.local", "password": "demo1234"}
    with monkeypatch.context() as now:
        connection.close()
        now.setitem(connection.settings_dict, "PORT", str(free_port()))
        answer = client.post("/api/auth/login", login, content_type="application/json")
    assert (answer.status_code, answer.headers.get("Retry-After")) == (503, "2")
    assert (answer.json()["code"], answer.json()["retryAfter"]) == ("ERR_UNAVAILABLE", 2)
    # As with 500 and a proxy's 502, the schema does not name what each call may answer.
    (fault,) = wrong_answers
    assert "answers 503" in fault
    wrong_answers.clear()


def test_a_connection_that_is_ended_is_away() -> None:
    assert is_away(failure_of("SELECT pg_terminate_backend(pg_backend_pid())"))
    connections.close_all()


@pytest.mark.parametrize(
    "statement",
    ["SELECT none", "SELECT 1 / 0", "SET LOCAL statement_timeout = 1; SELECT pg_sleep(1)"],
)
def test_a_statement_that_fails_is_a_fault_of_ours(statement: str) -> None:
    with transaction.atomic():
        error = failure_of(statement)
        transaction.set_rollback(True)
    assert not is_away(error)
