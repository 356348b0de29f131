"""Working hours (rules/hours §2), without database."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from apps.common.hours import WEEKDAYS
from apps.companies.models import default_schedules
from apps.tickets.services.bot.routing import QueueView, TicketView, closed_period, is_open
from tests.talks import DELIVERIES, MONEY, NOON, ORDERS, Talk, company, connection_view

# 2026-11-16 is a Monday.
MONDAY = 16


def hours(lunch: str = "", **days: str) -> list[dict[str, str]]:
    """Return rows of `HH:MM-HH:MM` for the given days; the others have empty times."""
    rows = {"weekdays": "", **dict.fromkeys(WEEKDAYS, ""), **days, "lunchTime": lunch}
    every = rows.pop("weekdays")
    result = []
    for day, times in rows.items():
        start, _, end = (times or (every if day != "lunchTime" else "")).partition("-")
        result.append({"weekday": day, "weekdayEn": day, "startTime": start, "endTime": end})
    return result


def at(day: int, time: str) -> datetime:
    return datetime.fromisoformat(f"2026-11-{day:02} {time}")


@pytest.mark.parametrize(
    ("rows", "day", "time", "wanted"),
    [
        (hours(monday="08:00-18:00"), MONDAY, "07:59", False),
        (hours(monday="08:00-18:00"), MONDAY, "08:00", True),
        (hours(monday="08:00-18:00"), MONDAY, "17:59", True),
        (hours(monday="08:00-18:00"), MONDAY, "18:00", False),
        # A row with empty times does not restrict; nor does a day without row.
        (hours(monday="08:00-18:00"), MONDAY + 1, "03:00", True),
        ([], MONDAY, "03:00", True),
        (hours(monday="08:00-"), MONDAY, "03:00", True),
        (hours(monday="oito-18:00"), MONDAY, "03:00", True),
        (hours(monday="08:00-99:99"), MONDAY, "03:00", True),
        # Equal start and end = closed.
        (hours(sunday="00:00-00:00"), MONDAY - 1, "00:00", False),
        (hours(sunday="00:00-00:00"), MONDAY - 1, "12:00", False),
        (hours(monday="09:00-09:00"), MONDAY, "09:00", False),
        # The break.
        (hours("12:00-13:00", monday="08:00-18:00"), MONDAY, "11:59", True),
        (hours("12:00-13:00", monday="08:00-18:00"), MONDAY, "12:00", False),
        (hours("12:00-13:00", monday="08:00-18:00"), MONDAY, "12:59", False),
        (hours("12:00-13:00", monday="08:00-18:00"), MONDAY, "13:00", True),
        (hours("12:00-13:00"), MONDAY, "12:30", False),
        (hours("12:00-12:00"), MONDAY, "12:00", True),
        (hours("12:00-"), MONDAY, "12:00", True),
        (hours("23:30-00:30"), MONDAY, "00:15", False),
        (hours("23:30-00:30"), MONDAY, "23:45", False),
        # Across midnight.
        (hours(monday="22:00-06:00", tuesday="00:00-00:00"), MONDAY, "21:59", False),
        (hours(monday="22:00-06:00", tuesday="00:00-00:00"), MONDAY, "23:00", True),
        (hours(monday="22:00-06:00", tuesday="00:00-00:00"), MONDAY + 1, "05:59", True),
        (hours(monday="22:00-06:00", tuesday="00:00-00:00"), MONDAY + 1, "06:00", False),
        (hours(weekdays="22:00-06:00"), MONDAY, "12:00", False),
        (hours(weekdays="22:00-06:00"), MONDAY, "03:00", True),
        (hours(monday="22:00-06:00", sunday="00:00-00:00"), MONDAY, "03:00", False),
        (hours(monday="08:00-00:00", tuesday="08:00-18:00"), MONDAY, "23:59", True),
        (hours(monday="08:00-00:00", tuesday="08:00-18:00"), MONDAY + 1, "00:00", False),
        # The last minute of a whole day.
        (hours(weekdays="00:00-23:59"), MONDAY, "23:59", True),
        (hours(weekdays="00:00-24:00"), MONDAY, "23:59", True),
        (default_schedules(), MONDAY, "17:00", True),
        (default_schedules(), MONDAY + 5, "11:59", True),
        (default_schedules(), MONDAY + 5, "12:00", False),
        (default_schedules(), MONDAY + 6, "10:00", False),
    ],
)
def test_open_is_inside_the_days_window_and_outside_the_break(
    rows: list[dict[str, str]], day: int, time: str, wanted: bool
) -> None:
    moment = at(day, time)
    assert is_open(rows, moment) is wanted
    assert (closed_period(rows, moment) == "") is wanted


def test_a_closed_period_has_one_name_from_its_beginning_to_its_end() -> None:
    rows = hours("12:00-13:00", weekdays="08:00-18:00", saturday="00:00-00:00", sunday="-")
    rows[6] |= {"startTime": "00:00", "endTime": "00:00"}
    friday = MONDAY + 4
    weekend = {
        closed_period(rows, at(friday, "18:00")),
        closed_period(rows, at(friday, "23:59")),
        closed_period(rows, at(friday + 1, "09:00")),
        closed_period(rows, at(friday + 2, "18:30")),
        closed_period(rows, at(friday + 3, "07:59")),
    }
    assert weekend == {"2026-11-20T18:00"}
    assert closed_period(rows, at(friday + 3, "12:30")) == "2026-11-23T12:00"
    assert closed_period(rows, at(friday + 3, "18:30")) == "2026-11-23T18:00"


def test_a_week_without_opening_is_one_closed_period() -> None:
    rows = hours(weekdays="00:00-00:00")
    assert closed_period(rows, at(3, "10:00")) == closed_period(rows, at(25, "22:00")) == "always"


@pytest.mark.parametrize(
    "rows", [hours("12:00-13:00", weekdays="22:00-06:00"), default_schedules()]
)
def test_periods_begin_where_it_closes_and_nowhere_else(rows: list[dict[str, str]]) -> None:
    moment, before = at(9, "00:00"), None
    for _ in range(8 * 24 * 12):
        period = closed_period(rows, moment)
        if period and before == "":
            assert period == moment.isoformat(timespec="minutes")
        elif period and before:
            assert period == before
        before = period
        moment += timedelta(minutes=5)


def test_the_hours_move_with_the_clocks() -> None:
    lisbon = ZoneInfo("Europe/Lisbon")
    rows = hours(weekdays="08:00-18:00")
    # The clocks go back in the night to 2026-10-25 and forward in that to 2026-03-29.
    for utc, wanted in (
        (datetime(2026, 10, 24, 7, 0, tzinfo=UTC), True),
        (datetime(2026, 10, 25, 7, 0, tzinfo=UTC), False),
        (datetime(2026, 10, 25, 8, 0, tzinfo=UTC), True),
        (datetime(2026, 3, 28, 8, 0, tzinfo=UTC), True),
        (datetime(2026, 3, 29, 7, 0, tzinfo=UTC), True),
        (datetime(2026, 3, 28, 7, 59, tzinfo=UTC), False),
    ):
        assert is_open(rows, utc.astimezone(lisbon)) is wanted, utc
    # 01:30 comes twice; it is one closed period.
    first = datetime(2026, 10, 25, 1, 30, tzinfo=lisbon)
    again = first.replace(fold=1)
    assert closed_period(rows, first) == closed_period(rows, again) == "2026-10-24T18:00"


# What the bot says of it

NIGHT = datetime(2026, 11, 18, 23, 0, tzinfo=UTC)  # 20:00 in São Paulo
SHUT = hours(weekdays="08:00-18:00")


def closed_talk(**fields: Any) -> Talk:
    return Talk(
        connection=connection_view(out_of_hours_message="Voltamos às 8.", **fields),
        company=company(schedule_type="company", schedules=SHUT),
        now=NIGHT,
    )


def test_without_a_schedule_type_hours_say_nothing() -> None:
    talk = Talk(company=company(schedules=SHUT), now=NIGHT)
    assert talk.write("Oi") == ["ask Bem-vindo à Casa Aroeira. (3)"]


def test_a_closed_company_says_so_once_in_each_closed_period() -> None:
    talk = closed_talk()
    assert talk.write("Oi") == ["out_of_hours", "to 10 by closed"]
    assert talk.write("Alguém?") == []
    talk.later(hours=12)  # the next morning
    assert talk.write("Oi") == ["ask Bem-vindo à Casa Aroeira. (3)"]
    talk.later(hours=12)
    assert talk.write("?") == ["out_of_hours"]
    assert talk.write("?") == []


def test_a_new_cycle_in_the_same_closed_period_hears_nothing_again() -> None:
    talk = closed_talk()
    talk.write("Oi")
    talk.ticket = replace(talk.ticket, state=talk.state.for_new_cycle())
    assert talk.write("Oi") == []


def test_an_answer_given_while_closed_still_leads_to_the_queue() -> None:
    talk = closed_talk()
    talk.now = NOON
    talk.write("Oi")
    talk.now = NIGHT
    assert talk.write("1") == ["out_of_hours", "to 10 by menu"]
    assert talk.write("?") == []
    talk.later(hours=12)
    # Open again, the queue's options are where it goes on.
    assert talk.write("Bom dia") == ["ask Olá, {{firstName}}! O que houve com o pedido? (3)"]


def test_no_integration_answers_for_a_closed_company() -> None:
    talk = closed_talk(integration_id=7)
    assert talk.write("Oi") == ["out_of_hours", "to 10 by closed"]
    talk.later(hours=12)
    assert talk.write("Oi") == ["integration 7"]


def test_without_a_message_of_its_own_a_closed_company_says_that_somebody_comes() -> None:
    talk = closed_talk(fallback_message="Um momento.")
    talk.connection = replace(talk.connection, out_of_hours_message="  ")
    assert talk.write("Oi") == ["to 10 by closed", "fallback"]
    assert talk.write("Alguém?") == []


def test_who_wrote_while_closed_may_choose_the_next_morning() -> None:
    talk = closed_talk()
    talk.connection = replace(talk.connection, fallback_queue_id=20)
    assert talk.write("Oi") == ["out_of_hours", "to 20 by closed"]
    talk.later(hours=12)
    assert talk.write("Oi") == ["ask Bem-vindo à Casa Aroeira. (3)"]
    assert talk.write("2") == ["say Aqui é das entregas."]
    assert not talk.state.placed


def test_a_waiting_ticket_is_told_of_the_hours_also_after_the_bot() -> None:
    talk = closed_talk()
    talk.now = NOON
    talk.write("Oi")
    talk.write("1")
    assert talk.write("2") == ["say São 30 dias.", "end leaf"]
    talk.now = NIGHT
    assert talk.write("E então?") == ["out_of_hours"]
    assert talk.write("E então?") == []


def by_queue(queue: QueueView = ORDERS) -> Talk:
    closed = replace(queue, schedules=SHUT, out_of_hours_message="Fechado.")
    queues = [closed if each.id == closed.id else each for each in (ORDERS, DELIVERIES, MONEY)]
    return Talk(
        connection=connection_view(*queues),
        company=company(schedule_type="queue", queues={each.id: each for each in queues}),
        now=NIGHT,
    )


def test_a_closed_queue_gets_the_ticket_and_says_so_instead_of_its_options() -> None:
    talk = by_queue()
    assert talk.write("Oi") == ["ask Bem-vindo à Casa Aroeira. (3)"]
    assert talk.write("1") == ["to 10 by menu", "out_of_hours"]
    assert talk.write("Oi?") == []
    talk.later(hours=12)
    assert talk.write("Bom dia") == ["ask Olá, {{firstName}}! O que houve com o pedido? (3)"]


def test_a_queue_without_times_is_open() -> None:
    talk = by_queue()
    talk.write("Oi")
    assert talk.write("2") == ["to 20 by menu", "say Aqui é das entregas."]


def test_the_only_queue_says_that_it_is_closed() -> None:
    talk = by_queue()
    talk.connection = connection_view(talk.company.queues[10])
    talk.ticket = TicketView(10)
    assert talk.write("Oi") == ["out_of_hours"]
    assert talk.write("Oi") == []


def test_a_closed_queue_that_is_led_to_says_so_after_the_leaf() -> None:
    talk = by_queue(DELIVERIES)
    talk.write("Oi")
    talk.write("1")
    talk.write("1")
    assert talk.write("1") == ["say Certo! Envie uma foto.", "to 20 by option", "out_of_hours"]


def test_who_is_choosing_again_is_not_held_by_the_hours_of_the_last_queue() -> None:
    talk = by_queue()
    talk.now = NOON
    talk.write("Oi")
    talk.write("1")
    assert talk.write("#") == ["ask Bem-vindo à Casa Aroeira. (3)"]
    talk.now = NIGHT
    assert talk.write("?") == ["ask Não entendi. Escolha uma opção: (3)"]
    assert talk.write("3") == ["to 30 by menu", "say Aqui é das finanças."]


def test_back_in_a_closed_queue_the_contact_hears_nothing_again() -> None:
    talk = by_queue()
    closed = {
        queue.id: replace(queue, schedules=SHUT, out_of_hours_message="Fechado.")
        for queue in (ORDERS, DELIVERIES, MONEY)
    }
    talk.company = replace(talk.company, queues=closed)
    for queue_id, wanted in [(10, ["out_of_hours"]), (20, ["out_of_hours"]), (10, []), (20, [])]:
        talk.ticket = replace(talk.ticket, queue_id=queue_id)
        assert talk.write("Oi?") == wanted
    talk.later(days=1)
    assert talk.write("Oi?") == ["out_of_hours"]
