"""An installation of the first line of forks, with the faults that real ones have."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from apps.movein.tests.legacy import FORK_A, MOMENT, Legacy

# bcryptjs' hash of PASSWORD: `$2a$`, eight rounds.
PASSWORD = "segredo-antigo"
HASH = "$2a$08$ncV6X9j8ngp1Rt4voprvrOKhdpZh4/O.9PYIRr8UAEuY5Ga.Tfdra"
LID = "214748364712345"
ONE_UUID = UUID("3f0e6a52-8f7f-4e7e-8a55-0d5b6f1f8a11")


def later(minutes: float) -> Any:
    return MOMENT + timedelta(minutes=minutes)


def shop_a() -> Legacy:
    """Return two companies of `dollyzn/whaticket-saas`: the operator's, and a shop."""
    made = Legacy(FORK_A)
    made.add("Plans", name="Plano 1", users=10, connections=0, queues=10, value=99.9)
    for name, due in (("Operadora", "2099-12-31 04:00:00+01"), ("Loja da Ana", "")):
        made.add(
            "Companies",
            name=name,
            email="ana@loja.example",
            status=True,
            dueDate=due,
            recurrence="MENSAL",
            planId=1,
            schedules=[
                {
                    "weekday": "Segunda-feira",
                    "weekdayEn": "monday",
                    "startTime": "09:00",
                    "endTime": "18:00",
                }
            ],
        )
    for value in ("disabled", "enabled"):
        made.add(
            "Settings",
            key="userRating",
            value=value,
            companyId=2,
            updatedAt=later(5 if value == "enabled" else 0),
        )
    made.add("Settings", key="ipixc", value="https://erp", companyId=2)
    made.add("Settings", key="chatBotType", value="hologram", companyId=2)
    made.add(
        "QueueIntegrations", type="n8n", name="Fluxo", urlN8N="http://10.0.0.5/hook", companyId=2
    )
    made.add("Queues", name="Vendas", color="#FF0000", companyId=2, promptId=1, integrationId=1)
    made.add("Queues", name="VENDAS", color="#ff0000", companyId=2)
    made.add(
        "Prompts",
        name="Bot",
        prompt="Responda.",
        apiKey="sk-1",
        maxMessages=5,
        maxTokens=50,
        temperature=1,
        voice="texto",
        queueId=1,
        companyId=2,
    )
    made.add("QueueOptions", title="Preços", option="1", queueId=1)
    made.add("QueueOptions", title="Camisas", option="2", parentId=1)
    made.add("QueueOptions", title="Calças", option="1", parentId=1)
    made.add(
        "Whatsapps",
        name="Loja",
        isDefault=True,
        companyId=2,
        timeToTransfer=5,
        expiresTicket=30,
        expiresInactiveMessage="Até logo",
        transferQueueId=1,
        token="abc",
        session='{"creds": {"me": {"id": "5511911110000:7@s.whatsapp.net"}}}',
    )
    made.add("WhatsappQueues", whatsappId=1, queueId=1)
    made.add("WhatsappQueues", whatsappId=1, queueId=1)
    users = (
        ("Super", "super@op.example", 1, True),
        ("Ana", "Ana@Loja.example", 2, True),
        ("Ana de novo", "ana@loja.example", 2, False),
        ("Ana da operadora", "ANA@loja.example", 1, False),
    )
    for name, email, company, is_super in users:
        made.add(
            "Users",
            name=name,
            email=email,
            companyId=company,
            super=is_super,
            profile="admin",
            passwordHash=HASH,
            tokenVersion=0,
        )
    made.add("UserQueues", userId=2, queueId=1)
    made.add("UserQueues", userId=4, queueId=1)  # another company's
    made.add("Contacts", name="Beto", number="5511987650001", companyId=2, email="")
    made.add(
        "Contacts", name="Beto antigo", number="551187650001", companyId=2, email="beto@example.com"
    )
    made.add(
        "Contacts", name="Sem número", number=LID, contactId=f"{LID}@lid", companyId=2, email=""
    )
    made.add(
        "Contacts",
        name="Grupo",
        number="5511987650001-1400000000",
        isGroup=True,
        companyId=2,
        email="",
    )
    made.add(
        "Contacts",
        name="Grupo sem traço",
        number="55119876500021400000001",
        isGroup=True,
        companyId=2,
        email="",
    )
    made.add("Contacts", name="Outro LID", number="198765432109876", companyId=2, email="")
    made.add("ContactCustomFields", contactId=1, name="CPF", value="123")
    made.add("ContactCustomFields", contactId=2, name="Filha", value="Bia")
    made.add("Tags", name="Ouro", color="#FFD700", companyId=2, kanban=1)
    made.add("Tags", name="OURO", color="#FFD700", companyId=2, kanban=0)
    tickets = (
        (1, "open", 2, 0),
        (2, "pending", None, 10),
        (3, "closed", 2, 20),
        (4, "nps", None, 30),
    )
    for contact, status, user, minute in tickets:
        made.add(
            "Tickets",
            status=status,
            unreadMessages=1,
            lastMessage="oi",
            contactId=contact,
            userId=user,
            whatsappId=1,
            queueId=1,
            companyId=2,
            uuid=ONE_UUID,
            isGroup=contact == 4,
            createdAt=later(minute),
            updatedAt=later(minute + 1),
            chatbot=False,
        )
    made.add("TicketTags", ticketId=1, tagId=1)
    made.add("TicketTags", ticketId=1, tagId=2)
    made.add(
        "TicketTraking",
        ticketId=3,
        companyId=2,
        whatsappId=1,
        userId=2,
        queuedAt=later(20),
        startedAt=later(21),
        ratingAt=later(22),
    )
    made.add(
        "TicketTraking",
        ticketId=3,
        companyId=2,
        whatsappId=1,
        userId=2,
        queuedAt=later(25),
        startedAt=later(26),
        finishedAt=later(24),
    )
    made.add("UserRatings", ticketId=3, companyId=2, userId=2, rate=5, createdAt=later(23))
    talk_a(made)
    made.add("TicketNotes", note="Cliente bom", userId=2, contactId=2, ticketId=2)
    made.add("QuickMessages", shortcode="oi", message="Olá!", companyId=2, userId=2)
    made.add("QuickMessages", shortcode="OI", message="Oi!", companyId=2, userId=2)
    made.add("QuickMessages", shortcode="pix", message="Chave", companyId=2)
    made.add("Files", companyId=2, name="Catálogo", message="Veja")
    made.add("FilesOptions", fileId=1, name="Página 1", path="catalogo.pdf")
    for send_at, status in ((later(10**7), "AGENDADA"), (later(5), "PENDENTE")):
        made.add(
            "Schedules",
            body="Lembrete",
            sendAt=send_at,
            contactId=1,
            userId=2,
            companyId=2,
            status=status,
        )
    made.add(
        "Schedules",
        body="Foi",
        sendAt=later(1),
        sentAt=later(1),
        contactId=1,
        companyId=2,
        status="ENVIADA",
    )
    made.add("ContactLists", name="Clientes", companyId=2)
    for number in ("5511987650001", "551187650001", "5511987650009"):
        made.add(
            "ContactListItems",
            name="Pessoa",
            number=number,
            email="",
            isWhatsappValid=True,
            companyId=2,
            contactListId=1,
        )
    for status in ("EM_ANDAMENTO", "PROGRAMADA", "FINALIZADA"):
        made.add(
            "Campaigns",
            name=f"Campanha {status}",
            message1="Olá",
            status=status,
            companyId=2,
            contactListId=1,
            whatsappId=1,
            scheduledAt=later(60),
        )
    made.add(
        "CampaignShipping", number="5511987650001", contactId=1, campaignId=1, deliveredAt=later(61)
    )
    made.add("CampaignShipping", number="551187650001", contactId=2, campaignId=1)
    made.add("CampaignShipping", number="5511987650009", contactId=3, campaignId=1)
    made.add("CampaignSettings", key="messageInterval", value="15", companyId=2)
    made.add(
        "CampaignSettings", key="variables", value='[{"key": "loja", "value": "Ana"}]', companyId=2
    )
    made.add("Chats", uuid=ONE_UUID, title="Equipe", ownerId=2, companyId=2)
    made.add("ChatUsers", chatId=1, userId=2, unreads=0)
    made.add("ChatMessages", chatId=1, senderId=2, message="Bom dia")
    made.add(
        "Invoices",
        detail="Plano 1",
        status="open",
        value=99.9,
        dueDate="2025-05-01 00:00:00",
        companyId=2,
    )
    made.add("Announcements", priority=1, title="Aviso", text="Olá", status=True)
    made.add("Helps", title="Começo", video="dQw4w9WgXcQ")
    made.add("SequelizeMeta", name="2020-x.js")
    return made


