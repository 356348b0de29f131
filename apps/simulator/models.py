"""The state of the simulated WhatsApp: numbers, customers, messages, files, faults, webhooks."""

from typing import ClassVar

from django.db import models
from django.utils import timezone

from apps.common.leases import UNFINISHED, LeasedQuerySet, LeasedRow


class SimPortfolio(models.Model):
    """A business portfolio; all of its numbers share `limit` (−1: none).

    `verification` is the business's, in Meta's words.
    """

    portfolio_id = models.CharField(max_length=50, unique=True)
    name = models.CharField(max_length=100, default="Portfólio de demonstração")
    limit = models.IntegerField(default=2000)
    verification = models.CharField(max_length=30, default="verified")

    objects: ClassVar[models.Manager["SimPortfolio"]] = models.Manager()

    def __str__(self) -> str:
        return self.name


class SimNumber(models.Model):
    """A business number of the fake Graph API or, with `is_phone`, a telephone outside the API.

    A telephone links devices by QR code; its `phone_number_id` is its digits.
    """

    phone_number_id = models.CharField(max_length=50, unique=True)
    waba_id = models.CharField(max_length=50)
    # Numbers are of one portfolio until they are moved.
    portfolio = models.CharField(max_length=50, default="300000000000001")
    display_phone_number = models.CharField(max_length=30)
    verified_name = models.CharField(max_length=100)
    # Whether the number is registered with the Cloud API, and whether it is used in the WhatsApp
    # Business app.
    is_registered = models.BooleanField(default=True)
    is_on_app = models.BooleanField(default=False)
    is_phone = models.BooleanField(default=False)
    # The sync types that were requested: Meta accepts each once after a signup.
    asked = models.JSONField(default=list, blank=True)
    # The business profile in Meta's format; `picture` is the file's id.
    profile = models.JSONField(default=dict, blank=True)

    objects: ClassVar[models.Manager["SimNumber"]] = models.Manager()

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return self.verified_name


class SimCode(models.Model):
    """A code issued by the simulated signup window; valid for one exchange."""

    code = models.CharField(max_length=100, unique=True)

    objects: ClassVar[models.Manager["SimCode"]] = models.Manager()

    def __str__(self) -> str:
        return self.code


class SimCustomer(models.Model):
    """A person with a telephone; `photo` names a bundled sample.

    With `hides_number`, businesses receive only the user id and `username`.
    """

    wa_id = models.CharField(max_length=30, unique=True)
    name = models.CharField(max_length=200)
    photo = models.CharField(max_length=100, blank=True)
    username = models.CharField(max_length=100, blank=True)
    hides_number = models.BooleanField(default=False)
    has_whatsapp = models.BooleanField(default=True)

    objects: ClassVar[models.Manager["SimCustomer"]] = models.Manager()

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return self.name


class SimConversation(models.Model):
    """The conversation of a customer and a number; `last_customer_at` opens the 24-hour window.

    With `is_elsewhere` another responder of the number leads it.
    """

    number = models.ForeignKey(SimNumber, on_delete=models.CASCADE, related_name="conversations")
    customer = models.ForeignKey(
        SimCustomer, on_delete=models.CASCADE, related_name="conversations"
    )
    last_customer_at = models.DateTimeField(null=True, blank=True)
    # When the business last wrote without an open window.
    last_begun_at = models.DateTimeField(null=True, blank=True)
    typing_until = models.DateTimeField(null=True, blank=True)
    active_at = models.DateTimeField(default=timezone.now)
    is_elsewhere = models.BooleanField(default=False)

    objects: ClassVar[models.Manager["SimConversation"]] = models.Manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["number", "customer"], name="one_sim_conversation")
        ]

    def __str__(self) -> str:
        return f"{self.customer} with {self.number}"


