"""Reads of contacts."""

import re

from django.db.models import QuerySet

from apps.common.search import fold
from apps.contacts.models import Contact


def search_contacts(company_id: int, text: str) -> QuerySet[Contact]:
    """Return a company's contacts in name order whose name, number or e-mail contains the text.

    Accents and case do not matter, nor the punctuation of a number.
    """
    contacts = Contact.objects.for_company(company_id).order_by("name", "id")
    folded = fold(text.replace("\x00", ""))
    if re.fullmatch(r"\+?[\d\s().-]*\d[\d\s().-]*", folded):
        folded = re.sub(r"\D", "", folded)
    return contacts.filter(search_text__contains=folded) if folded else contacts
