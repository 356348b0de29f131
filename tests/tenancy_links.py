"""What the outsider may not link to either, beside the own bodies of `tenancy_rows.ROWS`."""

from typing import Any

from tests.tenancy_rows import DIALOG_USER, QUEUE, SCHEDULE

LINKS: list[tuple[str, str, dict[str, Any]]] = [
    ("POST", "/users", {**DIALOG_USER, "whatsappId": "{connection}"}),
    ("POST", "/users", {**DIALOG_USER, "role": "{role}"}),
    ("PUT", "/users/{agent}", {"role": "{role}"}),
    ("PUT", "/users/{outsider}", {"queueIds": ["{queue}"]}),
    ("PUT", "/users/{outsider}", {"whatsappId": "{connection}"}),
    ("POST", "/queue", {**QUEUE, "integrationId": "{integration}"}),
    ("PUT", "/queue/{own_queue}", {"promptId": "{prompt}"}),
    ("PUT", "/queue/{own_queue}", {"integrationId": "{integration}"}),
    ("PUT", "/prompt/{own_prompt}", {"queueId": "{queue}"}),
    ("POST", "/queue", {**QUEUE, "options": [{"title": "A", "redirectionQueueId": "{queue}"}]}),
    ("PUT", "/queue/{own_queue}", {"options": [{"title": "A", "id": "{option}"}]}),
    ("POST", "/queue-options", {"title": "A", "queueId": "{own_queue}", "parentId": "{option}"}),
    ("PUT", "/queue-options/{own_option}", {"redirectionQueueId": "{queue}"}),
    ("PUT", "/queue-options/{own_option}", {"queueId": "{queue}"}),
    ("PUT", "/whatsapp/{own_connection}", {"queueIds": ["{queue}"]}),
    ("PUT", "/whatsapp/{own_connection}", {"transferQueueId": "{queue}"}),
    ("PUT", "/whatsapp/{own_connection}", {"promptId": "{prompt}"}),
    ("PUT", "/whatsapp/{own_connection}", {"integrationId": "{integration}"}),
    ("PUT", "/whatsapp/{own_connection}", {"textToTransferQueueId": "{queue}"}),
    ("POST", "/tickets", {"contactId": "{own_contact}", "queueId": "{queue}"}),
    (
        "POST",
        "/tickets",
        {
            "contactId": "{own_contact}",
            "queueId": "{own_queue}",
            "whatsappId": "{connection}",
        },
    ),
    (
        "POST",
        "/tickets",
        {"contactId": "{own_contact}", "queueId": "{own_queue}", "userId": "{agent}"},
    ),
    ("PUT", "/tickets/{own_ticket}", {"status": "pending", "queueId": "{queue}"}),
    (
        "POST",
        "/ticket-notes",
        {"note": "Oi", "ticketId": "{ticket}", "contactId": "{own_contact}"},
    ),
    (
        "POST",
        "/ticket-notes",
        {"note": "Oi", "ticketId": "{own_ticket}", "contactId": "{contact}"},
    ),
    ("POST", "/tickets/{own_ticket}/notes", {"text": "Oi", "userIds": ["{agent}"]}),
    ("POST", "/tickets/{own_ticket}/notes", {"text": "Oi", "queueIds": ["{queue}"]}),
    ("PUT", "/tickets/{own_ticket}", {"status": "open", "userId": "{agent}"}),
    ("PUT", "/tickets/{own_ticket}", {"whatsappId": "{connection}"}),
    ("PUT", "/ticket-tags/{own_ticket}/{tag}", {}),
    ("POST", "/tags/sync", {"ticketId": "{own_ticket}", "tags": ["{tag}"]}),
    ("POST", "/messages/{own_ticket}", {"body": "Oi", "quotedMsg": {"id": "{message}"}}),
    (
        "POST",
        "/schedules",
        {**SCHEDULE, "contactId": "{own_contact}", "ticketId": "{ticket}"},
    ),
    ("PUT", "/schedules/{own_schedule}", {"contactId": "{contact}"}),
    ("POST", "/contacts/{own_contact}/merge", {"contactId": "{contact}"}),
    ("POST", "/messages/{own_message}/forward", {"contactIds": ["{contact}"]}),
]
