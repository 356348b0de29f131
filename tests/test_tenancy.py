"""Every call of the API, tried by nobody, by too low a role, by the least role and by the outsider.

A new call needs a row in `config.access` and one line in `ROWS`; without them a test fails.
Paths and bodies name their subject in acme as `{ticket}`, and what the outsider rightly owns as
`{own_contact}`; see `World`.
"""

import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db import connections as databases
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.permissions import Access
from apps.companies.models import Company, default_schedules
from apps.connections.models import Connection
from apps.queues.models import Queue
from config.access import ACCESS
from conftest import ClientFor
from tests import factories

pytestmark = pytest.mark.django_db

# Answered by the schema's library and by signature; the media's own tests try those.
NOT_OURS = {"schema", "docs", "public-media"}
# No answer to the outsider may contain one of these.
MARKS = ("Acme", "acme.example", "Vendas", "Loja")


@dataclass(frozen=True)
class Row:
    """How to try one call.

    `outsider` says what must happen to the outsider: `404`; `hidden` (a success that shows and
    changes nothing of acme's); `refused` (any 4xx, for bodies with foreign ids). `least` are the
    statuses that the least role may get; by default a success.
    """

    path: str
    outsider: str
    body: dict[str, Any] = field(default_factory=dict)
    least: tuple[int, ...] = (200, 201)


def one(path: str, body: dict[str, Any] | None = None, **options: Any) -> Row:
    """Return the row of a call on one record of acme's, which is a 404 to the outsider."""
    return Row(path, "404", body or {}, **options)


def hidden(path: str, body: dict[str, Any] | None = None) -> Row:
    """Return the row of a call that serves each company its own."""
    return Row(path, "hidden", body or {})


def linking(path: str, body: dict[str, Any], **options: Any) -> Row:
    """Return the row of a call whose body names records, acme's being refused to the outsider."""
    return Row(path, "refused", body, **options)


DIALOG_USER = {"name": "Nova", "email": "nova@example.com", "password": "12345"}
QUEUE = {"name": "Nova", "color": "#abcdef", "orderQueue": 1}
NUMBER = {
    "name": "Nova",
    "provider": "official",
    "phone_number_id": "700000000000001",
    "waba_id": "800000000000001",
    "accessToken": "EAAG",
}

INTEGRATION = {"type": "webhook", "name": "Nova", "urlN8N": "https://example.com/fluxo"}
PROMPT = {
    "name": "Nova",
    "prompt": "Responda.",
    "queueId": "{queue}",
    "apiKey": "sk-nova",
    "baseUrl": "https://modelo.invalid/v1",
}

SCHEDULE = {"body": "Até amanhã!", "sendAt": "2999-01-31T09:00"}

