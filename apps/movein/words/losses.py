"""What an import merges, and what it leaves out."""

from apps.movein.words.kinds import Kind, Words

LOSSES: dict[str, tuple[Kind, Words]] = {
    "plan_merged": (
        "merged",
        ("planos iguais aos daqui", "plans equal to ones here", "planes iguales a los de aquí"),
    ),
    "user_merged": (
        "merged",
        (
            "usuários da mesma empresa com o mesmo e-mail: vale a senha do primeiro",
            "users of one company with the same e-mail: the first one's password counts",
            "usuarios de una empresa con el mismo correo: vale la contraseña del primero",
        ),
    ),
    "contact_merged": (
        "merged",
        (
            "contatos com o mesmo número (com e sem o nono dígito) ou LID",
            "contacts with the same number (with and without the ninth digit) or LID",
            "contactos con el mismo número (con y sin el noveno dígito) o LID",
        ),
    ),
    "tag_merged": (
        "merged",
        ("tags com o mesmo nome", "tags with the same name", "etiquetas con el mismo nombre"),
    ),
    "invoice_merged": (
        "merged",
        (
            "faturas da mesma empresa e data",
            "invoices of the same company and day",
            "facturas de la misma empresa y fecha",
        ),
    ),
    "message_repeated": (
        "merged",
        (
            "mensagens repetidas na mesma conexão",
            "messages repeated on the same connection",
            "mensajes repetidos en la misma conexión",
        ),
    ),
    "pair_repeated": (
        "merged",
        (
            "vínculos repetidos com filas",
            "repeated links to queues",
            "vínculos repetidos con colas",
        ),
    ),
    "person_repeated": (
        "merged",
        (
            "pessoas repetidas em uma lista",
            "people repeated in a list",
            "personas repetidas en una lista",
        ),
    ),
    "recipient_repeated": (
        "merged",
        (
            "destinatários repetidos em uma campanha",
            "recipients repeated in a campaign",
            "destinatarios repetidos en una campaña",
        ),
    ),
    "setting_repeated": (
        "merged",
        (
            "configurações gravadas duas vezes: vale a mais nova",
            "settings stored twice: the newest counts",
            "ajustes grabados dos veces: vale el más nuevo",
        ),
    ),
    "operator_company": (
        "merged",
        (
            "a empresa 1 de lá é a empresa 1 daqui, que opera o serviço e não vence",
            "company 1 there is company 1 here, which runs the service and never expires",
            "la empresa 1 de allá es la empresa 1 de aquí, que opera el servicio y no vence",
        ),
    ),
    "setting_lost": (
        "lost",
        (
            "configurações que não existem aqui",
            "settings that do not exist here",
            "ajustes que no existen aquí",
        ),
    ),
    "queue_file_lost": (
        "lost",
        (
            "arquivos de saudação de filas",
            "files of queues' greetings",
            "archivos de saludo de colas",
        ),
    ),
    "farewell_lost": (
        "lost",
        (
            "mensagens de despedida de conexões",
            "farewell messages of connections",
            "mensajes de despedida de conexiones",
        ),
    ),
    "language_lost": (
        "lost",
        ("idiomas de empresas", "languages of companies", "idiomas de empresas"),
    ),
    "disable_bot_lost": (
        "lost",
        (
            "contatos com o robô desligado: aqui o robô os atende",
            "contacts with the bot switched off: here the bot answers them",
            "contactos con el bot apagado: aquí el bot los atiende",
        ),
    ),
    "quote_lost": (
        "lost",
        (
            "citações de mensagens que a origem não tem",
            "quotes of messages that the source lacks",
            "citas de mensajes que el origen no tiene",
        ),
    ),
    "contact_tag_lost": (
        "lost",
        (
            "tags de contatos sem atendimento aberto",
            "tags of contacts without a live ticket",
            "etiquetas de contactos sin ticket abierto",
        ),
    ),
    "other_channel": (
        "lost",
        (
            "o que é de outros canais que o WhatsApp",
            "what is of other channels than WhatsApp",
            "lo que es de otros canales que WhatsApp",
        ),
    ),
    "help_link_lost": ("lost", ("links de ajudas", "links of helps", "enlaces de ayudas")),
    "help_without_film": (
        "lost",
        (
            "ajudas sem um vídeo do YouTube ou Vimeo",
            "helps without a film of YouTube or Vimeo",
            "ayudas sin un video de YouTube o Vimeo",
        ),
    ),
    "company_missing": (
        "lost",
        ("linhas sem empresa", "rows without a company", "filas sin empresa"),
    ),
    "integration_unknown": (
        "lost",
        (
            "integrações de tipos que não existem aqui",
            "integrations of kinds that do not exist here",
            "integraciones de tipos que no existen aquí",
        ),
    ),
    "option_without_queue": (
        "lost",
        ("opções sem fila", "options without a queue", "opciones sin cola"),
    ),
    "prompt_without_queue": (
        "lost",
        (
            "prompts de empresas sem fila",
            "prompts of companies without a queue",
            "prompts de empresas sin cola",
        ),
    ),
    "pair_broken": (
        "lost",
        (
            "vínculos com algo que não veio",
            "links to what did not come",
            "vínculos con algo que no vino",
        ),
    ),
    "pair_over_companies": (
        "lost",
        (
            "vínculos entre duas empresas",
            "links between two companies",
            "vínculos entre dos empresas",
        ),
    ),
    "invoice_without_day": (
        "lost",
        ("faturas sem vencimento", "invoices without a due date", "facturas sin vencimiento"),
    ),
    "field_empty_or_repeated": (
        "lost",
        (
            "campos adicionais vazios ou repetidos",
            "lines of extra info that are empty or repeated",
            "campos adicionales vacíos o repetidos",
        ),
    ),
    "too_many_fields": (
        "lost",
        (
            "campos adicionais além de 100 por contato",
            "lines of extra info beyond 100 a contact",
            "campos adicionales más allá de 100 por contacto",
        ),
    ),
    "ticket_without_contact": (
        "lost",
        ("atendimentos sem contato", "tickets without a contact", "tickets sin contacto"),
    ),
    "ticket_over_companies": (
        "lost",
        (
            "atendimentos de uma empresa com o contato de outra",
            "tickets of one company with a contact of another",
            "tickets de una empresa con el contacto de otra",
        ),
    ),
    "message_without_ticket": (
        "lost",
        (
            "mensagens sem atendimento",
            "messages without a ticket",
            "mensajes sin ticket",
        ),
    ),
    "reaction_without_message": (
        "lost",
        (
            "reações a mensagens que a origem não tem",
            "reactions to messages that the source lacks",
            "reacciones a mensajes que el origen no tiene",
        ),
    ),
    "rating_without_cycle": (
        "lost",
        (
            "avaliações sem uma passagem do atendimento livre para elas",
            "ratings without a free pass of their ticket",
            "evaluaciones sin un paso libre de su ticket",
        ),
    ),
    "note_empty_or_without_contact": (
        "lost",
        (
            "notas vazias ou sem contato",
            "notes that are empty or without a contact",
            "notas vacías o sin contacto",
        ),
    ),
    "schedule_without_contact": (
        "lost",
        (
            "agendamentos sem contato ou hora",
            "schedules without a contact or a time",
            "programaciones sin contacto u hora",
        ),
    ),
    "person_without_number_or_list": (
        "lost",
        (
            "pessoas de listas sem número ou sem lista",
            "people of lists without a number or a list",
            "personas de listas sin número o sin lista",
        ),
    ),
    "recipient_without_campaign": (
        "lost",
        (
            "destinatários sem campanha ou número",
            "recipients without a campaign or a number",
            "destinatarios sin campaña o número",
        ),
    ),
    "chat_without_people": (
        "lost",
        ("chats sem pessoas", "chats without people", "chats sin personas"),
    ),
    "chat_message_without_chat": (
        "lost",
        (
            "mensagens internas sem chat",
            "internal messages without a chat",
            "mensajes internos sin chat",
        ),
    ),
    "chat_message_empty": (
        "lost",
        ("mensagens internas vazias", "empty internal messages", "mensajes internos vacíos"),
    ),
}
