from django.urls import URLPattern, URLResolver

from apps.common.routing import Router, route
from apps.contacts.views.contacts import ContactViewSet
from apps.contacts.views.imports import ContactImportViewSet
from apps.contacts.views.notes import NoteViewSet
from apps.contacts.views.tags import TagViewSet

router = Router()
router.register("contacts", ContactViewSet, basename="contacts")
router.register("contacts/imports", ContactImportViewSet, basename="contacts-import")
router.register("tags", TagViewSet, basename="tags")

# A router would not name the route `notes`, and the list has a separate path.
urlpatterns: list[URLPattern | URLResolver] = [
    route("ticket-notes", NoteViewSet.as_view({"post": "create"}), name="notes"),
    route("ticket-notes/list", NoteViewSet.as_view({"get": "list"}), name="notes-list"),
    route(r"ticket-notes/(?P<id>\d+)", NoteViewSet.as_view({"delete": "destroy"}), "notes-detail"),
    *router.urls,
]
