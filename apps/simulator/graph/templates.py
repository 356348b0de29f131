"""The message templates of every simulated account, in the format of Meta's list.

They cover all statuses, named and positional variables, headers of every format, the common
buttons, several languages and a carousel.
"""

from typing import Any

Part = dict[str, Any]

SHOP = "https://casaaroeira.example"


def _header(form: str, text: str = "", **example: Any) -> Part:
    part: Part = {"type": "HEADER", "format": form}
    part |= {"text": text} if text else {}
    return part | ({"example": example} if example else {})


def _body(text: str, *examples: str, **named: str) -> Part:
    part: Part = {"type": "BODY", "text": text}
    if examples:
        part["example"] = {"body_text": [list(examples)]}
    if named:
        rows = [{"param_name": name, "example": value} for name, value in named.items()]
        part["example"] = {"body_text_named_params": rows}
    return part


def _footer(text: str) -> Part:
    return {"type": "FOOTER", "text": text}


def _buttons(*buttons: Part) -> Part:
    return {"type": "BUTTONS", "buttons": list(buttons)}


def _reply(text: str) -> Part:
    return {"type": "QUICK_REPLY", "text": text}


def _link(text: str, url: str, *example: str) -> Part:
    return {"type": "URL", "text": text, "url": url} | (
        {"example": list(example)} if example else {}
    )


def _template(
    number: int,
    name: str,
    category: str,
    *components: Part,
    language: str = "pt_BR",
    status: str = "APPROVED",
    named: bool = False,
) -> Part:
    return {
        "name": name,
        "parameter_format": "NAMED" if named else "POSITIONAL",
        "components": list(components),
        "language": language,
        "status": status,
        "category": category,
        "id": str(900_000_000_000_000 + number),
    }


_HANDLE = "https://scontent.whatsapp.net/v/t61.29466-34/exemplo"

TEMPLATES: list[Part] = [
    _template(
        1,
        "retomar_conversa",
        "UTILITY",
        _body(
            "Olá, {{1}}! Ficamos com uma conversa em aberto sobre {{2}}. Podemos continuar?",
            "Mariana",
            "a troca do prato",
        ),
        _buttons(_reply("Sim, vamos lá"), _reply("Agora não")),
    ),
    _template(
        2,
        "pedido_enviado",
        "UTILITY",
        _header("TEXT", "Pedido a caminho"),
        _body(
            "Olá, {{1}}! O pedido *{{2}}* saiu da nossa loja e chega até {{3}}.",
            "Mariana",
            "10482",
            "sábado, 22/11",
        ),
        _footer("Casa Aroeira"),
        _buttons(_link("Acompanhar entrega", SHOP + "/rastreio/{{1}}", SHOP + "/rastreio/10482")),
    ),
    _template(
        3,
        "lembrete_de_pagamento",
        "UTILITY",
        _body(
            "Olá, {{1}}! O pagamento de R$ {{2}} vence em {{3}}. Responda por aqui se precisar de"
            " uma nova chave Pix.",
            "Rodrigo",
            "389,00",
            "20/11",
        ),
    ),
    _template(
        4,
        "novidades_da_colecao",
        "MARKETING",
        _body(
            "A coleção nova chegou: pratos, travessas e canecas feitos à mão. Quer ver o catálogo?"
        ),
        _footer("Responda SAIR para não receber mais"),
        _buttons(_reply("Quero ver"), _reply("Falar com a loja")),
    ),
    _template(
        5,
        "apresentar_atendente",
        "UTILITY",
        _header(
            "TEXT",
            "Oi, {{cliente}}!",
            header_text_named_params=[{"param_name": "cliente", "example": "Mariana"}],
        ),
        _body(
            "Aqui é *{{atendente}}*, da Casa Aroeira. Vou cuidar do seu pedido _{{assunto}}_ a"
            " partir de agora. Pode responder por aqui mesmo.",
            atendente="Ana Prado",
            assunto="10482",
        ),
        _footer("Segunda a sexta, das 8 h às 18 h"),
        named=True,
    ),
    _template(
        6,
        "peca_disponivel",
        "MARKETING",
        _header("IMAGE", header_handle=[_HANDLE]),
        _body("{{1}}, a peça que você procurava voltou: {{2}}.", "Mariana", "travessa azul"),
        _footer("Casa Aroeira"),
        _buttons(
            _link("Ver na loja", SHOP + "/novidades"),
            {"type": "PHONE_NUMBER", "text": "Ligar para a loja", "phone_number": "+551140028922"},
        ),
    ),
    _template(
        7,
        "segunda_via_do_boleto",
        "UTILITY",
        _header("DOCUMENT", header_handle=[_HANDLE]),
        _body(
            "{{nome}}, segue a segunda via do boleto de {{mes}}. O novo vencimento é {{data}}.",
            nome="Rodrigo",
            mes="novembro",
            data="28/11",
        ),
        named=True,
    ),
    _template(
        8,
        "cuidados_com_a_ceramica",
        "UTILITY",
        _header("VIDEO", header_handle=[_HANDLE]),
        _body("Sua compra chegou! Veja em um minuto como cuidar das peças."),
        _buttons(_reply("Gostei"), _reply("Tenho uma dúvida")),
    ),
    _template(
        9,
        "cupom_de_aniversario",
        "MARKETING",
        _body("Feliz aniversário, {{1}}! Este mês você tem *10% de desconto* na loja.", "Mariana"),
        _footer("Válido até o fim do mês"),
        _buttons(
            {"type": "COPY_CODE", "text": "Copiar código", "example": ["AROEIRA10"]},
            _link("Ir para a loja", SHOP),
        ),
    ),
    _template(
        10,
        "pedido_enviado",
        "UTILITY",
        _header("TEXT", "On its way"),
        _body(
            "Hello, {{1}}! Your order *{{2}}* has left our shop and arrives by {{3}}.",
            "Mariana",
            "10482",
            "Saturday",
        ),
        _footer("Casa Aroeira"),
        language="en_US",
    ),
    _template(
        11,
        "pesquisa_de_satisfacao",
        "UTILITY",
        _body("Olá, {{1}}! De 0 a 10, que nota você dá ao nosso atendimento?", "Mariana"),
        status="PENDING",
    ),
    _template(
        12,
        "promocao_relampago",
        "MARKETING",
        _body("SÓ HOJE!!! Tudo com 70% de desconto, clique agora!"),
        status="REJECTED",
    ),
    _template(
        13,
        "aviso_de_feriado",
        "UTILITY",
        _body("Olá! No dia {{1}} a loja estará fechada.", "20/11"),
        status="PAUSED",
    ),
    _template(
        14,
        "codigo_de_acesso",
        "AUTHENTICATION",
        _body("*{{1}}* é o seu código de verificação.", "482913"),
        {"type": "FOOTER", "code_expiration_minutes": 10},
        _buttons(
            _link(
                "Copiar código",
                "https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}",
                "https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp482913",
            )
        ),
    ),
    _template(
        15,
        "vitrine_da_semana",
        "MARKETING",
        _body("Escolhemos três peças para você."),
        {
            "type": "CAROUSEL",
            "cards": [
                {
                    "components": [
                        _header("IMAGE", header_handle=[_HANDLE]),
                        _body("Caneca de grés"),
                        _buttons(_link("Ver", SHOP + "/canecas")),
                    ]
                }
            ],
        },
    ),
]
