"""E-mails: each row is sent by a worker, with retries."""

from typing import TYPE_CHECKING, ClassVar, Self

from django.db import models

from apps.common.encryption import MASK, EncryptedTextField
from apps.common.leases import UNFINISHED, LeasedQuerySet, LeasedRow

if TYPE_CHECKING:
    # The type of AUTH_USER_MODEL: this app is below `accounts` and may not import it.
    from apps.common.callers import User

SECRET_MARK = MASK


class MailQuerySet(LeasedQuerySet["Mail"]):
    """E-mails of the product and of users."""

    def visible_to(self, user: "User") -> Self:
        """Keep the e-mails that users of the company wrote: an admin sees all, others their own."""
        written = self.for_company(user.company_id).filter(is_written=True)
        return written if user.is_admin else written.filter(author_id=user.pk)


class Mail(LeasedRow):
    """An e-mail to one recipient, by the product (rules/accounts §9) or a user
    (rules/emails §1).
    """

    wakes: ClassVar[str] = "mail.deliver"

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    # Whether a user wrote it. The product's e-mails are sent first, because somebody may be waiting
    # for a code.
    is_written = models.BooleanField(default=False, db_default=False)
    author = models.ForeignKey(
        "accounts.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    author_name = models.CharField(max_length=100, blank=True)
    reply_to = models.EmailField(blank=True)
    recipient = models.EmailField()
    subject = models.CharField(max_length=200)
    # Contains `SECRET_MARK` in place of the secret, which is inserted when the mail is sent.
    body = models.TextField()
    # A code for the recipient only; deleted when the mail was sent or has failed.
    secret = EncryptedTextField(blank=True)
    # After this time the mail is not sent any more.
    useless_at = models.DateTimeField(null=True, blank=True)
    # The same for all attempts, so that a mailbox shows a mail that it got twice only once.
    message_id = models.CharField(max_length=200, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[MailQuerySet] = MailQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        indexes = [
            models.Index(fields=["next_attempt_at", "id"], condition=UNFINISHED, name="mail_due"),
            models.Index(
                fields=["company", "-id"],
                condition=models.Q(is_written=True),
                name="mail_written",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.subject} ({self.pk})"
