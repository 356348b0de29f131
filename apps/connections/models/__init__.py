"""Connections, what keeps them up, and how they came."""

from apps.connections.models.connections import (
    FALLBACK_MESSAGE,
    BegunConversation,
    Connection,
    ConnectionQueue,
    ConnectionStatus,
    DirectSend,
    MarketingWay,
    OperatorAccount,
    ProviderKind,
    SendPace,
    SetupProblem,
    SetupState,
    SetupStep,
    TemplateMedia,
)
from apps.connections.models.forms import QuestionForm
from apps.connections.models.qr import (
    GatewayProcess,
    QrAddress,
    QrFarewell,
    QrSession,
    QrSessionKey,
    SessionWish,
)
from apps.connections.models.routing import RoutingCheck
from apps.connections.models.signups import (
    PhoneSync,
    PhoneSyncKind,
    PhoneSyncOutcome,
    Signup,
    SignupStep,
)

__all__ = [
    "FALLBACK_MESSAGE",
    "BegunConversation",
    "Connection",
    "ConnectionQueue",
    "ConnectionStatus",
    "DirectSend",
    "GatewayProcess",
    "MarketingWay",
    "OperatorAccount",
    "PhoneSync",
    "PhoneSyncKind",
    "PhoneSyncOutcome",
    "ProviderKind",
    "QrAddress",
    "QrFarewell",
    "QrSession",
    "QrSessionKey",
    "QuestionForm",
    "RoutingCheck",
    "SendPace",
    "SessionWish",
    "SetupProblem",
    "SetupState",
    "SetupStep",
    "Signup",
    "SignupStep",
    "TemplateMedia",
]
