"""Calls that take Django's ordinary way, with the parameters that our browser sends.

'An empty call' is what each of them pays before its own work: middleware, resolver, authentication,
permission, plan, rendering. Its own work is to name an address; the one statement is the session's.
"""

from django.utils import timezone

from apps.campaigns.models import Campaign, CampaignRecipient, CampaignStatus
from apps.contacts.models import Contact
from apps.tickets.models import Message, Ticket, TicketTag
from tests import factories
from tests.bench.dataset import Business, insert
from tests.bench.reads import Bounds

# A page and a second one, of which the count knows.
PAGE_AND_MORE = 25
QUEUES, CONNECTIONS, OPTIONS = 8, 4, 6
PEOPLE_OF_A_CHAT = 5
RECIPIENTS = 1_000
EMPTY = "an empty call"
LIST = Bounds(times_bare=4.0, all_ms=3.5)
BOUNDS = {
    EMPTY: Bounds(all_ms=1.5),
    "chat list": LIST,
    "users": LIST,
    "all users": LIST,
    "queues": LIST,
    "one queue": LIST,
    "connections": LIST,
    "one contact": LIST,
    "tags": LIST,
    "all tags": LIST,
    "counts": LIST,
    "campaign report": Bounds(times_bare=4.0, all_ms=6.0),
}


def fill(business: Business) -> None:
    """Give the company chats, users, queues, connections, tags and a campaign that was sent."""
    company, admin = business.company, business.admin
    if Campaign.objects.for_company(company.pk).exists():
        return
    queues = [*business.queues, *(factories.make_queue(company) for _ in range(QUEUES))]
    for queue in queues:
        for position in range(OPTIONS):
            queue.options.create(title=f"Opção {position}", message="Já vamos atender você.")
    people = [factories.make_user(company, queues=queues[:3]) for _ in range(PAGE_AND_MORE)]
    for first in range(PAGE_AND_MORE):
        others = [people[(first + place) % len(people)] for place in range(PEOPLE_OF_A_CHAT - 1)]
        factories.make_chat(admin, *others, last_message="Bom dia!")
    for _ in range(CONNECTIONS):
        factories.make_connection(company, queues=queues[:3])
    tags = ",".join(str(factories.make_tag(company).pk) for _ in range(PAGE_AND_MORE))
    insert(
        TicketTag,
        f"{Ticket._meta.db_table} AS t WHERE t.company_id = {company.pk} AND t.id % 10 = 0",
        ticket_id="t.id",
        tag_id=f"(ARRAY[{tags}])[1 + t.id / 10 % {PAGE_AND_MORE}]",
    )
    _send_campaign(business)


def _send_campaign(business: Business) -> None:
    company, now = business.company, timezone.now()
    campaign = factories.make_campaign(
        company,
        connection=business.connection,
        contact_list=factories.make_contact_list(company),
        status=CampaignStatus.FINISHED,
        state="done",
        started_at=now,
        completed_at=now,
        recipients_count=RECIPIENTS,
    )
    first = Message.objects.for_company(company.pk).order_by("pk").values_list("pk")[0][0]
    number = "'5511' || (800000000 + n)"
    sent, failed = "n % 10 > 0", "n % 10 = 0"
    insert(
        CampaignRecipient,
        f"generate_series(1, {RECIPIENTS}) AS n",
        company_id=str(company.pk),
        campaign_id=str(campaign.pk),
        name="'Cliente ' || n",
        number=number,
        canonical_number=number,
        search_text="'cliente ' || n",
        state=f"CASE WHEN {sent} THEN 'sent' ELSE 'failed' END",
        reason_code=f"CASE WHEN {failed} THEN 'no_permission' ELSE '' END",
        variant="n % 5",
        message_id=f"CASE WHEN {sent} THEN {first} + n END",
        queued_at="now()",
        sent_at=f"CASE WHEN {sent} THEN now() END",
        reached_at=f"CASE WHEN {sent} THEN now() END",
        read_at="CASE WHEN n % 10 > 5 THEN now() END",
    )


def addresses(business: Business) -> dict[str, str]:
    """Return the calls by name, as our browser makes them."""
    company = business.company
    campaign = Campaign.objects.for_company(company.pk).latest("pk")
    contact = Contact.objects.for_company(company.pk).latest("pk")
    return {
        EMPTY: "/api/whatsapp/webhook/?",
        "chat list": "/api/chats/?pageNumber=1",
        "users": "/api/users/?pageNumber=1",
        "all users": "/api/users/list?",
        "queues": "/api/queue?",
        "one queue": f"/api/queue/{business.queues[0].pk}?",
        "connections": "/api/whatsapp/?session=0",
        "one contact": f"/api/contacts/{contact.pk}?",
        "tags": "/api/tags/?pageNumber=1",
        "all tags": "/api/tags/list?",
        "counts": "/api/tickets/counts?showAll=true",
        "campaign report": f"/api/campaigns/{campaign.pk}/report?",
    }
