"""Which files may be sent, and as what they are served (rules/messages §5).

The browser reads the same list: frontend/src/lib/fileTypes.json.
"""

from pathlib import PurePosixPath

UNKNOWN = "application/octet-stream"
# Types that people send to customers, by suffix. Files of drawing programs have image types that no
# browser displays: they count as documents.
TYPES: dict[str, str] = {
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".jpe": "image/jpeg",
    ".jfif": "image/jpeg",
    ".png": "image/png",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".bmp": "image/bmp",
    ".tif": "image/tiff",
    ".tiff": "image/tiff",
    ".heic": "image/heic",
    ".heif": "image/heif",
    ".avif": "image/avif",
    ".ogg": "audio/ogg",
    ".oga": "audio/ogg",
    ".opus": "audio/ogg",
    ".mp3": "audio/mpeg",
    ".mp2": "audio/mpeg",
    ".mpga": "audio/mpeg",
    ".m4a": "audio/mp4",
    ".aac": "audio/aac",
    ".amr": "audio/amr",
    ".wav": "audio/wav",
    ".weba": "audio/webm",
    ".flac": "audio/flac",
    ".wma": "audio/x-ms-wma",
    ".mp4": "video/mp4",
    ".m4v": "video/mp4",
    ".3gp": "video/3gpp",
    ".3gpp": "video/3gpp",
    ".webm": "video/webm",
    ".mov": "video/quicktime",
    ".mkv": "video/x-matroska",
    ".avi": "video/x-msvideo",
    ".mpg": "video/mpeg",
    ".mpeg": "video/mpeg",
    ".wmv": "video/x-ms-wmv",
    ".pdf": "application/pdf",
    ".txt": "text/plain",
    ".log": "text/plain",
    ".ofx": "text/plain",
    ".ret": "text/plain",
    ".rem": "text/plain",
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".ics": "text/calendar",
    ".vcf": "text/vcard",
    ".rtf": "application/rtf",
    ".json": "application/json",
    ".xml": "application/xml",
    ".md": "text/markdown",
    ".doc": "application/msword",
    ".dot": "application/msword",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".xls": "application/vnd.ms-excel",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".xlsb": "application/vnd.ms-excel.sheet.binary.macroenabled.12",
    ".ppt": "application/vnd.ms-powerpoint",
    ".pps": "application/vnd.ms-powerpoint",
    ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ".ppsx": "application/vnd.openxmlformats-officedocument.presentationml.slideshow",
    ".odt": "application/vnd.oasis.opendocument.text",
    ".ods": "application/vnd.oasis.opendocument.spreadsheet",
    ".odp": "application/vnd.oasis.opendocument.presentation",
    ".pages": "application/vnd.apple.pages",
    ".numbers": "application/vnd.apple.numbers",
    ".key": "application/vnd.apple.keynote",
    ".epub": "application/epub+zip",
    ".eml": "message/rfc822",
    ".msg": "application/vnd.ms-outlook",
    ".zip": "application/zip",
    ".rar": "application/vnd.rar",
    ".7z": "application/x-7z-compressed",
    ".gz": "application/gzip",
    ".tgz": "application/gzip",
    ".tar": "application/x-tar",
    ".p7s": "application/pkcs7-signature",
    ".p7m": "application/pkcs7-mime",
    ".pfx": "application/x-pkcs12",
    ".p12": "application/x-pkcs12",
    ".cer": "application/pkix-cert",
    ".crt": "application/pkix-cert",
    ".ai": "application/postscript",
    ".eps": "application/postscript",
    ".psd": "application/octet-stream",
    ".cdr": "application/vnd.corel-draw",
    ".dwg": "application/octet-stream",
    ".dxf": "application/octet-stream",
    ".stl": "model/stl",
    ".skp": "application/vnd.sketchup.skp",
    ".kml": "application/vnd.google-earth.kml+xml",
    ".kmz": "application/vnd.google-earth.kmz",
    ".gpx": "application/gpx+xml",
}
# Executable files, refused from customers as well.
FORBIDDEN_SUFFIXES = frozenset(
    {
        ".apk",
        ".app",
        ".appx",
        ".bash",
        ".bat",
        ".cjs",
        ".cmd",
        ".com",
        ".command",
        ".cpl",
        ".deb",
        ".dll",
        ".dmg",
        ".es",
        ".exe",
        ".gadget",
        ".hta",
        ".htc",
        ".htm",
        ".html",
        ".img",
        ".inf",
        ".iso",
        ".jar",
        ".jnlp",
        ".js",
        ".jse",
        ".lnk",
        ".mht",
        ".mhtml",
        ".mjs",
        ".msc",
        ".msi",
        ".msix",
        ".msp",
        ".php",
        ".phtml",
        ".pif",
        ".pkg",
        ".pl",
        ".ps1",
        ".py",
        ".rb",
        ".reg",
        ".rpm",
        ".scf",
        ".scr",
        ".sh",
        ".shtm",
        ".shtml",
        ".stm",
        ".svg",
        ".svgz",
        ".swf",
        ".url",
        ".vb",
        ".vbe",
        ".vbs",
        ".website",
        ".ws",
        ".wsf",
        ".wsh",
        ".xht",
        ".xhtml",
        ".xsl",
        ".xslt",
        ".zsh",
    }
)
FORBIDDEN_TYPES = frozenset(
    {
        "application/ecmascript",
        "application/javascript",
        "application/x-javascript",
        "application/x-msdownload",
        "application/xhtml+xml",
        "image/svg+xml",
        "text/ecmascript",
        "text/html",
        "text/javascript",
    }
)
KNOWN_TYPES = frozenset(TYPES.values()) - {UNKNOWN}
_SUFFIXES = {mime: suffix for suffix, mime in reversed(TYPES.items()) if mime != UNKNOWN}


def suffix_of(name: str) -> str:
    """Return the suffix that tells a file's type; `.50` of a price and `. Silva` are none."""
    suffix = PurePosixPath(name.lower().rstrip(". ")).suffix
    is_ending = any(map(str.isalpha, suffix)) and not any(map(str.isspace, suffix))
    return suffix if is_ending else ""


def is_known(mime: str) -> bool:
    """Tell whether a type may be sent; audio and video have many type names."""
    return mime in KNOWN_TYPES or mime.startswith(("audio/", "video/"))


def stored_suffix(name: str, mime: str) -> str:
    """Return the suffix of the stored file, which decides how it is served."""
    suffix = suffix_of(name)
    return suffix if suffix in TYPES else _SUFFIXES.get(mime, ".bin")


def served_type(path: str) -> str:
    """Return the type that a stored file is served as; an unknown suffix is a plain download."""
    return TYPES.get(PurePosixPath(path.lower()).suffix, UNKNOWN)
