"""Changing a company's settings (rules/companies §2)."""

import re
from zoneinfo import available_timezones

import phonenumbers
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction

from apps.audit.services import record
from apps.common.encryption import encrypt, is_unchanged
from apps.common.errors import DomainError, InvalidInput
from apps.common.registry import Hook
from apps.common.serializers import row_of
from apps.companies import events
from apps.companies.holidays import WrongHolidays, read_holidays
from apps.companies.models import SECRET_SETTINGS, SETTINGS, CompanySetting
from apps.companies.queries import setting_of
from apps.companies.serializers.companies import SettingSerializer

# Whether who works in a queue reads all conversations: changes are audited.
OPENS_ALL = "allowToSpyMessage"
_TEMPLATE_NAME = re.compile(r"[a-z0-9_]{1,512}")
MOST_RATING_DAYS = 365
MAX_REOPEN_WINDOW_MINUTES = 7 * 24 * 60
# Called with the company, the key and the new value, in the transaction that stores it.
setting_changed: Hook[[int, str, str]] = Hook()
_HOURS = re.compile(r"((?:[01]\d|2[0-3]):[0-5]\d)-((?:[01]\d|2[0-3]):[0-5]\d)")


class SettingNotFound(DomainError):
    status = 404
    code = "ERR_NO_SETTING_FOUND"
    message = "Esta configuração não existe."


def _refusal(sentence: str) -> InvalidInput:
    return InvalidInput(sentence, fields={"value": [sentence]})


def _time_zone(text: str) -> str:
    if text not in available_timezones():
        raise _refusal("Informe um fuso horário como America/Sao_Paulo.")
    return text


def _country(text: str) -> str:
    code = text.upper()
    if code not in phonenumbers.SUPPORTED_REGIONS:
        raise _refusal("Informe o código de um país, como BR.")
    return code


def _minutes(text: str) -> str:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise _refusal("Informe os minutos como um número inteiro.")
    if int(text) > MAX_REOPEN_WINDOW_MINUTES:
        raise _refusal(f"Informe de 0 a {MAX_REOPEN_WINDOW_MINUTES} minutos.")
    return str(int(text))


def _days(text: str) -> str:
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= MOST_RATING_DAYS):
        raise _refusal(f"Informe de 0 a {MOST_RATING_DAYS} dias.")
    return str(int(text))


def _template_name(text: str) -> str:
    if text and not _TEMPLATE_NAME.fullmatch(text):
        raise _refusal("Informe o nome de um modelo: letras minúsculas, números e sublinhados.")
    return text


def _words(text: str) -> str:
    words = [word.strip() for word in text.split(",") if word.strip()]
    if any(len(word) > 50 for word in words) or len(words) > 50:
        raise _refusal("Informe até 50 palavras de até 50 caracteres, separadas por vírgula.")
    return ", ".join(words)


def _hours(text: str) -> str:
    hours = _HOURS.fullmatch(text)
    if text and (hours is None or hours[1] >= hours[2]):
        raise _refusal("Informe um horário como 08:00-20:00, ou deixe vazio.")
    return text


def _reasons(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if any(len(line) > 60 for line in lines) or len(lines) > 50:
        raise _refusal("Informe até 50 motivos de até 60 caracteres, um em cada linha.")
    if len({line.casefold() for line in lines}) < len(lines):
        raise _refusal("Há um motivo repetido na lista.")
    return "\n".join(lines)


def _field_names(text: str) -> str:
    names = [name.strip() for name in text.split(",") if name.strip()]
    if any(len(name) > 100 for name in names) or len(names) > 20:
        raise _refusal("Informe até 20 campos de até 100 caracteres, separados por vírgula.")
    return ", ".join(dict.fromkeys(names))


def _holidays(text: str) -> str:
    try:
        return "\n".join(each.line for each in read_holidays(text))
    except WrongHolidays as error:
        raise _refusal(str(error)) from None


def _any_text(text: str) -> str:
    if len(text) > 500:
        raise _refusal("Informe até 500 caracteres.")
    return text


# Validators of the settings that are neither a choice nor free text.
_READERS = {
    "timeZone": _time_zone,
    "country": _country,
    "reopenWindowMinutes": _minutes,
    "ratingEveryDays": _days,
    "ratingTemplate": _template_name,
    "optOutWords": _words,
    "campaignSendingHours": _hours,
    "closingReasons": _reasons,
    "closingFields": _field_names,
    "ownHolidays": _holidays,
}


def _stored_form(key: str, value: str) -> str:
    """Return the value in its stored form; raises InvalidInput for a value that the key does not
    accept.
    """
    text = value if key in SECRET_SETTINGS else value.strip()
    _, choices = SETTINGS[key]
    if choices is not None and text not in choices:
        raise _refusal(f"Escolha um destes valores: {', '.join(choices)}.")
    return _READERS.get(key, _any_text)(text)


def change_setting(
    *,
    company_id: int,
    key: str,
    value: str,
    actor: AbstractBaseUser | None = None,
    ip_address: str | None = None,
) -> dict[str, str]:
    """Set one setting and return its wire row; a secret's mask or empty text changes nothing.

    Without an actor the system sets it.

    Raises SettingNotFound for an unknown key, InvalidInput for a value that the key does not
    accept.
    """
    if key not in SETTINGS:
        raise SettingNotFound
    text = _stored_form(key, value)
    is_secret = key in SECRET_SETTINGS
    if is_secret and is_unchanged(text):
        return row_of(SettingSerializer, (key, setting_of(company_id, key)))
    with transaction.atomic():
        CompanySetting.objects.update_or_create(
            company_id=company_id,
            key=key,
            defaults={"value": encrypt(text) if is_secret else text},
        )
        _audit(company_id, key, text, actor, ip_address)
        row = row_of(SettingSerializer, (key, text))
        events.setting_changed(company_id, row)
        setting_changed(company_id, key, text)
    return row


def _audit(
    company_id: int, key: str, value: str, actor: AbstractBaseUser | None, ip_address: str | None
) -> None:
    if key == OPENS_ALL:
        record(
            action="setting.changed",
            actor=actor,
            company_id=company_id,
            detail={"key": key, "value": value},
            ip_address=ip_address,
        )


def forget_setting(
    *,
    company_id: int,
    key: str,
    actor: AbstractBaseUser | None = None,
    ip_address: str | None = None,
) -> dict[str, str]:
    """Reset one setting to its default and return its wire row; this also removes a secret.

    Raises SettingNotFound for an unknown key.
    """
    if key not in SETTINGS:
        raise SettingNotFound
    row = row_of(SettingSerializer, (key, SETTINGS[key][0]))
    with transaction.atomic():
        CompanySetting.objects.for_company(company_id).filter(key=key).delete()
        _audit(company_id, key, SETTINGS[key][0], actor, ip_address)
        events.setting_changed(company_id, row)
        setting_changed(company_id, key, SETTINGS[key][0])
    return row
