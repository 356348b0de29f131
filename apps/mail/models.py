"""E-mails of the product's own, from when they are written until a server has taken them."""

from typing import ClassVar

from django.db import models

from apps.common.leases import UNFINISHED, LeasedQuerySet, LeasedRow


class Mail(LeasedRow):
    """An e-mail to one person (rules/accounts §9)."""

    wakes: ClassVar[str] = "mail.deliver"

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    recipient = models.EmailField()
    subject = models.CharField(max_length=200)
    body = models.TextField()
    # The same in every try, so that a mailbox that got it twice shows it once.
    message_id = models.CharField(max_length=200, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[LeasedQuerySet["Mail"]] = LeasedQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        indexes = [
            models.Index(fields=["next_attempt_at", "id"], condition=UNFINISHED, name="mail_due")
        ]

    def __str__(self) -> str:
        return f"{self.subject} ({self.pk})"
