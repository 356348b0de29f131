"""Queries of outgoing webhooks and of their logs."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django_filters import CharFilter, FilterSet

from apps.automation.addresses import masked_address
from apps.automation.models import OutgoingWebhook, WebhookDelivery
from apps.common.filters import sifted
from apps.common.leases import UNFINISHED, LeaseState

DELIVERIES_PAGE = 20
# The values of the query parameter `status`.
STATUS_FILTERS = {
    "waiting": UNFINISHED,
    "delivered": Q(state=LeaseState.DONE),
    "failed": Q(state=LeaseState.FAILED),
}


def webhooks_of(company_id: int) -> QuerySet[OutgoingWebhook]:
    """Return a company's outgoing webhooks by name."""
    return OutgoingWebhook.objects.for_company(company_id).order_by("name", "id")


class WebhookFilters(FilterSet):
    """Filters of the list of webhooks: a part of the name or of the masked address."""

    searchParam = CharFilter(method="search")

    def search(
        self, rows: QuerySet[OutgoingWebhook], name: str, text: str
    ) -> QuerySet[OutgoingWebhook]:
        """Keep the webhooks that contain the text; masked parts of an address do not match."""
        return sifted(
            rows, text, "name", "url", shown=lambda name, url: (name, masked_address(url))
        )


@dataclass(frozen=True)
class Standing:
    """The number of a webhook's pending events, and its newest attempted delivery."""

    waiting: int = 0
    last: WebhookDelivery | None = None


def standings(webhooks: Sequence[OutgoingWebhook]) -> dict[int, Standing]:
    """Return the standing of each webhook, by id, in two queries for any number of webhooks."""
    ids = [webhook.pk for webhook in webhooks]
    waiting = dict(
        WebhookDelivery.objects.unfinished()
        .filter(webhook__in=ids)
        .values_list("webhook")
        .annotate(count=Count("pk"))
        .order_by()
    )
    tried = WebhookDelivery.objects.filter(webhook=OuterRef("pk"), attempts__gt=0)
    newest = OutgoingWebhook.objects.filter(pk__in=ids).values_list(
        Subquery(tried.order_by("-id").values("pk")[:1])
    )
    rows = WebhookDelivery.objects.filter(pk__in=newest).defer("payload", "response_text")
    last = {row.webhook_id: row for row in rows}
    return {pk: Standing(waiting.get(pk, 0), last.get(pk)) for pk in ids}


def deliveries_of(
    webhook: OutgoingWebhook, *, event: str = "", status: str = "", before_id: int | None = None
) -> tuple[list[WebhookDelivery], bool]:
    """Return a page of a webhook's log, newest first, and whether older events follow.

    Pages are selected by id, so the cost of a page does not grow with its position in the log.
    """
    rows = WebhookDelivery.objects.filter(webhook=webhook).order_by("-id")
    if event:
        rows = rows.filter(event=event)
    if status:
        rows = rows.filter(STATUS_FILTERS[status])
    if before_id is not None:
        rows = rows.filter(pk__lt=before_id)
    page = list(rows[: DELIVERIES_PAGE + 1])
    return page[:DELIVERIES_PAGE], len(page) > DELIVERIES_PAGE
