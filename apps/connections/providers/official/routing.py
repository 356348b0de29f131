"""Who of a number's responders leads a conversation, and the roles that this business has.

developers.facebook.com/documentation/business-messaging/whatsapp/conversation-routing: thread
control, and routing-roles. Of the roles only the keys `roles` and `is_standby` are known, and the
address is unconfirmed, so what Meta answers is kept as it is.

Which fields an app hears of is ticked in Meta's dashboard, and read from the app itself:
developers.facebook.com/docs/graph-api/reference/app/subscriptions.
"""

from typing import Any

from apps.connections.providers.official.client import GraphClient
from apps.connections.providers.official.paging import rows_of
from apps.connections.providers.official.payloads import recipient
from apps.connections.providers.official.standby import HANDOVERS, STANDBY
from apps.connections.providers.official.values import as_list, as_text

OBJECT = "whatsapp_business_account"
# Without these what other responders of a number do is not told.
FIELDS = frozenset({STANDBY, HANDOVERS})
ROLES_EDGE = "routing_roles"
MOST_ROLES = 20
ROLE_LENGTH = 60


def control_thread(client: GraphClient, phone_number_id: str, to: str, action: str) -> None:
    """Take a conversation, release it, or pass it to the escalation partner.

    A lost answer leaves the outcome unknown; the call may be repeated.
    """
    named = {key: value for key, value in recipient(to).items() if key != "recipient_type"}
    body = {"messaging_product": "whatsapp", **named, "action": action}
    client.post(f"{phone_number_id}/thread_control", body)


def routing_roles(client: GraphClient, phone_number_id: str) -> dict[str, Any]:
    """Return what Meta tells of the number's roles, as Meta tells it."""
    return client.get(f"{phone_number_id}/{ROLES_EDGE}")


def app_fields(client: GraphClient, app_id: str) -> set[str]:
    """Return the fields of WhatsApp accounts that an app hears of; the token is the app's own."""
    told = rows_of(client.get(f"{app_id}/subscriptions"))
    active = [row for row in told if row.get("object") == OBJECT and row.get("active") is not False]
    listed = [field for row in active for field in as_list(row.get("fields"))]
    return {as_text(field.get("name")) for field in listed if isinstance(field, dict)}


def role_names(told: Any) -> list[str]:
    """Return the names of the roles in Meta's answer, `standby` among them; none if unreadable."""
    if not isinstance(told, dict):
        return []
    listed = told.get("roles")
    found = [each for each in listed if isinstance(each, str)] if isinstance(listed, list) else []
    if told.get("is_standby") is True:
        found.append("standby")
    return [each[:ROLE_LENGTH] for each in dict.fromkeys(found)][:MOST_ROLES]
