"""Finds deliveries whose status event is stored but not handled yet (rules/messages §3)."""

# An SQL condition about a delivery, aliased `work`, whose outcome is unknown.
UNREAD_STATUS = (
    "EXISTS (SELECT 1 FROM inbound_inboundevent AS report"
    " WHERE report.connection_id = work.connection_id"
    " AND NOT (report.state IN ('done', 'failed')) AND report.kind = 'status'"
    " AND report.received_at <= work.next_attempt_at)"
)


def name_unread_statuses(conditions: list[str]) -> None:
    """Register the condition of deliveries for which an unhandled status event may exist."""
    conditions.append(UNREAD_STATUS)
