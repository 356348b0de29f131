"""Publishes the forms of the bot's questions at Meta (rules/bot §12)."""

import secrets
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from apps.common.leases import (
    Claim,
    LeasedQuerySet,
    LeasedWork,
    LeaseState,
    WorkerDied,
    retry_delay,
)
from apps.common.reasons import ReasonCode
from apps.common.wakeups import wake
from apps.connections import events
from apps.connections.capabilities import capabilities_of_kind
from apps.connections.models import Connection, ConnectionStatus, ProviderKind, QuestionForm
from apps.connections.providers.base import ProviderError
from apps.connections.providers.inbound import (
    AlertSeverity,
    FormStop,
    InboundForm,
    ProviderAlert,
)
from apps.connections.providers.official.flows import PUBLISHED
from apps.connections.services.alerts import follow_alert
from apps.connections.services.provision import official_provider_for
from apps.queues.forms import Form, flow_json, forms_of
from apps.queues.models import Queue, QueueOption
from apps.queues.trees import OptionNode, tree_of, walk

FORMS = LeasedWork(model=QuestionForm, lease_setting="DELIVERY_LEASE_SECONDS")
ASK_SECONDS = 8.0
# A form that was sent may be answered for so long.
ANSWERED_FOR = timedelta(hours=24)
# How often Meta is asked for a form that it stopped: its report may be lost.
LOOKED_AT = timedelta(hours=6)
LONGEST_DELAY = 3600.0
MOST_ATTEMPTS = 20
REASON_LENGTH, DETAIL_LENGTH = 500, 300
NO_REASON = {"reason": "", "reason_code": "", "reason_detail": ""}
NO_STOP = {"stop": "", "stop_at": None}

# The states of an option's form on a connection.
FORM, PUBLISHING, REFUSED, ONE_BY_ONE = "form", "publishing", "refused", "one_by_one"
STOPPED = "stopped"
# What a stopped form's reason is, and the alert of its account's numbers while one is stopped.
STOPS: dict[FormStop, tuple[ReasonCode, str]] = {
    FormStop.BLOCKED: (ReasonCode.FORM_BLOCKED, "A Meta bloqueou o formulário."),
    FormStop.THROTTLED: (
        ReasonCode.FORM_THROTTLED,
        "A Meta só deixa enviar o formulário poucas vezes por hora.",
    ),
    FormStop.DEPRECATED: (
        ReasonCode.FORM_DEPRECATED,
        "O formulário foi desativado na Meta. Salvar a fila cria outro.",
    ),
}
ALERTS = {
    stop: ProviderAlert(
        code.upper(), AlertSeverity.WARNING, f"{sentence} O bot faz as perguntas uma a uma."
    )
    for stop, (code, sentence) in STOPS.items()
}
# What Meta answers to a message whose form it does not send. Other codes leave open why.
STOP_OF_CODE = {"132068": FormStop.BLOCKED, "132069": FormStop.THROTTLED}
FORM_CODES = frozenset({*STOP_OF_CODE, "131009", "100"})


@dataclass(frozen=True)
class ShownForm:
    """How the questions that begin at an option are asked on a connection; `reason` with its code
    is why Meta refused or stopped the form.
    """

    option_id: int
    connection: Connection
    state: str
    reason: str = ""
    reason_code: str = ""
    reason_detail: str = ""


def want_forms(company_id: int) -> None:
    """Have the forms of a company's questions published in all its accounts, others retired.

    A refused form is tried again, and Meta is asked for a stopped one. Call it in the transaction
    that changed the questions.
    """
    known = {
        (row.waba_id, row.digest, row.version): row
        for row in QuestionForm.objects.for_company(company_id).select_for_update(no_key=True)
    }
    forms = {form.digest: form for form in _forms_of_company(company_id)}
    if not (forms or known):
        return
    version = settings.FLOW_JSON_VERSION
    accounts = _official(company_id).order_by("waba_id").values_list("waba_id", flat=True)
    wanted = {
        (account, digest, version): form
        for account in accounts.distinct()
        for digest, form in forms.items()
    }
    for key, form in wanted.items():
        if key in known:
            _want_again(known[key])
        else:
            _make(company_id, key, form)
    for key, row in known.items():
        if key not in wanted and row.is_wanted:
            at = timezone.now() + (ANSWERED_FOR if row.published_at else timedelta())
            QuestionForm.objects.filter(pk=row.pk).start_over(at, is_wanted=False)
    for account in {row.waba_id for row in known.values() if row.stop}:
        _follow_stops(company_id, account)
    wake("connections.publish_forms")


