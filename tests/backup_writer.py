"""Writes media and then the message that shows it, without an end: `python -m tests.backup_writer`.

Prints a line for each; on a migrated database of its own.
"""

import os


def main() -> None:
    """Write until killed."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from apps.common.media import store_media
    from apps.tickets.models import MediaState
    from tests import factories

    company = factories.make_company(name="Acme")
    queue = factories.make_queue(company)
    connection = factories.make_connection(company, queues=[queue])
    ticket = factories.make_ticket(company, connection=connection)
    number = 0
    while True:
        number += 1
        content = f"file {number} ".encode() * (number % 50 * 1000 + 1)
        media = store_media(
            company_id=company.pk, content=content, name=f"{number}.txt", mime="text/plain"
        )
        factories.make_message(
            ticket,
            media_path=media.path,
            media_size=media.size,
            media_mime=media.mime,
            media_state=MediaState.READY,
        )
        print(number, flush=True)


if __name__ == "__main__":
    main()
