"""The calls that take a number, each with a user id in its place."""

from typing import Any

from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.campaigns.models import ContactList, ContactListItem, OptOut
from apps.campaigns.services.importing import import_due as import_list
from apps.connections.models import Connection
from apps.contacts.models import Contact
from apps.contacts.services.file_importing import import_due as import_contacts
from tests.factories import make_campaign, make_connection, make_contact
from tests.sheets import upload_of

# The number of a contact to whom nothing may happen, and the token of a program.
VICTIM = "5511987654321"
TOKEN = "t" * 43


class Desk:
    """The calls that take a number, of people, programs and older browsers."""

    def __init__(self, user: User, listed: ContactList) -> None:
        self.client, self.listed = APIClient(), listed
        self.client.force_authenticate(user)

    def contact(self, user_id: str) -> None:
        self.client.post("/api/contacts", {"name": "Bia", "number": user_id}, format="json")

    def contact_with_lid(self, user_id: str) -> None:
        self.client.post(
            "/api/contacts", {"name": "Bia", "number": f"{user_id}@lid"}, format="json"
        )

    def changed_contact(self, user_id: str) -> None:
        other = make_contact(self.listed.company, number="5511900000099", name="Caio")
        body = {"name": "Caio", "number": user_id}
        self.client.put(f"/api/contacts/{other.pk}", body, format="json")
        assert Contact.objects.get(pk=other.pk).canonical_number != VICTIM

    def preview(self, user_id: str) -> None:
        answer = self.client.get("/api/contacts/number", {"number": user_id})
        assert answer.json().get("number", "") == ""

    def file_number(self, user_id: str) -> None:
        self._file("/api/contacts/import-file", f"nome;numero\nBia;{user_id}\n")
        import_contacts(limit=1)
        assert Contact.objects.filter(user_id=user_id).exists()

    def file_id(self, user_id: str) -> None:
        self._file("/api/contacts/import-file", f"nome;userId\nBia;{user_id}\n")
        import_contacts(limit=1)
        assert Contact.objects.filter(user_id=user_id).exists()

    def list_file(self, user_id: str) -> None:
        self._file(f"/api/contact-lists/{self.listed.pk}/upload", f"nome;numero\nBia;{user_id}\n")
        import_list(limit=1)

    def file_previews(self, user_id: str) -> None:
        lists = f"/api/contact-lists/{self.listed.pk}/upload/preview"
        for address in ("/api/contacts/import-file/preview", lists):
            self._file(address, f"nome;numero\nBia;{user_id}\n")

    def list_person(self, user_id: str) -> None:
        body = {"name": "Bia", "number": user_id, "contactListId": self.listed.pk}
        self.client.post("/api/contact-list-items", body, format="json")

    def changed_list_person(self, user_id: str) -> None:
        number = "5511900000099"
        other = ContactListItem.objects.create(
            company=self.listed.company,
            contact_list=self.listed,
            name="Caio",
            number=number,
            canonical_number=number,
        )
        body = {"name": "Caio", "number": user_id, "contactListId": self.listed.pk}
        self.client.put(f"/api/contact-list-items/{other.pk}", body, format="json")

    def older_contact_form(self, user_id: str) -> None:
        """What older browsers send of a contact: more fields, and the number as it was typed."""
        older = {"id": "", "profilePicUrl": "", "acceptAudioMessage": True, "email": ""}
        body = {"name": "Bia", "number": f" {user_id} ", "extraInfo": [], **older}
        self.client.post("/api/contacts/", body, format="json")

    def older_list_form(self, user_id: str) -> None:
        body = {"name": "Bia", "number": f" {user_id} ", "contactListId": self.listed.pk}
        self.client.post("/api/contact-list-items/", body | {"email": ""}, format="json")

    def campaign_test(self, user_id: str) -> None:
        campaign = make_campaign(
            self.listed.company, contact_list=self.listed, connection=Connection.objects.get()
        )
        body = {"numbers": [user_id], "clientId": "c2"}
        self.client.post(f"/api/campaigns/{campaign.pk}/trial", body, format="json")

    def opt_out(self, user_id: str) -> None:
        self.client.post("/api/opt-outs", {"number": user_id}, format="json")

    def program(self, user_id: str) -> None:
        headers: dict[str, Any] = {"HTTP_AUTHORIZATION": f"Bearer {TOKEN}"}
        body = {"number": user_id, "body": "Oi"}
        APIClient().post("/api/messages/send", body, format="json", **headers)

    def form_of_program(self, user_id: str) -> None:
        headers: dict[str, Any] = {"HTTP_AUTHORIZATION": f"Bearer {TOKEN}"}
        body = {"number": user_id, "body": "Oi"}
        APIClient().post("/api/messages/send/", body, format="multipart", **headers)

    def pairing(self, user_id: str) -> None:
        session = make_connection(self.listed.company, name="QR", provider="beta")
        answer = self.client.post(
            f"/api/whatsappsession/{session.pk}", {"number": user_id}, format="json"
        )
        assert answer.status_code == 400

    def test_message(self, user_id: str) -> None:
        number = Connection.objects.get()
        body = {"number": user_id, "body": "Oi", "clientId": "c1"}
        self.client.post(f"/api/whatsapp/{number.pk}/test", body, format="json")

    def search(self, user_id: str) -> None:
        known = Contact.objects.create(
            company=self.listed.company,
            name="Bia",
            user_id=user_id,
            canonical_number=f"lid:{user_id}",
        )
        known.fold_text()
        known.save()
        found = self.client.get("/api/contacts", {"searchParam": user_id}).json()["contacts"]
        assert [each["id"] for each in found] == [known.pk]

    def other_searches(self, user_id: str) -> None:
        """The victim is in each of the lists, and in no answer."""
        company = self.listed.company
        listed = ContactListItem.objects.create(
            company=company,
            contact_list=self.listed,
            name="Ana",
            number=VICTIM,
            canonical_number=VICTIM,
        )
        opted_out = OptOut.objects.create(company=company, canonical_number=VICTIM)
        for address, key in (
            ("/api/tickets?showAll=true", "tickets"),
            (f"/api/contact-list-items?contactListId={self.listed.pk}", "contacts"),
            ("/api/opt-outs?", "records"),
        ):
            every = self.client.get(address).json()[key]
            assert len(every) == 1, address
            found = self.client.get(f"{address}&searchParam={user_id}").json()[key]
            assert found == [], address
        listed.delete()
        opted_out.delete()

    def _file(self, address: str, text: str) -> None:
        form = {"file": upload_of(text.encode(), "pessoas.csv")}
        assert self.client.post(address, form, format="multipart").status_code in {200, 202}