def want_lacking_forms() -> None:
    """Want the forms of accounts that have none yet: a number was added, or the version changed."""
    asking = QueueOption.objects.filter(asks_together=True, queue__company=OuterRef("company"))
    there = QuestionForm.objects.filter(
        company=OuterRef("company"),
        waba_id=OuterRef("waba_id"),
        version=settings.FLOW_JSON_VERSION,
        is_wanted=True,
    )
    lacking = _official().filter(Exists(asking), ~Exists(there))
    for company_id in set(lacking.values_list("company_id", flat=True)):
        with transaction.atomic():
            want_forms(company_id)


def _official(company_id: int | None = None) -> "QuerySet[Connection]":
    found = Connection.objects.filter(
        provider=ProviderKind.OFFICIAL,
        status=ConnectionStatus.CONNECTED,
        verified_at__isnull=False,
    ).exclude(waba_id="")
    return found if company_id is None else found.filter(company=company_id)


def _forms_of_company(company_id: int) -> list[Form]:
    asking = QueueOption.objects.for_company(company_id).filter(asks_together=True)
    rows = QueueOption.objects.filter(queue__in=asking.values("queue"))
    menus: defaultdict[int, list[QueueOption]] = defaultdict(list)
    for row in rows:
        menus[row.queue_id].append(row)
    return [
        form
        for menu in menus.values()
        for first in _asked_together(tree_of(menu))
        for form in forms_of(first)
    ]


def _asked_together(tree: Iterable[OptionNode]) -> list[OptionNode]:
    return [node for _, node in walk(tuple(tree)) if node.asks and node.asks_together]


def _name(digest: str) -> str:
    # Names are unique in an account, also of flows that are deprecated.
    return f"balcao-{digest[:12]}-{secrets.token_hex(4)}"


def _make(company_id: int, key: tuple[str, str, str], form: Form) -> None:
    account, digest, version = key
    QuestionForm.objects.bulk_create(
        [
            QuestionForm(
                company_id=company_id,
                waba_id=account,
                digest=digest,
                version=version,
                content=form.as_json(),
                name=_name(digest),
            )
        ],
        # Another save may have made it.
        ignore_conflicts=True,
    )


def _want_again(row: QuestionForm) -> None:
    rows, now = QuestionForm.objects.filter(pk=row.pk), timezone.now()
    is_there = row.published_at is not None and row.stop != FormStop.DEPRECATED
    if is_there and row.stop:
        rows.start_over(now, is_wanted=True)
    elif is_there:
        if not row.is_wanted:
            rows.finish(is_wanted=True)
    elif row.stop == FormStop.DEPRECATED or not row.is_wanted:
        # It is retired, or is being so, and is made anew under another name.
        fresh = {"name": _name(row.digest), "flow_id": "", "published_at": None}
        rows.start_over(now, is_wanted=True, **fresh, **NO_STOP, **NO_REASON)
    elif row.state == LeaseState.FAILED:
        rows.start_over(now, **NO_REASON)


def published_forms(connections: Iterable[Connection]) -> dict[int, dict[str, str]]:
    """Return the flow's id by the digest of each form that Meta sends, by the connection's id."""
    official = [each for each in connections if each.provider == ProviderKind.OFFICIAL]
    rows = QuestionForm.objects.filter(
        company__in={each.company_id for each in official},
        waba_id__in={each.waba_id for each in official},
        published_at__isnull=False,
        stop="",
    ).order_by("published_at")
    found: defaultdict[tuple[int, str], dict[str, str]] = defaultdict(dict)
    for row in rows if official else ():
        found[row.company_id, row.waba_id][row.digest] = row.flow_id
    return {each.pk: found.get((each.company_id, each.waba_id), {}) for each in official}


