"""Files that programs name by an address (rules/messages-api §2)."""

import threading

from django.core.files.uploadedfile import SimpleUploadedFile

from apps.automation.clients.base import ClientError
from apps.automation.clients.http import fetch_file
from apps.common.attempts import TooManyAttempts
from apps.common.errors import DomainError

# Of a web process's threads, so that slow servers delay nobody else's calls.
MOST_AT_ONCE = 3
RETRY_AFTER = 5
_companies: set[int] = set()
_lock = threading.Lock()


class LinkUnavailable(DomainError):
    """The file could not be fetched; the reason is part of the response."""

    status = 424
    code = "ERR_MEDIA_URL"

    def __init__(self, error: ClientError) -> None:
        super().__init__(error.message, extra=error.reason.on_wire())


def fetched_file(company_id: int, url: str) -> SimpleUploadedFile:
    """Return the file at an address; a company fetches one at a time in a process.

    Raises LinkUnavailable, and TooManyAttempts while others are being fetched.
    """
    with _lock:
        if company_id in _companies or len(_companies) >= MOST_AT_ONCE:
            raise TooManyAttempts(RETRY_AFTER)
        _companies.add(company_id)
    try:
        file = fetch_file(url)
    except ClientError as error:
        raise LinkUnavailable(error) from error
    finally:
        with _lock:
            _companies.discard(company_id)
    return SimpleUploadedFile(file.name, file.content, content_type=file.mime)
