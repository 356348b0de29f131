"""A company's days off (rules/hours §4): national ones by a setting, its own as another's text.

A line of the text is a day, hours if it is not closed all day, and a name:
`2026-12-24 08:00-12:00 Véspera de Natal`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from apps.common.hours import DaysOff, Window, windows_between

NATIONAL, OWN = "nationalHolidays", "ownHolidays"
DAYS_OFF_KEYS = (NATIONAL, OWN)
_STATES = (
    *("AC", "AL", "AP", "AM", "BA", "CE", "DF", "ES", "GO", "MA", "MT", "MS", "MG", "PA"),
    *("PB", "PR", "PE", "PI", "RJ", "RN", "RS", "RO", "RR", "SC", "SP", "SE", "TO"),
)
# Brazil's holidays, and those with one of its states.
NATIONS = ("BR", *(f"BR-{state}" for state in _STATES))
MOST_DAYS, LONGEST_NAME = 200, 60
FIRST_YEAR, LAST_YEAR = 2000, 2100
_TIME = r"(?:[01]\d|2[0-3]):[0-5]\d"
_LINE = re.compile(rf"(\d{{4}}-\d{{2}}-\d{{2}})(?: ({_TIME})-({_TIME}))? (\S.*)")


class WrongHolidays(ValueError):
    """The text is none of a list of holidays; its message is a sentence for the person."""


@dataclass(frozen=True)
class Holiday:
    """A day off with its name; closed all day without `hours`, a pair of times like 08:00."""

    day: date
    name: str
    hours: tuple[str, str] | None = None

    @property
    def windows(self) -> tuple[Window, ...]:
        return windows_between([self.hours] if self.hours else [])

    @property
    def line(self) -> str:
        hours = f" {self.hours[0]}-{self.hours[1]}" if self.hours else ""
        return f"{self.day.isoformat()}{hours} {self.name}"


def read_holidays(text: str) -> list[Holiday]:
    """Return the holidays of a text by day; raises WrongHolidays."""
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    if len(lines) > MOST_DAYS:
        raise WrongHolidays(f"Informe no máximo {MOST_DAYS} feriados.")
    found: dict[date, Holiday] = {}
    for line in lines:
        holiday = _read(line)
        if holiday.day in found:
            day = f"{holiday.day:%d/%m/%Y}"
            raise WrongHolidays(f"O dia {day} aparece mais de uma vez.")
        found[holiday.day] = holiday
    return [found[day] for day in sorted(found)]


def _read(line: str) -> Holiday:
    match = _LINE.fullmatch(line)
    if match is None:
        raise WrongHolidays(f"Informe o feriado como 2026-12-24 08:00-12:00 Nome: {line[:80]}")
    text, start, end, name = match.groups()
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise WrongHolidays(f"Este dia não existe: {text}") from None
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise WrongHolidays(f"Informe um ano de {FIRST_YEAR} a {LAST_YEAR}: {text}")
    if len(name) > LONGEST_NAME:
        raise WrongHolidays(f"O nome de um feriado tem no máximo {LONGEST_NAME} caracteres.")
    if start is not None and start >= end:
        raise WrongHolidays(f"No dia {day:%d/%m/%Y} o horário precisa terminar depois do início.")
    return Holiday(day, name, (start, end) if start is not None else None)


def days_off_in(settings: Mapping[str, str]) -> DaysOff:
    """Return the days off of a company's settings, both of which are stored and valid."""
    return _days_off(settings[NATIONAL], settings[OWN])


@lru_cache(maxsize=256)
def _days_off(national: str, own: str) -> DaysOff:
    return DaysOff({each.day: each.windows for each in read_holidays(own)}, national)
