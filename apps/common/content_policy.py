"""The Content-Security-Policy of the pages."""

from urllib.parse import urlsplit

from django.conf import settings

# The origin of the help videos (rules/announcements §5).
VIDEO_PLAYERS = ("https://www.youtube-nocookie.com", "https://player.vimeo.com")


def is_signup_offered() -> bool:
    """Tell whether the operator has set up Meta's embedded signup."""
    return bool(settings.META_APP_ID and settings.META_CONFIG_ID and settings.META_APP_SECRET)


def signup_sources() -> tuple[str, ...]:
    """Return the origins of Meta's signup, its script first; empty when it is not set up."""
    if not is_signup_offered():
        return ()
    sources = [origin_of(settings.FACEBOOK_SDK_URL), origin_of(settings.FACEBOOK_URL)]
    if sources[1] == "https://www.facebook.com":
        # The script asks these whether the person is signed in at Facebook.
        sources += ["https://web.facebook.com", "https://graph.facebook.com"]
    return tuple(sources)


def origin_of(address: str) -> str:
    """Return the scheme and host of an address."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


def content_security_policy(public_url: str, signup: tuple[str, ...] = ()) -> str:
    """Return the policy of the application's pages; `signup` is the result of `signup_sources`. The
    component library writes styles into the page, contacts' pictures come from the provider's
    servers, and recordings are blobs. `public_url` is listed beside 'self' because the page may be
    open under another host name.
    """
    socket_url = public_url.replace("http", "ws", 1)
    # Where files go to and come from, if browsers may go there themselves.
    store = f" {origin_of(settings.S3_BROWSER_URL)}" if settings.S3_BROWSER_URL else ""
    script = "".join(f" {source}" for source in signup[:1])
    others = "".join(f" {source}" for source in signup[1:])
    policy = {
        "default-src": "'self'",
        "script-src": f"'self'{script}",
        "style-src": "'self' 'unsafe-inline'",
        "img-src": f"'self' data: blob: https: {public_url}{store}",
        "media-src": f"'self' data: blob: {public_url}{store}",
        "font-src": "'self' data:",
        "connect-src": f"'self' blob: {public_url} {socket_url}{others}{store}",
        "frame-src": f"'self' blob: {public_url}{others} {' '.join(VIDEO_PLAYERS)}",
        "worker-src": "'self' blob:",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in policy.items())
