"""What a company asks for when a person resolves a ticket (rules/tickets §19)."""

from apps.common.errors import DomainError, InvalidInput
from apps.contacts.models import folded
from apps.tickets.models import Ticket

# Names of the settings that say it.
CLOSING_SETTINGS = ("closingReasons", "closingFields")
EMAIL = frozenset({"email", "e-mail"})


class ClosingReasonMissing(DomainError):
    """The company wants a reason of its list, which the answer has as `reasons`."""

    code = "ERR_CLOSING_REASON_REQUIRED"
    message = "Escolha o motivo do encerramento."


class ContactFieldsMissing(DomainError):
    """The contact lacks what the company wants to know; the answer has the names as `missing`."""

    code = "ERR_CONTACT_FIELDS_REQUIRED"
    message = "Complete os dados do contato antes de resolver."


def check_closing(*, ticket: Ticket, reason: str, reasons_text: str, fields_text: str) -> None:
    """Check a resolution against the company's two settings, '' where they are not used.

    Raises ClosingReasonMissing, ContactFieldsMissing, and InvalidInput for a reason that is not in
    the list.
    """
    reasons = reasons_text.splitlines()
    if reason and reason not in reasons:
        sentence = "Este motivo não está na lista da empresa."
        raise InvalidInput(sentence, fields={"closingReason": [sentence]}, rule="invalid_choice")
    if reasons and not reason:
        sentence = ClosingReasonMissing.message
        fields = {"closingReason": [sentence]}
        raise ClosingReasonMissing(fields=fields, extra={"reasons": reasons})
    names = [name.strip() for name in fields_text.split(",") if name.strip()]
    missing = _missing(ticket, names) if names and not ticket.is_group else []
    if missing:
        sentence = f"Antes de resolver, preencha no contato: {', '.join(missing)}."
        raise ContactFieldsMissing(sentence, extra={"missing": missing})


def _missing(ticket: Ticket, names: list[str]) -> list[str]:
    contact = ticket.contact
    lines = contact.extra_info.values_list("folded_name", "value")
    known = {name for name, value in lines if value.strip()}
    return [
        name
        for name in names
        if not (contact.email if name.casefold() in EMAIL else folded(name) in known)
    ]
