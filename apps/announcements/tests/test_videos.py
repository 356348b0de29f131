"""Whatever was copied of a video, its code is kept; all else is refused."""

import pytest

from apps.announcements.videos import video_code

YOUTUBE = "dQw4w9WgXcQ"


@pytest.mark.parametrize(
    "text",
    [
        YOUTUBE,
        f"  {YOUTUBE} ",
        f"https://www.youtube.com/watch?v={YOUTUBE}",
        f"https://www.youtube.com/watch?app=desktop&v={YOUTUBE}&t=42s&list=PL1",
        f"http://m.youtube.com/watch?v={YOUTUBE}#comments",
        f"youtube.com/watch?v={YOUTUBE}",
        f"https://youtu.be/{YOUTUBE}?si=abc&t=5",
        f"youtu.be/{YOUTUBE}",
        f"https://www.youtube.com/embed/{YOUTUBE}?rel=0",
        f"https://www.youtube-nocookie.com/embed/{YOUTUBE}",
        f"https://www.youtube.com/shorts/{YOUTUBE}",
        f"https://WWW.YouTube.com/live/{YOUTUBE}/",
        f"https://music.youtube.com/watch?v={YOUTUBE}",
    ],
)
def test_every_address_of_a_video_at_youtube_gives_its_code(text: str) -> None:
    assert video_code(text) == YOUTUBE


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("76979871", "76979871"),
        ("https://vimeo.com/76979871", "76979871"),
        ("https://www.vimeo.com/76979871#t=5s", "76979871"),
        ("vimeo.com/channels/staffpicks/76979871", "76979871"),
        ("https://vimeo.com/groups/shortfilms/videos/76979871", "76979871"),
        ("https://vimeo.com/manage/videos/1076979871", "1076979871"),
        ("https://vimeo.com/76979871/8272103f6e", "76979871/8272103f6e"),
        ("76979871/8272103f6e", "76979871/8272103f6e"),
        ("https://player.vimeo.com/video/76979871?h=8272103f6e&dnt=1", "76979871/8272103f6e"),
    ],
)
def test_every_address_of_a_video_at_vimeo_gives_its_number(text: str, code: str) -> None:
    assert video_code(text) == code


@pytest.mark.parametrize(
    "text",
    [
        "",
        "como aceitar",
        "curto",
        "dQw4w9WgXcQ1",
        "dQw4w9WgX Q",
        "12345",
        "https://www.youtube.com/",
        "https://www.youtube.com/@balcao",
        "https://www.youtube.com/watch?v=curto",
        "https://www.youtube.com/playlist?list=PL1",
        "https://youtu.be/",
        f"https://exemplo.com/watch?v={YOUTUBE}",
        f"https://youtube.com.exemplo.com/watch?v={YOUTUBE}",
        f"https://exemplo.com/youtu.be/{YOUTUBE}",
        f"javascript://youtu.be/{YOUTUBE}",
        f"ftp://youtu.be/{YOUTUBE}",
        "https://vimeo.com/balcao",
        "https://vimeo.com/123",
        "https://vimeo.com/٧٦٩٧٩٨٧١",
        "https://[youtu.be/dQw4w9WgXcQ",
        '"><script>alert(1)</script>',
        f"https://www.youtube.com/embed/{YOUTUBE}%22onload",
    ],
)
def test_what_names_no_video_is_none(text: str) -> None:
    assert video_code(text) is None
