"""The form of the report's words."""

from typing import Literal

Kind = Literal["merged", "lost", "care"]
# In the order of LANGUAGES.
Words = tuple[str, str, str]
LANGUAGES = {"pt": 0, "en": 1, "es": 2}
