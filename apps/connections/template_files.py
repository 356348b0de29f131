"""Tells from a file's structure whether it is complete, for headers of templates."""

# Some programs append a little after a file's end.
TAIL = 64 * 1024


def is_whole(content: bytes, mime: str) -> bool:
    """Tell whether a PNG, JPEG, PDF or MP4 file is complete; other types count as complete."""
    tail = content[-TAIL:]
    if mime == "image/png":
        return b"IHDR" in content[:32] and b"IEND" in tail
    if mime == "image/jpeg":
        return b"\xff\xd9" in tail
    if mime == "application/pdf":
        return b"%%EOF" in tail
    return _has_index(content) if mime == "video/mp4" else True


def _has_index(content: bytes) -> bool:
    """Walk an MP4 file's outer boxes: without the index (moov) no player opens it."""
    place, end = 0, len(content)
    while place + 8 <= end:
        size = int.from_bytes(content[place : place + 4])
        kind = content[place + 4 : place + 8]
        if size == 1:
            size = int.from_bytes(content[place + 8 : place + 16])
        if size == 0:
            size = end - place
        if size < 8 or place + size > end:
            return False
        if kind == b"moov":
            return True
        place += size
    return False
