"""Settings, driven by the environment alone; `apps/common/checks.py` explains what is missing.

The variables an operator sets are listed in config/variables.py.
"""

import hashlib
import os
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import django_stubs_ext
from celery.schedules import crontab
from kombu.entity import Queue

from config.celery import app as _celery  # noqa: F401  what `shared_task` binds to
from config.environment import (
    env,
    env_bool,
    env_choice,
    env_database,
    env_int,
    env_list,
    env_networks,
    env_share,
    env_targets,
)
from config.reports import REPORTS, log_settings
from config.rest import API, OPENAPI

django_stubs_ext.monkeypatch()

BASE_DIR = Path(__file__).resolve().parent.parent
# What a process writes (database, files of customers, secrets) is for its own user.
os.umask(0o077)
DATA_DIR = Path(env("DATA_DIR", str(BASE_DIR / "data"))).resolve()
VERSION = (BASE_DIR / "VERSION").read_text().strip()

DEBUG = env_bool("DEBUG", default=False)
SIMULATOR = env_bool("SIMULATOR", default=False)
PORT = env_int("PORT", 8000)
PUBLIC_URL = env("PUBLIC_URL", f"http://127.0.0.1:{PORT}").rstrip("/")

_secret_file = DATA_DIR / "secret_key"
SECRET_KEY_IS_SET = bool(env("SECRET_KEY")) or _secret_file.is_file()
SECRET_KEY = env("SECRET_KEY") or (
    _secret_file.read_text().strip() if _secret_file.is_file() else os.urandom(32).hex()
)
# Comma-separated, newest first. Secrets at rest are encrypted with the first and decrypted with
# any; a file adds the keys that came with a restored backup.
_field_keys_file = DATA_DIR / "field_keys"
FIELD_ENCRYPTION_KEYS = list(
    dict.fromkeys(
        (env_list("FIELD_ENCRYPTION_KEYS") or [SECRET_KEY])
        + (_field_keys_file.read_text().splitlines() if _field_keys_file.is_file() else [])
    )
)

# Where the process listens, if it does.
HOST = env("HOST", "127.0.0.1")
_public = urlsplit(PUBLIC_URL)
_inside = urlsplit(env("BALCAO_URL")).hostname  # the address that gateways use
ALLOWED_HOSTS = env_list("ALLOWED_HOSTS") or [
    host for host in (_public.hostname, "127.0.0.1", "localhost", "[::1]") if host
]
if _inside and _inside not in ALLOWED_HOSTS:
    ALLOWED_HOSTS.append(_inside)
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL, *env_list("CORS_ALLOWED_ORIGINS")]
CORS_ALLOWED_ORIGINS = env_list("CORS_ALLOWED_ORIGINS")
CORS_ALLOW_CREDENTIALS = True
SECURE_COOKIES = _public.scheme == "https"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_COOKIES
# Addresses and networks of the proxies whose X-Forwarded-For and X-Forwarded-Proto are believed
# (`apps.common.callers`), whichever server runs.
TRUSTED_PROXIES = env_networks("TRUSTED_PROXIES")
# Variables of earlier releases; `apps.common.checks` tells an operator who still sets them.
WAS_BEHIND_PROXY = any(
    os.environ.get(name, "") not in {"", "0"} for name in ("BEHIND_PROXY", "NUM_PROXIES")
)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# Not for subdomains: other services may run there.
SECURE_HSTS_SECONDS = env_int("HSTS_SECONDS", 31_536_000 if SECURE_COOKIES else 0)
SECURE_SSL_REDIRECT = env_bool("HTTPS_REDIRECT", default=False)
# Gateways, probes and Prometheus call past the proxy that ends HTTPS.
SECURE_REDIRECT_EXEMPT = [r"^internal/", r"^health/?", r"^metrics$"]
# What `check --deploy` wants of HSTS and redirects the operator or the proxy decides.
SILENCED_SYSTEM_CHECKS = [f"security.W0{number}" for number in ("04", "05", "08", "21")]