ROWS: dict[tuple[str, str], Row] = {
    ("me", "GET"): hidden("/auth/me"),
    ("users-list", "GET"): hidden("/users/?searchParam="),
    ("users-list", "POST"): linking("/users", {**DIALOG_USER, "queueIds": ["{queue}"]}),
    ("users-options", "GET"): hidden("/users/list?companyId={company}"),
    ("users-detail", "GET"): one("/users/{agent}"),
    ("users-detail", "PUT"): one("/users/{agent}", {"name": "Outro nome"}),
    ("users-detail", "DELETE"): one("/users/{agent}"),
    ("company-plan", "GET"): one("/companies/listPlan/{company}"),
    ("companies-detail", "GET"): one("/companies/{company}"),
    ("company-schedules", "GET"): one("/companies/{company}/schedules"),
    ("company-schedules", "PUT"): one(
        "/companies/{company}/schedules", {"schedules": default_schedules()}
    ),
    ("settings-list", "GET"): hidden("/settings"),
    ("settings-detail", "PUT"): hidden("/settings/call", {"value": "disabled"}),
    ("settings-detail", "DELETE"): hidden("/settings/asaas"),
    ("queues-list", "GET"): hidden("/queue?companyId={company}"),
    ("queues-list", "POST"): linking("/queue", {**QUEUE, "promptId": "{prompt}"}),
    ("queues-detail", "GET"): one("/queue/{queue}"),
    ("queues-detail", "PUT"): one("/queue/{queue}", {"name": "Outro nome"}),
    ("queues-detail", "DELETE"): one("/queue/{queue}"),
    ("queues-usage", "GET"): one("/queue/{queue}/usage"),
    ("queues-test-chat", "POST"): linking(
        "/queue/test-chat", {"queue": {"name": "Nova"}, "queueId": "{queue}", "text": "Oi"}
    ),
    ("queue-options-list", "GET"): hidden("/queue-options?queueId={queue}&parentId=-1"),
    ("queue-options-list", "POST"): linking(
        "/queue-options", {"title": "Nova", "queueId": "{queue}", "parentId": -1}
    ),
    ("queue-options-detail", "PUT"): one("/queue-options/{option}", {"title": "Outro título"}),
    ("queue-options-detail", "DELETE"): one("/queue-options/{option}"),
    # The file itself is tried by the app's own tests.
    ("queue-options-file", "POST"): one("/queue-options/{option}/media-upload", least=(400,)),
    ("queue-options-file", "DELETE"): one("/queue-options/{option}/media-upload"),
    ("connections-list", "GET"): hidden("/whatsapp/?session=0&companyId={company}"),
    ("connections-list", "POST"): linking("/whatsapp", {**NUMBER, "queueIds": ["{queue}"]}),
    ("connections-detail", "GET"): one("/whatsapp/{connection}?session=0"),
    ("connections-detail", "PUT"): one("/whatsapp/{connection}", {"name": "Outro nome"}),
    ("connections-detail", "DELETE"): one("/whatsapp/{second_connection}"),
    ("connections-token", "POST"): one("/whatsapp/{connection}/token"),
    ("connections-token", "DELETE"): one("/whatsapp/{connection}/token"),
    # The provider is not there, which is part of the answer.
    ("connections-check", "POST"): linking(
        "/whatsapp/check", {**NUMBER, "step": "token", "id": "{connection}"}
    ),
    ("connections-webhook", "GET"): hidden("/whatsapp/webhook"),
    # The least role reaches the provider, which is not there.
    ("connections-session", "POST"): one("/whatsappsession/{connection}", least=(200, 400, 409)),
    ("connections-session", "PUT"): one("/whatsappsession/{connection}", least=(200, 400, 409)),
    ("connections-session", "DELETE"): one("/whatsappsession/{connection}"),
    ("contacts-list", "GET"): hidden("/contacts/?searchParam="),
    ("contacts-list", "POST"): hidden("/contacts", {"name": "Nova", "number": "5511977776666"}),
    ("contacts-options", "GET"): hidden("/contacts/list?companyId={company}"),
    ("contacts-delete", "POST"): hidden("/contacts/delete", {"ids": ["{contact}"]}),
    # An official number has no address book, to its own people and to the outsider's.
    ("contacts-import", "POST"): linking("/contacts/import", {}, least=(400,)),
    ("contacts-export", "GET"): hidden("/contacts/export?searchParam="),
    ("contacts-detail", "GET"): one("/contacts/{contact}"),
    ("contacts-detail", "PUT"): one(
        "/contacts/{contact}", {"name": "Outro nome", "number": "5511977776666"}
    ),
    ("contacts-detail", "DELETE"): one("/contacts/{contact}"),
    ("contacts-tickets", "GET"): one("/contacts/{contact}/tickets"),
    ("contacts-media", "GET"): one("/contacts/{contact}/media"),
    ("quick-messages-list", "GET"): hidden("/quick-messages/?searchParam=&userId={agent}"),
    ("quick-messages-list", "POST"): hidden("/quick-messages", {"shortcode": "nova"}),
    ("quick-messages-options", "GET"): hidden("/quick-messages/list?companyId={company}"),
    ("quick-messages-detail", "GET"): one("/quick-messages/{quick_message}"),
    ("quick-messages-detail", "PUT"): one("/quick-messages/{quick_message}", {"shortcode": "x"}),
    ("quick-messages-detail", "DELETE"): one("/quick-messages/{quick_message}"),
    # The file itself is tried by the app's own tests.
    ("quick-messages-file", "POST"): one(
        "/quick-messages/{quick_message}/media-upload", least=(400,)
    ),
    ("quick-messages-file", "DELETE"): one("/quick-messages/{quick_message}/media-upload"),
    ("notes", "POST"): linking(
        "/ticket-notes", {"note": "Prefere manhã", "ticketId": "{ticket}", "contactId": "{contact}"}
    ),
    ("notes-list", "GET"): hidden("/ticket-notes/list?ticketId={ticket}&contactId={contact}"),
    ("notes-detail", "DELETE"): one("/ticket-notes/{note}"),
    ("tags-list", "GET"): hidden("/tags/?searchParam="),
    ("tags-list", "POST"): hidden("/tags", {"name": "Urgente", "color": "#C7302B", "kanban": 0}),
    ("tags-options", "GET"): hidden("/tags/list?searchParam="),
    ("tags-lanes", "GET"): hidden("/tags/kanban"),
    ("tags-detail", "GET"): one("/tags/{tag}"),
    ("tags-detail", "PUT"): one("/tags/{tag}", {"name": "Outro nome"}),
    ("tags-detail", "DELETE"): one("/tags/{tag}"),
    ("tickets-list", "GET"): hidden("/tickets?showAll=true&queueIds=[{queue}]&users=[{agent}]"),
    ("tickets-list", "POST"): linking(
        "/tickets", {"contactId": "{new_contact}", "queueId": "{queue}", "status": "open"}
    ),
    ("tickets-by-uuid", "GET"): one("/tickets/u/{ticket_uuid}"),
    ("tickets-counts", "GET"): hidden("/tickets/counts?showAll=true&queueIds=[{queue}]"),
    ("tickets-board", "GET"): hidden("/ticket/kanban?queueIds=[{queue}]"),
    ("tickets-detail", "GET"): one("/tickets/{ticket}"),
    ("tickets-detail", "PUT"): one("/tickets/{ticket}", {"status": "closed"}),
    ("tickets-detail", "DELETE"): one("/tickets/{ticket}"),
    ("ticket-tag", "PUT"): one("/ticket-tags/{ticket}/{tag}"),
    ("ticket-lane", "DELETE"): one("/ticket-tags/{ticket}"),
    ("tags-sync", "POST"): linking("/tags/sync", {"ticketId": "{ticket}", "tags": ["{tag}"]}),
    ("messages", "GET"): one("/messages/{ticket}"),
    ("messages", "POST"): one("/messages/{ticket}", {"body": "Oi"}),
    # What the provider can't take back, or has not failed, is refused to its own people too.
    ("messages", "DELETE"): one("/messages/{message}", least=(200, 400, 409)),
    ("messages-resend", "POST"): one("/messages/{message}/resend", least=(200, 400, 409)),
    # The least role reaches the provider, which is not there; the form is no JSON.
    ("templates-list", "GET"): one("/templates?whatsappId={connection}", least=(424,)),
    ("templates-media", "POST"): linking("/template/media", {}, least=(415,)),
    ("templates-send", "POST"): one(
        "/templates/{ticket}",
        {"template": {"name": "ola", "language": "pt_BR"}, "components": []},
        least=(424,),
    ),
    ("messages", "PUT"): one("/messages/{message}", {"body": "Oi!"}, least=(200, 400, 409)),
    ("messages-search", "GET"): one("/messages/{ticket}/search?searchParam=segredo"),
    ("messages-reaction", "POST"): one("/messages/{message}/reaction", {"emoji": "👍"}),
    ("messages-forward", "POST"): one("/messages/{message}/forward", {"contactIds": ["{contact}"]}),
    ("schedules-list", "GET"): hidden("/schedules/?contactId={contact}&searchParam="),
    ("schedules-list", "POST"): linking("/schedules", {**SCHEDULE, "contactId": "{contact}"}),
    ("schedules-detail", "GET"): one("/schedules/{schedule}"),
    ("schedules-detail", "PUT"): one("/schedules/{schedule}", {"body": "Outro texto"}),
    ("schedules-detail", "DELETE"): one("/schedules/{schedule}"),
    # No file comes along; one that has not failed is not sent again.
    ("schedules-media", "POST"): one("/schedules/{schedule}/media-upload", least=(400,)),
    ("schedules-media", "DELETE"): one("/schedules/{schedule}/media-upload"),
    ("schedules-retry", "POST"): one("/schedules/{schedule}/retry", least=(409,)),
    ("integrations-list", "GET"): hidden("/queueIntegration/?searchParam="),
    ("integrations-list", "POST"): hidden("/queueIntegration", INTEGRATION),
    ("integrations-detail", "GET"): one("/queueIntegration/{integration}"),
    ("integrations-detail", "PUT"): one("/queueIntegration/{integration}", INTEGRATION),
    ("integrations-detail", "DELETE"): one("/queueIntegration/{integration}"),
    ("integrations-secret", "POST"): one("/queueIntegration/{integration}/secret"),
    # Nobody answers there.
    ("integrations-test", "POST"): linking(
        "/queueIntegration/testSession",
        {
            "integrationId": "{integration}",
            "type": "webhook",
            "urlN8N": "https://fluxo.invalid/oi",
        },
        least=(424,),
    ),
    ("integrations-deliveries", "GET"): one("/queueIntegration/{integration}/deliveries"),
    ("integrations-delivery", "GET"): one("/queueIntegration/{integration}/deliveries/{delivery}"),
    ("integrations-redeliver", "POST"): one(
        "/queueIntegration/{integration}/deliveries/{delivery}/redeliver"
    ),
    ("prompts-list", "GET"): hidden("/prompt/?searchParam=&pageNumber=1"),
    ("prompts-list", "POST"): linking("/prompt", PROMPT),
    ("prompts-detail", "GET"): one("/prompt/{prompt}"),
    ("prompts-detail", "PUT"): one("/prompt/{prompt}", {"name": "Outro nome"}),
    ("prompts-detail", "DELETE"): one("/prompt/{prompt}"),
    ("prompts-usage", "GET"): hidden("/prompt/usage"),
    # No model answers here.
    ("prompts-test", "POST"): linking(
        "/prompt/test",
        {**PROMPT, "promptId": "{prompt}", "messages": [{"fromMe": False, "text": "Oi"}]},
        least=(424,),
    ),
}
# What the outsider may not link to either, beside the row's own body.
LINKS: list[tuple[str, str, dict[str, Any]]] = [
    ("POST", "/users", {**DIALOG_USER, "whatsappId": "{connection}"}),
    ("PUT", "/users/{outsider}", {"queueIds": ["{queue}"]}),
    ("PUT", "/users/{outsider}", {"whatsappId": "{connection}"}),
    ("POST", "/queue", {**QUEUE, "integrationId": "{integration}"}),
    ("PUT", "/queue/{own_queue}", {"promptId": "{prompt}"}),
    ("PUT", "/queue/{own_queue}", {"integrationId": "{integration}"}),
    ("PUT", "/prompt/{own_prompt}", {"queueId": "{queue}"}),
    ("POST", "/queue", {**QUEUE, "options": [{"title": "A", "redirectionQueueId": "{queue}"}]}),
    ("PUT", "/queue/{own_queue}", {"options": [{"title": "A", "id": "{option}"}]}),
    ("POST", "/queue-options", {"title": "A", "queueId": "{own_queue}", "parentId": "{option}"}),
    ("PUT", "/queue-options/{own_option}", {"redirectionQueueId": "{queue}"}),
    ("PUT", "/queue-options/{own_option}", {"queueId": "{queue}"}),
    ("PUT", "/whatsapp/{own_connection}", {"queueIds": ["{queue}"]}),
    ("PUT", "/whatsapp/{own_connection}", {"transferQueueId": "{queue}"}),
    ("PUT", "/whatsapp/{own_connection}", {"promptId": "{prompt}"}),
    ("PUT", "/whatsapp/{own_connection}", {"integrationId": "{integration}"}),
    ("PUT", "/whatsapp/{own_connection}", {"textToTransferQueueId": "{queue}"}),
    ("POST", "/tickets", {"contactId": "{own_contact}", "queueId": "{queue}"}),
    (
        "POST",
        "/tickets",
        {
            "contactId": "{own_contact}",
            "queueId": "{own_queue}",
            "whatsappId": "{connection}",
        },
    ),
    (
        "POST",
        "/tickets",
        {"contactId": "{own_contact}", "queueId": "{own_queue}", "userId": "{agent}"},
    ),
    ("PUT", "/tickets/{own_ticket}", {"status": "pending", "queueId": "{queue}"}),
    (
        "POST",
        "/ticket-notes",
        {"note": "Oi", "ticketId": "{ticket}", "contactId": "{own_contact}"},
    ),
    (
        "POST",
        "/ticket-notes",
        {"note": "Oi", "ticketId": "{own_ticket}", "contactId": "{contact}"},
    ),
    ("PUT", "/tickets/{own_ticket}", {"status": "open", "userId": "{agent}"}),
    ("PUT", "/tickets/{own_ticket}", {"whatsappId": "{connection}"}),
    ("PUT", "/ticket-tags/{own_ticket}/{tag}", {}),
    ("POST", "/tags/sync", {"ticketId": "{own_ticket}", "tags": ["{tag}"]}),
    ("POST", "/messages/{own_ticket}", {"body": "Oi", "quotedMsg": {"id": "{message}"}}),
    (
        "POST",
        "/schedules",
        {**SCHEDULE, "contactId": "{own_contact}", "ticketId": "{ticket}"},
    ),
    ("PUT", "/schedules/{own_schedule}", {"contactId": "{contact}"}),
    ("POST", "/messages/{own_message}/forward", {"contactIds": ["{contact}"]}),
]

