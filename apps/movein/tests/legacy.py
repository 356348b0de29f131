"""Databases of the two lines of forks, made from their public table shapes and filled by tests.

A `Legacy` holds rows; `to_postgres`, `to_mysql` and the dumps write them as those databases do.
"""

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

T = "createdAt:time updatedAt:time"
# Shared by both lines; `column:kind`, text without one.
COMMON: dict[str, str] = {
    "Plans": f"id:int name users:int connections:int queues:int value:float {T}",
    "Companies": (
        f"id:int name phone email status:bool dueDate recurrence schedules:json planId:int {T}"
    ),
    "Settings": f"id:int key value companyId:int {T}",
    "Users": (
        f"id:int name email passwordHash tokenVersion:int profile super:bool companyId:int {T}"
    ),
    "UserQueues": f"userId:int queueId:int {T}",
    "Queues": (
        f"id:int name color greetingMessage outOfHoursMessage schedules:json companyId:int {T}"
    ),
    "QueueOptions": f"id:int title message option queueId:int parentId:int {T}",
    "Whatsapps": (
        "id:int name session qrcode status battery plugged:bool retries:int greetingMessage"
        " farewellMessage complationMessage outOfHoursMessage ratingMessage provider"
        f" isDefault:bool companyId:int token {T}"
    ),
    "WhatsappQueues": f"whatsappId:int queueId:int {T}",
    "Contacts": f"id:int name number email profilePicUrl isGroup:bool companyId:int {T}",
    "ContactCustomFields": f"id:int name value contactId:int {T}",
    "Tags": f"id:int name color companyId:int kanban:int {T}",
    "TicketTags": f"ticketId:int tagId:int {T}",
    "TicketNotes": f"id:int note userId:int contactId:int ticketId:int {T}",
    "Tickets": (
        "id:int status unreadMessages:int lastMessage isGroup:bool userId:int contactId:int"
        " whatsappId:int queueId:int chatbot:bool queueOptionId:int companyId:int uuid:uuid"
        f" {T}"
    ),
    "TicketTraking": (
        "id:int ticketId:int companyId:int whatsappId:int userId:int rated:bool startedAt:time"
        f" queuedAt:time finishedAt:time ratingAt:time {T}"
    ),
    "UserRatings": f"id:int ticketId:int companyId:int userId:int rate:int {T}",
    "Messages": (
        "id remoteJid participant dataJson ack:int read:bool fromMe:bool body mediaUrl mediaType"
        " isDeleted:bool isEdited:bool quotedMsgId ticketId:int contactId:int companyId:int"
        f" queueId:int {T}"
    ),
    "Schedules": (
        "id:int body sendAt:time sentAt:time contactId:int ticketId:int userId:int companyId:int"
        f" status {T}"
    ),
    "QuickMessages": f"id:int shortcode message companyId:int userId:int {T}",
    "ContactLists": f"id:int name companyId:int {T}",
    "ContactListItems": (
        f"id:int name number email isWhatsappValid:bool companyId:int contactListId:int {T}"
    ),
    "Campaigns": (
        "id:int name message1 message2 message3 message4 message5 confirmationMessage1 status"
        " confirmation:bool mediaPath mediaName scheduledAt:time completedAt:time companyId:int"
        f" contactListId:int whatsappId:int {T}"
    ),
    "CampaignShipping": (
        "id:int jobId number message contactId:int campaignId:int confirmationRequestedAt:time"
        f" confirmedAt:time deliveredAt:time {T}"
    ),
    "CampaignSettings": f"id:int key value companyId:int {T}",
    "Chats": f"id:int uuid:uuid title ownerId:int lastMessage companyId:int {T}",
    "ChatUsers": f"id:int chatId:int userId:int unreads:int {T}",
    "ChatMessages": f"id:int chatId:int senderId:int message mediaPath mediaName {T}",
    "Invoices": f"id:int detail status value:float dueDate companyId:int {T}",
    "Announcements": f"id:int priority:int title text mediaPath mediaName status:bool {T}",
    "Helps": f"id:int title description video link {T}",
    "SequelizeMeta": "name",
}
# dollyzn/whaticket-saas, October 2025.
FORK_A: dict[str, str] = COMMON | {
    "Plans": COMMON["Plans"] + " useCampaigns:bool useSchedules:bool useKanban:bool",
    "Users": COMMON["Users"] + " online:bool whatsappId:int",
    "Queues": COMMON["Queues"] + " orderQueue:int integrationId:int promptId:int",
    "Whatsapps": COMMON["Whatsapps"]
    + " transferQueueId:int timeToTransfer:int expiresTicket:int expiresInactiveMessage"
    " maxUseBotQueues:int timeUseBotQueues promptId:int integrationId:int",
    "Contacts": COMMON["Contacts"]
    + " contactId lid phoneNumber ignoreMessages:bool whatsappId:int",
    "Tickets": COMMON["Tickets"] + " useIntegration:bool integrationId:int promptId:int",
    "TicketTraking": COMMON["TicketTraking"] + " chatbotAt:time",
    "QuickMessages": COMMON["QuickMessages"] + " mediaPath mediaName",
    "Schedules": COMMON["Schedules"] + " mediaPath mediaName",
    "Campaigns": COMMON["Campaigns"] + " fileListId:int",
    "Files": f"id:int companyId:int name message {T}",
    "FilesOptions": f"id:int fileId:int name path mediaType {T}",
    "Prompts": (
        "id:int name prompt apiKey maxMessages:int maxTokens:int temperature:float voice"
        f" queueId:int companyId:int {T}"
    ),
    "QueueIntegrations": (
        "id:int type name projectName jsonContent urlN8N language companyId:int typebotSlug"
        f" typebotExpires:int {T}"
    ),
    "Baileys": f"id:int contacts chats whatsappId:int {T}",
}
# ticketz-oss/ticketz, August 2026.
FORK_B: dict[str, str] = COMMON | {
    "Plans": COMMON["Plans"] + " currency isPublic:bool",
    "Companies": COMMON["Companies"].replace("dueDate", "dueDate:day") + " language",
    "Queues": COMMON["Queues"] + " mediaPath mediaName",
    "QueueOptions": COMMON["QueueOptions"] + " forwardQueueId:int exitChatbot:bool",
    "Whatsapps": COMMON["Whatsapps"] + " channel tokenMeta transferMessage language",
    "Contacts": COMMON["Contacts"] + " channel disableBot:bool presence language",
    "ContactTags": f"contactId:int tagId:int {T}",
    "Tickets": COMMON["Tickets"] + " channel",
    "TicketTraking": COMMON["TicketTraking"] + " expired:bool waitTime:int",
    "Messages": COMMON["Messages"] + " channel error:json thumbnailUrl",
    "ChatMessages": COMMON["ChatMessages"] + " mediaType",
    "Invoices": COMMON["Invoices"] + " currency txId payGw",
    "WhatsappLidMaps": f"id:int lid companyId:int contactId:int {T}",
    "BaileysKeys": f"id:int whatsappId:int type key value {T}",
}
_POSTGRES = {
    "int": "integer",
    "float": "double precision",
    "bool": "boolean",
    "time": "timestamptz",
    "json": "jsonb",
    "uuid": "uuid",
    "day": "date",
}
_MYSQL = {
    "int": "int",
    "float": "double",
    "bool": "tinyint(1)",
    "time": "datetime(6)",
    "json": "json",
    "uuid": "char(36)",
    "day": "date",
}
MOMENT = datetime(2025, 3, 10, 12, 0, tzinfo=UTC)


