"""What stored rows tell of a cycle (rules/desk §16)."""

from datetime import UTC, datetime, timedelta
from typing import Any

from apps.desk.decisions.stories import Deed
from apps.desk.queries.happenings import Cycle, Names, Raw, happenings_of

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
SALES, HELP = 4, 5
ANA, BIA = 1, 2


def names() -> Names:
    found = Names(1)
    # As if they had been read.
    found.__dict__["queues"] = {"Vendas": SALES, "Suporte": HELP}
    found.__dict__["users"] = {"Ana": ANA, "Bia": BIA}
    return found


def cycle(**more: Any) -> Cycle:
    fields: dict[str, Any] = {
        "id": 1,
        "ticket_id": 1,
        "contact_id": 1,
        "queue_id": SALES,
        "user_id": None,
        "queued_at": NOON,
        "started_at": None,
        "finished_at": None,
        "opened_at": NOON,
        "queue_now": SALES,
        "connection_id": 1,
        "priority": 3,
        "status": "pending",
        "chatbot": False,
        "use_integration": False,
        "prompt_id": None,
    }
    return Cycle(**{**fields, **more})


def line(minute: float, kind: str, user_id: int | None = None, **detail: Any) -> Raw:
    return Raw(NOON + minute * MINUTE, kind, user_id, detail)


def word(minute: float, source: str = "contact") -> Raw:
    return Raw(NOON + minute * MINUTE, "word", None, (source != "contact", source, "text"))


def hands(minute: float, to_id: int | None, from_id: int | None = None, *, own: bool) -> Raw:
    return Raw(NOON + minute * MINUTE, "hands", to_id, (from_id, own, SALES))


def deeds(rows: list[Raw], **more: Any) -> list[tuple[Deed, int]]:
    found = happenings_of(cycle(**more), rows, names()).happenings
    return [(each.deed, each.value) for each in found]


def test_taken_answered_and_closed() -> None:
    rows = [
        word(0),
        line(5, "accepted", ANA, user="Ana", queue="Vendas"),
        word(6, "agent"),
        word(7),
    ]
    assert deeds(rows, finished_at=NOON + 9 * MINUTE) == [
        (Deed.HEARD, 0),
        (Deed.TAKEN, ANA),
        (Deed.ANSWERED, 1),
        (Deed.HEARD, 0),
        (Deed.CLOSED, 1),
    ]


def test_without_a_line_the_cycle_tells_who_took_it() -> None:
    rows = [word(0), word(6, "phone")]
    found = deeds(rows, started_at=NOON + 5 * MINUTE, user_id=BIA, finished_at=NOON + 9 * MINUTE)
    assert found[1:] == [(Deed.TAKEN, BIA), (Deed.ANSWERED, 1), (Deed.CLOSED, 1)]


def test_the_bot_leads_until_it_has_found_the_queue() -> None:
    rows = [
        word(0),
        word(0.1, "bot"),
        line(2, "queued", queue="Suporte", by="option"),
        line(3, "bot_ended"),
        line(9, "accepted", ANA, user="Ana", queue="Suporte"),
    ]
    found = happenings_of(cycle(queue_id=HELP, queue_now=HELP), rows, names())
    assert (found.queue_id, found.is_led) == (None, True)
    assert [(each.deed, each.value) for each in found.happenings] == [
        (Deed.HEARD, 0),
        (Deed.WROTE, 0),
        (Deed.MOVED, HELP),
        (Deed.READY, 0),
        (Deed.TAKEN, ANA),
    ]


def test_the_log_tells_what_the_distribution_did() -> None:
    rows = [
        word(0),
        hands(0, ANA, own=True),
        line(0, "transferred", user="Ana", queue="Vendas", by="assignment"),
        hands(10, None, ANA, own=True),
        line(10, "returned", queue="Vendas"),
        hands(10, BIA, own=True),
        word(12, "agent"),
        hands(15, ANA, BIA, own=False),
    ]
    assert deeds(rows)[1:] == [
        (Deed.GIVEN, ANA),
        (Deed.RETURNED, 0),
        (Deed.GIVEN, BIA),
        (Deed.ANSWERED, 1),
        (Deed.PASSED, ANA),
    ]


def test_a_move_to_a_queue_is_told_once() -> None:
    rows = [
        word(0),
        hands(0, ANA, own=True),
        line(5, "transferred", ANA, user=None, queue="Suporte"),
        hands(5.01, None, ANA, own=False),
    ]
    found = happenings_of(cycle(queue_now=HELP), rows, names())
    assert found.queue_id == SALES
    assert [each.deed for each in found.happenings] == [Deed.HEARD, Deed.GIVEN, Deed.MOVED]


def test_what_a_campaign_began_waits_from_the_first_word_on() -> None:
    found = happenings_of(cycle(), [word(0, "campaign"), word(30)], names())
    assert found.is_led
    assert [each.deed for each in found.happenings] == [Deed.WROTE, Deed.HEARD, Deed.READY]
    unanswered = happenings_of(cycle(), [word(0, "campaign")], names())
    assert unanswered.is_led


def test_what_a_flow_answered_alone_never_waited() -> None:
    found = happenings_of(cycle(), [word(0), word(0.1, "ai"), word(1), word(1.1, "ai")], names())
    assert found.is_led


def test_long_runs_of_one_side_are_shortened() -> None:
    rows = [word(number / 60) for number in range(50)]
    found = happenings_of(cycle(), rows, names()).happenings
    assert len(found) == 4
    assert found[-1].at == NOON + 49 / 60 * MINUTE


def test_priorities_begin_with_the_normal_one() -> None:
    rows = [line(2, "prioritized", ANA, actor="Ana", priority="urgent")]
    found = happenings_of(cycle(priority=1), rows, names())
    assert found.priority == 3
    assert [(each.deed, each.value) for each in found.happenings] == [(Deed.PRIORITIZED, 1)]


def test_where_texts_are_read_each_message_is_kept_with_the_word_of_its_kind() -> None:
    kinds = ("conversation", "application", "vcard", "sticker", "locationMessage", "call_log")
    rows = [
        Raw(NOON + n * MINUTE / 60, "word", None, (False, "contact", kind, f"{n}"))
        for n, kind in enumerate(kinds)
    ]
    found = happenings_of(cycle(), rows, names(), has_texts=True).happenings
    assert [each.text for each in found] == ["0", "1", "2", "3", "4", "5"]
    assert [each.media for each in found] == [
        "text",
        "file",
        "contact",
        "image",
        "location",
        "text",
    ]
    assert [each.value for each in found] == [0, 0, 0, 0, 0, 1]


def test_a_rating_comes_after_the_end() -> None:
    rows = [line(9, "rated", rate=5)]
    found = deeds(rows, user_id=ANA, started_at=NOON, finished_at=NOON + 5 * MINUTE)
    assert found == [(Deed.TAKEN, ANA), (Deed.CLOSED, 1), (Deed.RATED, 5)]
