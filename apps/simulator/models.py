"""What the simulated WhatsApp remembers: numbers, customers, messages, files, faults, webhooks."""

from typing import ClassVar

from django.db import models
from django.utils import timezone

from apps.common.leases import UNFINISHED, LeasedQuerySet, LeasedRow


class SimNumber(models.Model):
    """A business number that the fake Graph API knows, or with `is_phone` one that no API has.

    Such a telephone links devices by a QR code; its id is its digits.
    """

    phone_number_id = models.CharField(max_length=50, unique=True)
    waba_id = models.CharField(max_length=50)
    display_phone_number = models.CharField(max_length=30)
    verified_name = models.CharField(max_length=100)
    # Registered with the Cloud API, and in use in the WhatsApp Business app of a phone.
    is_registered = models.BooleanField(default=True)
    is_on_app = models.BooleanField(default=False)
    is_phone = models.BooleanField(default=False)
    # What its phone was asked for: Meta takes each question once between two signups.
    asked = models.JSONField(default=list, blank=True)
    # As Meta answers it; the picture by its file's id.
    profile = models.JSONField(default=dict, blank=True)

    objects: ClassVar[models.Manager["SimNumber"]] = models.Manager()

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return self.verified_name


class SimCode(models.Model):
    """A code that the simulated signup window gave; good for one exchange."""

    code = models.CharField(max_length=100, unique=True)

    objects: ClassVar[models.Manager["SimCode"]] = models.Manager()

    def __str__(self) -> str:
        return self.code


class SimCustomer(models.Model):
    """A person with a telephone; `photo` names a bundled sample.

    Who `hides_number` is named to businesses by user id and `username` alone.
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
    """A customer and a number; `last_customer_at` opens the 24-hour window."""

    number = models.ForeignKey(SimNumber, on_delete=models.CASCADE, related_name="conversations")
    customer = models.ForeignKey(
        SimCustomer, on_delete=models.CASCADE, related_name="conversations"
    )
    last_customer_at = models.DateTimeField(null=True, blank=True)
    typing_until = models.DateTimeField(null=True, blank=True)
    active_at = models.DateTimeField(default=timezone.now)

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
    """One message, either way. `body` is the part that Meta's wire has under the type's name.

    `status` is Meta's word for what became of a business message, and `read` on a customer's own
    once the business has read it. `callback` is the business's biz_opaque_callback_data.
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
    sent_at = models.DateTimeField(default=timezone.now)

    objects: ClassVar[models.Manager["SimMessage"]] = models.Manager()

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["conversation", "-id"], name="sim_message_by_chat")]

    def __str__(self) -> str:
        return self.wamid


class FaultKind(models.TextChoices):
    """What can be made to go wrong."""

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


class SimFault(models.Model):
    """A fault that was asked for: on one number or all, a number of times or until cleared.

    `seconds` is how long a slow call takes; with `is_late` a refusal comes as a failed status
    after the call was accepted, which is how Meta reports most of them.
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
    """A webhook to post: kept until the product answers 200, in order per number."""

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
    """A template that a business wrote or changed; `row` is as Meta lists it.

    Until `decided_at` it is in review, then `verdict` is its status. A deleted one stays, so that
    the bundled one of its id is gone too.
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
    """The one simulated gateway: when its next lease call is due, and how many it made.

    A call that was asked for (`wanted_at`) while one was under way is made right after it.
    """

    wakes = "apps.simulator.tasks.keep_sessions"

    calls = models.PositiveBigIntegerField(default=0)
    wanted_at = models.DateTimeField(default=timezone.now)

    objects = LeasedQuerySet.as_manager()

    def __str__(self) -> str:
        return "simulated gateway"


class SimDevice(models.Model):
    """A QR session of the product as the simulated gateway has it.

    `epoch` is None while the session is not held. Until a telephone has scanned `code` (or typed
    `pairing_code` in) there is no `number`; `token` is what its credentials name it by. Without
    `is_online` the device's connection to WhatsApp is down: what comes waits.
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
    """An event of a QR session: kept until the product has stored it, in order per session.

    What happens to the session itself belongs to its `epoch`; a message waits for any owner. The
    `credentials` are committed together with it.
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
