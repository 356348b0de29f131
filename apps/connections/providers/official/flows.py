"""The flows of an account: made, filled, published, retired, and what Meta reports of them.

developers.facebook.com/docs/whatsapp/flows/reference/flowsapi and …/flows/guides/flowswebhooks
(15 Mar 2026). A name is unique in its account; only a draft can be deleted, what was published is
deprecated.
"""

import re
from typing import Any

import orjson

from apps.common.reasons import Reason, ReasonCode
from apps.connections.providers.base import ProviderError
from apps.connections.providers.inbound import FormStop, InboundForm
from apps.connections.providers.official.client import GraphClient
from apps.connections.providers.official.paging import all_rows, check_account_id
from apps.connections.providers.official.values import as_dict, as_text, moment_of

# The webhook's field.
FLOWS = "flows"
CATEGORIES = ["OTHER"]
DRAFT, PUBLISHED = "DRAFT", "PUBLISHED"
WORDS_LENGTH = 200
FLOW_ID = re.compile(r"[0-9]{1,50}", re.ASCII)


def find_flow(client: GraphClient, account_id: str, name: str) -> tuple[str, str]:
    """Return id and status of the flow with a name; empty ones if the account has none."""
    check_account_id(account_id)
    for row in all_rows(client, f"{account_id}/flows", "id,name,status"):
        if row.get("name") == name:
            return str(row.get("id") or ""), str(row.get("status") or "")
    return "", ""


def create_flow(client: GraphClient, account_id: str, name: str) -> str:
    """Create an empty draft; returns its id.

    A lost answer leaves the outcome unknown: look the name up before trying again.
    """
    check_account_id(account_id)
    body = {"name": name, "categories": CATEGORIES}
    flow_id = str(client.post_once(f"{account_id}/flows", body).get("id") or "")
    check_flow_id(flow_id)
    return flow_id


def fill_flow(client: GraphClient, flow_id: str, content: dict[str, Any]) -> None:
    """Give a draft its Flow JSON; raises ProviderError with Meta's words if it is not valid."""
    check_flow_id(flow_id)
    answer = client.post_file(
        f"{flow_id}/assets",
        {"name": "flow.json", "asset_type": "FLOW_JSON"},
        orjson.dumps(content),
        name="flow.json",
        mime="application/json",
    )
    faults = answer.get("validation_errors")
    if isinstance(faults, list) and faults:
        first = faults[0] if isinstance(faults[0], dict) else {}
        words = str(first.get("message") or first.get("error") or "")[:WORDS_LENGTH]
        raise ProviderError(
            f"A Meta não aceitou o formulário: {words}",
            reason=Reason(ReasonCode.FORM_REFUSED, words),
            code="flow_invalid",
            permanent=True,
        )


def publish_flow(client: GraphClient, flow_id: str) -> None:
    """Publish a draft; what is published can't be changed any more."""
    check_flow_id(flow_id)
    client.post(f"{flow_id}/publish", {})


def retire_flow(client: GraphClient, flow_id: str) -> None:
    """Delete a draft, or deprecate what was published."""
    check_flow_id(flow_id)
    status = client.get(flow_id, fields="id,status").get("status")
    if status == DRAFT:
        client.delete(flow_id)
    elif status != FormStop.DEPRECATED:
        client.post(f"{flow_id}/deprecate", {})


def read_flow(payload: dict[str, Any]) -> InboundForm | None:
    """Read a changed status of a flow; None for drafts, unknown ones and other reports, which are
    about endpoints and versions.
    """
    value = as_dict(payload.get("value"))
    status, flow_id = as_text(value.get("new_status")).upper(), as_text(value.get("flow_id"))
    if as_text(value.get("event")) != "FLOW_STATUS_CHANGE" or not FLOW_ID.fullmatch(flow_id):
        return None
    if status not in (PUBLISHED, *filter(None, FormStop)):
        return None
    stop = FormStop.NONE if status == PUBLISHED else FormStop(status)
    return InboundForm(flow_id, stop, at=moment_of(payload.get("time")))


def check_flow_id(flow_id: str) -> None:
    """Raise ProviderError for what can't be a flow's id."""
    if not FLOW_ID.fullmatch(flow_id):
        raise ProviderError(
            "A Meta não devolveu o formulário.",
            reason=ReasonCode.BAD_ID,
            code="bad_flow_id",
            permanent=True,
        )
