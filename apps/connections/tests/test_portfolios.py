"""Numbers of one business portfolio share its limit (rules/connections §18)."""

import random
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from apps.companies.models import Company
from apps.connections.models import BegunConversation, Connection
from apps.connections.providers.inbound import AccountOwner
from apps.connections.providers.official.provider import OfficialProvider
from apps.connections.queries import COUNTED, portfolio_of
from apps.connections.services import (
    forget_begun,
    note_begun,
    refresh_figures,
)
from apps.connections.tests.graph import Answer, GraphServer, fault
from apps.connections.tests.test_figures import report
from tests.factories import make_connection

pytestmark = pytest.mark.django_db

ACCOUNT, SECOND_ACCOUNT = "200000000000777", "200000000000888"
PORTFOLIO = "300000000000999"
OWNER = {
    "owner_business_info": {"id": PORTFOLIO, "name": "Loja da Ana"},
    "business_verification_status": "NOT_VERIFIED",
    "id": ACCOUNT,
}
FIGURES = {"quality_rating": "GREEN", "whatsapp_business_manager_messaging_limit": "TIER_2K"}


@pytest.fixture
def number(acme: Company) -> Connection:
    return make_connection(acme, waba_id=ACCOUNT, number="5511988887777")


def names(connection: Connection) -> list[int]:
    portfolio = portfolio_of(connection)
    assert portfolio is not None
    return [each.pk for each in portfolio.numbers]


def test_the_owner_is_asked_for_and_read_with_care(
    provider: OfficialProvider, graph: GraphServer
) -> None:
    graph.answers = [Answer(OWNER)]
    found = provider.account_owner(ACCOUNT)
    assert found == AccountOwner(PORTFOLIO, "Loja da Ana", "not_verified")
    assert graph.calls[0].path.startswith(f"/v26.0/{ACCOUNT}?fields=owner_business_info")
    graph.answers = [Answer({"owner_business_info": ["odd"], "business_verification_status": 7})]
    odd = provider.account_owner(ACCOUNT)
    assert (odd.portfolio_id, odd.name) == ("", "")
    graph.answers = [Answer({"owner_business_info": {"id": "9" * 51, "name": "a" * 500}})]
    assert provider.account_owner(ACCOUNT) == AccountOwner("", "a" * 200, "")


def test_the_portfolio_is_read_with_the_figures(number: Connection, graph: GraphServer) -> None:
    same = make_connection(number.company, waba_id=ACCOUNT)
    other = make_connection(number.company, waba_id=SECOND_ACCOUNT, portfolio_id=PORTFOLIO)
    graph.answers = [Answer(FIGURES)]
    graph.places = {ACCOUNT: Answer(OWNER)}
    fresh = refresh_figures(number)
    assert (fresh.portfolio_id, fresh.portfolio_name) == (PORTFOLIO, "Loja da Ana")
    assert fresh.business_verification == "not_verified"
    assert fresh.business_verification_at is not None
    for each in (same, other):
        each.refresh_from_db()
        assert (each.portfolio_id, each.messaging_limit) == (PORTFOLIO, 2000)
    # The quality is that of the number alone; the second account was not read.
    assert (same.quality_rating, other.business_verification) == ("", "")


def test_a_token_that_may_not_read_the_account_leaves_what_is_known(
    number: Connection, graph: GraphServer
) -> None:
    Connection.objects.update(portfolio_id=PORTFOLIO, business_verification="verified")
    graph.answers = [Answer(FIGURES)]
    graph.places = {ACCOUNT: fault(200, status=403)}
    fresh = refresh_figures(number)
    assert (fresh.quality_rating, fresh.messaging_limit) == ("GREEN", 2000)
    assert (fresh.portfolio_id, fresh.business_verification) == (PORTFOLIO, "verified")


