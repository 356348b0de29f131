"""Connections: the numbers of a company ('whatsapp' on the wire)."""

from django.db import models
from django.utils import timezone

from apps.common.encryption import EncryptedTextField
from apps.common.models import TenantQuerySet, TimestampedModel


class ConnectionStatus(models.TextChoices):
    """The wire's states of a connection (rules/connections §1)."""

    CONNECTED = "CONNECTED"
    QRCODE = "qrcode"
    PAIRING = "PAIRING"
    DISCONNECTED = "DISCONNECTED"
    TIMEOUT = "TIMEOUT"
    OPENING = "OPENING"


class ProviderKind(models.TextChoices):
    """How a number is connected: a QR session or Meta's official API."""

    BETA = "beta", "QR Code"
    OFFICIAL = "official", "API oficial"


class DirectSend(models.TextChoices):
    """Whether Meta sends utility texts without a template for an account (rules/messages §12)."""

    UNKNOWN = "unknown"
    MAY = "may"
    MAY_NOT = "may_not"


class MarketingWay(models.TextChoices):
    """The edge of the Graph API by which an account sends marketing templates."""

    MESSAGES = "messages"
    MARKETING_MESSAGES = "marketing_messages"


class SetupStep(models.TextChoices):
    """The steps of the set-up check, each depending on the earlier ones."""

    TOKEN = "token"  # noqa: S105
    NUMBER = "number"
    ACCOUNT = "account"
    SUBSCRIPTION = "subscription"
    WEBHOOK = "webhook"
    EVENT = "event"


class SetupState(models.TextChoices):
    """The result of a step; `unknown` if Meta gives no answer."""

    DONE = "done"
    FAILED = "failed"
    WAITING = "waiting"
    UNKNOWN = "unknown"


class SetupProblem(models.TextChoices):
    """Why a step failed; the browser has the texts and advice."""

    TOKEN_MISSING = "token_missing"  # noqa: S105
    TOKEN_REFUSED = "token_refused"  # noqa: S105
    PERMISSION_MISSING = "permission_missing"
    NO_PERMISSION = "no_permission"
    NUMBER_TAKEN = "number_taken"
    NUMBER_NOT_FOUND = "number_not_found"
    ACCOUNT_NOT_FOUND = "account_not_found"
    NUMBER_ELSEWHERE = "number_elsewhere"
    NOT_SUBSCRIBED = "not_subscribed"
    SECRET_MISSING = "secret_missing"  # noqa: S105
    WEBHOOK_NONE = "webhook_none"
    WEBHOOK_ELSEWHERE = "webhook_elsewhere"
    NOT_SAVED = "not_saved"
    NO_EVENT = "no_event"
    NOT_TOLD = "not_told"
    UNREACHABLE = "unreachable"
    REFUSED = "refused"


# The text to the contact when the bot hands the conversation over to people (rules/bot §9).
FALLBACK_MESSAGE = "Vou chamar alguém da equipe. Um momento, por favor."


