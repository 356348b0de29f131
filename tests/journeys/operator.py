"""What the operator does for companies: sells plans, opens companies, moves their due dates."""

import json
import urllib.request
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from tests.journeys.conftest import PASSWORD, SUPER
from tests.product import Product


class Operator:
    """The super user, who calls the API with the words of the operator's screens."""

    def __init__(self, product: Product) -> None:
        self._base = f"{product.address}/api"
        self.call = self.as_user(SUPER)

    def as_user(self, email: str) -> Callable[..., Any]:
        """Return a function that calls as a user: method, path and body give the answer.

        It raises urllib.error.HTTPError for a refusal.
        """
        headers = {"Content-Type": "application/json"}

        def call(method: str, path: str, body: dict[str, Any] | None = None) -> Any:
            data = None if body is None else json.dumps(body).encode()
            request = urllib.request.Request(self._base + path, data, headers, method=method)
            with urllib.request.urlopen(request, timeout=20) as answer:
                return json.load(answer)

        signed_in = call("POST", "/auth/login", {"email": email, "password": PASSWORD})
        headers["Authorization"] = f"Bearer {signed_in['token']}"
        return call

    def sell(self, name: str, value: float, **fields: Any) -> int:
        """Offer a plan, made when it is not there yet; return its id."""
        known = {plan["name"]: plan["id"] for plan in self.call("GET", "/plans/all")}
        if name in known:
            return int(known[name])
        return int(self.call("POST", "/plans", {"name": name, "value": value, **fields})["id"])

    def open_company(self, name: str, email: str, plan_id: int, *, days: int = 30) -> int:
        """Open a company that is due in so many days; return its id."""
        due = (date.today() + timedelta(days=days)).isoformat()
        fields = {"name": name, "email": email, "planId": plan_id, "dueDate": due}
        return int(self.call("POST", "/companies", {**fields, "password": PASSWORD})["id"])

    def company(self, name: str) -> dict[str, Any]:
        """Return a company by its name."""
        [found] = [each for each in self.call("GET", "/companies/list") if each["name"] == name]
        return dict(found)

    def make_due(self, company_id: int, days: int) -> None:
        """Move a company's due date to so many days from today."""
        due = (date.today() + timedelta(days=days)).isoformat()
        self.call("PUT", f"/companies/{company_id}", {"dueDate": due})
