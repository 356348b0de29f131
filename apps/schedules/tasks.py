"""The wake-up of those who send what is due."""

from celery import shared_task

from apps.common.crews import Crew, WakeTask, owner_name

BATCH = 20
ROUNDS = 100
# It only writes rows: the outbox does what takes time.
senders = Crew(1)


@shared_task(base=WakeTask, name="schedules.send")  # type: ignore[untyped-decorator]
def send() -> None:
    """Hand over until nothing is due."""
    from apps.schedules.services.sending import send_due

    senders.work(
        lambda: send_due(owner=owner_name(), limit=BATCH),
        full=BATCH,
        rounds=ROUNDS,
        call_help=send.apply_async,
    )
