"""The order of an import: what a row refers to comes before it (rules/moving-in §3)."""

from apps.movein.readers import Reader
from apps.movein.services import companies, conversations, extras, messages, people
from apps.movein.services.message_files import bring_files
from apps.movein.services.run import Step

_MESSAGES = ("createdAt", "id", "ticketId")
_CONTENT = ("body", *messages.LEFT_OUT)

STEPS = (
    Step("Plans", companies.take_plans),
    Step("Companies", companies.take_companies),
    Step("QueueIntegrations", companies.take_integrations),
    Step("Queues", companies.take_queues),
    Step("QueueOptions", companies.take_options, is_whole=True),
    Step("Prompts", companies.take_prompts),
    Step("Queues", companies.link_prompts, name="Queues#prompts", given="promptId"),
    Step(
        "Whatsapps",
        companies.take_connections,
        order=("companyId", "id"),
        leaves_out=("session", "qrcode"),
    ),
    Step("WhatsappQueues", companies.take_connection_queues, order=("whatsappId", "queueId")),
    Step("Users", people.take_users),
    Step("UserQueues", people.take_user_queues, order=("userId", "queueId")),
    Step("Contacts", people.take_contacts),
    Step("Tags", people.take_tags),
    Step("Tickets", conversations.take_tickets),
    Step("ContactTags", conversations.take_contact_tags, order=("contactId", "tagId")),
    Step("Messages", messages.take_messages, order=_MESSAGES, leaves_out=messages.LEFT_OUT),
    Step(
        "Messages",
        messages.link_quotes,
        name="Messages#quotes",
        order=_MESSAGES,
        given="quotedMsgId",
        leaves_out=_CONTENT,
    ),
    Step(
        "Tickets",
        conversations.show_latest,
        name="Tickets#latest",
        read=conversations.tickets_taken,
    ),
    Step("TicketNotes", conversations.take_notes),
    Step("QuickMessages", extras.take_quick_messages),
    Step("Files", extras.take_file_lists),
    Step("Schedules", extras.take_schedules),
    Step("ContactLists", extras.take_lists),
    Step("ContactListItems", extras.take_items),
    Step("Campaigns", extras.take_campaigns),
    Step("CampaignShipping", extras.take_recipients),
    Step("Chats", extras.take_chats),
    Step("ChatMessages", extras.take_chat_messages),
    Step("Invoices", companies.take_invoices),
    Step("Announcements", extras.take_announcements),
    Step("Helps", extras.take_helps),
)
# Only with a media folder.
FILES = Step(
    "Messages",
    bring_files,
    name="Messages#files",
    order=_MESSAGES,
    given="mediaUrl",
    leaves_out=_CONTENT,
)


def steps_for(reader: Reader, *, has_media: bool, is_dry: bool) -> list[Step]:
    """Return the steps for what the source has; a dry run has no second passes."""
    steps = [*STEPS, *([FILES] if has_media else [])]
    return [
        each
        for each in steps
        if each.table in reader.tables() and not (is_dry and "#" in each.title)
    ]
