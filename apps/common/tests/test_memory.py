"""What a job that ran out of memory had gathered is let go (rules/inbound §3)."""

import pytest

from apps.common.memory import free_what_failed


def gather() -> None:
    gathered = [bytes(10)]  # noqa: F841  held by the frame that failed
    raise MemoryError


def test_what_failed_lets_its_variables_go_whatever_it_was_turned_into() -> None:
    with pytest.raises(ValueError, match="too much") as raised:
        try:
            gather()
        except MemoryError as error:
            try:
                raise ValueError("too much") from error
            except ValueError:
                free_what_failed()
                raise
    cause = raised.value.__cause__
    assert cause is not None and cause.__traceback__ is not None
    frame = cause.__traceback__.tb_next
    assert frame is not None and frame.tb_frame.f_locals == {}


def test_faults_that_are_each_others_cause_and_context_are_looked_at_once() -> None:
    first, second = ValueError(), KeyError()
    first.__cause__, second.__context__ = second, first
    try:
        raise first
    except ValueError:
        free_what_failed()
