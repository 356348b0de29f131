"""Meta's errors, in Meta's format (developers.facebook.com, 'Cloud API error codes')."""

import secrets
from typing import Any


class GraphError(Exception):
    """An error of the Graph API, with its HTTP status."""

    def __init__(
        self,
        code: int,
        message: str,
        *,
        status: int = 400,
        details: str = "",
        type: str = "OAuthException",
        subcode: int | None = None,
    ) -> None:
        self.code = code
        self.title = message
        self.status = status
        self.details = details
        self.type = type
        self.subcode = subcode
        super().__init__(f"({code}) {message}: {details}")

    def body(self) -> dict[str, Any]:
        prefixed = self.code != 190 and self.subcode != 33 and self.code != 2
        error: dict[str, Any] = {
            "message": f"(#{self.code}) {self.title}" if prefixed else self.title,
            "type": self.type,
            "code": self.code,
        }
        if self.subcode is not None:
            error["error_subcode"] = self.subcode
        if self.details:
            error["error_data"] = {"messaging_product": "whatsapp", "details": self.details}
        error["fbtrace_id"] = "A" + secrets.token_urlsafe(16)
        return {"error": error}

    def status_error(self) -> dict[str, Any]:
        """Return the error in the format of a failed status."""
        return {
            "code": self.code,
            "title": self.title,
            "message": self.title,
            "error_data": {"details": self.details or self.title},
            "href": "https://developers.facebook.com/documentation/business-messaging/whatsapp/"
            "support/error-codes",
        }


def control_refused() -> GraphError:
    """Return the error for taking a conversation that this app may not take."""
    return GraphError(2494191, "Thread control action is not permitted for this app")


def no_direct_send() -> GraphError:
    """Return the error for a category on an account without Direct Send."""
    return invalid(
        "Parameter Invalid: The 'category' value requires Direct Send, which isn't enabled for "
        "this account. Use an approved message template instead."
    )


def direct_send_blocked() -> GraphError:
    """Return the error for a category on an account whose Direct Send is restricted."""
    return GraphError(
        139200,
        "Direct Send Utility access is blocked",
        details="Direct Send Access is restricted: Direct send messaging capability is not "
        "available for this WABA right now due to misclassification based enforcements.",
    )


def paused(name: str) -> GraphError:
    """Return the error for a template that is paused, also for messages held for assessment."""
    return GraphError(132015, "Template is Paused", details=f"template name ({name}) is paused")


def flow_stopped(*, is_blocked: bool) -> GraphError:
    """Return the error for a message that opens a blocked or throttled flow."""
    if is_blocked:
        return GraphError(132068, "Flow is blocked", details="Flow is in blocked state.")
    return GraphError(
        132069,
        "Flow is throttled",
        details="Flow is in throttled state and 10 messages using this flow were already sent in"
        " the last hour.",
    )


def marketing_closed() -> GraphError:
    """Return the error for a marketing template on `/messages` where the account has it closed."""
    return GraphError(
        131063, "Marketing messages are disabled", details="Use the marketing_messages endpoint."
    )


def terms_missing() -> GraphError:
    """Return the error for an account without the terms of `/marketing_messages`."""
    return GraphError(
        131055, "You must accept the Marketing Messages Lite API terms to use the API."
    )


def not_marketing() -> GraphError:
    """Return the error for a template of another category on `/marketing_messages`."""
    return GraphError(134100, "Only marketing messages supported")


def missing(name: str) -> GraphError:
    """Return the error for a missing parameter."""
    return GraphError(100, f"The parameter {name} is required.")


def invalid(details: str) -> GraphError:
    """Return the error for a malformed parameter."""
    return GraphError(100, "Invalid parameter", details=details)


def bad_value(details: str) -> GraphError:
    """Return the error for a parameter whose value is not allowed."""
    return GraphError(131009, "Parameter value is not valid", details=details)


def unknown_object(identifier: str, method: str = "get") -> GraphError:
    """Return the error for an unknown id."""
    return GraphError(
        100,
        f"Unsupported {method} request. Object with ID '{identifier}' does not exist, cannot be "
        "loaded due to missing permissions, or does not support this operation. Please read the "
        "Graph API documentation at https://developers.facebook.com/docs/graph-api",
        type="GraphMethodException",
        subcode=33,
    )


def invalid_token() -> GraphError:
    """Return the error for a malformed token."""
    return GraphError(190, "Invalid OAuth access token - Cannot parse access token", status=401)


def expired_token() -> GraphError:
    """Return the error for an expired token."""
    return GraphError(
        190,
        "Error validating access token: Session has expired.",
        status=401,
        subcode=463,
    )


def used_code() -> GraphError:
    """Return the error for a code that is used or unknown."""
    return GraphError(100, "This authorization code has been used.", subcode=36009)


def asked_already(sync_type: str) -> GraphError:
    """Return the error for a repeated sync request. Meta's real wording is not known."""
    return GraphError(
        100,
        "Invalid parameter",
        details=f"The {sync_type} of this phone number was requested already. To request it again, "
        "disconnect the number in the WhatsApp Business app and onboard it again.",
    )


def wrong_app() -> GraphError:
    """Return the error for a wrong app id or secret in a code exchange."""
    return GraphError(1, "Error validating client secret.")


def not_on_whatsapp() -> GraphError:
    """Return the error for a recipient that is not on WhatsApp."""
    return GraphError(
        131026,
        "Message undeliverable",
        details="Message Undeliverable. The recipient phone number is not a WhatsApp phone number.",
    )


def needs_number() -> GraphError:
    """Return the error for an authentication template to a user id."""
    return GraphError(
        131062,
        "Business-scoped user ID recipients are not supported",
        details="One-tap, zero-tap and copy code authentication templates can only be sent to a "
        "phone number.",
    )


def window_closed() -> GraphError:
    """Return the error for free text later than 24 hours after the customer's last message."""
    return GraphError(
        131047,
        "Re-engagement message",
        details="Message failed to send because more than 24 hours have passed since the customer "
        "last replied to this number.",
    )


def too_many_people() -> GraphError:
    """Return the error for a number that may write first to no more people at present."""
    return GraphError(
        131048,
        "Spam rate limit hit",
        details="Message failed to send because there are restrictions on how many messages can be "
        "sent from this phone number. This may be because too many previous messages were blocked "
        "or flagged as spam.",
    )


def rate_limited() -> GraphError:
    """Return the error for too many requests on one number."""
    return GraphError(
        130429,
        "Rate limit hit",
        status=429,
        details="Message failed to send because there were too many messages sent from this phone "
        "number in a short period of time.",
    )


def provider_down() -> GraphError:
    """Return the error of a Graph API that is temporarily unavailable."""
    return GraphError(2, "Service temporarily unavailable", status=503)
