"""The values that an option may ask for, and how they are read from messages (rules/bot §10)."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import phonenumbers

from apps.automation.clients.asaas_documents import CPF_LENGTH, find_document, is_document
from apps.common.search import fold
from apps.contacts.numbers import shown_number
from apps.tickets.services.bot.routing.answers import plain
from apps.tickets.services.bot.routing.inputs import MessageView

NAME, EMAIL, CPF, PHONE, NUMBER, TEXT = "name", "email", "cpf", "phone", "number", "text"
# The same limits as for people who type into the contact's fields.
SHORTEST_NAME, LONGEST_NAME = 2, 50
LONGEST_EMAIL, LONGEST_NUMBER, LONGEST_TEXT = 254, 40, 500
# No value is searched for in a longer message.
LONGEST_READ = 1000

MEDIA_IS_NO_VALUE = "Preciso da resposta por escrito, por favor."


@dataclass(frozen=True)
class Asked:
    """A kind of value: the default question, and the sentence about a wrong answer."""

    question: str
    wrong: str


ASKED = {
    NAME: Asked(
        "Qual é o seu nome?",
        f"Não entendi o nome. Escreva só o nome, com letras, em até {LONGEST_NAME} caracteres.",
    ),
    EMAIL: Asked(
        "Qual é o seu e-mail?",
        "Este e-mail não está certo. Escreva como neste exemplo: maria@exemplo.com.br",
    ),
    CPF: Asked("Qual é o seu CPF?", "Este CPF não confere. Escreva os 11 números do CPF."),
    PHONE: Asked(
        "Qual é o seu telefone?",
        "Este telefone não está certo. Escreva com o DDD, como neste exemplo: (11) 98765-4321",
    ),
    NUMBER: Asked(
        "Qual é o número?", "Não encontrei o número. Escreva só o número, como está escrito aí."
    ),
    TEXT: Asked(
        "Escreva a sua resposta, por favor.",
        f"Não entendi. Escreva a resposta em até {LONGEST_TEXT} caracteres.",
    ),
}

_SIGNS = r"!#$%&'*+/=?^_`|~-"
_WORD = rf"[a-z0-9{_SIGNS}]+"
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_EMAIL = re.compile(
    rf"(?<![\w.{_SIGNS}]){_WORD}(?:\.{_WORD})*@(?:{_LABEL}\.)+[a-z]{{2,24}}(?!\w)", re.I
)
_NUMBER = re.compile(r"(?<!\w)[A-Z0-9]+(?:[./_-][A-Z0-9]+)*(?!\w)", re.I)
_NAME = re.compile(r"[^\W\d_]+(?:[ .'’-]+[^\W\d_]+)*\.?")
_BEFORE_NAME = re.compile(
    r"^\s*(?:(?:oi|ol[aá]|hola|hello|hi)[\s,!.]+)?"
    r"(?:(?:o\s+|el\s+)?meu\s+nome(?:\s+completo)?\s*(?:[eé]\s|:)|me\s+chamo\s|me\s+llamo\s"
    r"|mi\s+nombre\s+es\s|my\s+name\s+is\s|eu\s+sou\s|sou\s+[oa]\s|aqui\s+[eé]\s|nome\s*:)"
    r"\s*(?:[oa]\s+)?",
    re.I,
)
# A folded text like this is a greeting, not an answer. The words of `_NO_NAME` are not names.
_GREETING = re.compile(
    r"(?:oi+e?|ola|alo|hola|hello|hi|hey|opa|bom dia|boa tarde|boa noite"
    r"|buen[oa]s (?:dias|tardes|noches)|tudo bem)(?:[\s,!.?]+tudo bem)?[\s!.?]*"
)
_NO_NAME = re.compile(r"sim|nao|si|no|yes|ok|obrigad[oa]|gracias|pra que|por que|nao quero|nenhum")


def value_of(kind: str, messages: Sequence[MessageView], region: str) -> str:
    """Return the value found in the messages, in its canonical form; empty if there is none.

    A name or a text may be spread over several messages. Of the other kinds exactly one value must
    be found. An e-mail, a CPF or a telephone also counts if it was written before the question
    could be read. `region` is the country of telephones that are written without it.
    """
    if kind == PHONE:
        if shared := shared_number(messages):
            return shown_number(shared)
        texts = [plain(message.answer_text) for message in messages]
        return _only(_phones(text, region) for text in texts if len(text) <= LONGEST_READ)
    if kind in {EMAIL, CPF}:
        texts = [plain(message.answer_text) for message in messages]
    elif kind == NUMBER:
        texts = [plain(text) for text in _texts(messages)]
    else:
        texts = [" ".join(" ".join(_texts(messages)).replace("\x00", "").split())]
    return _only(_READ[kind](text) for text in texts if len(text) <= LONGEST_READ)


def shared_number(messages: Sequence[MessageView]) -> str:
    """Return the number that the contact shared as the own one, in digits; '' for none."""
    return next((each.shared_number for each in messages if each.shared_number), "")


def _only(found: Iterable[set[str]]) -> str:
    values = set().union(*found)
    return values.pop() if len(values) == 1 else ""


def _texts(messages: Sequence[MessageView]) -> list[str]:
    return [
        each.answer_text
        for each in messages
        if each.answer_text and not (each.is_hasty or each.choice_id)
    ]


def _emails(text: str) -> set[str]:
    found = {each[0] for each in _EMAIL.finditer(text)}
    return {each for each in found if len(each) <= LONGEST_EMAIL and each.index("@") <= 64}


def _documents(text: str) -> set[str]:
    bare = re.sub(r"[\s./-]", "", text)
    document = bare if is_document(bare) else find_document(text)
    if len(document) != CPF_LENGTH:
        return set()
    return {f"{document[:3]}.{document[3:6]}.{document[6:9]}-{document[9:]}"}


def _phones(text: str, region: str) -> set[str]:
    international = phonenumbers.PhoneNumberFormat.INTERNATIONAL
    found = phonenumbers.PhoneNumberMatcher(text, region)
    return {phonenumbers.format_number(each.number, international) for each in found}


def _numbers(text: str) -> set[str]:
    found = {each[0] for each in _NUMBER.finditer(text) if any(c.isdigit() for c in each[0])}
    return found if all(len(each) <= LONGEST_NUMBER for each in found) else set()


def _names(text: str) -> set[str]:
    name = _BEFORE_NAME.sub("", text).strip(" .,;!")
    folded = fold(name)
    is_one = _NAME.fullmatch(name) and SHORTEST_NAME <= len(name) <= LONGEST_NAME
    is_word = _GREETING.fullmatch(folded) or _NO_NAME.fullmatch(folded)
    return {name} if is_one and not is_word else set()


def _words(text: str) -> set[str]:
    is_one = 0 < len(text) <= LONGEST_TEXT and any(each.isalnum() for each in text)
    return {text} if is_one and not _GREETING.fullmatch(fold(text)) else set()


_READ = {NAME: _names, EMAIL: _emails, CPF: _documents, NUMBER: _numbers, TEXT: _words}