class Connection(TimestampedModel):
    """A number that a company sends and receives with (rules/connections §1 and §2)."""

    company = models.ForeignKey(
        "companies.Company", on_delete=models.CASCADE, related_name="connections"
    )
    name = models.CharField(max_length=50)
    number = models.CharField(max_length=30, blank=True)
    provider = models.CharField(
        max_length=10, choices=ProviderKind.choices, default=ProviderKind.BETA
    )
    status = models.CharField(
        max_length=15, choices=ConnectionStatus.choices, default=ConnectionStatus.DISCONNECTED
    )
    status_reason = models.CharField(max_length=500, blank=True)
    # The code of that sentence, for other languages; old rows have none.
    reason_code = models.CharField(max_length=50, blank=True, default="", db_default="")
    reason_detail = models.CharField(max_length=300, blank=True, default="", db_default="")
    is_default = models.BooleanField(default=False)
    qrcode = models.TextField(blank=True)
    # The pairing code to type into the phone, while the status is PAIRING.
    pairing_code = models.CharField(max_length=20, blank=True, default="", db_default="")
    retries = models.PositiveIntegerField(default=0)
    phone_number_id = models.CharField(max_length=50, null=True, blank=True)
    # When Meta last listed the number in the account of this token, which proves that it is the
    # company's.
    verified_at = models.DateTimeField(null=True, blank=True)
    waba_id = models.CharField(max_length=50, blank=True)
    # The number stays on a phone's WhatsApp Business app beside us (official-api, coexistence).
    is_coexistence = models.BooleanField(default=False, db_default=False)
    # When embedded signup added it: the phone's history may be requested for 24 hours.
    signed_up_at = models.DateTimeField(null=True, blank=True)
    access_token = EncryptedTextField(blank=True)
    token_hash = models.CharField(max_length=64, null=True, blank=True, unique=True)
    # Sends are paused until then, at the provider's request or after its failure.
    sends_paused_until = models.DateTimeField(null=True, blank=True)
    # The seconds of the last pause without a time of the provider: the next one may be longer.
    sends_paused_seconds = models.PositiveSmallIntegerField(default=0, db_default=0)
    # Meta's figures of the number, and their time.
    quality_rating = models.CharField(max_length=10, blank=True, default="", db_default="")
    quality_at = models.DateTimeField(null=True, blank=True)
    # Contacts with whom all numbers of its business portfolio may start conversations in 24 hours;
    # -1 is no limit.
    messaging_limit = models.IntegerField(null=True, blank=True)
    messaging_limit_at = models.DateTimeField(null=True, blank=True)
    # The business portfolio that owns its account, and whether Meta has verified that business, as
    # Meta words it; empty where Meta has not told.
    portfolio_id = models.CharField(max_length=50, blank=True, default="", db_default="")
    portfolio_name = models.CharField(max_length=200, blank=True, default="", db_default="")
    business_verification = models.CharField(max_length=30, blank=True, default="", db_default="")
    business_verification_at = models.DateTimeField(null=True, blank=True)
    # Its roles among the number's responders, as Meta names them, and their time.
    routing_roles = models.JSONField(null=True, blank=True)
    routing_roles_at = models.DateTimeField(null=True, blank=True)
    # Why what other responders do can't be subscribed to; empty if it is.
    routing_reason = models.CharField(max_length=500, blank=True, default="", db_default="")
    routing_reason_code = models.CharField(max_length=50, blank=True, default="", db_default="")
    routing_reason_detail = models.CharField(max_length=300, blank=True, default="", db_default="")
    # Meta's latest answer about utility texts, the same for all numbers of an account; see
    # `services.direct_send`.
    direct_send = models.CharField(
        max_length=10,
        choices=DirectSend.choices,
        default=DirectSend.UNKNOWN,
        db_default=DirectSend.UNKNOWN,
    )
    direct_send_at = models.DateTimeField(null=True, blank=True)
    direct_send_until = models.DateTimeField(null=True, blank=True)
    direct_send_reason_code = models.CharField(max_length=50, blank=True, default="", db_default="")
    # How its account sends marketing templates, and since when we know it.
    marketing_way = models.CharField(
        max_length=20, choices=MarketingWay.choices, blank=True, default="", db_default=""
    )
    marketing_way_at = models.DateTimeField(null=True, blank=True)
    figures_asked_at = models.DateTimeField(null=True, blank=True)
    # Newest first: kind, severity, text, at, until (services/figures.py).
    alerts = models.JSONField(null=True, blank=True)
    # When the first of the alerts expires.
    alerts_end_at = models.DateTimeField(null=True, blank=True)
    queues = models.ManyToManyField(
        "queues.Queue", through="ConnectionQueue", related_name="connections", blank=True
    )
    greeting_message = models.TextField(blank=True)
    completion_message = models.TextField(blank=True)
    out_of_hours_message = models.TextField(blank=True)
    rating_message = models.TextField(blank=True)
    transfer_queue = models.ForeignKey(
        "queues.Queue", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    minutes_to_transfer = models.PositiveIntegerField(default=0)
    transfer_keyword = models.CharField(max_length=200, blank=True)
    transfer_keyword_queue = models.ForeignKey(
        "queues.Queue", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    ticket_expires_minutes = models.PositiveIntegerField(default=0)
    inactive_message = models.TextField(blank=True)
    bot_interval_minutes = models.PositiveIntegerField(default=0)
    bot_max_menus = models.PositiveIntegerField(default=3)
    bot_quiet_seconds = models.PositiveIntegerField(default=3)
    # Texts of one step of the bot are one message (rules/bot §11); off for older connections.
    joins_bot_texts = models.BooleanField(default=True, db_default=False)
    integration_silence_minutes = models.PositiveIntegerField(default=10)
    menu_silence_minutes = models.PositiveIntegerField(default=10, db_default=10)
    fallback_message = models.TextField(default=FALLBACK_MESSAGE)
    # Its pace: seconds between two sends of a QR session, sends in a second of an official number.
    send_pause_seconds = models.PositiveIntegerField(default=1, db_default=1)
    send_jitter_seconds = models.PositiveIntegerField(default=2, db_default=2)
    sends_per_second = models.PositiveIntegerField(default=80, db_default=80)
    # Warm-up of a new QR number: contacts with whom it may start conversations on its first day (0:
    # no limit), the increase per day, and the number of days.
    warmup_contacts = models.PositiveIntegerField(default=30, db_default=0)
    warmup_growth = models.PositiveIntegerField(default=20, db_default=20)
    warmup_days = models.PositiveIntegerField(default=14, db_default=14)
    integration = models.ForeignKey(
        "automation.QueueIntegration",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="connections",
    )
    prompt = models.ForeignKey(
        "automation.Prompt", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    objects = TenantQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["company"],
                condition=models.Q(is_default=True),
                name="one_default_connection",
            ),
            models.UniqueConstraint(fields=["company", "name"], name="one_connection_per_name"),
            models.UniqueConstraint(
                fields=["phone_number_id"],
                condition=models.Q(verified_at__isnull=False),
                name="one_owner_per_number",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class SendPace(models.Model):
    """When a connection sends next, and the contacts with whom its number started conversations
    today.

    Slots are microseconds since 1970, so that one statement computes with them on both databases.
    The slot of people's messages is before the slot of all others (rules/connections §10).
    """

    connection = models.OneToOneField(
        Connection, primary_key=True, on_delete=models.CASCADE, related_name="pace"
    )
    people_from = models.BigIntegerField(default=0)
    others_from = models.BigIntegerField(default=0)
    # The number in its warm-up, and the first day.
    number = models.CharField(max_length=30, blank=True)
    first_date = models.DateField(null=True, blank=True)
    day_ends_at = models.DateTimeField(null=True, blank=True)
    day_ceiling = models.PositiveIntegerField(default=0)
    # The contacts' ids, at most the day's limit.
    day_contacts = models.JSONField(default=list)

    class Meta:
        verbose_name_plural = "send paces"

    def __str__(self) -> str:
        return f"pace of connection {self.connection_id}"


class BegunConversation(models.Model):
    """The last message that an official number sent to a contact without an open window.

    The contact counts towards the limit of the number's portfolio for 24 hours
    (rules/connections §18). `contact_id` and `message_id` are no references: who was written to
    still counts after the contact is erased or merged. A refused message is taken back; none is
    named when another one counts as well.
    """

    # Both indexes begin with it; one of it alone would be read in place of the one by time.
    connection = models.ForeignKey(
        Connection, on_delete=models.CASCADE, related_name="begun", db_index=False
    )
    contact_id = models.BigIntegerField()
    message_id = models.BigIntegerField(null=True)
    begun_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "contact_id"], name="one_begun_conversation"
            )
        ]
        indexes = [
            models.Index(
                fields=["connection", "begun_at", "contact_id"], name="begun_conversation_by_time"
            )
        ]

    def __str__(self) -> str:
        return f"connection {self.connection_id} with contact {self.contact_id}"


