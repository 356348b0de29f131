"""Sending a person's interactive message: buttons, a list, a link, a request, products.

See rules/messages §11.
"""

import secrets
import uuid
from collections.abc import Mapping
from typing import Any

from django.db import transaction

from apps.accounts.models import User
from apps.connections.capabilities import capabilities_of_kind
from apps.connections.models import Connection
from apps.connections.providers.content import Choice, Menu, MenuKind
from apps.connections.services import InteractiveNotSupported, ProductNotFound, find_products
from apps.tickets.models import Message, MessageSource, Ticket
from apps.tickets.services.messages.templates import TicketMoved
from apps.tickets.services.outbox import already_sent, writable_connection, write_message
from apps.tickets.services.rights import locked_ticket

# No menu of the bot has ids that begin like this.
OWN_ID = "message:"
OF_PRODUCTS = frozenset({MenuKind.PRODUCT, MenuKind.PRODUCT_LIST, MenuKind.CATALOG})


def send_interactive(
    *,
    ticket: Ticket,
    user: User,
    fields: Mapping[str, Any],
    quoted: Message | None = None,
    source: str = MessageSource.AGENT,
    client_id: uuid.UUID | None = None,
) -> Message:
    """Write an interactive message to the contact; returns its row, which waits for delivery.

    `fields` are those of `Menu`, as `InteractiveField` returns them. The same `client_id` again
    returns the stored row. Raises TicketNotReadable, TicketNotOpen, NoConnection, OutsideWindow,
    InteractiveNotSupported, DuplicateClientId, and for products NoCatalog, CatalogUnavailable and
    ProductNotFound with its field. Never call it inside a transaction: Meta is asked for products.
    """
    known = already_sent(ticket, user, client_id)
    if known is not None:
        return known
    connection = _connection(ticket, user)
    menu = _menu(connection, fields)
    with transaction.atomic():
        ticket = locked_ticket(user=user, ticket_id=ticket.pk)
        known = already_sent(ticket, user, client_id)
        if known is not None:
            return known
        if _connection(ticket, user).pk != connection.pk:
            raise TicketMoved
        return write_message(
            menu, ticket=ticket, user=user, source=source, quoted=quoted, client_id=client_id
        )


def _connection(ticket: Ticket, user: User) -> Connection:
    connection = writable_connection(ticket, user)
    if not capabilities_of_kind(connection.provider).native_menus:
        raise InteractiveNotSupported
    return connection


def _menu(connection: Connection, fields: Mapping[str, Any]) -> Menu:
    given = fields.get("choices", ())
    rest = {"body": "", **{key: value for key, value in fields.items() if key != "choices"}}
    if fields["kind"] not in OF_PRODUCTS:
        mark = secrets.token_hex(8)
        own = (Choice(f"{OWN_ID}{mark}:{place}", **each) for place, each in enumerate(given))
        return Menu(choices=tuple(own), **rest)
    catalog, known = find_products(connection, [each["id"] for each in given])
    choices = []
    for each in given:
        product = known.get(each["id"])
        if product is None:
            sentence = ProductNotFound.message
            raise ProductNotFound(
                fields={f"interactive.{each['field']}": [sentence]}, rule="does_not_exist"
            )
        # Meta wants a title for every section of products.
        section = each.get("section") or fields.get("header", "")
        choices.append(Choice(product.id, product.name, product.price, section))
    return Menu(choices=tuple(choices), catalog_id=catalog.id, **rest)