INSTALLED_APPS = [
    "apps.common",
    "apps.realtime",
    "apps.audit",
    "apps.mail",
    "apps.companies",
    "apps.billing",
    "apps.accounts",
    "apps.announcements",
    "apps.queues",
    "apps.connections",
    "apps.contacts",
    "apps.library",
    "apps.chat",
    "apps.automation",
    "apps.tickets",
    "apps.desk",
    "apps.costs",
    "apps.reports",
    "apps.schedules",
    "apps.campaigns",
    "apps.inbound",
    "apps.movein",
    *(["apps.simulator"] if SIMULATOR else []),
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "corsheaders",
    "rest_framework",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]

MIDDLEWARE = [
    "apps.common.middleware.believe_known_proxies",
    "apps.common.middleware.request_metrics",
    "apps.common.middleware.content_policy",
    "apps.common.refusals.refuse_foreign_hosts",
    *(["corsheaders.middleware.CorsMiddleware"] if CORS_ALLOWED_ORIGINS else []),
    "config.bodies.BodyLimits",
    "apps.common.refusals.EndlessIds",
    "django.middleware.security.SecurityMiddleware",
    "apps.common.refusals.refuse_null_characters",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "config.admin_names.in_operators_zone",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
APPEND_SLASH = False

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

_database = env_database("DATABASE_URL", f"sqlite:///{DATA_DIR / 'balcao.sqlite3'}")
DATABASE_POOLED = "sqlite" not in _database["ENGINE"] and env_bool("DATABASE_POOLED", default=False)
# Past the pooler (`apps.common.direct`).
DATABASE_DIRECT = (
    env_database("DATABASE_DIRECT_URL", "")
    if DATABASE_POOLED and env("DATABASE_DIRECT_URL")
    else None
)
if _database["ENGINE"] == "django.db.backends.sqlite3":
    _database["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 30,
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-16000;"
            " PRAGMA mmap_size=134217728;"
        ),
    }
else:
    # Prepared statements serve compiled queries; Django's own queries never reuse them. Behind a
    # transaction pooler they would be on another connection.
    _pooled = DATABASE_POOLED
    _options = _database.setdefault("OPTIONS", {})
    _options.setdefault("prepare_threshold", None if _pooled else 5)
    if not _pooled:
        # JIT compilation of the dashboard's queries, and starting parallel workers for them, take
        # longer than the queries. Options of the address take precedence; a pooler refuses
        # connections with such options.
        _plain = "-c jit=off -c max_parallel_workers_per_gather=0"
        _options["options"] = f"{_plain} {_options.get('options', '')}".rstrip()
    _database["DISABLE_SERVER_SIDE_CURSORS"] = _pooled
DATABASES = {"default": _database}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env("REDIS_URL", "redis://127.0.0.1:6379/0")
CACHES = {
    "default": {
        "BACKEND": "apps.common.caches.ImpatientRedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "balcao",
    },
    # The fallback of a process while Redis does not answer: three entries for each name of a failed
    # sign-in, so that many other names do not evict them (50 MB).
    "process": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    },
}
# Of all keys and channels in Redis.
CHANNEL_PREFIX = "balcao"