class OperatorAccount(models.Model):
    """A Meta account for which a company uses the operator's token."""

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    waba_id = models.CharField("account (waba_id)", max_length=50)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["company", "waba_id"], name="operator_account_once_per_company"
            )
        ]

    def __str__(self) -> str:
        return f"{self.waba_id} for company {self.company_id}"


class ConnectionQueue(models.Model):
    """A connection leads to a queue."""

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE)
    queue = models.ForeignKey("queues.Queue", on_delete=models.CASCADE)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "queue"], name="connection_leads_to_queue_once"
            )
        ]

    def __str__(self) -> str:
        return f"connection {self.connection_id} to queue {self.queue_id}"


class TemplateMedia(models.Model):
    """A file uploaded to Meta for the header of a template; `media_id` is valid for 30 days. The
    conversation shows our copy of it. A campaign that runs longer uploads the copy again:
    `renewed_id` is Meta's id of the last upload, while the campaign keeps the first id.
    """

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    connection = models.ForeignKey(
        Connection, on_delete=models.CASCADE, related_name="template_media"
    )
    media_id = models.CharField(max_length=100)
    path = models.CharField(max_length=300)
    name = models.CharField(max_length=255)
    mime = models.CharField(max_length=150)
    size = models.PositiveBigIntegerField()
    created_at = models.DateTimeField(default=timezone.now)
    renewed_id = models.CharField(max_length=100, blank=True, default="")
    renewed_at = models.DateTimeField(null=True, blank=True)

    objects = TenantQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "template media"
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "media_id"], name="one_template_media_per_id"
            )
        ]
        indexes = [models.Index(fields=["created_at"], name="template_media_by_age")]

    def __str__(self) -> str:
        return self.name