World = dict[str, Any]


@pytest.fixture
def world(
    settings: Any,
    acme: Company,
    globex: Company,
    admin: User,
    agent: User,
    outsider: User,
    queue: Queue,
    connection: Connection,
) -> World:
    """Return the ids that rows name: acme's records, and the outsider's own as `own_…`."""
    settings.GRAPH_API_URL = "http://127.0.0.1:1"  # no provider answers here
    prompt = acme.prompts.create(queue=queue, name="Prompt Acme", prompt="Responda.")
    integration = acme.integrations.create(type="webhook", name="Robô Acme")
    ticket = factories.make_ticket(
        acme,
        contact=factories.make_contact(acme, name="Cliente Acme"),
        connection=connection,
        queue=queue,
        user=agent,
        status="open",
        last_message="Segredo da Acme",
        last_inbound_at=timezone.now(),
    )
    message = factories.make_message(ticket, body="Segredo da Acme", from_me=True, ack=1)
    own_queue = factories.make_queue(globex)
    own_connection = factories.make_connection(globex, queues=[own_queue])
    own_ticket = factories.make_ticket(
        globex, connection=own_connection, queue=own_queue, user=outsider, status="open"
    )
    return {
        "company": acme.pk,
        "admin": admin.pk,
        "agent": agent.pk,
        "outsider": outsider.pk,
        "queue": queue.pk,
        "option": queue.options.create(title="Opção da Acme").pk,
        "connection": connection.pk,
        "second_connection": factories.make_connection(acme, name="Loja 2").pk,
        "prompt": prompt.pk,
        "integration": integration.pk,
        "delivery": integration.calls.create(
            company=acme, event_id=uuid.uuid4(), event="message.received", url="https://a.example"
        ).pk,
        "contact": ticket.contact_id,
        "new_contact": factories.make_contact(acme, name="Outro cliente Acme").pk,
        "tag": factories.make_tag(acme, name="Tag da Acme", is_kanban=True).pk,
        "note": ticket.contact.notes.create(
            company=acme, ticket=ticket, user=agent, note="Nota da Acme"
        ).pk,
        "ticket": ticket.pk,
        "ticket_uuid": ticket.uuid,
        "message": message.pk,
        "schedule": factories.make_schedule(
            acme, contact=ticket.contact, body="Segredo da Acme"
        ).pk,
        "quick_message": factories.make_quick_message(
            acme, user=agent, message="Segredo da Acme", is_shared=True
        ).pk,
        "own_queue": own_queue.pk,
        "own_prompt": factories.make_prompt(globex, queue=own_queue).pk,
        "own_option": own_queue.options.create(title="Própria").pk,
        "own_connection": own_connection.pk,
        "own_contact": factories.make_contact(globex).pk,
        "own_ticket": own_ticket.pk,
        "own_schedule": factories.make_schedule(globex).pk,
        "own_message": factories.make_message(own_ticket).pk,
    }


