"""What had a message written, in more detail than its source (rules/costs §1)."""

from enum import StrEnum


class Origin(StrEnum):
    """Kinds of origin; those in the second group name a record after a colon: `option:12`."""

    ACCEPTED = "accepted"
    AUDIO_ALERT = "audio_alert"
    CALL = "call"
    FALLBACK = "fallback"
    FAREWELL = "farewell"
    INACTIVE = "inactive"
    MENU = "menu"
    OPT_OUT = "opt_out"
    RATING = "rating"
    TRANSFERRED = "transferred"

    CAMPAIGN = "campaign"
    GREETING = "greeting"
    INTEGRATION = "integration"
    OPTION = "option"
    # Without an id: the company's.
    OUT_OF_HOURS = "out_of_hours"
    PROMPT = "prompt"
    QUEUE = "queue"
    SCHEDULE = "schedule"

    def of(self, record_id: int | str | None) -> str:
        """Return the origin with the id of its record."""
        return self.value if record_id is None else f"{self.value}:{record_id}"
