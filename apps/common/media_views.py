"""Streaming of private media by their signed path, with byte ranges so that players can seek."""

import re
from pathlib import PurePosixPath
from typing import IO

from django.core.files.storage import default_storage
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.views.decorators.http import require_safe

from apps.common.errors import NotFound, error_body
from apps.common.media import disposition, open_media, path_of_signed
from apps.common.media_types import served_type


class _Part:
    """A number of bytes of an open file, from its present position."""

    def __init__(self, file: IO[bytes], length: int) -> None:
        self.file = file
        self.left = length

    def read(self, size: int) -> bytes:
        block = self.file.read(min(size, self.left))
        self.left -= len(block)
        return block

    def close(self) -> None:
        self.file.close()


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
        file = open_media(path)
    except (NotFound, FileNotFoundError, OSError) as error:
        sentence = error.sentence if isinstance(error, NotFound) else NotFound.message
        return JsonResponse(error_body(NotFound.code, sentence), status=404)
    name = (request.GET.get("name") or PurePosixPath(path).name)[:255]
    mime = served_type(path)
    try:
        part = _range(request.headers.get("Range", ""), size)
    except ValueError:
        file.close()
        return HttpResponse(status=416, headers={"Content-Range": f"bytes */{size}"})
    start, end = part or (0, size - 1)
    if request.method == "HEAD":
        file.close()
        response: HttpResponseBase = HttpResponse(content_type=mime)
    else:
        file.seek(start)
        response = FileResponse(_Part(file, end - start + 1), content_type=mime)
    response.status_code = 206 if part else 200
    if part:
        response["Content-Range"] = f"bytes {start}-{end}/{size}"
    response["Content-Length"] = str(end - start + 1)
    response["Accept-Ranges"] = "bytes"
    response["Content-Disposition"] = disposition(name, mime)
    response["Cache-Control"] = "private, max-age=43200, immutable"
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return response
