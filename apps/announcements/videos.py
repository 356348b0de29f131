"""Reading the code of a video from an address or a code (rules/announcements §5)."""

import re
from urllib.parse import parse_qs, urlsplit

# Google documents no other form: https://developers.google.com/youtube/iframe_api_reference
YOUTUBE_CODE = re.compile(r"[A-Za-z0-9_-]{11}")
# A number; for an unlisted video, with its hash.
VIMEO_CODE = re.compile(r"\d{6,10}(?:/[0-9a-f]{6,32})?")

_YOUTUBE_HOSTS = {"youtube.com", "m.youtube.com", "music.youtube.com", "youtube-nocookie.com"}
_YOUTUBE_FOLDERS = {"embed", "shorts", "live", "v"}
_VIMEO_HOSTS = {"vimeo.com", "player.vimeo.com"}
_HASH = re.compile(r"[0-9a-f]{6,32}")


def video_code(text: str) -> str | None:
    """Return the code of a video's address at YouTube or Vimeo, or the code itself.

    Vimeo's form is `number`, or `number/hash` for an unlisted video. Returns None for any other
    text.
    """
    text = text.strip()
    if _is_code(text):
        return text
    try:
        parts = urlsplit(text if "//" in text else f"//{text}")
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return None
    if parts.scheme not in {"", "http", "https"}:
        return None
    steps = [step for step in parts.path.split("/") if step]
    query = parse_qs(parts.query)
    if host == "youtu.be":
        code = steps[0] if steps else ""
    elif host in _YOUTUBE_HOSTS:
        code = _youtube(steps, query)
    elif host in _VIMEO_HOSTS:
        return _vimeo(steps, query)
    else:
        return None
    return code if YOUTUBE_CODE.fullmatch(code) else None


def _is_code(text: str) -> bool:
    return bool(YOUTUBE_CODE.fullmatch(text) or VIMEO_CODE.fullmatch(text))


def _youtube(steps: list[str], query: dict[str, list[str]]) -> str:
    if len(steps) > 1 and steps[0] in _YOUTUBE_FOLDERS:
        return steps[1]
    return query.get("v", [""])[0] if steps == ["watch"] else ""


def _vimeo(steps: list[str], query: dict[str, list[str]]) -> str | None:
    # /number, /number/hash, /video/number?h=hash, /channels/name/number, …/videos/number
    for place, step in enumerate(steps):
        if step.isascii() and step.isdigit():
            hashes = [*steps[place + 1 : place + 2], *query.get("h", [])]
            code = next((f"{step}/{each}" for each in hashes if _HASH.fullmatch(each)), step)
            return code if VIMEO_CODE.fullmatch(code) else None
    return None
