"""The message templates of an account: listed, created, changed, deleted.

developers.facebook.com/docs/graph-api/reference/whats-app-business-account/message_templates.
"""

import re
from typing import Any

from apps.common.reasons import ReasonCode
from apps.connections.providers.base import ProviderError
from apps.connections.providers.official.client import GraphClient
from apps.connections.providers.official.paging import (
    all_rows,
    check_account_id,
    next_cursor,
    rows_of,
)

FIELDS = (
    "id,name,status,language,category,parameter_format,components,quality_score,rejected_reason"
)

LIBRARY = "message_template_library"
LIBRARY_PAGE = 24
# The graph's answers for an edge or a path that it does not have.
NO_SUCH_EDGE = frozenset({"100", "2500"})


def list_templates(client: GraphClient, account_id: str) -> list[dict[str, Any]]:
    """Return all templates of an account, whatever their status, as Meta shows them.

    Raises ProviderError, also when an answer can't be read or the pages take too long.
    """
    check_account_id(account_id)
    return all_rows(client, f"{account_id}/message_templates", FIELDS)


def create_template(
    client: GraphClient, account_id: str, template: dict[str, Any]
) -> dict[str, Any]:
    """Submit a template; returns its id, status and category as Meta answers them.

    A lost answer leaves the outcome unknown: look the template up before trying again.
    """
    check_account_id(account_id)
    return client.post_once(f"{account_id}/message_templates", template)


def library_page(
    client: GraphClient, account_id: str, filters: dict[str, str], after: str
) -> tuple[list[dict[str, Any]], str]:
    """Return a page of Meta's template library, and the cursor of the next page or ''.

    `filters`: search, topic, usecase, industry, language. Meta documents the list at the account
    and at the root of the graph (developers.facebook.com/docs/whatsapp/template-library): where the
    account has none, the root is asked.
    """
    check_account_id(account_id)
    query = {**filters, "limit": str(LIBRARY_PAGE), **({"after": after} if after else {})}
    try:
        answer = client.get(f"{account_id}/{LIBRARY}", **query)
    except ProviderError as error:
        if error.code not in NO_SUCH_EDGE:
            raise
        answer = client.get(LIBRARY, **query)
    return rows_of(answer), next_cursor(answer.get("paging"))


def edit_template(client: GraphClient, template_id: str, changes: dict[str, Any]) -> None:
    """Submit other parts, or another category, of a template that is there."""
    check_template_id(template_id)
    client.post(template_id, changes)


def delete_template(client: GraphClient, account_id: str, *, name: str, template_id: str) -> None:
    """Delete one language of a template; the others of its name stay."""
    check_account_id(account_id)
    check_template_id(template_id)
    client.delete(f"{account_id}/message_templates", name=name, hsm_id=template_id)


def check_template_id(template_id: str) -> None:
    """Raise ProviderError for what can't be a template's id."""
    if not re.fullmatch(r"[0-9]+", template_id, re.ASCII):
        raise ProviderError(
            "A identificação do modelo não é válida.",
            reason=ReasonCode.BAD_ID,
            code="bad_template_id",
            permanent=True,
        )
