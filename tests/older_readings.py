"""What the pages of older browsers read of each live event, found in their public sources.

A path names the keys that a page follows. A key with `?` may be null there, every other key must
have a value, and `[]` stands for each element of an array. Pages of both lines are covered; a path
that one of them reads is listed.
"""

RECORD = ("record.id",)
DELETED = ("id",)
CHAT = ("chat.id", "chat.uuid", "chat.title", "chat.lastMessage", "chat.updatedAt")
MEMBERS = ("chat.users[].userId", "chat.users[].unreads")
TICKET = (
    "ticket.id",
    "ticket.uuid",
    "ticket.status",
    "ticket.isGroup",
    "ticket.chatbot",
    "ticket.userId?",
    "ticket.queueId?",
    "ticket.whatsappId?",
    "ticket.contactId",
    "ticket.contact.name",
    "ticket.contact.number",
    "ticket.contact.profilePicUrl",
    "ticket.contact.tags[]",
    "ticket.lastMessage",
    "ticket.unreadMessages",
    "ticket.updatedAt",
    "ticket.queue?.id",
    "ticket.queue?.name",
    "ticket.queue?.color",
    "ticket.user?.name",
    "ticket.whatsapp?.name",
    "ticket.tags[].name",
    "ticket.tags[].color",
)
MESSAGE = (
    "message.id",
    "message.ticketId",
    "message.body",
    "message.fromMe",
    "message.read",
    "message.ack",
    "message.mediaType",
    "message.mediaUrl?",
    "message.createdAt",
    "message.isDeleted",
    "message.isEdited",
    "message.contact?.name",
    "message.contact?.number",
    "message.quotedMsg?.id",
    "message.quotedMsg?.body",
    "message.quotedMsg?.fromMe",
    "message.quotedMsg?.mediaType",
    "message.quotedMsg?.mediaUrl?",
)
CONTACT = (
    "contact.id",
    "contact.name",
    "contact.number",
    "contact.email",
    "contact.isGroup",
    "contact.profilePicUrl",
    "contact.extraInfo[].name",
    "contact.tags[].name",
)
CAMPAIGN = (
    *RECORD,
    "record.name",
    "record.status",
    "record.confirmation",
    "record.scheduledAt?",
    "record.completedAt?",
    "record.whatsappId?",
    "record.whatsapp?.name",
    "record.contactListId?",
    "record.contactList?.name",
)
SESSION = (
    "session.id",
    "session.status",
    "session.qrcode",
    "session.updatedAt",
    "session.retries",
)
CONNECTION = ("whatsapp.id", "whatsapp.name", "whatsapp.status", "whatsapp.isDefault")
USER = ("user.id", "user.name", "user.email", "user.profile")
SIGNED_IN = (
    "user.companyId",
    "user.super",
    "user.queues[].id",
    "user.company.email",
    "user.company.dueDate",
    "user.company.settings[].key",
    "user.company.settings[].value",
)
QUEUE = ("queue.id", "queue.name", "queue.color", "queue.greetingMessage")
QUICK = (*RECORD, "record.shortcode", "record.mediaName?")
SCHEDULE = (
    "schedule.id",
    "schedule.body",
    "schedule.sendAt",
    "schedule.status",
    "schedule.contact.name",
)
TAG = ("tag.id", "tag.name", "tag.color", "tag.ticketsCount")
PROMPT = ("prompt.id", "prompt.name", "prompt.maxTokens", "prompt.queue.name")
INTEGRATION = ("queueIntegration.id", "queueIntegration.name", "queueIntegration.type")
FILES = ("files.id", "files.name")
LIST = (*RECORD, "record.name", "record.contactsCount")
ITEM_FIELDS = ("id", "name", "number", "email", "isWhatsappValid?")
ITEM = tuple(f"record.{field}" for field in ITEM_FIELDS)
ANNOUNCEMENT = (
    *RECORD,
    "record.title",
    "record.text",
    "record.priority",
    "record.status",
    "record.mediaName?",
    "record.mediaPath?",
    "record.createdAt",
)
NEW_MESSAGE = (
    *CHAT,
    *MEMBERS,
    "newMessage.chatId",
    "newMessage.senderId?",
    "newMessage.sender.name",
    "newMessage.message",
    "newMessage.createdAt",
    "newMessage.chat.users[].userId",
)

# The event, as declared: what is read of each of its actions.
READ: dict[str, dict[str, tuple[str, ...]]] = {
    "ticket": {"update": TICKET, "delete": ("ticketId",), "updateUnread": ("ticketId",)},
    "appMessage": {"create": (*MESSAGE, *TICKET), "update": MESSAGE},
    "contact": {"create": CONTACT, "update": CONTACT, "delete": ("contactId",), "reload": ()},
    "tag": {"create": TAG, "update": TAG, "delete": ("tagId",)},
    "whatsapp": {"update": CONNECTION, "delete": ("whatsappId",)},
    "whatsappSession": {"update": SESSION},
    "queue": {"update": QUEUE, "delete": ("queueId",)},
    "user": {"create": USER, "update": (*USER, *SIGNED_IN), "delete": ("userId",)},
    "auth": {"update": ("user.id",)},
    "settings": {"update": ("setting.key", "setting.value", "key", "value")},
    "quickmessage": {"create": QUICK, "update": QUICK, "delete": DELETED},
    "schedule": {"create": SCHEDULE, "update": SCHEDULE, "delete": ("scheduleId",)},
    "file": {"create": FILES, "update": FILES, "delete": ("fileId",)},
    "prompt": {"create": PROMPT, "update": PROMPT, "delete": ("promptId",)},
    "queueIntegration": {
        "create": INTEGRATION,
        "update": INTEGRATION,
        "delete": ("integrationId",),
    },
    # The report of a campaign reads `record` of a deletion too; it fails there without effect.
    "campaign": {"create": CAMPAIGN, "update": CAMPAIGN, "delete": DELETED},
    "ContactList": {"create": LIST, "update": LIST, "delete": DELETED},
    "ContactListItem": {"create": ITEM, "update": ITEM, "delete": DELETED},
    "ContactListItem-{listId}": {"reload": tuple(f"records[].{each}" for each in ITEM_FIELDS)},
    "chat": {"new-message": NEW_MESSAGE, "update": (*CHAT, *MEMBERS), "delete": DELETED},
    "chat-{chatId}": {"new-message": NEW_MESSAGE, "update": (*CHAT, *MEMBERS)},
    "chat-user-{userId}": {
        action: tuple(path.replace("chat.", "record.") for path in (*CHAT, *MEMBERS))
        for action in ("create", "update")
    },
    "announcement": {"create": ANNOUNCEMENT, "update": ANNOUNCEMENT, "delete": DELETED},
    "payment": {"CONCLUIDA": ("company.dueDate",), "PARCIAL": (), "ESTORNADO": ()},
}

# Names other than `company-{id}-{event}`, with the id 7, under which pages listen.
OTHER_NAMES = {
    "quickmessage": "company7-quickemessage",
    "schedule": "company7-schedule",
    "tag": "tag",
    "settings": "settings",
}

# Events that no older browser listens for: of things that are ours.
UNHEARD = {
    "assignmentAlert",
    "campaignSettings",
    "contactImport",
    "conversationNote",
    "help",
    "macro",
    "outgoingWebhook",
    "presence",
    "rehearsal",
    "role",
    "rule",
    "ruleAlert",
    "segment",
    "slaAlert",
    "template",
    "ticketDeadline",
    "ticketDraft",
    "ticketFollow",
    "ticketMention",
    "ticketNote",
    "ticketViewers",
    "ticketWindow",
    "ticketWriting",
}
