"""Rules of e-mails: those of the product, those of users, and their delivery."""

from apps.mail.services.emails import resend_email, send_email
from apps.mail.services.outbox import (
    MailNotSetUp,
    deliver_due,
    is_set_up,
    require_server,
    send_again,
    write_mail,
)

__all__ = [
    "MailNotSetUp",
    "deliver_due",
    "is_set_up",
    "require_server",
    "resend_email",
    "send_again",
    "send_email",
    "write_mail",
]
