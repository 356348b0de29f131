"""Graph codes as decisions: what is tried again, what pauses, what needs a person."""

import pytest

from apps.common.reasons import ReasonCode
from apps.connections.providers.base import ProviderError
from apps.connections.providers.official.errors import (
    FAULTS,
    error_from_answer,
    reason_of,
    sentence_of,
)


def error_of(code: object, status: int = 400, **more: object) -> ProviderError:
    return error_from_answer(status, {"error": {"code": code, "message": "words", **more}})


@pytest.mark.parametrize(
    "code",
    [131047, 131026, 131051, 131052, 131053, 100, 132000, 132001, 132007, 132015, 132068, 132999],
)
def test_trying_again_does_not_help(code: int) -> None:
    error = error_of(code)
    assert error.permanent
    assert not error.pauses_connection
    assert error.code == str(code)


@pytest.mark.parametrize("code", [1, 2, 131000, 131016])
def test_a_fault_of_the_service_passes(code: int) -> None:
    error = error_of(code, status=500)
    assert (error.permanent, error.pauses_connection, error.needs_reconnect) == (False,) * 3
    assert not error.outcome_unknown


@pytest.mark.parametrize("code", [80007, 4])
def test_a_limit_of_the_account_or_app_pauses_the_number_for_minutes(code: int) -> None:
    error = error_of(code)
    assert error.pauses_connection
    assert not error.permanent
    assert error.retry_after
    assert 60 <= error.retry_after <= 600


def test_a_limit_of_the_number_pauses_it_for_a_time_of_ours() -> None:
    error = error_of(130429)
    assert (error.pauses_connection, error.permanent, error.retry_after) == (True, False, None)


def test_a_limit_towards_one_contact_pauses_nobody_else() -> None:
    error = error_of(131056)
    assert not error.pauses_connection
    assert error.retry_after == 6


@pytest.mark.parametrize("code", [131048, 368])
def test_a_spam_block_pauses_long(code: int) -> None:
    error = error_of(code)
    assert error.pauses_connection
    assert not error.permanent
    assert error.retry_after
    assert error.retry_after >= 3600


@pytest.mark.parametrize("code", [190, 0, 10])
def test_refused_credentials_need_a_person(code: int) -> None:
    error = error_of(code, status=401)
    assert error.needs_reconnect
    assert not error.permanent


def test_an_unknown_number_needs_a_person() -> None:
    assert error_of(100, error_subcode=33).needs_reconnect


def test_every_known_code_has_a_sentence_of_its_own() -> None:
    for code, known in FAULTS.items():
        assert known.message.endswith(".")
        assert sentence_of(code) == known.message
    assert "modelo" in sentence_of(131047)


def test_an_unknown_code_shows_the_words_of_the_provider() -> None:
    error = error_of(999_999)
    assert error.permanent
    assert error.message == "A Meta recusou a mensagem: words"
    assert sentence_of(999_999, "Odd") == "A Meta recusou a mensagem: Odd"
    assert sentence_of("", "") == "A Meta recusou a mensagem."


@pytest.mark.parametrize("body", [None, [], "x", {"error": "x"}, {"error": {"code": "x"}}, {}])
def test_an_answer_without_a_code_is_judged_by_its_status(body: object) -> None:
    assert error_from_answer(401, body).needs_reconnect
    assert error_from_answer(403, body).needs_reconnect
    assert error_from_answer(429, body).pauses_connection
    assert error_from_answer(404, body).permanent
    assert not error_from_answer(500, body).permanent


@pytest.mark.parametrize("header", ["Wed, 21 Oct 2026 07:28:00 GMT", "-1", "0", "", "9" * 400])
def test_an_odd_retry_after_is_ignored_or_taken(header: str) -> None:
    error_from_answer(429, None, header)


def test_only_the_words_about_direct_send_refuse_an_account() -> None:
    details = "Parameter Invalid: The 'category' value requires Direct Send, which isn't enabled."
    body = {"error": {"code": 100, "error_data": {"details": details}}}
    assert error_from_answer(400, body).reason.code == ReasonCode.DIRECT_SEND_OFF
    assert reason_of(100, details).code == ReasonCode.DIRECT_SEND_OFF
    for odd in ("The time to live value must be lower", None, ["requires Direct Send"]):
        body = {"error": {"code": 100, "error_data": {"details": odd}}}
        assert error_from_answer(400, body).reason.code == ReasonCode.DATA_REFUSED


@pytest.mark.parametrize("code", [2388318, 2388330])
def test_templates_that_meta_made_are_not_changed(code: int) -> None:
    for error in (error_of(code), error_of(100, error_subcode=code)):
        assert (error.permanent, error.reason.code) == (True, ReasonCode.TEMPLATE_BY_META)
