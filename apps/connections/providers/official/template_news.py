"""What Meta reports of message templates.

developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference has
message_template_status_update, message_template_quality_update,
message_template_components_update and template_category_update.
"""

from collections.abc import Callable
from typing import Any

from apps.connections.providers.inbound import InboundTemplate, TemplateNews
from apps.connections.providers.official.values import as_dict, as_text

WORD_LENGTH = 60
DETAIL_LENGTH = 300
_REJECTION = ("reason", "recommendation")

Value = dict[str, Any]


def _word(value: Value, key: str) -> str:
    return as_text(value.get(key)).upper()[:WORD_LENGTH]


def _about(news: TemplateNews, about: Value, **more: str) -> InboundTemplate:
    return InboundTemplate(
        news,
        template_id=as_text(about.get("message_template_id"))[:WORD_LENGTH],
        name=as_text(about.get("message_template_name"))[:512],
        language=as_text(about.get("message_template_language"))[:20],
        **more,
    )


def _status(value: Value) -> InboundTemplate:
    said = [as_text(as_dict(value.get("rejection_info")).get(key)) for key in _REJECTION]
    said += [as_text(as_dict(value.get("other_info")).get("description"))]
    reason = _word(value, "reason")
    return _about(
        TemplateNews.STATUS,
        value,
        value=_word(value, "event"),
        reason="" if reason == "NONE" else reason,
        detail=" ".join(filter(None, said))[:DETAIL_LENGTH],
    )


def _quality(value: Value) -> InboundTemplate:
    return _about(TemplateNews.QUALITY, value, value=_word(value, "new_quality_score"))


def _components(value: Value) -> InboundTemplate:
    return _about(TemplateNews.COMPONENTS, value)


def _category(value: Value) -> InboundTemplate:
    # In the announcement `new_category` is still the present category.
    if correct := _word(value, "correct_category"):
        before = _word(value, "new_category")
        return _about(TemplateNews.CATEGORY_AHEAD, value, value=correct, before=before)
    before = _word(value, "previous_category")
    return _about(TemplateNews.CATEGORY, value, value=_word(value, "new_category"), before=before)


READERS: dict[str, Callable[[Value], InboundTemplate]] = {
    "message_template_status_update": _status,
    "message_template_quality_update": _quality,
    "message_template_components_update": _components,
    "template_category_update": _category,
}


def read_template_news(payload: dict[str, Any]) -> InboundTemplate | None:
    """Read news of a template; None for another notice."""
    reader = READERS.get(as_text(payload.get("field")))
    return reader(as_dict(payload.get("value"))) if reader else None
