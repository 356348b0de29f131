"""Whose browsers are open, told once for each user of a process (rules/desk §5)."""

import asyncio
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest

from apps.realtime.attendance import Attendance

Told = list[tuple[set[Any], set[Any], set[Any]]]
ANA, BRUNO = (1, 7), (1, 8)


def viewer(who: tuple[int, int], **fields: Any) -> Any:
    company_id, pk = who
    return SimpleNamespace(
        **{"company_id": company_id, "pk": pk, "only_pays": False, "token_id": None, **fields}
    )


def run(story: Callable[[Attendance], Awaitable[None]]) -> Told:
    """Run a story and return what was told: who came, who went, who stays."""
    told: Told = []

    async def play() -> None:
        attendance = Attendance()
        attendance.tell = lambda *groups: told.append(tuple(map(set, groups)))  # type: ignore[arg-type]
        await story(attendance)

    asyncio.run(play())
    return told


def test_several_sockets_of_a_user_are_one_browser() -> None:
    async def story(attendance: Attendance) -> None:
        attendance.note("a", viewer(ANA))
        attendance.note("b", viewer(ANA))
        await attendance.say(False)
        attendance.forget("a")
        await attendance.say(False)
        attendance.forget("b")
        await attendance.say(False)

    assert run(story) == [({ANA}, set(), set()), (set(), {ANA}, set())]


def test_a_renewal_tells_who_stays() -> None:
    async def story(attendance: Attendance) -> None:
        attendance.note("a", viewer(ANA))
        await attendance.say(False)
        attendance.note("b", viewer(BRUNO))
        await attendance.say(True)

    assert run(story)[1] == ({BRUNO}, set(), {ANA})


@pytest.mark.parametrize("fields", [{"only_pays": True}, {"token_id": 4}])
def test_programs_and_who_only_pays_are_no_browsers(fields: dict[str, Any]) -> None:
    async def story(attendance: Attendance) -> None:
        attendance.note("a", viewer(ANA, **fields))
        await attendance.say(True)

    assert run(story) == []


def test_what_could_not_be_told_is_told_again() -> None:
    told: list[set[Any]] = []

    def tell(came: Any, went: Any, stays: Any) -> None:
        told.append(set(came))
        if len(told) == 1:
            raise OSError

    async def play() -> None:
        attendance = Attendance()
        attendance.tell = tell
        attendance.note("a", viewer(ANA))
        with pytest.raises(OSError):
            await attendance.say(False)
        await attendance.say(False)

    asyncio.run(play())
    assert told == [{ANA}, {ANA}]