def test_a_limit_told_of_one_number_is_that_of_the_companys_portfolio(
    number: Connection, acme: Company, globex: Company
) -> None:
    ours = make_connection(acme, waba_id=SECOND_ACCOUNT, portfolio_id=PORTFOLIO)
    Connection.objects.filter(pk=number.pk).update(portfolio_id=PORTFOLIO)
    apart = make_connection(acme)
    # The portfolio is another company's as well, whose numbers Meta did not name.
    stranger = make_connection(globex, waba_id=SECOND_ACCOUNT, portfolio_id=PORTFOLIO)
    qr = make_connection(acme, provider="beta", waba_id=ACCOUNT)
    report("business_capability_update", {"max_daily_conversations_per_business": 2000})
    rows = [number, ours, apart, stranger, qr]
    for each in rows:
        each.refresh_from_db()
    assert [each.messaging_limit for each in rows] == [2000, 2000, None, None, None]
    report("business_capability_update", {"max_daily_conversations_per_business": 250}, ago=3600)
    ours.refresh_from_db()
    assert ours.messaging_limit == 2000, "an older report"


def test_numbers_of_one_account_are_one_until_the_portfolio_is_known(
    number: Connection, acme: Company, globex: Company
) -> None:
    same = make_connection(acme, waba_id=ACCOUNT)
    other = make_connection(acme, waba_id=SECOND_ACCOUNT)
    make_connection(globex, waba_id=ACCOUNT)
    make_connection(acme, waba_id=ACCOUNT, verified_at=None)
    assert names(number) == [number.pk, same.pk]
    assert names(other) == [other.pk]
    Connection.objects.filter(pk__in=[same.pk, other.pk]).update(portfolio_id=PORTFOLIO)
    # What is told of one number of an account holds for the account.
    assert names(number) == [number.pk, same.pk, other.pk]
    assert portfolio_of(make_connection(acme, provider="beta")) is None


def test_a_new_number_has_the_newest_limit_of_its_portfolio(number: Connection) -> None:
    now = timezone.now()
    new = make_connection(number.company, waba_id=ACCOUNT)
    for limit, ago in ((250, 5), (2000, 1)):
        make_connection(
            number.company,
            waba_id=ACCOUNT,
            messaging_limit=limit,
            messaging_limit_at=now - timedelta(hours=ago),
        )
    portfolio = portfolio_of(new)
    assert portfolio is not None
    assert portfolio.limit == 2000
    for limit in (-1, 0):
        Connection.objects.update(messaging_limit=limit)
        portfolio = portfolio_of(new)
        assert portfolio is not None
        assert portfolio.limit is None


@pytest.mark.parametrize("seed", range(20))
def test_a_person_counts_once_and_until_a_day_after_the_last_message(
    number: Connection, seed: int
) -> None:
    chance = random.Random(seed)
    numbers = [number, make_connection(number.company, waba_id=ACCOUNT)]
    Connection.objects.update(messaging_limit=chance.randint(1, 6))
    start = timezone.now()
    sends = sorted(
        (start + timedelta(minutes=chance.randint(0, 3000)), chance.choice(numbers).pk, person)
        for person in range(1, 9)
        for _ in range(chance.randint(0, 4))
    )
    last: dict[int, datetime] = {}
    for place, (at, connection_id, person) in enumerate(sends):
        note_begun([(connection_id, person, place)], at=at)
        last[person] = max(at, last.get(person, at))
        portfolio = portfolio_of(number)
        assert portfolio is not None and portfolio.limit is not None
        counted = sorted(moment for moment in last.values() if moment > at - COUNTED)
        assert portfolio.used(at=at) == len(counted)
        frees_at = portfolio.frees_at(at=at)
        if len(counted) < portfolio.limit:
            assert frees_at is None
        else:
            assert frees_at is not None
            assert portfolio.used(at=frees_at) < portfolio.limit
            assert portfolio.used(at=frees_at - timedelta(milliseconds=1)) >= portfolio.limit


def test_a_refused_message_takes_the_contact_back_unless_another_one_counts(
    number: Connection,
) -> None:
    now = timezone.now()
    note_begun([(number.pk, 1, 11), (number.pk, 2, 12), (number.pk, 3, 13)], at=now)
    note_begun([(number.pk, 2, 22)], at=now + timedelta(hours=1))
    note_begun([(number.pk, 3, 23)], at=now + timedelta(hours=25))
    forget_begun([11, 12, 22, 13], [number.pk])
    left = BegunConversation.objects.order_by("contact_id")
    assert list(left.values_list("contact_id", "message_id")) == [(2, None), (3, 23)]
    forget_begun([23], [number.pk])
    assert list(left.values_list("contact_id", flat=True)) == [2]
