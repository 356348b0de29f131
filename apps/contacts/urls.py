from django.urls import URLPattern, URLResolver

from apps.common.routing import Router, route
from apps.contacts.views.contacts import ContactDeletion, ContactOptions, ContactViewSet
from apps.contacts.views.imports import (
    ContactFileImport,
    ContactImportCancellation,
    ContactImportFaults,
    CurrentContactImport,
)
from apps.contacts.views.merges import ContactMergeCreation, ContactMerges, MergeUndoing
from apps.contacts.views.notes import NoteCreation, NoteDetail, NoteList
from apps.contacts.views.personal_data import ContactData, ContactErasure
from apps.contacts.views.tags import TagViewSet
from apps.contacts.views.transfers import ContactExport, ContactImport

router = Router()
router.register("contacts", ContactViewSet, basename="contacts")
router.register("tags", TagViewSet, basename="tags")

urlpatterns: list[URLPattern | URLResolver] = [
    route("contacts/list", ContactOptions.as_view(), name="contacts-options"),
    route("contacts/delete", ContactDeletion.as_view(), name="contacts-delete"),
    route("contacts/import", ContactImport.as_view(), name="contacts-import"),
    route("contacts/import-file", ContactFileImport.as_view(), name="contacts-import-file"),
    route(
        "contacts/imports/current", CurrentContactImport.as_view(), name="contacts-import-current"
    ),
    route(
        r"contacts/imports/(?P<id>\d+)/cancel",
        ContactImportCancellation.as_view(),
        name="contacts-import-cancel",
    ),
    route(
        r"contacts/imports/(?P<id>\d+)/errors",
        ContactImportFaults.as_view(),
        name="contacts-import-faults",
    ),
    route("contacts/export", ContactExport.as_view(), name="contacts-export"),
    route(r"contacts/(?P<id>\d+)/data", ContactData.as_view(), name="contacts-data"),
    route(r"contacts/(?P<id>\d+)/erase", ContactErasure.as_view(), name="contacts-erase"),
    route(r"contacts/(?P<id>\d+)/merge", ContactMergeCreation.as_view(), name="contacts-merge"),
    route(r"contacts/(?P<id>\d+)/merges", ContactMerges.as_view(), name="contacts-merges"),
    route(r"contacts/merges/(?P<id>\d+)/undo", MergeUndoing.as_view(), name="contacts-merge-undo"),
    route("ticket-notes", NoteCreation.as_view(), name="notes"),
    route("ticket-notes/list", NoteList.as_view(), name="notes-list"),
    route(r"ticket-notes/(?P<id>\d+)", NoteDetail.as_view(), name="notes-detail"),
    *router.urls,
]
