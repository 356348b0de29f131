"""Creates the whole demo in one transaction."""

from django.db import transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.simulator.demo.bot import make_bot, make_bot_number
from apps.simulator.demo.bot_talks import make_talks
from apps.simulator.demo.company import DEMO_ADMIN, keep_paid_up, make_companies, make_number
from apps.simulator.demo.contacts import (
    date_contacts,
    make_contacts,
    make_customers,
    make_groups,
    make_speakers,
    person_names,
)
from apps.simulator.demo.drafts import make_drafts
from apps.simulator.demo.file_lists import make_file_lists
from apps.simulator.demo.notes import make_notes
from apps.simulator.demo.phones import make_phones
from apps.simulator.demo.quick_messages import make_quick_messages
from apps.simulator.demo.schedules import make_schedules
from apps.simulator.demo.tickets import make_tickets
from apps.simulator.services.gateway.leasing import come_up


def seed_demo() -> bool:
    """Create the demo unless it exists; returns whether it was created.

    Times are relative to now. Due dates of an existing demo are extended. The simulated gateway is
    started in either case.
    """
    come_up()
    if User.objects.filter(email=DEMO_ADMIN).exists():
        keep_paid_up()
        return False
    with transaction.atomic():
        demo = make_companies()
        contacts = make_contacts(demo.company, demo.connection)
        groups = make_groups(demo.company, demo.connection)
        speakers = make_speakers(demo.company, demo.connection)
        bot, now, names = make_bot(demo.company, demo.queues), timezone.now(), person_names()
        drafts = [*make_drafts(now, names), *make_talks(demo, bot, now, names)]
        tickets = make_tickets(demo, drafts, contacts, groups, speakers)
        first_seen = {}
        for ticket, _ in reversed(tickets):
            first_seen[ticket.contact_id] = ticket.created_at
        date_contacts([*contacts, *groups], first_seen)
        make_quick_messages(demo.users)
        make_file_lists(demo.users["admin@demo.local"])
        make_schedules(demo.users, contacts)
        make_notes(demo.users, tickets)
        make_phones(make_number(), make_customers(), tickets)
        make_bot_number()
    return True