CELERY_BROKER_URL = REDIS_URL
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_connect_timeout": 1,
    "socket_timeout": 1,  # of who wakes; workers listen without one (config/celery.py)
    # A request does not wait for a broker that is down: the sweep finds its rows.
    "max_retries": 0,
}
# A worker serves both queues, or one with `--queues celery` or `--queues sending`: with many
# outgoing messages, sending must not delay receiving.
WORK_QUEUES = ("celery", "sending")
CELERY_TASK_QUEUES = [Queue(name) for name in WORK_QUEUES]  # type: ignore[no-untyped-call]
CELERY_TASK_ROUTES = {name: {"queue": "sending"} for name in ("tickets.deliver", "campaigns.*")}
CELERY_TIMEZONE = "UTC"
# By default Celery reconnects for each task; config/celery.py closes old or broken connections.
CELERY_DB_REUSE_MAX = sys.maxsize
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    **{
        f"report-alive-{queue}": {
            "task": "apps.common.tasks.report_alive",
            "schedule": 15.0,
            "args": [queue],
            "options": {"queue": queue},
        }
        for queue in WORK_QUEUES
    },
    "run-timers": {"task": "tickets.run_timers", "schedule": 30.0, "options": {"expires": 25}},
    # Each hour, for companies whose due date was moved; most hours it makes none.
    "make-invoices": {"task": "billing.make_invoices", "schedule": crontab(minute=20)},
    # Days end at midnight of each company's zone.
    "end-overdue": {"task": "companies.end_overdue", "schedule": crontab(minute="1,31")},
    "verify-opening": {
        "task": "connections.verify_opening",
        "schedule": 30.0,
        "options": {"expires": 25},
    },
    "follow-costs": {"task": "costs.follow", "schedule": 60.0, "options": {"expires": 55}},
    "look-at-numbers": {
        "task": "costs.look_at_numbers",
        "schedule": 300.0,
        "options": {"expires": 295},
    },
    # At night in Brazil; beat catches up after a night when it was down.
    "purge": {"task": "inbound.purge", "schedule": crontab(hour=6, minute=10)},
}
# Days that finished events and deliveries are kept.
RETENTION_DAYS = env_int("RETENTION_DAYS", 30)

