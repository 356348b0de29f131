"""What the forms of older browsers send is kept, or refused with a sentence (rules/wire §9)."""

from typing import Any

import pytest
from django.utils.dateparse import parse_datetime
from rest_framework import serializers

from apps.accounts.serializers import UserInputSerializer
from apps.announcements.serializers import AnnouncementInputSerializer, HelpInputSerializer
from apps.automation.serializers.integrations import IntegrationInputSerializer
from apps.automation.serializers.prompts import PromptInputSerializer
from apps.billing.serializers.plans import PlanInputSerializer
from apps.campaigns.serializers.campaigns import CampaignInputSerializer
from apps.campaigns.serializers.lists import (
    ContactListInputSerializer,
    ContactListItemInputSerializer,
)
from apps.chat.serializers import ChatInputSerializer
from apps.companies.serializers.records import CompanyInputSerializer
from apps.connections.serializers.connection_changes import ConnectionWriteSerializer
from apps.contacts.serializers.contacts import ContactInputSerializer
from apps.contacts.serializers.tags import TagInputSerializer
from apps.library.serializers import FileListInputSerializer, QuickMessageInputSerializer
from apps.queues.serializers import OptionInputSerializer, QueueInputSerializer
from apps.schedules.serializers import ScheduledMessageInputSerializer

# The form: what a person may type or choose in it, in either line of older browsers.
FORMS: dict[type[serializers.Serializer[Any]], dict[str, Any]] = {
    ConnectionWriteSerializer: {
        "name": "Vendas",
        "isDefault": True,
        "token": "um-token-de-um-programa",
        "queueIds": [1],
        "greetingMessage": "Olá!",
        "complationMessage": "Até logo!",
        "outOfHoursMessage": "Estamos fechados.",
        "ratingMessage": "De 1 a 3?",
        "transferMessage": "Vou transferir.",
        "transferQueueId": 1,
        "timeToTransfer": 5,
        "expiresTicket": 10,
        "expiresInactiveMessage": "Encerrado.",
        "timeUseBotQueues": 2,
        "maxUseBotQueues": 4,
        "promptId": 1,
    },
    QueueInputSerializer: {
        "name": "Vendas",
        "color": "#112233",
        "greetingMessage": "Olá!",
        "outOfHoursMessage": "Estamos fechados.",
        "orderQueue": 2,
        "integrationId": 1,
        "promptId": 1,
    },
    OptionInputSerializer: {
        "title": "Preços",
        "message": "Veja os preços.",
        "option": 1,
        "queueId": 1,
        "forwardQueueId": 2,
        "exitChatbot": True,
    },
    UserInputSerializer: {
        "name": "Bob",
        "email": "bob@acme.example",
        "password": "segredo1",
        "profile": "user",
        "whatsappId": 1,
        "queueIds": [1],
        "allTicket": "enabled",
    },
    ContactInputSerializer: {
        "name": "Maria",
        "number": "5511980000200",
        "email": "maria@example.com",
        "extraInfo": [{"name": "CPF", "value": "1"}],
        "disableBot": True,
        "ignoreMessages": True,
    },
    CampaignInputSerializer: {
        "name": "Natal",
        **{f"message{number}": f"Oi {number}" for number in range(1, 6)},
        "confirmation": True,
        **{f"confirmationMessage{number}": f"Quer {number}?" for number in range(1, 6)},
        "scheduledAt": "2030-01-02 10:00:00",
        "whatsappId": 1,
        "contactListId": 1,
        "tagListId": 1,
        "fileListId": 1,
    },
    ScheduledMessageInputSerializer: {
        "body": "Bom dia!",
        "contactId": 1,
        "sendAt": "2030-01-02T10:00",
        "saveMessage": True,
    },
    QuickMessageInputSerializer: {
        "shortcode": "ola",
        "message": "Olá!",
        "geral": True,
        "status": False,
    },
    TagInputSerializer: {"name": "VIP", "color": "#112233", "kanban": 1},
    PromptInputSerializer: {
        "name": "Ajuda",
        "prompt": "Você ajuda.",
        "voice": "pt-BR-FranciscaNeural",
        "voiceKey": "chave",
        "voiceRegion": "brazilsouth",
        "maxTokens": 50,
        "temperature": 0.5,
        "apiKey": "sk-1",
        "queueId": 1,
        "maxMessages": 5,
    },
    IntegrationInputSerializer: {
        "type": "typebot",
        "name": "Fluxo",
        "projectName": "projeto",
        "jsonContent": "{}",
        "language": "pt-BR",
        "urlN8N": "https://flows.example/hook",
        "typebotSlug": "fluxo",
        "typebotDelayMessage": 500,
        "typebotExpires": 5,
        "typebotKeywordFinish": "sair",
        "typebotKeywordRestart": "voltar",
        "typebotRestartMessage": "De novo.",
        "typebotUnknownMessage": "Não entendi.",
    },
    AnnouncementInputSerializer: {"title": "Novo", "text": "Texto", "priority": 1, "status": False},
    HelpInputSerializer: {"title": "Começo", "description": "Como", "video": "dQw4w9WgXcQ"},
    FileListInputSerializer: {
        "name": "Catálogo",
        "message": "Veja",
        "options": [{"name": "Vasos", "path": "", "mediaType": ""}],
    },
    ContactListInputSerializer: {"name": "Clientes"},
    ContactListItemInputSerializer: {
        "contactListId": 1,
        "name": "Maria",
        "number": "5511980000200",
        "email": "maria@example.com",
    },
    ChatInputSerializer: {"title": "Equipe", "users": [{"id": 1}]},
    PlanInputSerializer: {
        "name": "Básico",
        "users": 3,
        "connections": 2,
        "queues": 4,
        "value": 49.9,
        "isPublic": False,
        "useCampaigns": False,
        "useExternalApi": False,
        "useIntegrations": False,
        "useInternalChat": False,
        "useKanban": False,
        "useOpenAi": False,
        "useSchedules": False,
        "currency": "USD",
    },
    CompanyInputSerializer: {
        "name": "Acme",
        "email": "acme@acme.example",
        "phone": "1133334444",
        "planId": 1,
        "status": False,
        "dueDate": "2030-01-02",
        "recurrence": "ANUAL",
        "campaignsEnabled": False,
    },
}
REFUSED = {
    ConnectionWriteSerializer: {"transferMessage"},
    OptionInputSerializer: {"exitChatbot"},
    UserInputSerializer: {"allTicket"},
    ContactInputSerializer: {"disableBot"},
    ScheduledMessageInputSerializer: {"saveMessage"},
    PlanInputSerializer: {"currency"},
}
# What the forms send for a switch or a text that nobody touched.
UNTOUCHED = {"transferMessage": "", "allTicket": "desabled", "currency": ""}


