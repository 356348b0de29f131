"""Open browsers, as presence."""

from collections.abc import Collection

from apps.desk.services.presence import browsers_came, browsers_stay, browsers_went
from apps.realtime.attendance import Attendee, attends


@attends
def browsers_changed(
    came: Collection[Attendee], went: Collection[Attendee], stays: Collection[Attendee]
) -> None:
    """Take in whose browsers were opened, were closed, and are still open."""
    browsers_came(came)
    browsers_went(went)
    browsers_stay(stays)
