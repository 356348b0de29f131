"""The official provider: Meta's Cloud API."""

from collections.abc import Sequence
from typing import Any, ClassVar

from apps.common.reasons import ReasonCode
from apps.connections.providers.base import Capabilities, ProviderError
from apps.connections.providers.content import (
    AddressEntry,
    BusinessProfile,
    ContactCard,
    DownloadedMedia,
    FormSend,
    KnownNumber,
    Location,
    MediaContent,
    Menu,
    MessageKey,
    ProfilePicture,
    SendContext,
    SentMessage,
    TemplateSend,
)
from apps.connections.providers.departing import OnWriting, unwatched
from apps.connections.providers.inbound import AccountOwner, NumberFigures
from apps.connections.providers.official import (
    catalogs,
    figures,
    flows,
    payloads,
    phone,
    profile,
    routing,
    setup,
    signup,
    templates,
    uploads,
)
from apps.connections.providers.official.client import READ_SECONDS, GraphClient

# developers.facebook.com/documentation/business-messaging/whatsapp/marketing-messages/
MARKETING_EDGE = "marketing_messages"
# The `message_status` of a template that Meta assesses before it delivers all of its messages.
HELD = "held_for_quality_assessment"


class OfficialProvider:
    """Sends for one number of the Cloud API; implements `apps.connections.providers.base.Provider`.

    `read_seconds` is the read time-out, `on_writing` is called right before a message leaves.
    """

    # A sent message can't be changed or revoked.
    capabilities: ClassVar[Capabilities] = Capabilities(
        edit=False,
        delete=False,
        react=True,
        native_menus=True,
        templates=True,
        session_window=True,
        forms=True,
    )

    def __init__(
        self,
        *,
        phone_number_id: str,
        access_token: str,
        base_url: str,
        version: str,
        read_seconds: float = READ_SECONDS,
        on_writing: OnWriting = unwatched,
    ) -> None:
        self._phone_number_id = phone_number_id
        self._client = GraphClient(
            access_token=access_token,
            base_url=base_url,
            version=version,
            read_seconds=read_seconds,
            on_writing=on_writing,
        )

    def phone_number(self) -> str:
        """Return the number in digits, which proves that id and token are valid.

        Empty for an answer without a number: Meta refuses a foreign id with an error, so this is a
        stand-in at GRAPH_API_URL.
        """
        return "".join(filter(str.isdecimal, self.number_card().number))[:30]

    def number_card(self) -> setup.NumberCard:
        """Return the number as Meta shows it, with its name."""
        return setup.number_card(self._client, self._phone_number_id)

    def number_figures(self) -> NumberFigures:
        """Return the number's quality and its limit."""
        return figures.number_figures(self._client, self._phone_number_id)

    def account_owner(self, account_id: str) -> AccountOwner:
        """Return the business portfolio of an account, and whether the business is verified."""
        return figures.account_owner(self._client, account_id)

    def business_profile(self) -> BusinessProfile:
        """Return what the number shows of itself."""
        return profile.read_profile(self._client, self._phone_number_id)

    def change_profile(self, changes: dict[str, Any]) -> None:
        """Change parts of what the number shows of itself."""
        profile.write_profile(self._client, self._phone_number_id, changes)

    def missing_permissions(self) -> list[str]:
        """Return the needed permissions that the token lacks."""
        return setup.missing_permissions(self._client)

    def is_of_account(self, account_id: str) -> bool:
        """Tell whether the number is one of a business account's."""
        return setup.is_of_account(self._client, self._phone_number_id, account_id)

    def is_subscribed(self, account_id: str) -> bool:
        """Tell whether an app is subscribed to a business account."""
        return setup.is_subscribed(self._client, account_id)

    def subscribe(self, account_id: str) -> None:
        """Subscribe the token's app to a business account."""
        setup.subscribe(self._client, account_id)

    def subscribe_fields(
        self, account_id: str, *, verify_token: str, names_fields: bool = True
    ) -> None:
        """Subscribe the token's app, or raise; `verify_token` is the webhook's."""
        setup.subscribe_fields(self._client, account_id, verify_token, names_fields=names_fields)

    def control_thread(self, to: str, action: str) -> None:
        """Take (`take`) a conversation, give it back (`release`), or pass it on (`pass`)."""
        routing.control_thread(self._client, self._phone_number_id, to, action)

    def routing_roles(self) -> dict[str, Any]:
        """Return what Meta tells of the number's roles among its responders."""
        return routing.routing_roles(self._client, self._phone_number_id)

    def account_numbers(self, account_id: str) -> list[signup.AccountNumber]:
        """Return the numbers of a business account."""
        return signup.account_numbers(self._client, account_id)

    def register(self, pin: str) -> None:
        """Register the number with its PIN, which becomes the number's where it has none."""
        signup.register(self._client, self._phone_number_id, pin)

    def webhook_address(self) -> str | None:
        """Return the address of Meta's webhook: '' if none is set, None if Meta does not tell."""
        return setup.webhook_address(self._client, self._phone_number_id)

    def ask_phone(self, kind: str) -> str:
        """Request `contacts` or `history` from a phone that stays in use.

        Returns Meta's id of the request. Meta accepts each once: a lost answer leaves the outcome
        unknown.
        """
        return phone.ask(self._client, self._phone_number_id, kind)

    def send_text(self, context: SendContext, body: str) -> SentMessage:
        return self._post(payloads.text(context, body))

    def send_media(self, context: SendContext, media: MediaContent) -> SentMessage:
        media_id = self._client.upload(
            self._phone_number_id,
            media.content,
            mime=media.mime,
            name=media.name or "arquivo",
        )
        return self._post(
            payloads.media(
                context,
                media.kind,
                media_id,
                caption=media.caption,
                name=media.name,
                is_voice=media.is_voice,
            )
        )

    def send_location(self, context: SendContext, location: Location) -> SentMessage:
        return self._post(payloads.location(context, location))

    def send_contact(self, context: SendContext, cards: tuple[ContactCard, ...]) -> SentMessage:
        return self._post(payloads.contacts(context, cards))

    def send_menu(self, context: SendContext, menu: Menu) -> SentMessage:
        return self._post(payloads.menu(context, menu))

    def send_form(self, context: SendContext, form: FormSend) -> SentMessage:
        return self._post(payloads.form(context, form))

    def send_template(self, context: SendContext, template: TemplateSend) -> SentMessage:
        edge = MARKETING_EDGE if template.as_marketing else "messages"
        return self._post(payloads.template(context, template), edge=edge)

    def list_templates(self, account_id: str) -> list[dict[str, Any]]:
        """Return all message templates of the business account, as Meta shows them."""
        return templates.list_templates(self._client, account_id)

    def catalog(self, account_id: str) -> catalogs.Catalog | None:
        """Return the product catalogue of the business account, None without one."""
        return catalogs.catalog_of(self._client, account_id)

    def search_products(self, catalog_id: str, search: str) -> catalogs.Products:
        """Return the first products of a catalogue whose name holds a text."""
        return catalogs.search_products(self._client, catalog_id, search)

    def find_products(self, catalog_id: str, ids: Sequence[str]) -> catalogs.Products:
        """Return the products of a catalogue with these ids of the seller's."""
        return catalogs.find_products(self._client, catalog_id, ids)

    def library_page(
        self, account_id: str, filters: dict[str, str], after: str
    ) -> tuple[list[dict[str, Any]], str]:
        """Return a page of Meta's template library, and the cursor of the next page or ''."""
        return templates.library_page(self._client, account_id, filters, after)

    def create_template(self, account_id: str, template: dict[str, Any]) -> dict[str, Any]:
        """Submit a template; returns its id, status and category as Meta answers them."""
        return templates.create_template(self._client, account_id, template)

    def edit_template(self, template_id: str, changes: dict[str, Any]) -> None:
        """Submit other parts, or another category, of a template."""
        templates.edit_template(self._client, template_id, changes)

    def delete_template(self, account_id: str, *, name: str, template_id: str) -> None:
        """Delete one language of a template."""
        templates.delete_template(self._client, account_id, name=name, template_id=template_id)

    def find_flow(self, account_id: str, name: str) -> tuple[str, str]:
        """Return id and status of the account's flow with a name; empty ones if there is none."""
        return flows.find_flow(self._client, account_id, name)

    def create_flow(self, account_id: str, name: str) -> str:
        """Create an empty draft of a flow; returns its id."""
        return flows.create_flow(self._client, account_id, name)

    def fill_flow(self, flow_id: str, content: dict[str, Any]) -> None:
        flows.fill_flow(self._client, flow_id, content)

    def publish_flow(self, flow_id: str) -> None:
        flows.publish_flow(self._client, flow_id)

    def retire_flow(self, flow_id: str) -> None:
        """Delete a flow that is a draft, deprecate another."""
        flows.retire_flow(self._client, flow_id)

    def upload_media(self, content: bytes, *, mime: str, name: str) -> str:
        """Upload a file for a later send; returns its media id, good for 30 days."""
        return self._client.upload(self._phone_number_id, content, mime=mime, name=name)

    def upload_handle(self, app_id: str, content: bytes, *, mime: str, name: str) -> str:
        """Upload a file that is no message's, as a template's sample; returns its handle."""
        return uploads.upload_handle(self._client, app_id, content, mime=mime, name=name)

    def message_id(self, context: SendContext) -> str:
        """Give none: Meta makes the ids, and reports ours beside them."""
        return ""

    def react(self, context: SendContext, message: MessageKey, emoji: str) -> SentMessage:
        """React to a message; an empty emoji removes the reaction."""
        return self._post(payloads.reaction(context, message.external_id, emoji))

    def edit(self, context: SendContext, message: MessageKey, body: str) -> None:
        """Refuse: the Cloud API can't change a sent message."""
        raise ProviderError(
            "A API oficial não permite editar mensagens enviadas.",
            reason=ReasonCode.EDIT_UNSUPPORTED,
            code="unsupported",
            permanent=True,
        )

    def delete(self, context: SendContext, message: MessageKey) -> None:
        """Refuse: the Cloud API can't revoke a sent message."""
        raise ProviderError(
            "A API oficial não permite apagar mensagens enviadas.",
            reason=ReasonCode.DELETE_UNSUPPORTED,
            code="unsupported",
            permanent=True,
        )

    def mark_read(self, message: MessageKey) -> None:
        """Send the read receipt of a received message."""
        self._client.post_message(self._phone_number_id, payloads.mark_read(message.external_id))

    def reject_call(self, call: MessageKey) -> None:
        """Reject a ringing call; Meta refuses it after the caller hung up."""
        self._client.post(f"{self._phone_number_id}/calls", payloads.reject_call(call.external_id))

    def download_media(self, media_id: str) -> DownloadedMedia:
        """Fetch a received file: first its address, then, with the same token, its bytes."""
        if not media_id.isalnum() or not media_id.isascii():
            raise ProviderError(
                "A identificação do arquivo não é válida.",
                reason=ReasonCode.BAD_ID,
                code="bad_media_id",
                permanent=True,
            )
        try:
            return self._download(media_id)
        except ProviderError as error:
            # Addresses expire after five minutes: a new one is requested once.
            if error.code != "http_404":
                raise
            return self._download(media_id)

    def _download(self, media_id: str) -> DownloadedMedia:
        try:
            answer = self._client.get(media_id)
        except ProviderError as error:
            if error.reason.code != ReasonCode.NUMBER_UNKNOWN:
                raise
            # The Graph API's answer for a missing or deleted object.
            raise ProviderError(
                "O arquivo não está mais disponível na Meta.",
                reason=ReasonCode.MEDIA_NOT_FETCHED,
                code="media_gone",
                permanent=True,
            ) from error
        url, mime = answer.get("url"), answer.get("mime_type")
        if not isinstance(url, str):
            raise ProviderError(
                "A Meta não informou o endereço do arquivo.",
                reason=ReasonCode.MALFORMED_ANSWER,
                code="no_address",
            )
        return self._client.download(url, mime if isinstance(mime, str) else "", "")

    def check_numbers(self, numbers: Sequence[str]) -> dict[str, KnownNumber | None]:
        """Treat every number as registered: the Cloud API has no check before a send."""
        return {number: KnownNumber(number) for number in numbers}

    def profile_picture(self, of: str, known: str) -> ProfilePicture | None:
        """Give none: the Cloud API shows nobody's picture."""
        return None

    def list_contacts(self) -> list[AddressEntry]:
        """Refuse: a number of the Cloud API is on no phone and has no address book."""
        raise ProviderError(
            "A API oficial do WhatsApp não tem agenda de contatos.",
            reason=ReasonCode.CONTACTS_UNSUPPORTED,
            code="unsupported",
            permanent=True,
        )

    def close(self) -> None:
        """Keep the pool: it belongs to the process and serves all numbers."""

    def _post(self, payload: dict[str, Any], *, edge: str = "messages") -> SentMessage:
        answer = self._client.post_message(self._phone_number_id, payload, edge=edge)
        messages = answer.get("messages")
        first = messages[0] if isinstance(messages, list) and messages else None
        external_id = first.get("id") if isinstance(first, dict) else None
        if not isinstance(external_id, str) or not external_id:
            # The message went, its id is unknown: the status that carries our id settles it.
            raise ProviderError(
                "A resposta da Meta não pôde ser lida.",
                reason=ReasonCode.MALFORMED_ANSWER,
                code="malformed_answer",
                outcome_unknown=True,
            )
        status = first.get("message_status") if isinstance(first, dict) else None
        return SentMessage(external_id=external_id, held=status if status == HELD else "")
