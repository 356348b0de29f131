"""Which sends wait for a status that is stored and not read yet (rules/messages §3)."""

# About a delivery, called `work`, whose outcome nobody saw.
UNREAD_STATUS = (
    "EXISTS (SELECT 1 FROM inbound_inboundevent AS report"
    " WHERE report.connection_id = work.connection_id"
    " AND NOT (report.state IN ('done', 'failed')) AND report.kind = 'status'"
    " AND report.received_at <= work.next_attempt_at)"
)


def name_unread_statuses(conditions: list[str]) -> None:
    """Add the condition of deliveries about which an unread status may tell."""
    conditions.append(UNREAD_STATUS)
