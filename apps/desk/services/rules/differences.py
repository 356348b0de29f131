"""What a run has changed, as it is kept and shown (rules/desk §14)."""

from typing import Any

from apps.desk.decisions.rules import Snapshot


def _told(snapshot: Snapshot) -> dict[str, Any]:
    return {
        "status": snapshot.status,
        "queue": snapshot.queue_id,
        "person": snapshot.user_id,
        "priority": snapshot.priority,
        "tags": sorted(snapshot.tags),
        "snoozed": snapshot.is_snoozed,
        "fields": dict(snapshot.contact_fields),
    }


def difference(before: Snapshot, after: Snapshot) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what was before and what is after, of the fields that have changed."""
    old, new = _told(before), _told(after)
    changed = [name for name in old if old[name] != new[name] and name != "fields"]
    fields = old["fields"].keys() | new["fields"].keys()
    names = sorted(each for each in fields if old["fields"].get(each) != new["fields"].get(each))

    def part(told: dict[str, Any]) -> dict[str, Any]:
        kept = {name: told[name] for name in changed}
        if names:
            kept["fields"] = {name: told["fields"].get(name, "") for name in names}
        return kept

    return part(old), part(new)
