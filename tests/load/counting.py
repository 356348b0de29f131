"""Both ends compared: what contacts wrote with database and sockets, answers with the provider."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from tests.load.listeners import Listener, Listeners
from tests.load.meta import Meta
from tests.load.record import Window
from tests.load.shops import FIRST_QR_CONTACT, Shop
from tests.whatsapp import FakeWhatsApp

MOST_EXAMPLES = 20
# From a message's moment until it is emitted, where nobody heard it.
HANDLED_SECONDS = 15.0
# Events of these faults may be lost: a killed process may have died between a commit and its event.
# The server then ends the connections that may have missed them, and the client reads anew
# (rules/realtime §1, §3), within so many seconds.
LOSING = {
    "Redis frozen": 60.0,
    "rolling restart": 60.0,
    "web killed": HANDLED_SECONDS + 10.0,
    "worker killed": HANDLED_SECONDS + 10.0,
}
IN = (
    "SELECT company_id, contact_id, connection_id, body, media_size, media_path"
    " FROM tickets_message WHERE NOT from_me AND body LIKE 'load-%' ORDER BY id"
)
OUT = (
    "SELECT m.company_id, m.connection_id, c.number, m.body, m.ack FROM tickets_message AS m"
    " JOIN contacts_contact AS c ON c.id = m.contact_id"
    " WHERE m.from_me AND m.body LIKE 'answer-%' ORDER BY m.id"
)
DOUBLE_TICKETS = (
    "SELECT count(*) FROM (SELECT 1 FROM tickets_ticket WHERE status IN ('open', 'pending')"
    " GROUP BY contact_id, connection_id HAVING count(*) > 1) AS several"
)
UNFINISHED = (
    "SELECT (SELECT count(*) FROM inbound_inboundevent WHERE NOT state IN ('done', 'failed')),"
    " (SELECT count(*) FROM tickets_delivery WHERE NOT state IN ('done', 'failed'))"
)
FAILED = (
    "SELECT (SELECT count(*) FROM inbound_inboundevent WHERE state = 'failed'),"
    " (SELECT count(*) FROM tickets_message WHERE from_me AND body LIKE 'answer-%' AND ack = -1)"
)


@dataclass
class Counts:
    """What was counted; each of `faults` is to be zero."""

    facts: dict[str, int] = field(default_factory=dict)
    faults: dict[str, int] = field(default_factory=dict)
    examples: list[str] = field(default_factory=list)

    @property
    def is_equal(self) -> bool:
        return not any(self.faults.values())


def unfinished(url: str) -> int | None:
    """Return how many events and messages wait; None while the database can't be asked."""
    try:
        with psycopg.connect(url, connect_timeout=3) as database:
            row = database.execute(UNFINISHED).fetchone()
    except psycopg.Error:
        return None
    return int(row[0]) + int(row[1]) if row else None


def compare(
    url: str,
    shops: list[Shop],
    meta: Meta,
    listeners: Listeners,
    whatsapp: FakeWhatsApp,
    sent: Iterable[str],
    media: Path,
    windows: Sequence[Window],
) -> Counts:
    """Return what both ends have, and the faults by the rules of docs/scaling.md."""
    counts = Counts()
    with psycopg.connect(url) as database:
        came = database.execute(IN).fetchall()
        left = database.execute(OUT).fetchall()
        [[double]] = database.execute(DOUBLE_TICKETS).fetchall()
        [[failed_events, failed_messages]] = database.execute(FAILED).fetchall()
    counts.faults["conversations with two open tickets"] = double
    counts.faults["events that failed"] = failed_events
    counts.faults["messages marked as failed"] = failed_messages
    count_in(counts, shops, came, media)
    count_heard(counts, shops, listeners.all, listeners.first.at, windows)
    people = {contact.number for shop in shops for contact in shop.qr_contacts}
    at_phones = {number: whatsapp.texts(number) for number in sorted(people)}
    count_out(counts, shops, meta.accepted, at_phones, left, list(sent))
    return counts


def count_in(counts: Counts, shops: list[Shop], rows: list[Any], media: Path) -> None:
    """Compare what contacts wrote with `rows` of `IN`."""
    stored: Counter[tuple[int, int]] = Counter()
    last: dict[tuple[int, int], int] = {}
    disorder = files = 0
    for company, contact, connection, body, size, path in rows:
        _, number, _, said = body.split("-")
        stored[company, int(number)] += 1
        place = (contact, connection)
        disorder += last.get(place, 0) > int(said)
        last[place] = int(said)
        files += bool(path) and (media / path).is_file() and (media / path).stat().st_size == size
    written = {(shop.id, number) for shop in shops for number in range(len(shop.due))}
    lost = written - set(stored)
    counts.facts["messages in, written by contacts"] = len(written)
    counts.facts["messages in, stored"] = len(stored)
    by_qr = sum(int(body.split("-")[2]) >= FIRST_QR_CONTACT for *_, body, _, _ in rows)
    counts.facts["messages in, through the gateway"] = by_qr
    counts.facts["messages in, pictures whose file is kept"] = files
    counts.faults["messages in, lost"] = len(lost)
    counts.faults["messages in, stored twice"] = sum(count - 1 for count in stored.values())
    counts.faults["messages in, of another company"] = len(set(stored) - written)
    counts.faults["messages in, out of their conversation's order"] = disorder
    counts.examples += [f"lost: company {company} message {n}" for company, n in sorted(lost)[:5]]


