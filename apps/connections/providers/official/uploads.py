"""Files that Meta takes by a handle: the samples of templates, a profile's picture.

developers.facebook.com/docs/graph-api/guides/upload. A handle is no media id: messages can't be
sent with it.
"""

from apps.common.reasons import ReasonCode
from apps.connections.providers.base import ProviderError
from apps.connections.providers.official.client import GraphClient

SESSION_PREFIX = "upload:"
# What the resumable upload takes.
UPLOAD_MIMES = frozenset({"application/pdf", "image/jpeg", "image/png", "video/mp4"})


def upload_handle(client: GraphClient, app_id: str, content: bytes, *, mime: str, name: str) -> str:
    """Upload a file for an app, which is the one of the token; returns its handle.

    Raises ProviderError, also without an app, and for a file that Meta would not take.
    """
    if not app_id.isascii() or not app_id.isdecimal():
        raise ProviderError(
            "O servidor ainda não tem a identificação do app da Meta (META_APP_ID). "
            "Peça a quem opera o serviço que a informe.",
            reason=ReasonCode.APP_ID_MISSING,
            code="no_app_id",
            permanent=True,
        )
    if mime not in UPLOAD_MIMES or not content:
        raise ProviderError(
            "O arquivo não é aceito pelo WhatsApp.",
            reason=ReasonCode.MEDIA_REFUSED,
            code="media_refused",
            permanent=True,
        )
    session = client.post_query(
        f"{app_id}/uploads", file_name=name, file_length=str(len(content)), file_type=mime
    ).get("id")
    # It carries its own signature as a query, and goes back as it came.
    if not isinstance(session, str) or not session.startswith(SESSION_PREFIX):
        raise _unread()
    handle = client.post_bytes(session, content).get("h")
    if not isinstance(handle, str) or not handle:
        raise _unread()
    return handle


def _unread() -> ProviderError:
    return ProviderError(
        "A Meta não devolveu o arquivo enviado.",
        reason=ReasonCode.MALFORMED_ANSWER,
        code="malformed_answer",
    )
