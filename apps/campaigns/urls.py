from django.urls import URLPattern, URLResolver

from apps.campaigns.views.campaigns import CampaignViewSet
from apps.campaigns.views.lists import ContactListItemViewSet, ContactListViewSet
from apps.campaigns.views.opt_outs import OptOutViewSet
from apps.campaigns.views.segments import SegmentViewSet
from apps.campaigns.views.settings import CampaignSettings
from apps.common.routing import Router, route

router = Router()
router.register("contact-lists", ContactListViewSet, basename="contact-lists")
router.register("contact-list-items", ContactListItemViewSet, basename="contact-list-items")
router.register("segments", SegmentViewSet, basename="segments")
router.register("opt-outs", OptOutViewSet, basename="opt-outs")
router.register("campaigns", CampaignViewSet, basename="campaigns")

urlpatterns: list[URLPattern | URLResolver] = [
    route("campaign-settings", CampaignSettings.as_view(), name="campaign-settings"),
    *router.urls,
]
