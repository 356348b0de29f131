from django.urls import URLPattern, URLResolver

from apps.common.routing import Router, route
from apps.tickets.views.board import BoardView
from apps.tickets.views.connection_tests import ConnectionTestView
from apps.tickets.views.dashboard import (
    DashboardBreakdownView,
    DashboardExportView,
    DashboardTagsView,
    DashboardView,
)
from apps.tickets.views.health import ConnectionHealthView
from apps.tickets.views.history import ContactMediaView, ContactTicketsView
from apps.tickets.views.messages import (
    ForwardView,
    MessageSearchView,
    MessagesView,
    ReactionView,
    ResendView,
)
from apps.tickets.views.messages_api import MessagesApiView
from apps.tickets.views.tags import TagsSyncView, TicketLaneView, TicketTagView
from apps.tickets.views.templates import TemplateMediaView, TemplateSendView, TemplatesView
from apps.tickets.views.testchat import TestChatView
from apps.tickets.views.tickets import TicketViewSet

router = Router()
router.register("tickets", TicketViewSet, basename="tickets")

urlpatterns: list[URLPattern | URLResolver] = [
    *router.urls,
    route("queue/test-chat", TestChatView.as_view(), "queues-test-chat"),
    route(r"ticket/kanban", BoardView.as_view(), "tickets-board"),
    route(
        r"ticket-tags/(?P<ticket_id>\d+)/(?P<tag_id>\d+|lane0)",
        TicketTagView.as_view(),
        "ticket-tag",
    ),
    route(r"ticket-tags/(?P<ticket_id>\d+)", TicketLaneView.as_view(), "ticket-lane"),
    route("tags/sync", TagsSyncView.as_view(), "tags-sync"),
    route(r"contacts/(?P<id>\d+)/tickets", ContactTicketsView.as_view(), "contacts-tickets"),
    route(r"contacts/(?P<id>\d+)/media", ContactMediaView.as_view(), "contacts-media"),
    route(
        r"whatsapp/(?P<connection_id>\d+)/health",
        ConnectionHealthView.as_view(),
        "connections-health",
    ),
    route(
        r"whatsapp/(?P<connection_id>\d+)/test",
        ConnectionTestView.as_view(),
        "connections-test",
    ),
    route("dashboard", DashboardView.as_view(), "dashboard"),
    route("dashboard/breakdown", DashboardBreakdownView.as_view(), "dashboard-breakdown"),
    route("dashboard/tags", DashboardTagsView.as_view(), "dashboard-tags"),
    route("dashboard/export", DashboardExportView.as_view(), "dashboard-export"),
    route("messages/send", MessagesApiView.as_view(), "messages-api"),
    route(r"messages/(?P<id>\d+)", MessagesView.as_view(), "messages"),
    route(r"messages/(?P<id>\d+)/resend", ResendView.as_view(), "messages-resend"),
    route(r"messages/(?P<id>\d+)/search", MessageSearchView.as_view(), "messages-search"),
    route(r"messages/(?P<id>\d+)/reaction", ReactionView.as_view(), "messages-reaction"),
    route(r"messages/(?P<id>\d+)/forward", ForwardView.as_view(), "messages-forward"),
    route("templates", TemplatesView.as_view(), "templates-list"),
    route("template/media", TemplateMediaView.as_view(), "templates-media"),
    route(r"templates/(?P<ticket_id>\d+)", TemplateSendView.as_view(), "templates-send"),
]
