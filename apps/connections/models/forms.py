"""The forms of the bot's questions, as Meta has them (rules/bot §12)."""

from django.db import models
from django.utils import timezone

from apps.common.leases import UNFINISHED, LeasedQuerySet, LeasedRow


class QuestionForm(LeasedRow):
    """A form of several questions, published as a flow of a company's account.

    All options whose questions read the same use one row: `digest` identifies them. `name` is the
    flow's, `flow_id` empty until Meta has the draft. `published_at` is set while messages may open
    it, `stop` while Meta does not send it (`FormStop`), since `stop_at`. A row that nothing uses
    any more (`is_wanted`) is deprecated at Meta after the last message with it is too old to be
    answered, and then deleted.
    """

    wakes = "connections.publish_forms"

    company = models.ForeignKey(
        "companies.Company", on_delete=models.CASCADE, related_name="question_forms"
    )
    waba_id = models.CharField("account (waba_id)", max_length=50)
    digest = models.CharField(max_length=64)
    # The version of Flow JSON.
    version = models.CharField(max_length=10)
    content = models.JSONField()
    name = models.CharField(max_length=100, unique=True)
    flow_id = models.CharField(max_length=50, blank=True)
    published_at = models.DateTimeField(null=True, blank=True)
    stop = models.CharField(max_length=20, blank=True, default="", db_default="")
    stop_at = models.DateTimeField(null=True, blank=True)
    is_wanted = models.BooleanField(default=True)
    # Why Meta does not publish it; empty without a refusal.
    reason = models.CharField(max_length=500, blank=True)
    reason_code = models.CharField(max_length=50, blank=True)
    reason_detail = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    objects = LeasedQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["company", "waba_id", "digest", "version"], name="one_form_per_content"
            )
        ]
        indexes = [models.Index(fields=["next_attempt_at"], condition=UNFINISHED, name="form_due")]

    @property
    def is_usable(self) -> bool:
        return self.published_at is not None and not self.stop

    def __str__(self) -> str:
        return f"form {self.name} of account {self.waba_id}"
