"""Every call of the API, tried with service tokens (rules/accounts §12)."""

from typing import Any

import pytest
from django.db import connection as database
from rest_framework.test import APIClient

from apps.accounts.models import Scope, User
from apps.accounts.services.service_tokens import create_token
from config.access import COMMON_READS, SCOPES, scopes_for
from tests.calls.test_tenancy import MARKS, PROTECTED, acme_rows, call, words_of
from tests.tenancy_rows import ROWS
from tests.worlds import World

# What no service token may call: it belongs to persons, to an admin's account or to the operator.
REFUSED = {
    *("me", "two-factor", "recovery-codes", "sign-ins", "service-tokens-list"),
    *("service-tokens-detail", "audit-log", "company-archive"),
    *("users-list", "users-options", "users-detail", "users-two-factor"),
    *("roles-list", "roles-detail"),
    *("emails", "emails-detail", "emails-resend", "emails-older-send", "emails-older-list"),
    *("company-plan", "companies-list", "companies-options", "companies-detail"),
    *("company-schedules", "settings-list", "settings-detail"),
    *("retention", "retention-preview", "retention-defaults"),
    *("plans-all", "plans-list", "plans-detail", "invoices-list", "invoices-detail"),
    *("subscription", "subscription-plan", "billing-list", "billing-detail", "billing-payments"),
    *("billing-cancel", "billing-credit", "billing-refund"),
    *(
        "queues-usage",
        "queues-test-chat",
        "typebot-flow",
        "queue-forms",
        "queue-options-detail",
        "queue-options-file",
    ),
    *("connections-token", "connections-alerts", "connections-health", "connections-profile"),
    *("connections-test", "connections-phone", "connections-check", "connections-signup"),
    *("connections-webhook", "connections-templates", "connections-template"),
    *("connections-template-samples", "connections-session", "connections-products"),
    "connections-template-library",
    *("tickets-drafts", "tickets-draft", "tickets-thread-control", "tickets-cost"),
    "tickets-writers",
    *("tickets-follows", "tickets-follow", "tickets-follow-seen"),
    *("tickets-mentions", "tickets-mentions-seen"),
    *("queues-assignment", "team", "team-member", "team-tickets", "team-moves"),
    *("presence", "presence-own", "presence-person", "presence-timeline"),
    *("pause-reasons", "pause-reasons-one", "tickets-assignments"),
    *("sla", "sla-policy", "sla-report", "sla-missed", "tickets-clocks", "holidays"),
    *("rehearsals", "rehearsal"),
    *("rules", "rules-order", "rules-runs", "rule", "rule-switch"),
    *("macros", "macro", "macro-undo", "tickets-macros"),
    *("costs", "costs-export", "costs-meter"),
    *("costs-texts", "costs-text-stop", "costs-text-resume"),
    *("integrations-list", "integrations-detail", "integrations-secret", "integrations-test"),
    *("integrations-deliveries", "integrations-delivery", "integrations-redeliver"),
    *("prompts-list", "prompts-detail", "prompts-usage", "prompts-test"),
    *("chats-list", "chats-detail", "chats-read", "chats-leave", "chats-messages"),
    *("announcements-list", "announcements-detail", "announcements-media"),
    *("helps-list", "helps-all", "helps-detail"),
}
SERVED = [key for key in PROTECTED if scopes_for(*key)]
UNSERVED = [key for key in PROTECTED if not scopes_for(*key)]
# Calls with an answer of their own for a program, with its status and code.
OF_PERSONS = {
    ("tickets-list", "POST"): 400,  # who will hold the ticket has to be named
    ("quick-messages-list", "POST"): 400,  # a program has no private ones
}


def token_of(maker: User, *scopes: str) -> APIClient:
    """Return a client with a new token of the maker's company."""
    fields = {"name": "Robô", "scopes": scopes or Scope.values}
    client = APIClient()
    text = create_token(actor=maker, fields=fields).text
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    return client


def test_each_call_is_in_one_scope_or_refused() -> None:
    names = [name for names in SCOPES.values() for name in names]
    assert len(names) == len(set(names)), "a call stands twice"
    protected = {name for name, _ in PROTECTED}
    assert set(names) | COMMON_READS | REFUSED == protected
    assert not (set(names) | COMMON_READS) & REFUSED
    assert not set(names) & COMMON_READS


@pytest.mark.every_case
@pytest.mark.parametrize("key", SERVED, ids=" ".join)
def test_a_token_with_the_scope_is_served_and_one_without_is_not(
    world: World, admin: User, key: tuple[str, str]
) -> None:
    row, admitting = ROWS[key], scopes_for(*key)
    others = sorted(set(Scope.values) - admitting)
    refused = call(token_of(admin, *others), key[1], row.path, row.body, world)
    assert (refused.status_code, refused.json()["code"]) == (403, "ERR_TOKEN_SCOPE")
    assert refused.json()["scopes"] == sorted(admitting)
    # The least role may be refused what an admin, and so a token, may do.
    expected = {OF_PERSONS[key]} if key in OF_PERSONS else {*row.least, 200, 201} - {403}
    for scope in admitting if key[1] == "GET" else sorted(admitting)[:1]:
        answer = call(token_of(admin, scope), key[1], row.path, row.body, world)
        assert answer.status_code in expected, answer.content
    database.check_constraints()


@pytest.mark.parametrize("key", UNSERVED, ids=" ".join)
def test_a_token_with_all_scopes_is_refused_what_belongs_to_persons(
    world: World, admin: User, super_user: User, key: tuple[str, str]
) -> None:
    row = ROWS[key]
    for maker in (admin, super_user):
        answer = call(token_of(maker), key[1], row.path, row.body, world)
        assert (answer.status_code, answer.json()["code"]) == (403, "ERR_TOKEN_NOT_SERVED")


@pytest.mark.every_case
@pytest.mark.parametrize("key", SERVED, ids=" ".join)
def test_a_token_of_another_company_sees_and_changes_nothing(
    world: World, outsider: User, key: tuple[str, str]
) -> None:
    row, before = ROWS[key], acme_rows()
    answer = call(token_of(outsider), key[1], row.path, row.body, world)
    if row.outsider == "404":
        assert answer.status_code == 404, answer.content
    elif row.outsider == "refused":
        assert 400 <= answer.status_code < 500, answer.content
    shown: Any = answer  # files come in parts, without `content`
    words = words_of(shown.getvalue())
    assert not [mark for mark in MARKS if mark in words]
    assert acme_rows() == before
