"""What a campaign would take and cost (rules/campaigns §9)."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.campaigns.queries.audience import TIER_LIMIT
from apps.campaigns.serializers.costs import CampaignEstimateSerializer, cost_row
from apps.campaigns.services.costs import estimate_of
from apps.campaigns.services.finding import get_campaign
from apps.common.callers import caller_of
from apps.common.records import ID


class CampaignEstimate(APIView):
    """The estimate of a campaign as it is stored."""

    @extend_schema(
        operation_id="campaigns_estimate", parameters=[ID], responses=CampaignEstimateSerializer
    )
    def get(self, request: Request, id: str) -> Response:
        """Return how many get it, who does not and why, until when it goes and what it costs."""
        campaign = get_campaign(company_id=caller_of(request).company_id, campaign_id=int(id))
        estimate = estimate_of(campaign)
        return Response(
            {
                "recipients": estimate.recipients,
                "leftOut": [
                    {"reason": reason, "count": count}
                    for reason, count in estimate.left_out.items()
                ],
                "finishAt": estimate.finish_at,
                "durationSeconds": estimate.seconds,
                "cost": cost_row(estimate.cost),
                "tierLimit": estimate.tier_limit,
                "isAboveTier": TIER_LIMIT in estimate.left_out,
            }
        )
