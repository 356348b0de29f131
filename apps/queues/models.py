"""Queues: the sectors that tickets are organised by."""

from typing import Any, Self

from django.db import models
from django.db.models.functions import Lower

from apps.common.media_rows import MediaRow
from apps.common.models import TenantQuerySet, TimestampedModel
from apps.companies.models import default_schedules

# A queue without an order comes last.
QUEUE_ORDER = (models.F("order").asc(nulls_last=True), "pk")


class Queue(TimestampedModel):
    """A sector of a company; name and colour are unique in it (rules/queues §1)."""

    company = models.ForeignKey(
        "companies.Company", on_delete=models.CASCADE, related_name="queues"
    )
    name = models.CharField(max_length=50)
    color = models.CharField(max_length=9)
    order = models.IntegerField(null=True, blank=True, default=0)
    greeting_message = models.TextField(blank=True)
    completion_message = models.TextField(blank=True)
    out_of_hours_message = models.TextField(blank=True)
    rating_message = models.TextField(blank=True)
    expire_chat = models.BooleanField(default=False)
    # Who hands a ticket over to the queue, or inside it, writes a note (rules/tickets §3).
    asks_transfer_note = models.BooleanField(default=False, db_default=False)
    schedules = models.JSONField(default=default_schedules)
    integration = models.ForeignKey(
        "automation.QueueIntegration",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="queues",
    )
    prompt = models.ForeignKey(
        "automation.Prompt", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    objects = TenantQuerySet.as_manager()

    class Meta:
        ordering = QUEUE_ORDER
        constraints = [
            models.UniqueConstraint("company", Lower("name"), name="one_queue_per_name"),
            models.UniqueConstraint("company", Lower("color"), name="one_queue_per_color"),
        ]

    def __str__(self) -> str:
        return self.name


class QueueOptionQuerySet(models.QuerySet["QueueOption"]):
    """Options have no company column: their company is that of their queue."""

    def for_company(self, company: Any) -> Self:
        """Keep one company's options; takes a company or its id."""
        return self.filter(queue__company=company)


class AskedKind(models.TextChoices):
    """What an option may ask for."""

    NAME = "name"
    EMAIL = "email"
    CPF = "cpf"
    PHONE = "phone"
    NUMBER = "number"
    TEXT = "text"


class QueueOption(MediaRow, TimestampedModel):
    """A node of a queue's menu of options (rules/queues §2).

    `position` is its place among its siblings, called `option` on the wire; a node without parent
    is at the top level. A leaf may lead to another queue. A contact who chooses the option gets
    `tag`. With `asks` the message is a question, and the answer must be of this kind. It is stored
    in the contact's extra field `asks_field` or, without one, as the contact's name, e-mail or
    telephone. `asks_together`: the questions that follow are asked with it in one form where the
    provider has forms (rules/bot §12).
    """

    queue = models.ForeignKey(Queue, on_delete=models.CASCADE, related_name="options")
    parent = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.CASCADE, related_name="children"
    )
    title = models.CharField(max_length=100)
    message = models.TextField(blank=True)
    position = models.PositiveIntegerField(default=1)
    redirection_queue = models.ForeignKey(
        Queue, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    tag = models.ForeignKey(
        "contacts.Tag", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    asks = models.CharField(max_length=10, blank=True, choices=AskedKind.choices)
    asks_field = models.CharField(max_length=100, blank=True)
    asks_together = models.BooleanField(default=False, db_default=False)
    # Messages show the file, so it is kept when the option loses it.
    is_media_sent = models.BooleanField(default=False)

    objects = QueueOptionQuerySet.as_manager()

    class Meta:
        ordering = ["position", "id"]
        indexes = [models.Index(fields=["queue", "parent", "position"], name="option_by_place")]

    def __str__(self) -> str:
        return self.title
