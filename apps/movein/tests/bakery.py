"""An installation of the second line of forks, with the faults that real ones have."""

from uuid import UUID

from apps.movein.tests.legacy import FORK_B, Legacy
from apps.movein.tests.shop import HASH, LID, later


def shop_b() -> Legacy:
    """Return a company of `ticketz-oss/ticketz` with its operator's."""
    made = Legacy(FORK_B)
    made.add(
        "Plans",
        name="Plano 1",
        users=5,
        connections=2,
        queues=4,
        value=50,
        currency="EUR",
        isPublic=False,
    )
    rules = {
        "weeklyRules": [
            {
                "days": ["mon", "tue"],
                "hours": [{"from": "08:00", "to": "12:00"}, {"from": "13:00", "to": "18:00"}],
            }
        ],
        "overrides": [{"date": "2025-12-25", "closed": True}],
        "timezone": "America/Bahia",
    }
    for name in ("Dona", "Padaria"):
        made.add(
            "Companies",
            name=name,
            status=True,
            dueDate="2030-01-31",
            recurrence="ANUAL",
            planId=1,
            schedules=rules,
            language="pt_BR",
        )
    made.add("Settings", key="autoReopenTimeout", value="90", companyId=2)
    made.add("Settings", key="gracePeriod", value="3", companyId=2)
    made.add("Queues", name="Balcão", color="#0000FF", companyId=2)
    made.add("Queues", name="Forno", color="#00FF00", companyId=2)
    made.add("QueueOptions", title="Pães", option="1", queueId=1, forwardQueueId=2)
    made.add("Whatsapps", name="Padaria", isDefault=False, companyId=2, channel="whatsapp")
    made.add("Whatsapps", name="Insta", isDefault=False, companyId=2, channel="instagram")
    made.add(
        "Users",
        name="Rui",
        email="rui@padaria.example",
        companyId=2,
        super=False,
        profile="user",
        passwordHash=HASH,
    )
    made.add("Contacts", name="Lia", number="5571987650001", companyId=2, email="", disableBot=True)
    made.add("WhatsappLidMaps", lid=LID, companyId=2, contactId=1)
    made.add("Tags", name="Fiel", color="#123456", companyId=2, kanban=0)
    made.add("ContactTags", contactId=1, tagId=1)
    for minute in (0, 50):
        made.add(
            "Tickets",
            status="open",
            unreadMessages=0,
            contactId=1,
            userId=1,
            whatsappId=1,
            queueId=1,
            companyId=2,
            uuid=UUID(int=minute + 1),
            channel="whatsapp",
            createdAt=later(minute),
            updatedAt=later(minute),
        )
        made.add(
            "TicketTraking",
            ticketId=len(made.rows["Tickets"]),
            companyId=2,
            whatsappId=1,
            userId=1,
            queuedAt=later(minute),
            startedAt=later(minute),
        )
        made.add(
            "Messages",
            id="SAME",
            ticketId=len(made.rows["Tickets"]),
            contactId=1,
            body="oi",
            fromMe=False,
            companyId=2,
            ack=0,
            createdAt=later(minute),
        )
    made.add(
        "Messages",
        id="E1",
        ticketId=2,
        body="não foi",
        fromMe=True,
        companyId=2,
        ack=0,
        error={"code": "131026", "message": "Undeliverable"},
        createdAt=later(51),
    )
    return made
