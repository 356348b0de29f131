from django.urls import URLPattern, URLResolver

from apps.common.routing import Router, route
from apps.contacts.views import ContactDeletion, ContactOptions, ContactViewSet

router = Router()
router.register("contacts", ContactViewSet, basename="contacts")

urlpatterns: list[URLPattern | URLResolver] = [
    route("contacts/list", ContactOptions.as_view(), name="contacts-options"),
    route("contacts/delete", ContactDeletion.as_view(), name="contacts-delete"),
    *router.urls,
]