def _filled(value: Any, world: World) -> Any:
    """Return a body whose `{name}` texts are ids."""
    if isinstance(value, dict):
        return {key: _filled(inner, world) for key, inner in value.items()}
    if isinstance(value, list):
        return [_filled(inner, world) for inner in value]
    if isinstance(value, str) and value.startswith("{"):
        return world[value.strip("{}")]
    return value


def call(client: Any, method: str, path: str, body: dict[str, Any], world: World) -> Any:
    return getattr(client, method.lower())(
        "/api" + path.format(**world), _filled(body, world) if method != "GET" else None, "json"
    )


def api_calls(patterns: list[Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield the name and the methods of every call below /api."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            if prefix or str(pattern.pattern) == "api/":
                yield from api_calls(pattern.url_patterns, "api/")
        elif prefix and isinstance(pattern, URLPattern):
            view: Any = pattern.callback
            actions = getattr(view, "actions", None) or {
                method: method
                for method in ("get", "post", "put", "patch", "delete")
                if hasattr(getattr(view, "view_class", getattr(view, "cls", None)), method)
            }
            for method in actions:
                yield str(pattern.name), method.upper()


CALLS = {call for call in api_calls(get_resolver().url_patterns) if call[0] not in NOT_OURS}
LISTED = {
    (name, method): access
    for name, methods in ACCESS.items()
    if name not in NOT_OURS
    for method, access in methods.items()
}
PROTECTED = sorted(key for key, access in LISTED.items() if access > Access.PUBLIC)


def test_every_call_stands_in_the_access_table_and_the_table_names_no_other() -> None:
    assert set(LISTED) == CALLS


def test_every_protected_call_has_a_row_here() -> None:
    assert set(ROWS) == set(PROTECTED)


@pytest.mark.parametrize("key", PROTECTED, ids=" ".join)
def test_nobody_is_sent_to_the_login(client_for: ClientFor, key: tuple[str, str]) -> None:
    row = ROWS[key]
    ids = dict.fromkeys(_names(row.path), 1) | {"ticket_uuid": "0" * 36}
    answer = client_for(None).generic(
        key[1], "/api" + row.path.format(**ids), json.dumps(row.body), "application/json"
    )
    assert (answer.status_code, answer.json()["code"]) == (401, "ERR_SESSION_EXPIRED")


def _names(path: str) -> list[str]:
    return [part.split("}")[0] for part in path.split("{")[1:]]


@pytest.mark.parametrize(
    "key", [key for key in PROTECTED if LISTED[key] > Access.MEMBER], ids=" ".join
)
def test_too_low_a_role_is_refused(
    client_for: ClientFor, world: World, admin: User, agent: User, key: tuple[str, str]
) -> None:
    row = ROWS[key]
    caller = agent if LISTED[key] == Access.ADMIN else admin
    answer = call(client_for(caller), key[1], row.path, row.body, world)
    assert (answer.status_code, answer.json()["code"]) == (403, "ERR_NO_PERMISSION")


@pytest.mark.parametrize("key", PROTECTED, ids=" ".join)
def test_the_least_role_is_served(
    client_for: ClientFor,
    world: World,
    super_user: User,
    admin: User,
    agent: User,
    key: tuple[str, str],
) -> None:
    row = ROWS[key]
    caller = {Access.MEMBER: agent, Access.ADMIN: admin, Access.SUPER: super_user}[LISTED[key]]
    answer = call(client_for(caller), key[1], row.path, row.body, world)
    assert answer.status_code in row.least, answer.content


def acme_rows() -> dict[str, list[Any]]:
    """Return every row of acme's tables, to see that nothing of it changes."""
    acme = Company.objects.get(name="Acme")
    tables: dict[str, list[Any]] = {}
    for relation in Company._meta.related_objects:
        model = relation.related_model
        assert not isinstance(model, str)
        rows = model._default_manager.filter(**{relation.field.name: acme})
        tables[model._meta.label] = sorted(map(str, rows.values()))
    return tables


@pytest.mark.parametrize("key", PROTECTED, ids=" ".join)
def test_the_outsider_reaches_nothing(
    client_for: ClientFor, world: World, outsider: User, key: tuple[str, str]
) -> None:
    row = ROWS[key]
    before = acme_rows()
    answer = call(client_for(outsider), key[1], row.path, row.body, world)
    if row.outsider == "404":
        assert answer.status_code == 404, answer.content
    elif row.outsider == "hidden":
        assert answer.status_code in (200, 201), answer.content
    else:
        assert 400 <= answer.status_code < 500, answer.content
    shown: Any = answer  # files come in parts, without `content`
    assert not [mark for mark in MARKS if mark in shown.getvalue().decode()]
    assert acme_rows() == before


@pytest.mark.parametrize(
    ("method", "path", "body"),
    LINKS,
    ids=[f"{method} {path} {' '.join(body)}" for method, path, body in LINKS],
)
def test_the_outsider_links_to_nothing(
    client_for: ClientFor,
    world: World,
    outsider: User,
    method: str,
    path: str,
    body: dict[str, Any],
) -> None:
    before = acme_rows()
    answer = call(client_for(outsider), method, path, body, world)
    assert answer.status_code in (400, 404), answer.content
    assert not [mark for mark in MARKS if mark in answer.content.decode()]
    assert acme_rows() == before
    assert databases["default"].needs_rollback is False
