"""Every call of a feature, tried by a company whose plan leaves the feature out.

A new call of a feature is in the table by its name; see `config.access.FEATURES`.
"""

from typing import Any

import pytest

from apps.accounts.models import User
from apps.connections.services.tokens import issue_token
from config.access import FEATURE_OF, STOPS, USES
from conftest import ClientFor
from tests.calls.test_tenancy import call
from tests.tenancy_rows import ROWS
from tests.worlds import World

FLAGS = {
    "campaigns": "useCampaigns",
    "schedules": "useSchedules",
    "internalChat": "useInternalChat",
    "externalApi": "useExternalApi",
    "integrations": "useIntegrations",
    "openAi": "useOpenAi",
    "kanban": "useKanban",
}
# The board is a way of looking: without the feature nobody looks.
SEEN_BY_FEATURE = {("tickets-board", "GET"): "kanban"}
TABLE = {
    **SEEN_BY_FEATURE,
    **{
        key: FEATURE_OF[key[0]]
        for key in ROWS
        if key[0] in FEATURE_OF and key[1] in USES and key[0] not in STOPS
    },
}


def switch_off(company: Any, *features: str) -> None:
    columns = {
        "openAi": "use_open_ai",
        "externalApi": "use_external_api",
        "internalChat": "use_internal_chat",
    }
    for feature in features:
        setattr(company.plan, columns.get(feature, f"use_{feature}"), False)
    company.plan.save()


@pytest.mark.parametrize("feature", FLAGS)
def test_without_the_flag_no_call_of_the_feature_does_anything(
    client_for: ClientFor, world: World, admin: User, feature: str
) -> None:
    keys = [key for key, needed in TABLE.items() if needed == feature]
    assert keys
    switch_off(admin.company, feature)
    client = client_for(admin)
    for key in keys:
        answer = call(client, key[1], ROWS[key].path, ROWS[key].body, world)
        told = answer.json()
        assert (answer.status_code, told.get("code")) == (403, "ERR_PLAN_FEATURE"), key
        assert told["feature"] == FLAGS[feature], key


def test_without_all_flags_everything_else_is_served(
    client_for: ClientFor, world: World, admin: User
) -> None:
    switch_off(admin.company, *FLAGS)
    client = client_for(admin)
    for key in ROWS:
        if key in TABLE or key[1] != "GET":
            continue
        answer = call(client, key[1], ROWS[key].path, ROWS[key].body, world)
        assert b"ERR_PLAN_FEATURE" not in answer.getvalue(), key


def test_programs_are_refused_without_the_flag(
    client_for: ClientFor, admin: User, connection: Any
) -> None:
    token = issue_token(actor=admin, connection=connection)
    switch_off(admin.company, "externalApi")
    for path in ("/api/messages/send", "/api/api/messages/send"):
        answer = client_for(None).post(
            path,
            {"number": "5511999998888", "body": "Oi"},
            "json",
            headers={"Authorization": f"Bearer {token}"},
        )
        assert (answer.status_code, answer.json()["code"]) == (403, "ERR_PLAN_FEATURE")
