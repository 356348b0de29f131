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
    RULE = "rule"
    SCHEDULE = "schedule"

    def of(self, record_id: int | str | None) -> str:
        """Return the origin with the id of its record."""
        return self.value if record_id is None else f"{self.value}:{record_id}"


# Texts that an admin may stop. Menus and answers would leave a contact without what comes next.
STOPPABLE = frozenset(
    {
        Origin.ACCEPTED,
        Origin.AUDIO_ALERT,
        Origin.FAREWELL,
        Origin.GREETING,
        Origin.INACTIVE,
        Origin.OUT_OF_HOURS,
        Origin.RATING,
        Origin.TRANSFERRED,
    }
)


def is_stoppable(origin: str) -> bool:
    return origin.partition(":")[0] in STOPPABLE


def origin_of_joined(first: str, second: str) -> str:
    """Return the origin of a message with two texts: of the first that nobody can stop, else of the
    first.

    A text that can be stopped then has only the messages that are saved by stopping it.
    """
    return second if is_stoppable(first) and not is_stoppable(second) else first
