import hashlib
import hmac
import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.simulator.models import SimConversation, SimWebhook
from apps.simulator.services import posting
from apps.simulator.services.conversations import customer_writes
from apps.simulator.tests.conftest import Product

pytestmark = pytest.mark.django_db


def write(conversation: SimConversation, text: str) -> None:
    customer_writes(conversation=conversation, kind="text", body={"body": text})


def texts(product: Product) -> list[str]:
    return [value["messages"][0]["text"]["body"] for value in product.values()]


def test_a_webhook_is_signed_over_its_bytes(
    product: Product, conversation: SimConversation, settings: Any
) -> None:
    write(conversation, "Olá, vocês têm a travessa azul?")
    assert posting.post_due() == 1
    ((body, header),) = product.taken
    expected = hmac.new(settings.META_APP_SECRET.encode(), body, hashlib.sha256).hexdigest()
    assert header == f"sha256={expected}"
    message = json.loads(body)["entry"][0]["changes"][0]["value"]["messages"][0]
    assert message["text"] == {"body": "Olá, vocês têm a travessa azul?"}
    assert posting.post_due() == 0


def test_a_refused_webhook_holds_back_the_next_ones_until_it_gets_through(
    product: Product, conversation: SimConversation
) -> None:
    product.answers = [500, 401]
    for text in ("um", "dois", "três"):
        write(conversation, text)
    for attempts in (1, 2):
        assert posting.post_due() == 1
        head = SimWebhook.objects.get(attempts=attempts)
        assert head.last_error.startswith("HTTP ")
        assert head.next_attempt_at > timezone.now()
        assert texts(product) == []
        SimWebhook.objects.filter(pk=head.pk).update(next_attempt_at=timezone.now())
    assert posting.post_due() == 3
    assert texts(product) == ["um", "dois", "três"]


def test_a_product_that_is_away_is_tried_again(
    conversation: SimConversation, settings: Any
) -> None:
    settings.PORT = 9  # nobody listens on the discard port
    write(conversation, "Oi")
    assert posting.post_due() == 1
    assert "ConnectError" in SimWebhook.objects.get().last_error


def test_pauses_grow_to_half_a_minute() -> None:
    assert [posting.pause_seconds(n) for n in (1, 2, 3, 99)] == [0.5, 1.0, 2.0, 30.0]


def test_a_webhook_that_another_posts_is_left_alone_until_its_lease_ends(
    product: Product, conversation: SimConversation
) -> None:
    write(conversation, "Oi")
    lease_ends = timezone.now() + timedelta(seconds=20)
    SimWebhook.objects.update(state="claimed", owner="other#1", lease_expires_at=lease_ends)
    assert posting.post_due() == 0
    SimWebhook.objects.update(lease_expires_at=timezone.now() - timedelta(seconds=1))
    assert posting.post_due() == 1


def test_posted_webhooks_do_not_pile_up(
    product: Product, conversation: SimConversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting, "KEPT_POSTED", 2)
    for text in ("um", "dois", "três"):
        write(conversation, text)
    posting.post_due()
    assert SimWebhook.objects.count() == 2