class Legacy:
    """Rows of an older product's database."""

    def __init__(self, tables: dict[str, str]) -> None:
        self.columns = {
            table: dict(_described(each) for each in columns.split())
            for table, columns in tables.items()
        }
        self.rows: dict[str, list[dict[str, Any]]] = {table: [] for table in tables}

    def add(self, table: str, **values: Any) -> dict[str, Any]:
        """Add a row; its id is the next one, and its times are MOMENT, unless they are given."""
        columns = self.columns[table]
        assert values.keys() <= columns.keys(), values.keys() - columns.keys()
        row: dict[str, Any] = dict.fromkeys(columns)
        if columns.get("id") == "int":
            row["id"] = max((each["id"] for each in self.rows[table]), default=0) + 1
        for name in {"createdAt", "updatedAt"} & columns.keys():
            row[name] = MOMENT
        row |= values
        self.rows[table].append(row)
        return row

    def to_postgres(self, connection: Any) -> None:
        """Create the tables of a psycopg connection's database, and fill them."""
        for table, columns in self.columns.items():
            described = ", ".join(
                f'"{name}" {_POSTGRES.get(kind, "text")}' for name, kind in columns.items()
            )
            connection.execute(f'CREATE TABLE IF NOT EXISTS "{table}" ({described})')
            names = ", ".join(f'"{name}"' for name in columns)
            statement = f'COPY "{table}" ({names}) FROM STDIN'
            with connection.cursor() as cursor, cursor.copy(statement) as copy:
                for row in self.rows[table]:
                    copy.write_row([_json_text(each) for each in row.values()])

    def to_mysql(self, connection: Any) -> None:
        """Create the tables of a PyMySQL connection's database, and fill them."""
        with connection.cursor() as cursor:
            for statement in self.mysqldump():
                cursor.execute(statement)
        connection.commit()

    def mysqldump(self) -> Iterator[str]:
        """Yield statements as mysqldump writes them."""
        for table, columns in self.columns.items():
            described = ",\n".join(
                f"  `{name}` {_MYSQL.get(kind, 'longtext')} DEFAULT NULL"
                for name, kind in columns.items()
            )
            yield f"CREATE TABLE `{table}` (\n{described}\n) DEFAULT CHARSET=utf8mb4;\n"
            if self.rows[table]:
                lines = ",".join(
                    f"({','.join(_mysql_literal(each) for each in row.values())})"
                    for row in self.rows[table]
                )
                yield f"INSERT INTO `{table}` VALUES {lines};\n"


def _described(told: str) -> tuple[str, str]:
    name, _, kind = told.partition(":")
    return name, kind or "text"


def _json_text(value: Any) -> Any:
    return json.dumps(value) if isinstance(value, dict | list) else value


def _mysql_literal(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, datetime):
        return f"'{value.astimezone(UTC).replace(tzinfo=None).isoformat(' ')}'"
    text = str(_json_text(value))
    escapes: Iterable[tuple[str, str]] = (
        ("\\", "\\\\"),
        ("'", "\\'"),
        ("\n", "\\n"),
        ("\r", "\\r"),
        ("\0", "\\0"),
    )
    for plain, escaped in escapes:
        text = text.replace(plain, escaped)
    return f"'{text}'"
