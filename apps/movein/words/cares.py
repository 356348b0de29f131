"""What needs care after an import."""

from apps.movein.words.kinds import Kind, Words

CARES: dict[str, tuple[Kind, Words]] = {
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
