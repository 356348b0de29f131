from django.urls import URLPattern, URLResolver

from apps.campaigns.views.campaigns import (
    CampaignCancel,
    CampaignMedia,
    CampaignRestart,
    CampaignSettings,
    CampaignStart,
    CampaignTrial,
    CampaignViewSet,
)
from apps.campaigns.views.estimates import CampaignEstimate
from apps.campaigns.views.lists import (
    ContactListFaults,
    ContactListItemViewSet,
    ContactListOptions,
    ContactListUpload,
    ContactListViewSet,
)
from apps.campaigns.views.reports import (
    CampaignPreview,
    CampaignRecipients,
    CampaignRecipientsExport,
    CampaignReport,
    CampaignTimeline,
)
from apps.campaigns.views.segments import SegmentCount, SegmentOptions, SegmentViewSet
from apps.common.routing import Router, route

router = Router()
router.register("contact-lists", ContactListViewSet, basename="contact-lists")
router.register("contact-list-items", ContactListItemViewSet, basename="contact-list-items")
router.register("segments", SegmentViewSet, basename="segments")
router.register("campaigns", CampaignViewSet, basename="campaigns")

CAMPAIGN = r"campaigns/(?P<id>\d+)"
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
    route("segments/list", SegmentOptions.as_view(), name="segments-options"),
    route("segments/count", SegmentCount.as_view(), name="segments-count"),
    route(f"{CAMPAIGN}/media-upload", CampaignMedia.as_view(), name="campaigns-media"),
    route(f"{CAMPAIGN}/estimate", CampaignEstimate.as_view(), name="campaigns-estimate"),
    route(f"{CAMPAIGN}/start", CampaignStart.as_view(), name="campaigns-start"),
    route(f"{CAMPAIGN}/trial", CampaignTrial.as_view(), name="campaigns-trial"),
    route(f"{CAMPAIGN}/cancel", CampaignCancel.as_view(), name="campaigns-cancel"),
    route(f"{CAMPAIGN}/restart", CampaignRestart.as_view(), name="campaigns-restart"),
    route(f"{CAMPAIGN}/report", CampaignReport.as_view(), name="campaigns-report"),
    route(f"{CAMPAIGN}/timeline", CampaignTimeline.as_view(), name="campaigns-timeline"),
    route(f"{CAMPAIGN}/recipients", CampaignRecipients.as_view(), name="campaigns-recipients"),
    route(
        f"{CAMPAIGN}/recipients/export",
        CampaignRecipientsExport.as_view(),
        name="campaigns-recipients-export",
    ),
    route(f"{CAMPAIGN}/preview", CampaignPreview.as_view(), name="campaigns-preview"),
    route("campaign-settings", CampaignSettings.as_view(), name="campaign-settings"),
    *router.urls,
]
