"""What the operator does for companies: sells plans, opens companies, moves their due dates."""

import json
import re
import urllib.parse
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


class AdminForms:
    """The forms of the admin, signed in as the super user."""

    def __init__(self, product: Product) -> None:
        self._address = product.address
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        self.post("/admin/login/", username=SUPER, password=PASSWORD)

    def post(self, path: str, **fields: str) -> str:
        """Fill a form in and send it; return the address of the page that follows."""
        address = f"{self._address}{path}"
        with self._opener.open(address, timeout=20) as form:
            words = form.read().decode()
        token = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', words)[0]
        body = urllib.parse.urlencode({"csrfmiddlewaretoken": token, **fields}).encode()
        with self._opener.open(address, body, timeout=20) as answer:
            assert "errornote" not in answer.read().decode(), path
            return str(answer.url)

    def first_id(self, path: str) -> str:
        """Return the id of the first row of a list."""
        return self._ids(path)[0]

    def has_rows(self, path: str) -> bool:
        return bool(self._ids(path))

    def _ids(self, path: str) -> list[str]:
        with self._opener.open(f"{self._address}{path}", timeout=20) as page:
            return re.findall(rf'href="{path}(\d+)/change/', page.read().decode())


def make_company(product: Product, name: str) -> str:
    """Make an empty company as the super user does, in the admin; return its admin's e-mail."""
    forms = AdminForms(product)
    due = (date.today() + timedelta(days=30)).isoformat()
    company = forms.post(
        "/admin/companies/company/add/",
        name=name,
        plan=forms.first_id("/admin/billing/plan/"),
        is_enabled="on",
        due_date=due,
        recurrence="MENSAL",
        _continue="1",
    )
    [company_id] = re.findall(r"/company/(\d+)/change/", company)
    email = f"dona{company_id}@empresa.local"
    forms.post(
        "/admin/accounts/user/add/",
        company=company_id,
        name="Dona da Empresa",
        email=email,
        role_key="admin",
        new_password=PASSWORD,
    )
    return email
