"""Plain values for the arguments and results of providers."""

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import IO, Any


@dataclass(frozen=True)
class MessageKey:
    """The key of an existing message or call: its id, its conversation, and in a group its
    writer.
    """

    external_id: str
    chat: str = ""
    from_me: bool = False
    participant: str = ""
    body: str = ""
    media_type: str = ""


@dataclass(frozen=True)
class SendContext:
    """The context of a send: recipient, our id, and the quoted message.

    `to` is digits, a LID with its suffix, or a group's id. `category` makes a text of the official
    API one that Meta sends and charges as a template of that category.
    """

    to: str
    callback_id: str
    quoted: MessageKey | None = None
    category: str = ""

    @property
    def reply_to(self) -> str | None:
        """Return the provider's id of the message that this one answers."""
        return self.quoted.external_id if self.quoted else None


@dataclass(frozen=True)
class MediaContent:
    """A file to send. `kind` is image, audio, video, document or sticker.

    `path` is where it is stored; `content` is empty for a provider that fetches files.
    """

    kind: str
    content: bytes
    mime: str
    name: str = ""
    caption: str = ""
    is_voice: bool = False
    path: str = ""
    seconds: float | None = None


@dataclass(frozen=True)
class DownloadedMedia:
    """A file fetched from the provider."""

    content: bytes
    mime: str
    name: str = ""
    # A large file is an open file of `size` bytes, which the code that stores it closes.
    file: IO[bytes] | None = None
    size: int = 0


@dataclass(frozen=True)
class Location:
    """A place; degrees."""

    latitude: float
    longitude: float
    name: str = ""
    address: str = ""


@dataclass(frozen=True)
class CardPhone:
    """A number on a contact card."""

    phone: str
    wa_id: str = ""
    type: str = "CELL"


@dataclass(frozen=True)
class ContactCard:
    name: str
    phones: tuple[CardPhone, ...] = ()


@dataclass(frozen=True)
class AddressEntry:
    """A person in a phone's address book: digits, or the `lid` where that alone is known."""

    number: str
    name: str = ""
    lid: str = ""


@dataclass(frozen=True)
class KnownNumber:
    """A number in the provider's canonical form, perhaps without the ninth digit, with its LID."""

    number: str
    lid: str = ""


@dataclass(frozen=True)
class ProfilePicture:
    """A contact's picture; `content` is None if it is the known one."""

    name: str
    mime: str = ""
    content: bytes | None = None


@dataclass(frozen=True)
class Choice:
    """A button, a row of a list or a product.

    Titles have up to 20 characters on buttons, 24 on rows. The rows of a `section` are adjacent. A
    product's `id` is its retailer id, its `title` the name and its `description` the price.
    """

    id: str
    title: str
    description: str = ""
    section: str = ""


class MenuKind(StrEnum):
    """What a person sends as an interactive message (rules/messages §11)."""

    BUTTONS = "buttons"
    LIST = "list"
    LINK = "link"
    LOCATION_REQUEST = "location_request"
    CONTACT_REQUEST = "contact_request"
    PRODUCT = "product"
    PRODUCT_LIST = "product_list"
    CATALOG = "catalog"


@dataclass(frozen=True)
class Menu:
    """An interactive message.

    Without a `kind` it is the menu of a bot or a program: buttons (≤ 3 choices) or, with
    `as_list`, a list (≤ 10 choices). `button` opens the list or the link's `url`. Of a catalogue
    message the choice, if any, is the product whose picture it shows.
    """

    body: str
    choices: tuple[Choice, ...] = ()
    as_list: bool = False
    button: str = "Ver opções"
    header: str = ""
    footer: str = ""
    kind: str = ""
    url: str = ""
    catalog_id: str = ""


# The words on WhatsApp's own buttons, as the contact reads them.
FIXED_BUTTONS = {
    MenuKind.LOCATION_REQUEST: "Enviar localização",
    MenuKind.CONTACT_REQUEST: "Compartilhar contato",
    MenuKind.CATALOG: "Ver catálogo",
}


def menu_text(menu: Menu) -> str:
    """Return an interactive message as people read it, its choices numbered in their order."""
    lines = [f"*{menu.header}*"] if menu.header else []
    lines += [menu.body, ""] if menu.body else []
    section = ""
    for number, choice in enumerate(() if menu.kind in FIXED_BUTTONS else menu.choices, 1):
        if choice.section != section:
            section = choice.section
            lines.append(f"_{section}_")
        words = f"{choice.title}: {choice.description}" if choice.description else choice.title
        lines.append(f"*{number}* - {words}")
    if menu.kind == MenuKind.LINK:
        lines.append(f"{menu.button}: {menu.url}")
    elif menu.kind in FIXED_BUTTONS:
        lines.append(f"[{FIXED_BUTTONS[MenuKind(menu.kind)]}]")
    if menu.footer:
        lines += ["", f"_{menu.footer}_"]
    return "\n".join(lines)


def shown_menu(menu: Menu) -> dict[str, Any]:
    """Return what the conversation shows of an interactive message; empty parts are left out."""
    unseen = {"as_list", "catalog_id"}
    if menu.kind not in (MenuKind.LIST, MenuKind.LINK):
        unseen.add("button")
    shown = {key: value for key, value in asdict(menu).items() if value and key not in unseen}
    choices = [{key: text for key, text in asdict(each).items() if text} for each in menu.choices]
    return {**shown, "choices": choices} if choices else shown


@dataclass(frozen=True)
class FormSend:
    """A published form: `button` (≤ 20 characters) opens the screen of the flow."""

    body: str
    flow_id: str
    screen: str
    button: str = "Responder"


@dataclass(frozen=True)
class TemplateSend:
    """An approved template with its filled components, as the Graph API takes them.

    `category` is Meta's, '' if unknown. With `as_marketing` it goes by the API of marketing
    messages, which takes no other category.
    """

    name: str
    language: str
    components: tuple[dict[str, Any], ...] = ()
    category: str = ""
    as_marketing: bool = False


@dataclass(frozen=True)
class SentMessage:
    """The provider accepted the message; `external_id` is the provider's id.

    `held` is the provider's word for an accepted message that it does not deliver yet.
    """

    external_id: str
    held: str = ""


@dataclass(frozen=True)
class BusinessProfile:
    """The business profile of an official number; empty fields are not set.

    `vertical` is Meta's name of a category (RETAIL), `picture_url` an address that expires.
    """

    about: str = ""
    address: str = ""
    description: str = ""
    email: str = ""
    vertical: str = ""
    websites: tuple[str, ...] = ()
    picture_url: str = ""