def values_of(form: type[serializers.Serializer[Any]], **changes: Any) -> Any:
    body = form(data={**FORMS[form], **changes}, context={"company_id": 1})
    body.is_valid()
    return body


@pytest.mark.parametrize("form", FORMS)
def test_each_field_of_an_older_form_is_known(form: type[serializers.Serializer[Any]]) -> None:
    assert set(FORMS[form]) <= set(form().fields)


@pytest.mark.parametrize("form", FORMS)
def test_what_has_no_effect_is_refused_and_the_rest_is_kept(
    form: type[serializers.Serializer[Any]],
) -> None:
    body = values_of(form)
    refused = REFUSED.get(form, set())
    assert set(body.errors) == refused
    assert all(body.errors[name][0].code == "unused" for name in refused)
    untouched = {name: UNTOUCHED.get(name, False) for name in refused}
    kept = values_of(form, **untouched)
    assert kept.errors == {}
    assert not refused & set(kept.validated_data)


def test_a_queue_of_an_older_option_is_where_it_leads() -> None:
    kept = values_of(OptionInputSerializer, exitChatbot=False).validated_data
    assert kept["redirection_queue_id"] == 2
    cleared = values_of(OptionInputSerializer, exitChatbot=False, forwardQueueId=None)
    assert "redirection_queue_id" not in cleared.validated_data


def test_the_time_of_an_older_form_is_read_in_the_companys_zone() -> None:
    kept = values_of(ScheduledMessageInputSerializer, saveMessage=False).validated_data
    assert kept["send_at"] == parse_datetime("2030-01-02T10:00:00Z")
