from django.urls import URLPattern, URLResolver

from apps.campaigns.views.lists import (
    ContactListFaults,
    ContactListItemViewSet,
    ContactListOptions,
    ContactListUpload,
    ContactListViewSet,
)
from apps.common.routing import Router, route

router = Router()
router.register("contact-lists", ContactListViewSet, basename="contact-lists")
router.register("contact-list-items", ContactListItemViewSet, basename="contact-list-items")

urlpatterns: list[URLPattern | URLResolver] = [
    route("contact-lists/list", ContactListOptions.as_view(), name="contact-lists-options"),
    route(
        r"contact-lists/(?P<id>\d+)/upload",
        ContactListUpload.as_view(),
        name="contact-lists-upload",
    ),
    route(
        r"contact-lists/(?P<id>\d+)/upload/errors",
        ContactListFaults.as_view(),
        name="contact-lists-faults",
    ),
    *router.urls,
]
