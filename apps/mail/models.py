"""E-mails, from when they are written until a server has taken them."""

from typing import TYPE_CHECKING, ClassVar, Self

from django.db import models

from apps.common.encryption import MASK, EncryptedTextField
from apps.common.leases import UNFINISHED, LeasedQuerySet, LeasedRow

if TYPE_CHECKING:
    # What AUTH_USER_MODEL names, which this app stands too low to import.
    from django.contrib.auth.models import _User as User

SECRET_MARK = MASK


class MailQuerySet(LeasedQuerySet["Mail"]):
    """E-mails of the product's own and of people."""

    def visible_to(self, user: "User") -> Self:
        """Keep what people of the company wrote: an admin sees all of it, others the own."""
        written = self.for_company(user.company_id).filter(is_written=True)
        return written if user.is_admin else written.filter(author_id=user.pk)


class Mail(LeasedRow):
    """An e-mail to one: the product's own (rules/accounts §9), or a user's (rules/emails §1)."""

    wakes: ClassVar[str] = "mail.deliver"

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    # Somebody of the company wrote it. The product's own go first: who waits for a code waits now.
    is_written = models.BooleanField(default=False, db_default=False)
    author = models.ForeignKey(
        "accounts.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    author_name = models.CharField(max_length=100, blank=True)
    reply_to = models.EmailField(blank=True)
    recipient = models.EmailField()
    subject = models.CharField(max_length=200)
    # `SECRET_MARK` stands where the secret is put when it is sent.
    body = models.TextField()
    # A code for the recipient alone; forgotten with the sending.
    secret = EncryptedTextField(blank=True)
    # From when on it would tell nothing any more.
    useless_at = models.DateTimeField(null=True, blank=True)
    # The same in every try, so that a mailbox that got it twice shows it once.
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