class SimMedia(models.Model):
    """A file uploaded by the business or by a customer."""

    media_id = models.CharField(max_length=30, unique=True)
    file = models.FileField(upload_to="simulator/", max_length=300)
    name = models.CharField(max_length=255, blank=True)
    mime = models.CharField(max_length=150)
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField()

    objects: ClassVar[models.Manager["SimMedia"]] = models.Manager()

    def __str__(self) -> str:
        return self.media_id


class SimMessage(models.Model):
    """A message in either direction. `body` is Meta's object under the type's name.

    `status` is Meta's delivery status; a customer's message becomes `read` when the business has
    read it. `callback` is the business's biz_opaque_callback_data. With `is_elsewhere` another
    responder of the number wrote or got it, and the business is only told of it. `category` is that
    of the price of a business's message, which Meta does not charge with `is_free`.
    """

    conversation = models.ForeignKey(
        SimConversation, on_delete=models.CASCADE, related_name="messages"
    )
    wamid = models.CharField(max_length=200, unique=True)
    from_customer = models.BooleanField()
    type = models.CharField(max_length=30)
    body = models.JSONField()
    reply_to = models.CharField(max_length=200, blank=True)
    callback = models.CharField(max_length=512, blank=True)
    status = models.CharField(max_length=20, blank=True)
    error = models.CharField(max_length=300, blank=True)
    is_elsewhere = models.BooleanField(default=False)
    category = models.CharField(max_length=30, default="service")
    is_free = models.BooleanField(default=False)
    sent_at = models.DateTimeField(default=timezone.now)

    objects: ClassVar[models.Manager["SimMessage"]] = models.Manager()

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["conversation", "-id"], name="sim_message_by_chat")]

    def __str__(self) -> str:
        return self.wamid


class FaultKind(models.TextChoices):
    """The faults that can be simulated."""

    PROVIDER_DOWN = "provider_down"
    CONNECTION_RESET = "connection_reset"
    ANSWER_LOST = "answer_lost"
    SLOW = "slow"
    RATE_LIMITED = "rate_limited"
    TOKEN_EXPIRED = "token_expired"  # noqa: S105 the name of a fault
    NOT_ON_WHATSAPP = "not_on_whatsapp"
    WINDOW_CLOSED = "window_closed"
    DUPLICATE_WEBHOOKS = "duplicate_webhooks"
    OUT_OF_ORDER_STATUSES = "out_of_order_statuses"
    PHONE_SILENT = "phone_silent"
    CONTROL_REFUSED = "control_refused"
    DIRECT_SEND_OFF = "direct_send_off"
    DIRECT_SEND_BLOCKED = "direct_send_blocked"
    MARKETING_CLOSED = "marketing_closed"
    MARKETING_TERMS = "marketing_terms"
    TEMPLATE_HELD = "template_held"
    TEMPLATE_PAUSED = "template_paused"
    TEMPLATE_DISABLED = "template_disabled"
    FORM_BLOCKED = "form_blocked"
    FORM_THROTTLED = "form_throttled"
    FREE_ENTRY = "free_entry"


class SimFault(models.Model):
    """A requested fault: on one number or all, for `times_left` calls or until cleared.

    `seconds` is the duration of a slow call. With `is_late` the call is accepted and a failed
    status follows, which is how Meta reports most errors.
    """

    kind = models.CharField(max_length=30, choices=FaultKind.choices)
    number = models.ForeignKey(SimNumber, null=True, blank=True, on_delete=models.CASCADE)
    times_left = models.PositiveIntegerField(null=True, blank=True)
    seconds = models.FloatField(default=0)
    is_late = models.BooleanField(default=False)

    objects: ClassVar[models.Manager["SimFault"]] = models.Manager()

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return self.kind


class SimWebhook(LeasedRow):
    """A webhook to post, retried until the product responds 200; in order per number."""

    wakes = "apps.simulator.tasks.post_webhooks"

    number = models.ForeignKey(SimNumber, on_delete=models.CASCADE, related_name="webhooks")
    number_id: int
    body = models.TextField()

    objects = LeasedQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        indexes = [
            models.Index(
                fields=["number", "id"],
                condition=UNFINISHED,
                name="sim_webhook_waiting",
            )
        ]

    def __str__(self) -> str:
        return f"webhook {self.pk}"


