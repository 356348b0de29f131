import pytest

from apps.automation.clients.asaas_documents import (
    find_document,
    is_document,
    looks_like_document,
)


@pytest.mark.parametrize(
    ("document", "valid"),
    [
        ("52998224725", True),
        ("52998224724", False),
        ("52998224735", False),
        ("11144477735", True),
        ("11111111111", False),
        ("00000000000", False),
        ("5299822472", False),
        ("11222333000181", True),
        ("11222333000180", False),
        ("00000000000000", False),
        # The example of the Receita Federal for CNPJs with letters.
        ("12ABC34501DE35", True),
        ("12ABC34501DE36", False),
        ("12abc34501de35", False),
        ("12ABC34501DEAB", False),
        ("٥٢٩٩٨٢٢٤٧٢٥", False),
        ("", False),
    ],
)
def test_check_digits_decide(document: str, valid: bool) -> None:
    assert is_document(document) is valid


@pytest.mark.parametrize(
    ("text", "document"),
    [
        ("529.982.247-25", "52998224725"),
        ("meu CPF é 529 982 247 25, obrigado", "52998224725"),
        ("CNPJ: 11.222.333/0001-81.", "11222333000181"),
        ("11222333000181", "11222333000181"),
        ("12.abc.345/01de-35", "12ABC34501DE35"),
        ("liga em 11 98765-4321 ou 529.982.247-25", "52998224725"),
        ("529.982.247-26", ""),
        ("152998224725", ""),
        ("Bom dia", ""),
        ("", ""),
    ],
)
def test_a_document_is_found_in_what_was_written(text: str, document: str) -> None:
    assert find_document(text) == document


@pytest.mark.parametrize(
    ("text", "tried"),
    [
        ("529.982.247-26", True),
        ("5299822472", True),
        ("11.222.333/0001-80", True),
        ("quero 2 boletos de 150", False),
        ("Bom dia", False),
    ],
)
def test_a_try_is_told_from_other_words(text: str, tried: bool) -> None:
    assert looks_like_document(text) is tried