# Threads of one worker, and how many of them may receive, send and fetch files at once: a slow
# provider must not occupy the threads that receive. Sending is mostly waiting, so more threads send
# more; give a sending worker 24 or more.
WORKER_THREADS = env_int("WORKER_THREADS", 14)
# What a worker, and each program that it starts, may take; 0 is no ceiling. A file of 100 MB takes
# as much while it is sent, and each thread 8 MB.
WORKER_MEMORY_MB = env_int("WORKER_MEMORY_MB", 1536)
INBOUND_THREADS = env_int("INBOUND_THREADS", 2 if "sqlite" in _database["ENGINE"] else 3)
MEDIA_THREADS = env_int("MEDIA_THREADS", 1)
# All integrations and models may hang at once: they occupy these threads only.
TURN_THREADS = env_int("TURN_THREADS", max(2, WORKER_THREADS // 4))
# How many of these threads one company may occupy while others wait.
TURNS_PER_COMPANY = env_int("TURNS_PER_COMPANY", max(1, (TURN_THREADS + 1) // 2))
# The addresses of companies' webhooks may hang as well.
WEBHOOK_THREADS = env_int("WEBHOOK_THREADS", max(1, WORKER_THREADS // 7))
WEBHOOKS_PER_COMPANY = env_int("WEBHOOKS_PER_COMPANY", (WEBHOOK_THREADS + 1) // 2)
DELIVERY_THREADS = env_int(
    "DELIVERY_THREADS",
    max(1, WORKER_THREADS - INBOUND_THREADS - MEDIA_THREADS - TURN_THREADS - WEBHOOK_THREADS),
)
# A lease is longer than the sum of the time-outs of its work. DELIVERY_SETTLE_SECONDS: how long an
# attempt with an unknown outcome waits for the provider's status before it is repeated
# (rules/messages §3).
INBOUND_LEASE_SECONDS = env_int("INBOUND_LEASE_SECONDS", 60)
DELIVERY_LEASE_SECONDS = env_int("DELIVERY_LEASE_SECONDS", 120)
DELIVERY_SETTLE_SECONDS = env_int("DELIVERY_SETTLE_SECONDS", 30)
SCHEDULE_LEASE_SECONDS = env_int("SCHEDULE_LEASE_SECONDS", 60)
MEDIA_LEASE_SECONDS = env_int("MEDIA_LEASE_SECONDS", 600)
TURN_LEASE_SECONDS = env_int("TURN_LEASE_SECONDS", 300)
PAUSE_LEASE_SECONDS = env_int("PAUSE_LEASE_SECONDS", 60)
MAIL_LEASE_SECONDS = env_int("MAIL_LEASE_SECONDS", 600)
LIST_LEASE_SECONDS = env_int("LIST_LEASE_SECONDS", 300)
RETENTION_LEASE_SECONDS = env_int("RETENTION_LEASE_SECONDS", 300)
REMOVAL_LEASE_SECONDS = env_int("REMOVAL_LEASE_SECONDS", 300)
# The copy of one large file, or of a large archive into the store, renews nothing.
MOVE_LEASE_SECONDS = env_int("MOVE_LEASE_SECONDS", 3600)
PIX_LEASE_SECONDS = env_int("PIX_LEASE_SECONDS", 300)
WEBHOOK_LEASE_SECONDS = env_int("WEBHOOK_LEASE_SECONDS", 60)

# Without a host no e-mail is sent.
EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
EMAIL_HOST = env("EMAIL_HOST")
_email_ports = {"starttls": 587, "tls": 465, "none": 25}
_email_security = env_choice("EMAIL_SECURITY", *_email_ports)
EMAIL_USE_TLS, EMAIL_USE_SSL = _email_security == "starttls", _email_security == "tls"
EMAIL_PORT = env_int("EMAIL_PORT", _email_ports[_email_security])
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = env("EMAIL_USER"), env("EMAIL_PASSWORD")
DEFAULT_FROM_EMAIL = env("EMAIL_FROM", f"Balcão <nao-responda@{_public.hostname}>")
# The e-mails that users of one company may send in 24 hours.
EMAILS_PER_DAY = env_int("EMAILS_PER_DAY", 200)
# Seconds for each SMTP command; a mail needs fewer than ten.
EMAIL_TIMEOUT = 15

# A database of the places of IP addresses, for the list of sign-ins.
GEOIP_DATABASE = env("GEOIP_DATABASE")

# What one connection's token may send through the messages API in a minute.
API_SENDS_PER_MINUTE = env_int("API_SENDS_PER_MINUTE", 240)
SERVICE_CALLS_PER_MINUTE = env_int("SERVICE_CALLS_PER_MINUTE", 600)

# Whether strangers may open a company by themselves (rules/companies §7).
SIGNUP_ENABLED = env_bool("SIGNUP_ENABLED", default=True)

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend"]
PASSWORD_HASHERS = [
    "apps.accounts.hashers.PasswordHasher",
    # Of accounts that came from an older product, until they sign in.
    "apps.accounts.hashers.OlderPasswordHasher",
]
ACCESS_TOKEN_LIFETIME = timedelta(minutes=15)
REFRESH_TOKEN_LIFETIME = timedelta(days=7)
REFRESH_TOKEN_GRACE = timedelta(seconds=60)
SIMPLE_JWT = {
    "ACCESS_TOKEN_LIFETIME": ACCESS_TOKEN_LIFETIME,
    "SIGNING_KEY": hashlib.sha256(f"access tokens:{SECRET_KEY}".encode()).hexdigest(),
}

LANGUAGE_CODE = "pt-br"
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "static_root"
FRONTEND_DIST = BASE_DIR / "frontend" / "dist"
STATICFILES_DIRS = [("app", FRONTEND_DIST)] if FRONTEND_DIST.is_dir() else []
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = False
# The build puts a hash into the names of everything in assets/.
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/static/app/assets/.+-[\w-]{8}\.\w+$"
WHITENOISE_MAX_AGE = 3600
WHITENOISE_ALLOW_ALL_ORIGINS = False

MEDIA_ROOT = DATA_DIR / "media"
# Below so much room on its disk the installation does not count as ready.
MEDIA_FREE_MB = env_int("MEDIA_FREE_MB", 200)
MEDIA_URL_LIFETIME = timedelta(hours=12)
_s3_bucket = env("S3_BUCKET")
S3_BROWSER_URL = env("S3_BROWSER_URL").rstrip("/") if _s3_bucket else ""
STORAGES: dict[str, Any] = {
    "default": (
        {
            "BACKEND": "apps.common.media_store.BucketStorage",
            "OPTIONS": {
                "browser_url": S3_BROWSER_URL,
                "bucket_name": _s3_bucket,
                "endpoint_url": env("S3_ENDPOINT_URL") or None,
                "region_name": env("S3_REGION") or None,
                "access_key": env("S3_ACCESS_KEY"),
                "secret_key": env("S3_SECRET_KEY"),
                "default_acl": None,
            },
        }
        if _s3_bucket
        else {"BACKEND": "django.core.files.storage.FileSystemStorage"}
    ),
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 8 * 1024 * 1024
# Django would open stored files to everybody on the machine.
FILE_UPLOAD_PERMISSIONS, FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o600, 0o700
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024

# Meta's official API. With the simulator on, its own Graph API and secrets stand in.
GRAPH_API_VERSION = env("GRAPH_API_VERSION", "v26.0")
# The version of the JSON of forms.
FLOW_JSON_VERSION = env("FLOW_JSON_VERSION", "7.3")
GRAPH_API_URL = env(
    "GRAPH_API_URL",
    f"http://127.0.0.1:{PORT}/simulator/graph" if SIMULATOR else "https://graph.facebook.com",
).rstrip("/")
META_APP_SECRET = env("META_APP_SECRET", "simulator-app-secret" if SIMULATOR else "")
# The app for uploads of which Meta wants a handle (a profile's picture, a sample).
META_APP_ID = env("META_APP_ID", "670843887433847" if SIMULATOR else "")
META_VERIFY_TOKEN = env("META_VERIFY_TOKEN", "simulator-verify-token" if SIMULATOR else "")
META_ACCESS_TOKEN = env("META_ACCESS_TOKEN", "simulator-access-token" if SIMULATOR else "")
# Embedded signup: its configuration at Meta, the origin of its window's messages, and the script
# that opens the window. Offered only if app, configuration and secret are set.
META_CONFIG_ID = env("META_CONFIG_ID", "1284000000000001" if SIMULATOR else "")
FACEBOOK_URL = env("FACEBOOK_URL", PUBLIC_URL if SIMULATOR else "https://www.facebook.com").rstrip(
    "/"
)
FACEBOOK_SDK_URL = env(
    "FACEBOOK_SDK_URL",
    f"{PUBLIC_URL}/simulator/facebook/sdk.js"
    if SIMULATOR
    else "https://connect.facebook.net/en_US/sdk.js",
)

# The secret that signs the calls between gateways and this server; QR sessions need it.
_gateway_file = DATA_DIR / "gateway_secret"
GATEWAY_SECRET = env("GATEWAY_SECRET") or (
    _gateway_file.read_text().strip() if _gateway_file.is_file() else ""
)

# With the simulator on, it runs the QR sessions as well, and `up` starts no gateway.
SIMULATED_QR = SIMULATOR and env_bool("SIMULATE_QR", default=True)

# Private networks and hosts that integrations and models may be on; `*` for all. With the
# simulator, n8n often runs on the same machine.
ALLOW_PRIVATE_TARGETS = env_targets("ALLOW_PRIVATE_TARGETS", "127.0.0.0/8 ::1" if SIMULATOR else "")

# Dialogflow's API, host and port; a local stand-in may be http://. Asaas's is
# https://api-sandbox.asaas.com/v3 for tokens of its sandbox.
DIALOGFLOW_ENDPOINT = env("DIALOGFLOW_ENDPOINT", "https://dialogflow.googleapis.com").rstrip("/")
ASAAS_URL = env("ASAAS_URL", "https://api.asaas.com/v3").rstrip("/")

# How companies pay for the service: the provider of charges and its key; without a provider the
# checkout says that payment is not set up. Efí and Asaas send the secret with notifications.
# The days from signing up to the first due date.
TRIAL_DAYS = env_int("TRIAL_DAYS", 1)
PIX_PROVIDER = env_choice("PIX_PROVIDER", "", "efi", "asaas", "manual")
PIX_KEY = env("PIX_KEY")
PIX_NAME, PIX_CITY = env("PIX_NAME"), env("PIX_CITY")
PIX_WEBHOOK_SECRET = env("PIX_WEBHOOK_SECRET")
EFI_CLIENT_ID, EFI_CLIENT_SECRET = env("EFI_CLIENT_ID"), env("EFI_CLIENT_SECRET")
EFI_CERTIFICATE = env("EFI_CERTIFICATE")
EFI_URL = env("EFI_URL", "https://pix.api.efipay.com.br").rstrip("/")
BILLING_ASAAS_TOKEN = env("BILLING_ASAAS_TOKEN")

# The default model of prompts, at any server with OpenAI's API.
OPENAI_BASE_URL = env("OPENAI_BASE_URL", "https://api.openai.com/v1").rstrip("/")
OPENAI_MODEL = env("OPENAI_MODEL", "gpt-4.1-mini")
OPENAI_TRANSCRIPTION_MODEL = env("OPENAI_TRANSCRIPTION_MODEL", "whisper-1")
# `{region}` is replaced by the prompt's region.
AZURE_SPEECH_URL = env("AZURE_SPEECH_URL", "https://{region}.tts.speech.microsoft.com").rstrip("/")
# Tokens of one company and day, in its zone; 0 is no limit. Answers in one conversation within ten
# minutes: two bots that talk to each other reach it, people do not.
AI_DAILY_TOKENS = env_int("AI_DAILY_TOKENS", 0)
AI_ANSWERS_IN_TEN_MINUTES = env_int("AI_ANSWERS_IN_TEN_MINUTES", 30)

REST_FRAMEWORK = API
SPECTACULAR_SETTINGS = {**OPENAPI, "VERSION": VERSION}

SOCKET_PING_SECONDS = 18
# Concurrent sockets of one address, which may be a whole office, in one process
# (`apps.realtime.limits`).
SOCKETS_PER_ADDRESS = env_int("SOCKETS_PER_ADDRESS", 2048)
SOCKETS_UNSIGNED_PER_ADDRESS = env_int("SOCKETS_UNSIGNED_PER_ADDRESS", 200)
SOCKET_SIGN_IN_SECONDS = env_int("SOCKET_SIGN_IN_SECONDS", 10)

LOG_LEVEL = env("LOG_LEVEL", "INFO")
LOGGING = log_settings(LOG_LEVEL, env("LOG_FORMAT", "text"))

ALIVE_FILE = env("ALIVE_FILE")
METRICS_TOKEN = env("METRICS_TOKEN")
METRICS_BIND = env("METRICS_BIND")
# Without the token, metrics are for callers on this machine, and only without a proxy.
METRICS_ON_LOOPBACK = not TRUSTED_PROXIES and _public.hostname in {"127.0.0.1", "localhost", "::1"}
# Where traces are sent (`apps.common.traces`), and which share of them.
TRACES_URL = env("OTEL_EXPORTER_OTLP_ENDPOINT").rstrip("/")
TRACES_HEADERS = env("OTEL_EXPORTER_OTLP_HEADERS")
TRACES_SHARE = env_share("OTEL_TRACES_SAMPLER_ARG", 1.0)
SENTRY_DSN = env("SENTRY_DSN")
if SENTRY_DSN:
    import sentry_sdk

    sentry_sdk.init(dsn=SENTRY_DSN, release=VERSION, **REPORTS)
