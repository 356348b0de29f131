"""Passes Meta's reports about templates on to companies (rules/messages §8)."""

from apps.audit.services import record
from apps.common.registry import Hook
from apps.connections import events
from apps.connections.models import Connection, ProviderKind
from apps.connections.providers.inbound import InboundTemplate, TemplateNews
from apps.connections.serializers.templates import TemplateChange
from apps.connections.services.templates import forget_templates

# Called with a report about a template and the number that got it, in the same transaction.
template_reported: Hook[[Connection, InboundTemplate]] = Hook()
# The news that admins are notified of; the page shows all others.
ALERTING = frozenset({"REJECTED", "PAUSED", "DISABLED", "LIMIT_EXCEEDED"})


def is_alerting(news: InboundTemplate) -> bool:
    """Tell whether somebody has to act."""
    if news.news == TemplateNews.STATUS:
        return news.value in ALERTING
    if news.news == TemplateNews.QUALITY:
        return news.value == "RED"
    return news.news in (TemplateNews.CATEGORY, TemplateNews.CATEGORY_AHEAD)


def apply_template_news(connection: Connection, news: InboundTemplate) -> None:
    """Invalidate the cached templates of a connection's account, and tell its companies why.

    News for admins is also audited. Repeated or late news does no harm, because the list is read
    from Meta.
    """
    forget_templates(connection.waba_id)
    numbers = Connection.objects.filter(
        provider=ProviderKind.OFFICIAL, waba_id=connection.waba_id, verified_at__isnull=False
    ).order_by("-pk")
    for company_id, number in {each.company_id: each for each in numbers}.items():
        if is_alerting(news):
            record(
                action=f"template.{news.news}_changed",
                actor=None,
                company_id=company_id,
                target=number,
                detail={
                    "template": news.name,
                    "language": news.language,
                    "id": news.template_id,
                    "value": news.value,
                    "before": news.before,
                    "reason": news.reason,
                    "detail": news.detail,
                },
            )
        events.template_changed(
            company_id=company_id,
            name=news.name,
            language=news.language,
            change=TemplateChange(news.news),
            value=news.value,
            reason=news.reason,
        )
    template_reported(connection, news)
