"""What the report says, in Portuguese, English and Spanish."""

from typing import Literal

Kind = Literal["merged", "lost", "care"]
LANGUAGES = {"pt": 0, "en": 1, "es": 2}
Words = tuple[str, str, str]

HEADINGS: dict[str, Words] = {
    "dry": (
        "Ensaio: nada foi gravado. Repita com --go para importar.",
        "Dry run: nothing was written. Repeat it with --go to import.",
        "Ensayo: no se grabó nada. Repita con --go para importar.",
    ),
    "done": ("Importação concluída.", "The import is done.", "La importación terminó."),
    "keeps": (
        "Números de atendimentos e endereços ficam os mesmos.",
        "Ticket numbers and addresses stay the same.",
        "Los números de tickets y las direcciones siguen iguales.",
    ),
    "renumbers": (
        "Os registros recebem números novos, porque esta instalação já tem dados.",
        "Rows get new numbers, because this installation has data already.",
        "Los registros reciben números nuevos, porque esta instalación ya tiene datos.",
    ),
    "comes": ("O que vem", "What comes", "Lo que viene"),
    "merged": ("O que se une", "What is merged", "Lo que se une"),
    "lost": ("O que se perde", "What is lost", "Lo que se pierde"),
    "care": ("O que pede cuidado", "What needs care", "Lo que pide cuidado"),
    "strangers": (
        "Tabelas e colunas desconhecidas, que não vêm",
        "Unknown tables and columns, which do not come",
        "Tablas y columnas desconocidas, que no vienen",
    ),
    "columns": (
        "tabela: lidos / novos / unidos / fora",
        "table: read / new / merged / left out",
        "tabla: leídos / nuevos / unidos / fuera",
    ),
    "open": (
        "Faltam linhas: a origem tem mais do que foi lido.",
        "Rows are missing: the source has more than was read.",
        "Faltan filas: el origen tiene más de lo que se leyó.",
    ),
    "nothing": ("nada", "nothing", "nada"),
}

