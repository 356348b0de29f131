"""Adding a number with Meta's embedded signup (rules/connections §12)."""

from apps.common.registry import Hook
from apps.connections.models import Connection

# Called after the commit that keeps a number that stays on its phone's app, outside of any
# transaction: what the phone has may be asked for from now on, for 24 hours.
signed_up: Hook[[Connection]] = Hook()
