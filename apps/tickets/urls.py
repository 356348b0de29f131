from django.urls import URLPattern, URLResolver
from rest_framework.parsers import MultiPartParser

from apps.common.routing import Router, route
from apps.tickets.views.connections import ConnectionTrafficViewSet
from apps.tickets.views.contact_past import ContactPastViewSet
from apps.tickets.views.dashboard import (
    DashboardBreakdownView,
    DashboardExportView,
    DashboardStatusView,
    DashboardTagsView,
    DashboardTicketsView,
    DashboardUsersView,
    DashboardView,
)
from apps.tickets.views.messages import MessageViewSet
from apps.tickets.views.messages_api import MessagesApiView
from apps.tickets.views.notes import ConversationNoteViewSet
from apps.tickets.views.places import TicketPlaceViewSet
from apps.tickets.views.tags import TicketTagViewSet
from apps.tickets.views.templates import TemplateViewSet
from apps.tickets.views.testchat import TestChatView
from apps.tickets.views.tickets import TicketViewSet

router = Router()
router.register("tickets", TicketViewSet, basename="tickets")
router.register("messages", MessageViewSet, basename="messages")
router.register("templates", TemplateViewSet, basename="templates")
router.register("contacts", ContactPastViewSet, basename="contacts")
router.register("whatsapp", ConnectionTrafficViewSet, basename="connections")

# A router takes a basename once.
notes, places = Router(), Router()
notes.register("tickets", ConversationNoteViewSet, basename="tickets")
places.register("tickets", TicketPlaceViewSet, basename="tickets")

# Addresses of older browsers, which no router generates, for the same viewsets.
conversation = MessageViewSet.as_view(
    {"get": "conversation", "post": "send", "put": "edit", "delete": "take_back"}
)
older_edit = MessageViewSet.as_view({"post": "edit_older"})
template_media = TemplateViewSet.as_view({"post": "upload_media"}, parser_classes=[MultiPartParser])

urlpatterns: list[URLPattern | URLResolver] = [
    *router.urls,
    *notes.urls,
    *places.urls,
    route(r"messages/(?P<id>\d+)", conversation, "messages"),
    route(r"messages/edit/(?P<id>\d+)", older_edit, "messages-edit"),
    route("template/media", template_media, "templates-media"),
    route("ticket/kanban", TicketViewSet.as_view({"get": "board"}), "tickets-board"),
    route(
        r"ticket-tags/(?P<ticket_id>\d+)/(?P<tag_id>\d+|lane0)",
        TicketTagViewSet.as_view({"put": "add"}),
        "ticket-tag",
    ),
    route(
        r"ticket-tags/(?P<ticket_id>\d+)",
        TicketTagViewSet.as_view({"delete": "leave_lane"}),
        "ticket-lane",
    ),
    route("tags/sync", TicketTagViewSet.as_view({"post": "sync"}), "tags-sync"),
    route("queue/test-chat", TestChatView.as_view(), "queues-test-chat"),
    route("dashboard", DashboardView.as_view(), "dashboard"),
    route("dashboard/breakdown", DashboardBreakdownView.as_view(), "dashboard-breakdown"),
    route("dashboard/tags", DashboardTagsView.as_view(), "dashboard-tags"),
    route("dashboard/export", DashboardExportView.as_view(), "dashboard-export"),
    route("dashboard/status", DashboardStatusView.as_view(), "dashboard-status"),
    route("dashboard/tickets", DashboardTicketsView.as_view(), "dashboard-tickets"),
    route("dashboard/users", DashboardUsersView.as_view(), "dashboard-users"),
    route("messages/send", MessagesApiView.as_view(), "messages-api"),
]
