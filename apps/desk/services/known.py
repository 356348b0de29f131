"""Which companies have the distribution, deadlines or rules on, at no cost for the others."""

import time
from collections import defaultdict
from collections.abc import Mapping

from apps.companies.models import CompanySetting

SETTING, SLA, RULES, ON = "assignment", "sla", "rules", "enabled"
# A process may miss the changes of at most this time after a company has switched one on; the
# company's `sync` tick makes up for them.
KNOWN_SECONDS = 2.0


class _Known:
    """A cache, per process, of the companies that have each of the three on."""

    def __init__(self) -> None:
        self._companies: Mapping[str, set[int]] = {}
        self._until = 0.0

    def is_on(self, company_id: int, setting: str = SETTING) -> bool:
        """Tell whether a company has it on; costs at most one query every KNOWN_SECONDS."""
        now = time.monotonic()
        if now >= self._until:
            found: defaultdict[str, set[int]] = defaultdict(set)
            rows = CompanySetting.objects.filter(key__in=(SETTING, SLA, RULES), value=ON)
            for key, pk in rows.values_list("key", "company_id"):
                found[key].add(pk)
            self._companies = found
            # Only now: after a read that failed the next call reads again.
            self._until = now + KNOWN_SECONDS
        return company_id in self._companies.get(setting, ())

    def forget(self) -> None:
        """Read the settings again at the next call."""
        self._until = 0.0

    def be_sure_of_none(self) -> None:
        """Assume that no company has it on until `forget`. For tests, whose tables are empty."""
        self._companies, self._until = {}, float("inf")


known = _Known()
