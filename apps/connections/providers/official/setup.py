"""What Meta knows of a number's set-up: permissions, account, subscription, webhook.

developers.facebook.com/docs/whatsapp/embedded-signup/webhooks/override has the webhook's fields.
"""

from dataclasses import dataclass
from typing import Any

from apps.common.reasons import ReasonCode
from apps.connections.providers.base import ProviderError
from apps.connections.providers.official.client import GraphClient
from apps.connections.providers.official.paging import all_rows, check_account_id, rows_of
from apps.connections.providers.official.webhook import READ_FIELDS

# Sending and receiving; the account with its numbers, templates and webhook.
NEEDED = ("whatsapp_business_messaging", "whatsapp_business_management")
# The most specific setting first: Meta evaluates them in this order.
WEBHOOK_LEVELS = ("phone_number", "whatsapp_business_account", "application")


@dataclass(frozen=True)
class NumberCard:
    """A number as Meta shows it, and the name that contacts see; empty where it shows none."""

    number: str
    name: str


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def missing_permissions(client: GraphClient) -> list[str]:
    """Return the needed permissions that the token lacks."""
    rows = rows_of(client.get("me/permissions"))
    granted = {row.get("permission") for row in rows if row.get("status") == "granted"}
    return [name for name in NEEDED if name not in granted]


def number_card(client: GraphClient, phone_number_id: str) -> NumberCard:
    """Return a number's card as Meta shows it."""
    answer = client.get(phone_number_id, fields="display_phone_number,verified_name,quality_rating")
    return NumberCard(
        number=_text(answer.get("display_phone_number")),
        name=_text(answer.get("verified_name")),
    )


def is_of_account(client: GraphClient, phone_number_id: str, account_id: str) -> bool:
    """Tell whether a number is one of a business account's."""
    check_account_id(account_id)
    rows = all_rows(client, f"{account_id}/phone_numbers", "id")
    return any(str(row.get("id")) == phone_number_id for row in rows)


def is_subscribed(client: GraphClient, account_id: str) -> bool:
    """Tell whether any app is subscribed to a business account.

    Meta lists apps by id and name; which one belongs to this installation is unknown here.
    """
    check_account_id(account_id)
    return bool(rows_of(client.get(f"{account_id}/subscribed_apps")))


def subscribe(client: GraphClient, account_id: str) -> None:
    """Subscribe the token's app to a business account, with the fields if Meta takes them."""
    check_account_id(account_id)
    place = f"{account_id}/subscribed_apps"
    try:
        client.post(place, {"subscribed_fields": sorted(READ_FIELDS)})
    except ProviderError as error:
        if error.reason.code != ReasonCode.DATA_REFUSED:
            raise
        client.post(place, {})


def subscribe_fields(
    client: GraphClient, account_id: str, verify_token: str, *, names_fields: bool = True
) -> None:
    """Subscribe the token's app, to every field that is read if it names them; idempotent.

    An address of the account's own is given again, for a call without it would remove it.
    """
    check_account_id(account_id)
    place = f"{account_id}/subscribed_apps"
    body: dict[str, Any] = {"subscribed_fields": sorted(READ_FIELDS)} if names_fields else {}
    addresses = [_text(row.get("override_callback_uri")) for row in rows_of(client.get(place))]
    if own := next(filter(None, addresses), ""):
        body |= {"override_callback_uri": own, "verify_token": verify_token}
    client.post(place, body)


def webhook_address(client: GraphClient, phone_number_id: str) -> str | None:
    """Return the address of a number's webhook: '' if none is set, None if Meta does not tell."""
    answer = client.get(phone_number_id, fields="webhook_configuration")
    found = answer.get("webhook_configuration")
    if not isinstance(found, dict):
        return None
    return next((address for level in WEBHOOK_LEVELS if (address := _text(found.get(level)))), "")
