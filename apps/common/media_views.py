"""Streaming of private media by their signed path, with byte ranges so that players can seek."""

import re
from pathlib import PurePosixPath

from django.core.files.storage import default_storage
from django.http import (
    FileResponse,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
    JsonResponse,
)
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from apps.common.errors import NotFound, error_body
from apps.common.media import bucket, disposition, open_part, path_of_signed
from apps.common.media_types import served_type

# Of an address at the store. A browser that shows the file keeps the way there for less.
SIGNED_SECONDS, WAY_KEPT_SECONDS = 3600, 3000
# How a page's pictures, sounds and downloads ask: without reading the answer, which the store would
# have to allow. Programs and scripts get the file itself.
_SHOWS = {"no-cors", "navigate"}
CACHED = "private, max-age=43200, immutable"


def _range(header: str, size: int) -> tuple[int, int] | None:
    """Return first and last byte of a single-range header, None when it asks for the whole.

    Raises ValueError for a range outside the file.
    """
    match = re.fullmatch(r"bytes=(\d*)-(\d*)", header.strip())
    if match is None or match.group(0) == "bytes=-":
        return None
    first, last = match.groups()
    if not first:
        start, end = max(0, size - int(last)), size - 1
    else:
        start, end = int(first), min(int(last) if last else size - 1, size - 1)
    if start > end:
        raise ValueError(header)
    return start, end


@require_safe
def public_media(request: HttpRequest, media_path: str) -> HttpResponseBase:
    """Stream a file to whoever holds its signed path (rules/messages §5)."""
    try:
        path = path_of_signed(media_path.rstrip("/"))
        size = default_storage.size(path)
    except (NotFound, FileNotFoundError, OSError) as error:
        sentence = error.sentence if isinstance(error, NotFound) else NotFound.message
        return JsonResponse(error_body(NotFound.code, sentence), status=404)
    name = (request.GET.get("name") or PurePosixPath(path).name)[:255]
    mime = served_type(path)
    try:
        part = _range(request.headers.get("Range", ""), size)
    except ValueError:
        return HttpResponse(status=416, headers={"Content-Range": f"bytes */{size}"})
    if request.method == "GET" and (way := _way_to_store(request, path, name, mime)):
        return way
    start, end = part or (0, size - 1)
    if request.method == "HEAD":
        response: HttpResponseBase = HttpResponse(content_type=mime)
    else:
        response = FileResponse(open_part(path, start, end - start + 1), content_type=mime)
    response.status_code = 206 if part else 200
    if part:
        response["Content-Range"] = f"bytes {start}-{end}/{size}"
    response["Content-Length"] = str(end - start + 1)
    response["Accept-Ranges"] = "bytes"
    response["Content-Disposition"] = disposition(name, mime)
    response["Cache-Control"] = CACHED
    patch_vary_headers(response, ["Sec-Fetch-Mode"])
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return response


def _way_to_store(
    request: HttpRequest, path: str, name: str, mime: str
) -> HttpResponseRedirect | None:
    """Return the way to the file's signed address at the store, for browsers that show it.

    None where the store is not for browsers, or the folder still has the file.
    """
    store = bucket()
    is_shown = request.headers.get("Sec-Fetch-Mode") in _SHOWS
    if store is None or not store.browser_url or not is_shown or not store.bucket.exists(path):
        return None
    address = store.signed_url(
        "get_object",
        path,
        SIGNED_SECONDS,
        ResponseContentType=mime,
        ResponseContentDisposition=disposition(name, mime),
        ResponseCacheControl=CACHED,
    )
    response = HttpResponseRedirect(address)
    response["Cache-Control"] = f"private, max-age={WAY_KEPT_SECONDS}"
    response["Referrer-Policy"] = "no-referrer"
    patch_vary_headers(response, ["Sec-Fetch-Mode"])
    return response