def count_heard(
    counts: Counts,
    shops: list[Shop],
    listeners: list[Listener],
    first: Mapping[tuple[int, int], float],
    windows: Sequence[Window],
) -> None:
    """Compare what contacts wrote with what each socket heard; `first` is when it was heard."""
    losing = [
        (window, within)
        for window in windows
        for name, within in LOSING.items()
        if window.name.startswith(name)
    ]
    of_shop: dict[int, list[Listener]] = defaultdict(list)
    for each in listeners:
        of_shop[each.shop.id].append(each)
    live = twice = read_anew = nowhere = missed = 0
    for shop in shops:
        for number, due in enumerate(shop.due):
            at = first.get((shop.id, number), due)
            within = max(
                (seconds for window, seconds in losing if window.holds(due, at + HANDLED_SECONDS)),
                default=0.0,
            )
            heard = missed_here = 0
            for listener in of_shop[shop.id]:
                times = listener.heard[number] if number < len(listener.heard) else 0
                heard += times > 0
                twice += max(0, times - 1)
                if not times:
                    is_missed = listener.misses(number, at, within)
                    missed_here += is_missed
                    read_anew += not is_missed
            if missed_here and len(counts.examples) < MOST_EXAMPLES:
                moment = due - (windows[0].began if windows else 0.0)
                counts.examples.append(
                    f"missed at {missed_here} sockets: company {shop.id} message {number},"
                    f" {moment:.1f} s after the first fault"
                )
            missed += missed_here
            live += heard
            nowhere += not heard
    counts.facts["heard at a socket, each message at each"] = live
    counts.facts["read anew after a reconnect instead"] = read_anew
    counts.facts["messages in, heard live at no socket"] = nowhere
    counts.faults["missed at a socket that stayed connected"] = missed
    counts.faults["heard twice at a socket"] = twice
    counts.faults["heard at a socket of another company"] = sum(each.foreign for each in listeners)
    counts.faults["heard out of order"] = sum(each.out_of_order for each in listeners)


def count_out(
    counts: Counts,
    shops: list[Shop],
    accepted: Mapping[tuple[str, str], list[str]],
    at_phones: Mapping[str, list[str]],
    rows: list[Any],
    sent: list[str],
) -> None:
    """Compare what was told to be taken with `rows` of `OUT`, and those with what arrived."""
    phone_of = {shop.connection_id: shop.phone_number_id for shop in shops}
    qr = {shop.qr_connection_id for shop in shops if shop.qr_connection_id}
    stored: dict[tuple[str, str], list[str]] = defaultdict(list)
    by_qr: dict[str, list[str]] = defaultdict(list)
    for _, connection, number, body, _ in rows:
        if connection in qr:
            by_qr[number].append(body)
        else:
            stored[phone_of[connection], number].append(body)
    arrived = Counter(body for bodies in accepted.values() for body in bodies)
    arrived.update(body for bodies in at_phones.values() for body in bodies)
    written = Counter(body for *_, body, _ in rows)
    counts.facts["messages out, of which agents were told that they were taken"] = len(sent)
    counts.facts["messages out, stored"] = sum(written.values())
    counts.facts["messages out, arrived at the provider"] = sum(arrived.values())
    counts.facts["messages out, arrived at a phone through the gateway"] = sum(
        map(len, at_phones.values())
    )
    counts.faults["messages out, taken but not stored"] = len(set(sent) - set(written))
    counts.faults["messages out, stored twice"] = sum(n - 1 for n in written.values())
    counts.faults["messages out, never at the provider"] = len(set(written) - set(arrived))
    counts.faults["messages out, twice at the provider"] = sum(n - 1 for n in arrived.values())
    counts.faults["messages out, at the provider but not stored"] = len(set(arrived) - set(written))
    disorder = [key for key, bodies in stored.items() if accepted.get(key, []) != bodies]
    disorder += [("", number) for number, found in by_qr.items() if at_phones.get(number) != found]
    counts.faults["conversations out of order at the provider"] = len(disorder)
    lost = sorted(set(written) - set(arrived))
    counts.examples += [f"never at the provider: {body}" for body in lost[:5]]
    counts.examples += [f"out of order: {key}" for key in disorder[:3]]