NOTES: dict[str, tuple[Kind, Words]] = {
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
    "rescan": (
        "care",
        (
            "conexões a ler de novo com o QR Code, depois de desligar o sistema anterior",
            "connections whose QR code must be scanned again, after the older product is off",
            "conexiones cuyo QR se escanea de nuevo, después de apagar el sistema anterior",
        ),
    ),
    "token_anew": (
        "care",
        (
            "conexões com token da API: crie um novo e troque-o em quem chama",
            "connections with an API token: make a new one, and change it in who calls",
            "conexiones con token de la API: cree uno nuevo y cámbielo en quien llama",
        ),
    ),
    "timers_off": (
        "care",
        (
            "conexões com tempos desligados (transferir / encerrar): ligue-os depois de conferir",
            "connections whose timers are off (transfer / close): switch them on after a check",
            "conexiones con tiempos apagados (transferir / cerrar): enciéndalos tras revisar",
        ),
    ),
    "payload_differs": (
        "care",
        (
            "integrações que recebem outro formato aqui: mude os fluxos",
            "integrations that get another payload here: change their flows",
            "integraciones que aquí reciben otro formato: cambie los flujos",
        ),
    ),
    "target_private": (
        "care",
        (
            "integrações com endereço em rede interna, que aqui são recusadas",
            "integrations with an address in a private network, which is refused here",
            "integraciones con dirección en una red interna, que aquí se rechaza",
        ),
    ),
    "plan_allowed_none": (
        "care",
        (
            "planos que não permitiam nenhum: aqui 0 não limita, por isso ficou 1",
            "plans that allowed none: 0 sets no limit here, so it is 1",
            "planes que no permitían ninguno: aquí 0 no limita, por eso quedó 1",
        ),
    ),
    "currency": (
        "care",
        (
            "valores em outra moeda, que aqui contam como reais",
            "amounts in another currency, which count as reais here",
            "valores en otra moneda, que aquí cuentan como reales",
        ),
    ),
    "setting_refused": (
        "care",
        (
            "configurações com um valor que aqui não existe: fica o padrão",
            "settings with a value that does not exist here: the default stays",
            "ajustes con un valor que aquí no existe: queda el estándar",
        ),
    ),
    "company_without_plan": (
        "care",
        (
            "empresas sem plano: escolha um",
            "companies without a plan: choose one",
            "empresas sin plan: elija uno",
        ),
    ),
    "due_date_missing": (
        "care",
        (
            "empresas sem vencimento: ficou daqui a 30 dias",
            "companies without a due date: it is in 30 days",
            "empresas sin vencimiento: quedó a 30 días",
        ),
    ),
    "operator_company_new": (
        "care",
        (
            "a empresa que operava o outro serviço vem como uma empresa comum",
            "the company that ran the other service comes as an ordinary company",
            "la empresa que operaba el otro servicio viene como una empresa común",
        ),
    ),
    "renamed": (
        "care",
        (
            "nomes que já existiam, com um número no fim",
            "names that existed already, with a number at their end",
            "nombres que ya existían, con un número al final",
        ),
    ),
    "color_moved": (
        "care",
        (
            "filas com outra cor, porque a sua já era de outra fila",
            "queues with another colour, because theirs was another queue's",
            "colas con otro color, porque el suyo ya era de otra cola",
        ),
    ),
    "shortened": (
        "care",
        ("textos encurtados", "shortened texts", "textos acortados"),
    ),
    "hours_simplified": (
        "care",
        (
            "horários com feriados ou várias pausas: confira-os",
            "hours with holidays or several breaks: check them",
            "horarios con feriados o varias pausas: revíselos",
        ),
    ),
    "option_queue_found": (
        "care",
        (
            "opções sem fila própria, ligadas à da opção acima",
            "options without a queue of their own, put into that of the option above",
            "opciones sin cola propia, puestas en la de la opción de arriba",
        ),
    ),
    "email_invalid": (
        "care",
        (
            "usuários sem e-mail válido: um administrador precisa corrigir",
            "users without a valid e-mail: an admin must correct it",
            "usuarios sin correo válido: un administrador debe corregirlo",
        ),
    ),
    "email_changed": (
        "care",
        (
            "usuários cujo e-mail já era de outra empresa: entram com o novo",
            "users whose e-mail was another company's already: they sign in with the new one",
            "usuarios cuyo correo ya era de otra empresa: entran con el nuevo",
        ),
    ),
    "password_missing": (
        "care",
        (
            "usuários sem senha que se possa trazer: precisam criar uma nova",
            "users without a password that can be taken over: they need a new one",
            "usuarios sin contraseña que se pueda traer: necesitan una nueva",
        ),
    ),
    "super_lost": (
        "care",
        (
            "usuários que eram super e aqui não são",
            "users who were super and are not here",
            "usuarios que eran super y aquí no lo son",
        ),
    ),
    "number_was_lid": (
        "care",
        (
            "contatos conhecidos só pelo LID: o número vem quando o WhatsApp o informar",
            "contacts known by their LID alone: the number comes when WhatsApp tells it",
            "contactos conocidos solo por su LID: el número llega cuando WhatsApp lo informe",
        ),
    ),
    "contact_without_number": (
        "care",
        ("contatos sem número", "contacts without a number", "contactos sin número"),
    ),
    "status_unknown": (
        "care",
        (
            "atendimentos com outro estado, encerrados",
            "tickets with another status, closed",
            "tickets con otro estado, cerrados",
        ),
    ),
    "bot_ended": (
        "care",
        (
            "atendimentos que estavam com o robô: esperam por uma pessoa",
            "tickets that the bot led: they wait for a person",
            "tickets que llevaba el bot: esperan a una persona",
        ),
    ),
    "two_live": (
        "care",
        (
            "atendimentos encerrados, porque o contato tinha outro aberto na mesma conexão",
            "tickets closed, because the contact had another live one on the connection",
            "tickets cerrados, porque el contacto tenía otro abierto en la misma conexión",
        ),
    ),
    "uuid_anew": (
        "care",
        (
            "atendimentos com endereço novo, porque o seu era repetido",
            "tickets with a new address, because theirs was repeated",
            "tickets con dirección nueva, porque la suya era repetida",
        ),
    ),
    "cycle_unfinished": (
        "care",
        (
            "passagens sem fim, encerradas no começo da seguinte",
            "passes without an end, ended when the next one began",
            "pasos sin fin, cerrados al empezar el siguiente",
        ),
    ),
    "rate_changed": (
        "care",
        (
            "notas fora de 1 a 3, levadas à mais próxima",
            "ratings outside of 1 to 3, moved to the nearest one",
            "notas fuera de 1 a 3, llevadas a la más cercana",
        ),
    ),
    "ack_raised": (
        "care",
        (
            "mensagens nossas sem confirmação: contam como enviadas e não são enviadas de novo",
            "messages of ours without a tick: they count as sent and are not sent again",
            "mensajes nuestros sin confirmación: cuentan como enviados y no se envían de nuevo",
        ),
    ),
    "kind_unknown": (
        "care",
        (
            "mensagens de tipos que aqui não se mostram, com o seu texto",
            "messages of kinds that are not shown here, with their text",
            "mensajes de tipos que aquí no se muestran, con su texto",
        ),
    ),
    "schedule_to_confirm": (
        "care",
        (
            "agendamentos parados: confirme cada um, e apague-o no sistema anterior",
            "schedules that are stopped: confirm each, and delete it in the older product",
            "programaciones detenidas: confirme cada una y bórrela en el sistema anterior",
        ),
    ),
    "schedule_past": (
        "care",
        (
            "agendamentos vencidos que não foram enviados, e não serão",
            "schedules of the past that were not sent, and will not be",
            "programaciones vencidas que no se enviaron, y no se enviarán",
        ),
    ),
    "campaign_cancelled": (
        "care",
        (
            "campanhas que estavam em andamento, canceladas: reinicie-as depois de conferir",
            "campaigns that were running, cancelled: restart them after a check",
            "campañas que estaban en curso, canceladas: reinícielas tras revisar",
        ),
    ),
    "campaign_unplanned": (
        "care",
        (
            "campanhas programadas, agora inativas: programe-as de novo",
            "planned campaigns, inactive now: plan them again",
            "campañas programadas, ahora inactivas: prográmelas de nuevo",
        ),
    ),
    "recipient_unsent": (
        "care",
        (
            "destinatários aos quais a campanha ainda não escreveu",
            "recipients to whom the campaign has not written yet",
            "destinatarios a los que la campaña aún no escribió",
        ),
    ),
    "contact_tag": (
        "care",
        (
            "tags de contatos, postas no atendimento aberto",
            "tags of contacts, put on the live ticket",
            "etiquetas de contactos, puestas en el ticket abierto",
        ),
    ),
    "file_without_folder": (
        "care",
        (
            "arquivos que não vêm sem --media",
            "files that do not come without --media",
            "archivos que no vienen sin --media",
        ),
    ),
    "file_missing": (
        "care",
        (
            "arquivos que faltam na pasta",
            "files that the folder lacks",
            "archivos que faltan en la carpeta",
        ),
    ),
    "file_refused": (
        "care",
        (
            "arquivos recusados (tipo ou tamanho)",
            "files that are refused (type or size)",
            "archivos rechazados (tipo o tamaño)",
        ),
    ),
}
