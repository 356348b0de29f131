"""Models of contact lists, segments, campaigns and opt-outs."""

from apps.campaigns.models.campaigns import (
    ENDED,
    IN_OUTBOX,
    NOT_ENDED,
    TO_GO,
    Campaign,
    CampaignRecipient,
    CampaignSetting,
    CampaignStatus,
    RecipientState,
)
from apps.campaigns.models.lists import (
    ContactList,
    ContactListCheck,
    ContactListImport,
    ContactListItem,
    ImportFault,
)
from apps.campaigns.models.opt_outs import OptOut, OptOutSource, RememberedNumber, number_digest
from apps.campaigns.models.segments import Segment

__all__ = [
    "ENDED",
    "IN_OUTBOX",
    "NOT_ENDED",
    "TO_GO",
    "Campaign",
    "CampaignRecipient",
    "CampaignSetting",
    "CampaignStatus",
    "ContactList",
    "ContactListCheck",
    "ContactListImport",
    "ContactListItem",
    "ImportFault",
    "OptOut",
    "OptOutSource",
    "RecipientState",
    "RememberedNumber",
    "Segment",
    "number_digest",
]
