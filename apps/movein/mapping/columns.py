"""The tables and columns that the import knows; the report lists what a source has besides."""

_TIMES = "id createdAt updatedAt"
KNOWN: dict[str, frozenset[str]] = {
    table: frozenset(f"{_TIMES} {columns}".split())
    for table, columns in {
        "Plans": (
            "name users connections queues value currency isPublic useSchedules useCampaigns"
            " useInternalChat useExternalApi useKanban useOpenAi useIntegrations"
        ),
        "Companies": "name phone email status dueDate recurrence schedules planId language",
        "Settings": "key value companyId",
        "Users": ("name email passwordHash tokenVersion profile super online companyId whatsappId"),
        "UserQueues": "userId queueId",
        "Queues": (
            "name color greetingMessage outOfHoursMessage schedules companyId orderQueue"
            " integrationId promptId mediaPath mediaName"
        ),
        "QueueOptions": (
            "title message option queueId parentId forwardQueueId exitChatbot mediaPath mediaName"
        ),
        "Whatsapps": (
            "name session qrcode status battery plugged retries greetingMessage farewellMessage"
            " complationMessage outOfHoursMessage ratingMessage transferMessage provider isDefault"
            " companyId token transferQueueId timeToTransfer promptId integrationId"
            " maxUseBotQueues timeUseBotQueues expiresTicket expiresInactiveMessage language"
            " channel facebookUserId facebookUserToken facebookPageUserId tokenMeta number"
            " sendIdQueue timeSendQueue"
        ),
        "WhatsappQueues": "whatsappId queueId",
        "Contacts": (
            "name number contactId lid phoneNumber email ignoreMessages profilePicUrl isGroup"
            " companyId whatsappId profileHiresPictureUrl channel disableBot presence language"
        ),
        "ContactCustomFields": "name value contactId",
        "Tags": "name color companyId kanban",
        "TicketTags": "ticketId tagId",
        "ContactTags": "contactId tagId",
        "TicketNotes": "note userId contactId ticketId",
        "Tickets": (
            "status unreadMessages lastMessage isGroup userId contactId whatsappId queueId chatbot"
            " queueOptionId companyId uuid useIntegration integrationId typebotSessionId"
            " typebotStatus promptId fromMe amountUsedBotQueues channel"
        ),
        "TicketTraking": (
            "ticketId companyId whatsappId userId rated startedAt queuedAt finishedAt ratingAt"
            " chatbotAt chatbotendAt expired waitTime serviceTime"
        ),
        "UserRatings": "ticketId companyId userId rate",
        "Messages": (
            "remoteJid participant dataJson ack read fromMe body mediaUrl mediaType isDeleted"
            " quotedMsgId ticketId contactId companyId queueId isEdited channel error thumbnailUrl"
        ),
        "Schedules": (
            "body sendAt sentAt contactId ticketId userId companyId status mediaPath mediaName"
            " saveMessage"
        ),
        "QuickMessages": "shortcode message companyId userId mediaPath mediaName",
        "Files": "companyId name message",
        "FilesOptions": "fileId name path mediaType",
        "ContactLists": "name companyId",
        "ContactListItems": "name number email isWhatsappValid companyId contactListId",
        "Campaigns": (
            "name message1 message2 message3 message4 message5 confirmationMessage1"
            " confirmationMessage2 confirmationMessage3 confirmationMessage4 confirmationMessage5"
            " status confirmation mediaPath mediaName scheduledAt completedAt companyId"
            " contactListId whatsappId fileListId"
        ),
        "CampaignShipping": (
            "jobId number message confirmationMessage confirmation contactId campaignId"
            " confirmationRequestedAt confirmedAt deliveredAt"
        ),
        "CampaignSettings": "key value companyId",
        "Chats": "uuid title ownerId lastMessage companyId",
        "ChatUsers": "chatId userId unreads",
        "ChatMessages": "chatId senderId message mediaPath mediaName mediaType",
        "Prompts": (
            "name prompt apiKey maxMessages maxTokens temperature promptTokens completionTokens"
            " totalTokens voice voiceKey voiceRegion queueId companyId"
        ),
        "QueueIntegrations": (
            "type name projectName jsonContent urlN8N language companyId typebotSlug"
            " typebotExpires typebotKeywordFinish typebotUnknownMessage typebotDelayMessage"
            " typebotKeywordRestart typebotRestartMessage"
        ),
        "Invoices": "detail status value dueDate companyId currency txId payGw payGwData",
        "Announcements": "priority title text mediaPath mediaName companyId status",
        "Helps": "title description video link",
        "WhatsappLidMaps": "lid companyId contactId",
    }.items()
}
# Tables that are of no use here: caches, sessions, features that we lack.
DROPPED = frozenset(
    {
        *("Baileys", "BaileysChats", "BaileysKeys", "BaileysContacts", "BaileysMessages"),
        *("Counters", "Counter", "Translations", "Wavoip", "Wavoips", "Subscriptions"),
        *("UserSocketSessions", "SequelizeMeta", "SequelizeData", "OldMessages"),
        *("OutOfTicketMessages", "Partners", "Ratings"),
    }
)
# What makes a database one of the family.
NEEDED = ("Companies", "Users", "Contacts", "Tickets", "Messages")


def strangers(tables: dict[str, list[str]]) -> list[str]:
    """Return the tables, and the columns as `Table.column`, that the import does not know."""
    found = []
    for table, columns in sorted(tables.items()):
        if table in DROPPED:
            continue
        if table not in KNOWN:
            found.append(table)
        else:
            found += [f"{table}.{each}" for each in columns if each not in KNOWN[table]]
    return found