def publish_due_forms(*, limit: int) -> int:
    """Publish or retire up to `limit` forms; return how many were claimed.

    Never call it inside a transaction. A lost answer is no harm: the flow is looked up by its name.
    """
    with FORMS.claimed(limit) as claim:
        for row in claim.rows():
            _work_on(row, claim)
        return len(claim.ids)


def _work_on(row: QuestionForm, claim: Claim[QuestionForm]) -> None:
    connection = _official(row.company_id).filter(waba_id=row.waba_id).order_by("pk").first()
    try:
        row.begin(MOST_ATTEMPTS)
        if not row.is_wanted:
            _retire(row, claim, connection)
        elif connection is None:
            until = timezone.now() + ANSWERED_FOR
            claim.retry_later(row, until, "No number of the account is connected.", attempts=0)
        else:
            _publish(row, claim, connection)
    except WorkerDied as death:
        claim.put_off(row, death)
    except ProviderError as error:
        _record_failure(row, claim, connection, error)


def _publish(row: QuestionForm, claim: Claim[QuestionForm], connection: Connection) -> None:
    provider = official_provider_for(connection, read_seconds=ASK_SECONDS)
    flow_id, status = provider.find_flow(row.waba_id, row.name)
    if not flow_id:
        flow_id = provider.create_flow(row.waba_id, row.name)
    claim.held(row).update(flow_id=flow_id)
    now = timezone.now()
    if status in STOPS:
        with transaction.atomic():
            _stop(claim.held(row), FormStop(status), now)
            _follow_stops(row.company_id, row.waba_id)
        return
    if status != PUBLISHED:
        provider.fill_flow(flow_id, flow_json(Form.of_json(row.content), row.version))
        provider.publish_flow(flow_id)
    with transaction.atomic():
        done = {"flow_id": flow_id, "published_at": timezone.now(), **NO_STOP, **NO_REASON}
        if claim.finish(row, **done):
            if row.stop:
                _follow_stops(row.company_id, row.waba_id)
            events.connection_updated(connection)


def apply_form_news(connection: Connection, news: InboundForm) -> None:
    """Follow what Meta reports of a form of a connection's account; others are not ours.

    An older or repeated report changes nothing, nor does one of a form that is being made or
    retired.
    """
    _note_stop(connection.waba_id, news.form_id, news.stop, news.at or timezone.now())


def note_form_refused(connection: Connection, flow_id: str, code: str) -> None:
    """Follow Meta's refusal to send a form (FORM_CODES); where the code leaves open why, ask."""
    with transaction.atomic():
        if stop := STOP_OF_CODE.get(code):
            _note_stop(connection.waba_id, flow_id, stop, timezone.now())
        else:
            _published(connection.waba_id, flow_id).start_over(timezone.now())
            wake("connections.publish_forms")


def _published(waba_id: str, flow_id: str) -> "LeasedQuerySet[QuestionForm]":
    return QuestionForm.objects.filter(
        waba_id=waba_id, flow_id=flow_id, published_at__isnull=False, is_wanted=True
    )


def _note_stop(waba_id: str, flow_id: str, stop: FormStop, at: datetime) -> None:
    for row in _published(waba_id, flow_id).select_for_update(no_key=True):
        # Meta's times are whole seconds.
        if row.stop == stop or (row.stop_at and row.stop_at.replace(microsecond=0) > at):
            continue
        _stop(QuestionForm.objects.filter(pk=row.pk), stop, at)
        _follow_stops(row.company_id, row.waba_id)


def _stop(rows: "LeasedQuerySet[QuestionForm]", stop: FormStop, at: datetime) -> None:
    """Store whether Meta sends a form; while it may do so again, it is asked."""
    if stop in (FormStop.BLOCKED, FormStop.THROTTLED):
        rows.start_over(timezone.now() + LOOKED_AT, stop=stop, stop_at=at)
    else:
        rows.finish(stop=stop, stop_at=at)


