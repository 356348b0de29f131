"""A campaign whose template Meta does not let go waits, and nobody is lost (rules/campaigns §5)."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.campaigns.models import Campaign, CampaignRecipient
from apps.campaigns.queries.campaigns import outlooks_of
from apps.campaigns.services.outcomes import settle_overdue
from apps.campaigns.services.running import cancel_campaign
from apps.campaigns.tests.conftest import Clock, Make
from apps.campaigns.tests.test_sending import reread, states, work
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundStatus, InboundTemplate, TemplateNews
from apps.connections.services.template_news import apply_template_news
from apps.mail.models import Mail
from apps.tickets.models import Ack, Delivery, Message, Ticket
from apps.tickets.services.outbox import send_text
from apps.tickets.services.outbox.deliveries import deliver_due
from apps.tickets.services.outbox.pace import begins_again
from apps.tickets.services.outbox.statuses import apply_statuses
from apps.tickets.tests.bot import receive
from tests.events import Told
from tests.factories import make_message, make_ticket
from tests.graph import GraphServer, graph_error

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(
    clock: Clock, at_once: None, connection: Connection, due: Make, graph: GraphServer
) -> Campaign:
    """A campaign of three outside the window, with a template of every kind of parameter."""
    graph.templates = [
        {
            "id": "1",
            "name": "oferta",
            "language": "pt_BR",
            "status": "APPROVED",
            "category": "MARKETING",
            "components": [
                {"type": "BODY", "text": "Oi, {{1}}!"},
                {
                    "type": "BUTTONS",
                    "buttons": [
                        {"type": "URL", "text": "Ver", "url": "https://loja.example/{{1}}"},
                        {"type": "COPY_CODE", "text": "Copiar"},
                    ],
                },
            ],
        }
    ]
    return due(
        connection=connection,
        template_name="oferta",
        template_language="pt_BR",
        template_components=[
            {"type": "body", "parameters": [{"type": "text", "text": "{nome}"}]},
            {
                "type": "button",
                "sub_type": "url",
                "index": "0",
                "parameters": [{"type": "text", "text": "c/{numero}"}],
            },
            {
                "type": "button",
                "sub_type": "copy_code",
                "index": "1",
                "parameters": [{"type": "coupon_code", "coupon_code": "{numero}"}],
            },
        ],
        texts=[],
    )


def refuse_templates(graph: GraphServer, code: int) -> None:
    graph.fault = lambda payload: graph_error(code) if payload.get("type") == "template" else False


def deliver(clock: Clock, limit: int = 10) -> None:
    """Send what is due; the clock stands still, and rows are due from their writing on."""
    clock.pass_time(seconds=10)
    deliver_due(limit=limit)


def news(connection: Connection, value: str) -> None:
    with transaction.atomic():
        told = InboundTemplate(TemplateNews.STATUS, "1", "oferta", "pt_BR", value)
        apply_template_news(connection, told)


def words(campaign: Campaign) -> list[str]:
    rows = Message.objects.filter(source="campaign").order_by("pk")
    return list(rows.values_list("reason_code", flat=True))


def test_every_recipient_gets_its_own_link_and_code(
    clock: Clock, campaign: Campaign, graph: GraphServer
) -> None:
    work()
    work()
    deliver(clock)
    assert states(campaign) == ["sent"] * 3
    numbers = [f"551198432110{place}" for place in range(3)]
    sent = [each["template"]["components"] for each in graph.messages]
    assert [parts[1]["parameters"][0]["text"] for parts in sent] == [f"c/{n}" for n in numbers]
    assert [parts[2]["parameters"][0] for parts in sent] == [
        {"type": "coupon_code", "coupon_code": number} for number in numbers
    ]


@pytest.mark.parametrize(
    "code, reason", [(132015, "template_paused"), (132016, "template_disabled")]
)
def test_a_refused_template_holds_the_campaign_and_its_outbox_until_it_is_approved_again(
    clock: Clock,
    campaign: Campaign,
    connection: Connection,
    graph: GraphServer,
    admin: User,
    settings: Any,
    code: int,
    reason: str,
) -> None:
    settings.EMAIL_HOST = "localhost"
    work()
    work()
    refuse_templates(graph, code)
    graph.templates[0]["status"] = "PAUSED" if code == 132015 else "DISABLED"
    deliver(clock, 1)
    assert reread(campaign).wait_code == reason
    assert (states(campaign), words(campaign)) == (["queued"] * 3, [reason] * 3)
    asked = len(graph.paths)
    deliver(clock)
    for _ in range(3):
        clock.pass_time(minutes=2)
        work()
        deliver(clock)
    assert (len(graph.paths), states(campaign)) == (asked, ["queued"] * 3)
    assert reread(campaign).wait_code == reason
    assert Mail.objects.filter(recipient=admin.email).count() == 1
    graph.fault = lambda payload: False
    graph.templates[0]["status"] = "APPROVED"
    news(connection, "APPROVED")
    work()
    deliver(clock)
    assert states(campaign) == ["sent"] * 3
    assert (len(graph.messages), words(campaign)) == (3, [""] * 3)
    work()
    assert reread(campaign).status == "FINALIZADA"


@pytest.mark.parametrize("together", [1, 10])
def test_all_that_were_refused_leave_when_the_template_is_approved(
    clock: Clock,
    campaign: Campaign,
    connection: Connection,
    graph: GraphServer,
    together: int,
) -> None:
    """Meta refuses what a worker has claimed together, and the list still has it as approved."""
    work()
    work()
    refuse_templates(graph, 132015)
    deliver(clock, together)
    assert (states(campaign), words(campaign)) == (["queued"] * 3, ["template_paused"] * 3)
    graph.fault = lambda payload: False
    news(connection, "APPROVED")
    work()
    deliver(clock)
    assert states(campaign) == ["sent"] * 3


def test_looks_at_a_paused_template_grow_further_apart(
    clock: Clock, campaign: Campaign, graph: GraphServer
) -> None:
    graph.templates[0]["status"] = "PAUSED"
    work()
    looks = []
    for _ in range(8):
        work()
        held = reread(campaign)
        assert (held.wait_code, states(campaign)) == ("template_paused", ["pending"] * 3)
        assert held.template_look_at is not None
        looks.append(int((held.template_look_at - clock.now).total_seconds() / 60))
        clock.now = held.template_look_at
    assert looks == [1, 2, 4, 8, 16, 30, 30, 30]
    graph.templates[0]["status"] = "APPROVED"
    work()
    deliver(clock)
    assert states(campaign) == ["sent"] * 3


def test_news_of_a_pause_hold_messages_that_meta_was_not_asked_to_send(
    clock: Clock, campaign: Campaign, connection: Connection, graph: GraphServer
) -> None:
    work()
    work()
    graph.templates[0]["status"] = "PAUSED"
    news(connection, "PAUSED")
    deliver(clock)
    assert (graph.paths, states(campaign)) == ([], ["queued"] * 3)
    assert reread(campaign).wait_code == "template_paused"


def test_another_company_s_campaign_goes_on(
    clock: Clock,
    campaign: Campaign,
    connection: Connection,
    globex_connection: Connection,
    graph: GraphServer,
) -> None:
    work()
    work()
    news(globex_connection, "PAUSED")
    deliver(clock)
    assert states(campaign) == ["sent"] * 3


@pytest.fixture
def globex_connection(globex: Any) -> Connection:
    from tests.factories import make_connection

    return make_connection(globex, name="Alheia")


def test_a_held_template_does_not_block_its_conversation(
    clock: Clock, campaign: Campaign, graph: GraphServer, agent: User
) -> None:
    work()
    work()
    refuse_templates(graph, 132015)
    deliver(clock)
    ticket = Ticket.objects.order_by("pk").first()
    assert ticket is not None
    Ticket.objects.filter(pk=ticket.pk).update(last_inbound_at=ticket.created_at, status="open")
    Ticket.objects.filter(pk=ticket.pk).update(user=agent)
    ticket.refresh_from_db()
    send_text(user=agent, ticket=ticket, body="Olá")
    deliver(clock)
    assert graph.bodies == ["Olá"]


def test_a_released_template_leaves_at_once_while_time_goes_on(
    at_once: None, connection: Connection, graph: GraphServer, acme: Company
) -> None:
    """Without sending hours the present moment is within them, however late it is read."""
    ticket = make_ticket(acme, connection=connection)
    message = make_message(ticket, from_me=True, source="campaign", ack=Ack.PENDING)
    held = timezone.now() - timedelta(hours=1)
    delivery = Delivery(
        company=acme, connection=connection, message=message, leaves_until=held, kind="send"
    )
    assert begins_again(delivery) is None


def test_cancelling_a_held_campaign_gives_its_recipients_back(
    clock: Clock, campaign: Campaign, connection: Connection, graph: GraphServer, admin: User
) -> None:
    work()
    work()
    refuse_templates(graph, 132016)
    deliver(clock)
    cancel_campaign(user=admin, campaign_id=campaign.pk)
    assert (states(campaign), reread(campaign).template_look_at) == (["pending"] * 3, None)


def assessed(campaign: Campaign) -> int:
    campaign.refresh_from_db()
    return outlooks_of([campaign])[campaign.pk].assessed


def status_of(connection: Connection, message: Message, ack: int, **more: Any) -> None:
    with transaction.atomic():
        apply_statuses([(connection, InboundStatus(message.external_id or "", ack, **more))])


def test_messages_that_meta_assesses_are_counted_until_they_arrive_or_are_dropped(
    clock: Clock, campaign: Campaign, connection: Connection, graph: GraphServer
) -> None:
    graph.held = True
    work()
    work()
    deliver(clock)
    assert (states(campaign), assessed(campaign)) == (["sent"] * 3, 3)
    assert words(campaign) == ["template_assessed"] * 3
    first, second, third = Message.objects.filter(source="campaign").order_by("pk")
    assert first.error_code == "held_for_quality_assessment"
    status_of(connection, first, Ack.SENT)
    assert assessed(campaign) == 2
    status_of(connection, second, Ack.DELIVERED)
    assert assessed(campaign) == 1
    from apps.connections.providers.official.errors import reason_of, sentence_of

    error = sentence_of(132015)
    status_of(connection, third, Ack.ERROR, error=error, code="132015", reason=reason_of(132015))
    assert (states(campaign), assessed(campaign)) == (["sent", "sent", "failed"], 0)
    dropped = CampaignRecipient.objects.get(message=third)
    assert dropped.reason_code == "template_paused"


def test_requests_that_meta_assesses_are_counted_and_have_their_whole_time_to_be_answered(
    clock: Clock, campaign: Campaign, connection: Connection, graph: GraphServer
) -> None:
    Campaign.objects.update(asks_confirmation=True, confirmation_texts=["Pode?", "", "", "", ""])
    graph.held = True
    work()
    work()
    deliver(clock)
    assert (states(campaign), assessed(campaign)) == (["asked"] * 3, 3)
    first, second, third = Message.objects.filter(source="campaign").order_by("pk")
    clock.pass_time(hours=23)
    status_of(connection, first, Ack.SENT)
    status_of(connection, second, Ack.DELIVERED)
    assert assessed(campaign) == 1
    receive(connection, "Sim", sender=third.contact.number)
    assert assessed(campaign) == 0
    # What was let go only then may still be answered.
    clock.pass_time(hours=2)
    settle_overdue(campaign, clock.now)
    assert states(campaign)[:2] == ["asked"] * 2
    clock.pass_time(hours=23)
    settle_overdue(campaign, clock.now)
    assert states(campaign)[:2] == ["not_confirmed"] * 2


def test_a_request_that_is_never_let_go_ends_as_unanswered(
    clock: Clock, campaign: Campaign, connection: Connection, graph: GraphServer
) -> None:
    Campaign.objects.update(asks_confirmation=True, confirmation_texts=["Pode?", "", "", "", ""])
    graph.held = True
    work()
    work()
    deliver(clock)
    clock.pass_time(hours=25)
    settle_overdue(campaign, clock.now)
    assert (states(campaign), assessed(campaign)) == (["not_confirmed"] * 3, 0)


def test_a_finished_campaign_tells_browsers_of_what_meta_assessed(
    clock: Clock,
    campaign: Campaign,
    connection: Connection,
    graph: GraphServer,
    told: list[Told],
    django_capture_on_commit_callbacks: Any,
) -> None:
    graph.held = True
    work()
    work()
    deliver(clock)
    work()
    assert reread(campaign).status == "FINALIZADA"
    for left, message in enumerate(Message.objects.filter(source="campaign").order_by("-pk")):
        told.clear()
        with django_capture_on_commit_callbacks(execute=True):
            status_of(connection, message, Ack.SENT)
        assert [each.payload["record"]["progress"]["assessed"] for each in told] == [2 - left]
