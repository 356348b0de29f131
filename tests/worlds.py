"""What calls of every address are tried on: acme's records, and the outsider's own.

`world` makes them for one test. The modules of `tests/calls` share one (`tests/calls/conftest.py`).
"""

import uuid
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.services.service_tokens import create_token
from apps.campaigns.models import OptOut
from apps.common.leases import LeaseState
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.contacts.models import ContactImport
from apps.contacts.services import merge_by_hand
from apps.costs.models import StoppedText
from apps.desk.models import (
    Macro,
    PauseReason,
    Rehearsal,
    Rule,
    RuleRun,
    SlaPolicy,
    Subject,
)
from apps.mail.models import Mail
from apps.queues.models import Queue
from tests import factories

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
    without_others(settings)
    return make_world(
        acme,
        globex,
        admin=admin,
        agent=agent,
        outsider=outsider,
        queue=queue,
        connection=connection,
    )


def without_others(settings: Any) -> None:
    settings.GRAPH_API_URL = "http://127.0.0.1:1"
    settings.EMAIL_HOST = "127.0.0.1"


def make_world(
    acme: Company,
    globex: Company,
    *,
    admin: User,
    agent: User,
    outsider: User,
    queue: Queue,
    connection: Connection,
) -> World:
    """Make the records and return their ids."""
    email = Mail.objects.create(
        company=acme,
        is_written=True,
        author=agent,
        recipient="cliente@example.com",
        subject="Segredo da Acme",
        body="Segredo da Acme",
        state="failed",
        message_id="<acme>",
    )
    queue.out_of_hours_message = "Segredo da Acme"
    queue.save()
    StoppedText.objects.create(
        company=acme,
        origin=f"greeting:{queue.pk}",
        kept=[{"kind": "queue", "id": queue.pk, "text": "Segredo da Acme"}],
        stopped_at=timezone.now(),
    )
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
    people = factories.make_contact_list(
        acme, name="Pessoas da Acme", people=[("Lia da Acme", "5511900001111")]
    )
    webhook = factories.make_webhook(acme, name="Avisos da Acme", url="https://aviso.invalid/oi")
    chat = factories.make_chat(agent, admin, title="Conversa da Acme")
    factories.make_chat_message(chat, admin, message="Segredo da Acme")
    macro = Macro.objects.create(
        company=acme, user=agent, name="Acme", actions=[{"do": "note", "text": "Segredo da Acme"}]
    )
    token = create_token(actor=admin, fields={"name": "Robô da Acme", "scopes": ["read"]})
    return {
        "company": acme.pk,
        "plan": _own_plan(acme),
        "unused_plan": factories.make_plan().pk,
        "admin": admin.pk,
        "agent": agent.pk,
        "outsider": outsider.pk,
        "role": factories.make_role(acme, name="Papel da Acme").pk,
        "queue": queue.pk,
        "option": queue.options.create(title="Opção da Acme").pk,
        "connection": connection.pk,
        "second_connection": factories.make_connection(acme, name="Loja 2").pk,
        "prompt": prompt.pk,
        "integration": integration.pk,
        "delivery": integration.calls.create(
            company=acme, event_id=uuid.uuid4(), event="message.received", url="https://a.example"
        ).pk,
        "service_token": token.row.pk,
        "webhook": webhook.pk,
        "webhook_delivery": factories.make_webhook_delivery(webhook, contact=ticket.contact).pk,
        "contact": ticket.contact_id,
        "new_contact": factories.make_contact(acme, name="Outro cliente Acme").pk,
        "merge": merge_by_hand(
            contact_id=ticket.contact_id, other_id=factories.make_contact(acme).pk, actor=admin
        ).pk,
        "contact_import": ContactImport.objects.create(
            company=acme, user=admin, media_name="Clientes da Acme.csv"
        ).pk,
        "tag": factories.make_tag(acme, name="Tag da Acme", is_kanban=True).pk,
        "note": ticket.contact.notes.create(
            company=acme, ticket=ticket, user=agent, note="Nota da Acme"
        ).pk,
        "conversation_note": ticket.activities.create(
            kind="noted", actor=agent, detail={"actor": agent.name, "note": "Segredo da Acme"}
        ).pk,
        "ticket": ticket.pk,
        "email": email.pk,
        "ticket_uuid": ticket.uuid,
        "message": message.pk,
        "schedule": factories.make_schedule(
            acme, contact=ticket.contact, body="Segredo da Acme"
        ).pk,
        "quick_message": factories.make_quick_message(
            acme, user=agent, message="Segredo da Acme", is_shared=True
        ).pk,
        "contact_list": people.pk,
        "list_item": people.items.get().pk,
        "segment": factories.make_segment(acme, name="Segmento da Acme", city="Recife").pk,
        "opt_out": OptOut.objects.create(
            company=acme, canonical_number=people.items.get().canonical_number
        ).pk,
        "campaign": factories.make_campaign(acme, name="Campanha da Acme", scheduled_at=None).pk,
        "invoice": factories.make_invoice(acme).pk,
        "file_list": factories.make_file_list(acme, name="Lista da Acme", items=["Catálogo"]).pk,
        "pause_reason": PauseReason.objects.create(company=acme, name="Pausa da Acme").pk,
        "rehearsal": Rehearsal.objects.create(
            company=acme,
            subject=Subject.ASSIGNMENT,
            target_id=queue.pk,
            since=timezone.now(),
            until=timezone.now(),
            state=LeaseState.DONE,
        ).pk,
        "sla_policy": SlaPolicy.objects.create(company=acme, priority=1, first_answer_minutes=5).pk,
        "rule": Rule.objects.create(
            company=acme,
            name="Regra da Acme",
            when="rated",
            trigger={"when": "rated"},
            actions=[{"do": "note", "text": "Segredo da Acme"}],
        ).pk,
        "macro": macro.pk,
        "macro_run": RuleRun.objects.create(
            company=acme, macro=macro, ticket=ticket, user=agent, name="Acme", can_undo=True
        ).pk,
        "chat": chat.pk,
        "chat_uuid": chat.uuid,
        "announcement": factories.make_announcement().pk,
        "help": factories.make_help().pk,
        "own_queue": own_queue.pk,
        "own_prompt": factories.make_prompt(globex, queue=own_queue).pk,
        "own_option": own_queue.options.create(title="Própria").pk,
        "own_connection": own_connection.pk,
        "own_contact": factories.make_contact(globex).pk,
        "own_ticket": own_ticket.pk,
        "own_schedule": factories.make_schedule(globex).pk,
        "own_message": factories.make_message(own_ticket).pk,
    }


def _own_plan(company: Company) -> int:
    """Give the company a plan that is offered to nobody else."""
    company.plan = factories.make_plan(name="Plano da Acme", is_public=False)
    company.save()
    return company.plan.pk


def filled(value: Any, world: World) -> Any:
    """Return a body whose `{name}` texts are ids."""
    if isinstance(value, dict):
        return {key: filled(inner, world) for key, inner in value.items()}
    if isinstance(value, list):
        return [filled(inner, world) for inner in value]
    if isinstance(value, str) and value.startswith("{"):
        return world[value.strip("{}")]
    return value
