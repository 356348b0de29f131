"""Which companies have the distribution on, at no cost for those that have it off."""

import time

from apps.companies.models import CompanySetting

SETTING, ON = "assignment", "enabled"
# A process may miss the changes of at most this time after a company has switched it on; the
# company's `sync` tick makes up for them.
KNOWN_SECONDS = 2.0


class _Known:
    """A cache, per process, of the companies with the distribution on."""

    def __init__(self) -> None:
        self._companies: frozenset[int] = frozenset()
        self._until = 0.0

    def is_on(self, company_id: int) -> bool:
        """Tell whether a company distributes; costs at most one query every KNOWN_SECONDS."""
        now = time.monotonic()
        if now >= self._until:
            self._until = now + KNOWN_SECONDS
            rows = CompanySetting.objects.filter(key=SETTING, value=ON)
            self._companies = frozenset(rows.values_list("company_id", flat=True))
        return company_id in self._companies

    def forget(self) -> None:
        """Read the settings again at the next call."""
        self._until = 0.0

    def be_sure_of_none(self) -> None:
        """Assume that no company has it on until `forget`. For tests, whose tables are empty."""
        self._companies, self._until = frozenset(), float("inf")


known = _Known()