def _follow_stops(company_id: int, waba_id: str) -> None:
    """Have the numbers of an account say which of its forms are stopped, and browsers look."""
    rows = QuestionForm.objects.for_company(company_id).filter(waba_id=waba_id, is_wanted=True)
    stopped = set(rows.exclude(stop="").values_list("stop", flat=True))
    numbers = Connection.objects.filter(
        company=company_id,
        waba_id=waba_id,
        provider=ProviderKind.OFFICIAL,
        verified_at__isnull=False,
    ).order_by("pk")
    for number in numbers:
        for stop, alert in ALERTS.items():
            follow_alert(number.pk, alert if stop in stopped else replace(alert, is_over=True))
    if numbers:
        events.connection_updated(numbers[0])


def _retire(row: QuestionForm, claim: Claim[QuestionForm], connection: Connection | None) -> None:
    # From here on no message opens it, and whoever wants it again has another made.
    if not claim.held(row).filter(is_wanted=False).update(published_at=None):
        return
    if row.flow_id and connection is not None:
        provider = official_provider_for(connection, read_seconds=ASK_SECONDS)
        provider.retire_flow(row.flow_id)
    claim.held(row).filter(is_wanted=False).delete()


def _record_failure(
    row: QuestionForm,
    claim: Claim[QuestionForm],
    connection: Connection | None,
    error: ProviderError,
) -> None:
    """Retry what may pass; say why Meta refuses a form. One that can't be retired is forgotten."""
    goes_on = not error.permanent and row.attempts < MOST_ATTEMPTS
    if goes_on:
        delay = error.retry_after or retry_delay(row.attempts, longest=LONGEST_DELAY)
        claim.retry_later(row, timezone.now() + timedelta(seconds=delay), error.message)
        return
    with transaction.atomic():
        if not row.is_wanted:
            claim.held(row).filter(is_wanted=False).delete()
            return
        is_ours = claim.fail(
            row,
            error.message,
            reason=error.message[:REASON_LENGTH],
            reason_code=error.reason.code,
            reason_detail=error.reason.detail[:DETAIL_LENGTH],
        )
        if is_ours and connection is not None:
            events.connection_updated(connection)


def forms_shown(queue: Queue) -> list[ShownForm]:
    """Return how the questions of a queue that are asked together are asked on its connections."""
    firsts = _asked_together(tree_of(QueueOption.objects.filter(queue=queue)))
    firsts = [each for each in firsts if forms_of(each)]
    connections = list(queue.connections.order_by("name", "pk")) if firsts else []
    rows = QuestionForm.objects.for_company(queue.company_id).order_by("published_at", "pk")
    known: defaultdict[str, dict[str, QuestionForm]] = defaultdict(dict)
    for row in rows if connections else ():
        best = known[row.waba_id].get(row.digest)
        if best is None or not best.is_usable:
            known[row.waba_id][row.digest] = row
    return [
        _shown(first, connection, known[connection.waba_id])
        for connection in connections
        for first in firsts
    ]


def _shown(
    first: OptionNode, connection: Connection, known: Mapping[str, QuestionForm]
) -> ShownForm:
    option_id = first.id or 0
    if not capabilities_of_kind(connection.provider).forms:
        return ShownForm(option_id, connection, ONE_BY_ONE)
    rows = [known.get(form.digest) for form in forms_of(first)]
    if all(row is not None and row.is_usable for row in rows):
        return ShownForm(option_id, connection, FORM)
    if stopped := next((FormStop(row.stop) for row in rows if row and row.stop), None):
        code, sentence = STOPS[stopped]
        return ShownForm(option_id, connection, STOPPED, sentence, code)
    refused = next((row for row in rows if row and row.state == LeaseState.FAILED), None)
    if refused is None:
        return ShownForm(option_id, connection, PUBLISHING)
    return ShownForm(
        option_id,
        connection,
        REFUSED,
        refused.reason,
        refused.reason_code,
        refused.reason_detail,
    )
