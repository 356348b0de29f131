"""A browser of the older family in a conversation, with the real socket.io-client 3.1.3."""

from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.models import User
from apps.accounts.tokens import make_access_token
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundMessage, InboundStatus
from apps.queues.models import Queue
from apps.tickets.models import Ack, Ticket
from apps.tickets.services.outbox.deliveries import deliver_due
from apps.tickets.services.outbox.statuses import apply_statuses
from apps.tickets.services.receiving.messages import receive_message
from conftest import ClientFor
from tests.factories import make_queue, make_tag, make_ticket
from tests.graph import GraphServer
from tests.sockets import RealtimeServer, Socket, SocketClients, connected

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("processes"),
]


@pytest.mark.parametrize("version", [3, 4])
def test_a_page_that_waits_for_ready_hears_it_at_each_connection(
    version: int, servers: list[RealtimeServer], clients: SocketClients, admin: User
) -> None:
    token = make_access_token(admin)
    for namespace in ("/", "/api"):
        socket = clients.open(servers[0], version=version, token=token, namespace=namespace)
        assert socket.expect("ready") is None
        socket.catch_up()
        assert [name for name, _ in socket.heard].count("ready") == 1


class OlderBrowser:
    """The sockets of an older browser: one for its list, two for the open conversation.

    The one of the conversation's head begins anew at each update of the ticket.
    """

    def __init__(self, clients: SocketClients, server: RealtimeServer, ticket: Ticket) -> None:
        self.clients, self.server, self.ticket = clients, server, ticket
        holder = User.objects.get(pk=ticket.user_id)
        self.token = make_access_token(holder)
        self.prefix = f"company-{ticket.company_id}-"
        self.list = self._open("joinTickets", "open")
        self.thread = self._open("joinChatBox", ticket.pk)
        self.head = self._open("joinChatBox", ticket.pk)
        self.rejoins = 0

    def _open(self, event: str, argument: Any) -> Socket:
        socket = connected(self.clients.open(self.server, version=3, token=self.token))
        socket.emit(event, argument)
        return socket

    def settle(self) -> list[tuple[str, Any]]:
        """Do what the browser does about what it heard; returns what the conversation heard."""
        heard = self._heard(self.thread)
        updates = [name for name, data in self._heard(self.head) if data["action"] == "update"]
        if f"{self.prefix}ticket" in updates:
            self.rejoins += 1
            for socket in (self.head, self.thread):
                socket.close()
            self.thread = self._open("joinChatBox", self.ticket.pk)
            self.head = self._open("joinChatBox", self.ticket.pk)
        return heard

    def _heard(self, socket: Socket) -> list[tuple[str, Any]]:
        socket.catch_up()
        heard = [each for each in socket.heard if each[0].startswith(self.prefix)]
        socket.heard.clear()
        return heard


def test_an_older_browser_joins_no_room_anew_around_a_send(
    servers: list[RealtimeServer],
    clients: SocketClients,
    client_for: ClientFor,
    admin: User,
    queue: Queue,
    connection: Connection,
    settings: Settings,
) -> None:
    graph = GraphServer()
    settings.GRAPH_API_URL = graph.url
    ticket = make_ticket(
        admin.company, queue=queue, connection=connection, status="open", user=admin
    )
    Ticket.objects.filter(pk=ticket.pk).update(last_inbound_at=timezone.now())
    browser = OlderBrowser(clients, servers[0], ticket)
    heard: list[tuple[str, Any]] = []
    try:
        sent = {"body": "Já vou ver!", "fromMe": True, "read": 1, "mediaUrl": ""}
        client_for(admin).post(f"/api/messages/{ticket.pk}", sent, format="json")
        heard += browser.settle()
        assert deliver_due(limit=10) == 1
        heard += browser.settle()
    finally:
        graph.stop()
    for ack in (Ack.SERVER, Ack.DELIVERED, Ack.READ):
        with transaction.atomic():
            apply_statuses([(connection, InboundStatus("wamid.sent1", ack))])
        heard += browser.settle()
    answer = InboundMessage(
        external_id="wamid.in1",
        sender=ticket.contact.number,
        sender_name="Maria",
        media_type="conversation",
        body="Obrigada!",
        sent_at=timezone.now(),
    )
    with transaction.atomic():
        receive_message(connection=connection, inbound=answer)
    heard += browser.settle()
    # Reading it resets what is unread, which is no change of the ticket either.
    assert client_for(admin).get(f"/api/messages/{ticket.pk}").status_code == 200
    read = browser.settle()
    assert [(name, data["action"]) for name, data in read] == [
        (f"{browser.prefix}ticket", "updateUnread")
    ]
    assert Ticket.objects.get(pk=ticket.pk).unread_count == 0
    assert browser.rejoins == 0
    assert {name for name, _ in heard} == {f"{browser.prefix}appMessage"}
    steps = [(data["action"], data["message"]["body"], data["message"]["ack"]) for _, data in heard]
    assert steps == [
        ("create", "Já vou ver!", 0),
        *(("update", "Já vou ver!", ack) for ack in (1, 2, 3, 4)),
        ("create", "Obrigada!", 0),
    ]
    # Its lists heard of each step; the conversation hears of what changes the ticket.
    browser.list.catch_up()
    moves = [
        data
        for name, data in browser.list.heard
        if name == f"{browser.prefix}ticket" and data["action"] == "update"
    ]
    assert [each["ticket"]["lastMessageAck"] for each in moves] == [1, 2, 3, 4]
    tags = {"ticketId": ticket.pk, "tags": [make_tag(admin.company).pk]}
    client_for(admin).post("/api/tags/sync", tags, format="json")
    browser.settle()
    assert browser.rejoins == 1
    other = {"queueId": make_queue(admin.company).pk, "status": "pending", "userId": None}
    client_for(admin).put(f"/api/tickets/{ticket.pk}", other, format="json")
    browser.settle()
    assert browser.rejoins == 2