class SimTemplate(models.Model):
    """A template that a business created or edited; `row` has the format of Meta's list.

    It is in review until `decided_at`; then `verdict` is its status. The row of a deleted template
    is kept, so that it also hides a bundled template with the same id.
    """

    waba_id = models.CharField(max_length=50)
    template_id = models.CharField(max_length=50)
    row = models.JSONField()
    verdict = models.CharField(max_length=20)
    decided_at = models.DateTimeField(default=timezone.now)
    is_deleted = models.BooleanField(default=False)

    objects: ClassVar[models.Manager["SimTemplate"]] = models.Manager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["waba_id", "template_id"], name="one_sim_template_per_id"
            )
        ]

    def __str__(self) -> str:
        return self.template_id


class SimGateway(LeasedRow):
    """The only simulated gateway: when its next lease call is due, and how many it made.

    A lease call that is requested (`wanted_at`) while another is running is made right after it.
    """

    wakes = "apps.simulator.tasks.keep_sessions"

    calls = models.PositiveBigIntegerField(default=0)
    wanted_at = models.DateTimeField(default=timezone.now)

    objects = LeasedQuerySet.as_manager()

    def __str__(self) -> str:
        return "simulated gateway"


class SimDevice(models.Model):
    """A QR session of the product in the simulated gateway.

    `epoch` is None while the gateway does not hold the session. `number` is None until a telephone
    has scanned `code` or typed `pairing_code` in. `token` identifies the device in its credentials.
    Without `is_online` the device has no connection to WhatsApp, and its events wait.
    """

    session = models.PositiveBigIntegerField(unique=True)
    epoch = models.PositiveBigIntegerField(null=True, blank=True)
    number = models.ForeignKey(
        SimNumber, null=True, blank=True, on_delete=models.SET_NULL, related_name="devices"
    )
    number_id: int | None
    token = models.CharField(max_length=64, blank=True)
    code = models.CharField(max_length=300, blank=True)
    pairing_code = models.CharField(max_length=8, blank=True)
    link_number = models.CharField(max_length=30, blank=True)
    codes_shown = models.PositiveIntegerField(default=0)
    most_codes = models.PositiveIntegerField(default=5)
    shown_at = models.DateTimeField(null=True, blank=True)
    is_online = models.BooleanField(default=True)

    objects: ClassVar[models.Manager["SimDevice"]] = models.Manager()

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"session {self.session}"


class SimEvent(LeasedRow):
    """An event of a QR session, retried until the product has stored it; in order per session.

    An event with an `epoch` is valid only for that owner of the session; one without is sent by any
    owner. The `credentials` are committed together with the event.
    """

    wakes = "apps.simulator.tasks.keep_sessions"

    device = models.ForeignKey(SimDevice, on_delete=models.CASCADE, related_name="events")
    device_id: int
    epoch = models.PositiveBigIntegerField(null=True, blank=True)
    event = models.JSONField()
    credentials = models.JSONField(null=True, blank=True)

    objects = LeasedQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        indexes = [
            models.Index(fields=["device", "id"], condition=UNFINISHED, name="sim_event_waiting")
        ]

    def __str__(self) -> str:
        return f"event {self.pk}"


class SimFlow(models.Model):
    """A flow of an account, by which messages open a form."""

    waba_id = models.CharField(max_length=50)
    flow_id = models.CharField(max_length=50, unique=True)
    name = models.CharField(max_length=200)
    status = models.CharField(max_length=20, default="DRAFT")
    categories = models.JSONField(default=list)
    # The Flow JSON; none before it is uploaded, or if it was not valid.
    content = models.JSONField(null=True, blank=True)

    objects: ClassVar[models.Manager["SimFlow"]] = models.Manager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["waba_id", "name"], name="one_sim_flow_per_name")
        ]

    def __str__(self) -> str:
        return self.name
