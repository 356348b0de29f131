from unittest.mock import Mock

import pytest
from django.contrib.admin import site
from django.db.models import Model
from django.test import Client

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.automation.models import IntegrationCall, TokenUse
from apps.common.leases import LeaseState
from apps.connections.models import Connection
from apps.inbound.models import InboundEvent
from apps.mail.models import Mail
from apps.tickets.models import Delivery, MediaFetch


@pytest.fixture
def parked(connection: Connection) -> InboundEvent:
    return InboundEvent.objects.create(
        connection=connection,
        event_id="message:x",
        kind="message",
        partition="551",
        payload={},
        state=LeaseState.FAILED,
        attempts=8,
        last_error="Traceback\nValueError: never",
    )


def test_the_super_user_sees_a_parked_event_and_tries_it_again(
    super_user: User, parked: InboundEvent, client: Client
) -> None:
    client.force_login(super_user)
    page = client.get("/admin/inbound/inboundevent/?state=failed")
    assert "ValueError: never" in page.content.decode()
    assert client.get(f"/admin/inbound/inboundevent/{parked.pk}/change/").status_code == 200
    client.post(
        "/admin/inbound/inboundevent/", {"action": "retry", "_selected_action": [parked.pk]}
    )
    parked.refresh_from_db()
    assert (parked.state, parked.attempts) == (LeaseState.WAITING, 0)


@pytest.mark.parametrize("page", ["inbound/inboundevent", "tickets/delivery", "tickets/mediafetch"])
def test_company_admins_do_not_see_the_work(admin: User, client: Client, page: str) -> None:
    client.force_login(admin)
    assert client.get(f"/admin/{page}/").status_code == 302


@pytest.mark.parametrize(
    "model", [AuditEntry, IntegrationCall, TokenUse, InboundEvent, Mail, Delivery, MediaFetch]
)
def test_what_the_product_writes_is_shown_and_not_changed(
    super_user: User, client: Client, model: type[Model]
) -> None:
    client.force_login(super_user)
    page = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
    assert client.get(page).status_code == 200
    assert client.get(f"{page}add/").status_code == 403
    request = Mock(user=super_user)
    own = site.get_model_admin(model)
    assert not own.has_change_permission(request)
    assert not own.has_delete_permission(request)
