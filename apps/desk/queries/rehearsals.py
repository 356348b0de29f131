"""The report of a rehearsal with the names and tickets of now (rules/desk §16)."""

from typing import Any

from apps.accounts.models import User
from apps.desk.models import Rehearsal
from apps.tickets.models import Ticket
from apps.tickets.serializers import ticket_rows_of


def shown_report(rehearsal: Rehearsal) -> dict[str, Any] | None:
    """Return a report as it is shown; what was deleted since is left out, or has no name."""
    report: dict[str, Any] | None = rehearsal.report
    if report is None:
        return None
    company_id = rehearsal.company_id
    names = dict(User.objects.for_company(company_id).values_list("pk", "name"))
    wanted = [each["ticketId"] for each in report["samples"]]
    own = Ticket.objects.for_company(company_id).filter(pk__in=wanted)
    rows = {row["id"]: row for row in ticket_rows_of(list(own.values_list("pk", flat=True)))}
    people = [{**each, "name": names.get(each["userId"])} for each in report["people"]]
    samples = [
        _sample(each, rows[each["ticketId"]], names)
        for each in report["samples"]
        if each["ticketId"] in rows
    ]
    return {**report, "people": people, "samples": samples}


def _sample(
    sample: dict[str, Any], ticket: dict[str, Any], names: dict[int, str]
) -> dict[str, Any]:
    return {
        "ticket": ticket,
        "before": _outcome(sample.get("before"), names),
        "after": _outcome(sample.get("after"), names),
        "missedBefore": sample.get("missedBefore", []),
        "missedAfter": sample.get("missedAfter", []),
        "runs": sample.get("runs", 0),
        "at": sample.get("at"),
        "refusal": sample.get("refusal", ""),
    }


def _outcome(outcome: dict[str, Any] | None, names: dict[int, str]) -> dict[str, Any] | None:
    if outcome is None:
        return None
    shown = {name: value for name, value in outcome.items() if name != "userId"}
    return {**shown, "userName": names.get(outcome["userId"] or 0)}