def talk_a(made: Legacy) -> None:
    """Add messages out of the order in which they were written, with each kind of fault."""
    base: dict[str, Any] = {"companyId": 2, "ack": 0, "read": False, "isDeleted": False}
    me: dict[str, Any] = base | {"fromMe": True, "read": True}
    them: dict[str, Any] = base | {"fromMe": False}

    def at(minute: float) -> dict[str, Any]:
        return {"createdAt": later(minute), "updatedAt": later(minute)}

    made.add(
        "Messages",
        id="M2",
        ticketId=1,
        body="Bom dia, Beto",
        mediaType="extendedTextMessage",
        quotedMsgId="M1",
        **me,
        **at(2),
    )
    made.add(
        "Messages",
        id="M1",
        ticketId=1,
        contactId=1,
        body="oi\x1f 😀",
        mediaType="conversation",
        **them,
        **at(1),
    )
    made.add(
        "Messages",
        id="R1",
        ticketId=1,
        contactId=1,
        body="👍",
        mediaType="reactionMessage",
        quotedMsgId="M2",
        **them,
        **at(3),
    )
    made.add(
        "Messages",
        id="M3",
        ticketId=1,
        body="\u200e*Bot:* menu",
        mediaType="conversation",
        **me,
        **at(4),
    )
    made.add(
        "Messages",
        id="F1",
        ticketId=2,
        contactId=2,
        body="foto.jpg",
        mediaUrl="foto.jpg",
        mediaType="image",
        **them,
        **at(11),
    )
    made.add(
        "Messages",
        id="F2",
        ticketId=2,
        contactId=2,
        body="",
        mediaUrl="../segredo.txt",
        mediaType="application",
        **them,
        **at(12),
    )
    made.add(
        "Messages",
        id="L1",
        ticketId=2,
        contactId=2,
        mediaType="locationMessage",
        body="data:image/png;base64,AAAA|https://maps.google.com/maps?q=-23.5%2C-46.6|-23.5, -46.6",
        **them,
        **at(13),
    )
    made.add(
        "Messages",
        id="V1",
        ticketId=3,
        contactId=3,
        body="veja",
        mediaType="viewOnceMessage",
        remoteJid=f"{LID}@lid",
        **them,
        **at(21),
    )
    made.add(
        "Messages",
        id="G1",
        ticketId=4,
        contactId=1,
        body="no grupo",
        mediaType="conversation",
        remoteJid="5511987650001-1400000000@g.us",
        **them,
        **at(31),
    )
    made.add(
        "Messages",
        id="X1",
        ticketId=99,
        contactId=1,
        body="sem atendimento",
        mediaType="conversation",
        **them,
        **at(40),
    )
