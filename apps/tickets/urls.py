from django.urls import URLPattern, URLResolver

from apps.common.routing import Router, route
from apps.tickets.board_views import BoardView
from apps.tickets.external_views import ExternalSendView
from apps.tickets.history_views import ContactMediaView, ContactTicketsView
from apps.tickets.message_views import (
    ForwardView,
    MessageSearchView,
    MessagesView,
    ReactionView,
    ResendView,
)
from apps.tickets.rehearsal_views import RehearsalView
from apps.tickets.tag_views import TagsSyncView, TicketLaneView, TicketTagView
from apps.tickets.template_views import TemplateMediaView, TemplateSendView, TemplatesView
from apps.tickets.views import TicketViewSet

router = Router()
router.register("tickets", TicketViewSet, basename="tickets")

urlpatterns: list[URLPattern | URLResolver] = [
    *router.urls,
    route("queue/test-chat", RehearsalView.as_view(), "queues-test-chat"),
    route(r"ticket/kanban", BoardView.as_view(), "tickets-board"),
    route(r"ticket-tags/(?P<ticket_id>\d+)/(?P<tag_id>\d+)", TicketTagView.as_view(), "ticket-tag"),
    route(r"ticket-tags/(?P<ticket_id>\d+)", TicketLaneView.as_view(), "ticket-lane"),
    route("tags/sync", TagsSyncView.as_view(), "tags-sync"),
    route(r"contacts/(?P<id>\d+)/tickets", ContactTicketsView.as_view(), "contacts-tickets"),
    route(r"contacts/(?P<id>\d+)/media", ContactMediaView.as_view(), "contacts-media"),
    route("messages/send", ExternalSendView.as_view(), "messages-external"),
    route(r"messages/(?P<id>\d+)", MessagesView.as_view(), "messages"),
    route(r"messages/(?P<id>\d+)/resend", ResendView.as_view(), "messages-resend"),
    route(r"messages/(?P<id>\d+)/search", MessageSearchView.as_view(), "messages-search"),
    route(r"messages/(?P<id>\d+)/reaction", ReactionView.as_view(), "messages-reaction"),
    route(r"messages/(?P<id>\d+)/forward", ForwardView.as_view(), "messages-forward"),
    route("templates", TemplatesView.as_view(), "templates-list"),
    route("template/media", TemplateMediaView.as_view(), "templates-media"),
    route(r"templates/(?P<ticket_id>\d+)", TemplateSendView.as_view(), "templates-send"),
]
