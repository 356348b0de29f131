"""Every variable that an operator may set.

Settings read no other; `make variables` writes the table of docs/operator-guide.md, the environment
of docker/compose.yaml and the names in deploy/helm/values.schema.json from here, and `make check`
fails when they differ.
"""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

BASE_DIR = Path(__file__).resolve().parent.parent


class Row(NamedTuple):
    """One row of the guide: the names that belong together, their defaults, what they mean."""

    names: str
    default: str
    meaning: str


ROWS = (
    Row(
        "PUBLIC_URL",
        "`http://127.0.0.1:PORT`",
        "The address in browsers; media links and cookies follow it",
    ),
    Row(
        "SECRET_KEY",
        "embedded: made in `DATA_DIR/secret_key`",
        "Signs sessions and links. Needed in production",
    ),
    Row(
        "FIELD_ENCRYPTION_KEYS",
        "`SECRET_KEY`",
        "Encrypt stored tokens; comma-separated, newest first, so that keys can be changed",
    ),
    Row(
        "DATABASE_URL",
        "SQLite in `DATA_DIR`",
        "`postgres://user:password@host/name`",
    ),
    Row(
        "DATABASE_POOLED",
        "`0`",
        "Set it when a pooler hands out connections per transaction (PgBouncer): plans of "
        "statements are then not kept. See 'PgBouncer'",
    ),
    Row(
        "DATABASE_DIRECT_URL",
        "none",
        "With `DATABASE_POOLED`: PostgreSQL's own address, past the pooler, for backups, restores "
        "and the connections that show who runs",
    ),
    Row(
        "REDIS_URL",
        "embedded: a private Valkey",
        "`redis://host:6379/0`",
    ),
    Row(
        "DATA_DIR",
        "`data`",
        "Media, and in embedded mode everything else",
    ),
    Row(
        "PORT HOST",
        "`8000`, `127.0.0.1`",
        "Where `up` listens",
    ),
    Row(
        "SIMULATOR",
        "embedded `1`, else `0`",
        "The telephone to play with and the demo company; refused where `PUBLIC_URL` or "
        "`HOST` is not this machine (127.0.0.1, localhost), unless with `DEBUG`",
    ),
    Row(
        "SIMULATE_QR",
        "`1`",
        "Whether the simulator, where it is on, holds the QR sessions too. With `0` `up` starts "
        "the gateway, and codes are scanned with a real telephone. See 'QR sessions'",
    ),
    Row(
        "DEBUG",
        "`0`",
        "Error pages for developers. Never switch it on where others can reach it",
    ),
    Row(
        "ALLOWED_HOSTS",
        "host of `PUBLIC_URL`, loopback",
        "Comma-separated names under which it answers",
    ),
    Row(
        "CORS_ALLOWED_ORIGINS",
        "none",
        "Other origins whose pages may call the API with cookies",
    ),
    Row(
        "TRUSTED_PROXIES",
        "none; Compose: its own network",
        "Addresses and networks (`127.0.0.1,10.1.0.0/16`) of every proxy in front, `unix` for a "
        "local socket, see 'Proxies'; of `docker/nginx.conf` too. Needed with an https "
        "`PUBLIC_URL`, for no process here speaks HTTPS itself; `check --deploy` warns without it",
    ),
    Row(
        "HTTPS_REDIRECT",
        "`0`",
        "For installations whose proxy does not redirect",
    ),
    Row(
        "HSTS_SECONDS",
        "a year with an https `PUBLIC_URL`, else `0`",
        "For how long browsers insist on HTTPS for this name; `0` when the proxy sets the header",
    ),
    Row(
        "META_APP_SECRET META_VERIFY_TOKEN",
        "none; with the simulator its own",
        "See 'Meta's app'",
    ),
    Row(
        "META_APP_ID",
        "none; with the simulator its own",
        "The app's id, see 'Meta's app'; without it no picture of a business profile and no sample "
        "file of a template can be uploaded",
    ),
    Row(
        "META_CONFIG_ID",
        "none; with the simulator its own",
        "The configuration of Facebook Login for Business with which companies connect their "
        "numbers themselves, see 'Meta's app'; without it the button is not there",
    ),
    Row(
        "META_ACCESS_TOKEN",
        "none",
        "The operator's token, for connections without one of their own",
    ),
    Row(
        "SIGNUP_ENABLED",
        "`1`",
        "Whether strangers may open a company by themselves at `/signup`, with a trial of one day",
    ),
    Row(
        "EMAIL_HOST EMAIL_PORT EMAIL_SECURITY EMAIL_USER EMAIL_PASSWORD EMAIL_FROM",
        "none: no e-mails; 587, `starttls`, no login, `nao-responda@` host of `PUBLIC_URL`",
        "The SMTP server for the product's own e-mails (a code for who forgot the password, a "
        "changed password, a sign-in in another browser) and for those that people write; "
        "`EMAIL_SECURITY` is `starttls`, `tls` (port 465) or `none` (port 25). What it did not "
        "take stands in the admin, under 'Mails'",
    ),
    Row(
        "EMAILS_PER_DAY",
        "`200`",
        "How many e-mails the people of one company may send in 24 hours; of one on trial 10",
    ),
    Row(
        "GEOIP_DATABASE",
        "none: addresses alone",
        "A file in MaxMind's format (`.mmdb`) that knows countries or cities, as GeoLite2 or "
        "DB-IP's free ones; the history of sign-ins then says where each came from",
    ),
    Row(
        "OPENAI_BASE_URL OPENAI_MODEL OPENAI_TRANSCRIPTION_MODEL",
        "`https://api.openai.com/v1`, `gpt-4.1-mini`, `whisper-1`",
        "The model of prompts that name none; any server that speaks the same wire. One on a "
        "private network is also named in `ALLOW_PRIVATE_TARGETS`",
    ),
    Row(
        "DIALOGFLOW_ENDPOINT",
        "`https://dialogflow.googleapis.com`",
        "Dialogflow's API; tenants' service accounts sign their own tokens for it and no "
        "address in their JSON is called",
    ),
    Row(
        "ASAAS_URL",
        "`https://api.asaas.com/v3`",
        "Asaas's API for the tenants' tokens; `https://api-sandbox.asaas.com/v3` for its "
        "sandbox. One on a private network is also named in `ALLOW_PRIVATE_TARGETS`",
    ),
    Row(
        "TRIAL_DAYS",
        "`1`: until tomorrow",
        "For how many days a company that signs up can try Balcão before its first due date, "
        "1 to 365",
    ),
    Row(
        "PIX_PROVIDER PIX_KEY PIX_NAME PIX_CITY",
        "none: no checkout",
        "How companies pay their invoices, see 'Payments': `efi`, `asaas` or `manual`; the Pix key "
        "that receives; for `manual` the name (25 letters) and city (15) that banks show",
    ),
    Row(
        "PIX_WEBHOOK_SECRET",
        "none",
        "What Efí and Asaas show when they notify of payments: 32 letters and digits or more",
    ),
    Row(
        "EFI_CLIENT_ID EFI_CLIENT_SECRET EFI_CERTIFICATE EFI_URL",
        "none, none, none, `https://pix.api.efipay.com.br`",
        "The application at Efí: the certificate is the path of a PEM file with its key, or that "
        "file in base64; `https://pix-h.api.efipay.com.br` is the address to try it at",
    ),
    Row(
        "BILLING_ASAAS_TOKEN",
        "none",
        "The operator's own token at Asaas, with which companies are charged; at `ASAAS_URL`",
    ),
    Row(
        "AZURE_SPEECH_URL",
        "`https://{region}.tts.speech.microsoft.com`",
        "Who speaks for prompts with a voice",
    ),
    Row(
        "AI_DAILY_TOKENS",
        "`0`",
        "How many tokens a company's prompts may take a day, 0 for no limit; beyond it "
        "conversations wait for a person",
    ),
    Row(
        "AI_ANSWERS_IN_TEN_MINUTES",
        "`30`",
        "How many answers a model gives in one conversation within ten minutes; another bot "
        "on the line goes no further",
    ),
    Row(
        "GRAPH_API_URL GRAPH_API_VERSION",
        "`https://graph.facebook.com`, `v26.0`",
        "Where messages are sent to",
    ),
    Row(
        "FLOW_JSON_VERSION",
        "`7.3`",
        "The version of Flow JSON in which forms of questions are published; with another one the "
        "forms are published anew",
    ),
    Row(
        "FACEBOOK_URL FACEBOOK_SDK_URL",
        "`https://www.facebook.com`, `https://connect.facebook.net/en_US/sdk.js`",
        "Where the window of Meta's signup is, and the script that opens it",
    ),
    Row(
        "GATEWAY_SECRET BALCAO_URL",
        "embedded: made in `DATA_DIR/gateway_secret`, else none: no QR sessions; none",
        "The secret with which this server and its gateways sign their calls; the address at which "
        "gateways reach the server, without a proxy. See 'QR sessions'",
    ),
    Row(
        "GATEWAY_ADDRESS GATEWAY_PORT GATEWAY_URL GATEWAY_NAME GATEWAY_MAX_SESSIONS"
        " WHATSAPP_VERSION",
        "`127.0.0.1`, `8020`, made of these two, the machine's name, `100`, the library's own",
        "Of a gateway: where it listens, where the server reaches it, its name, how many sessions "
        "it takes, and the version of WhatsApp Web that it reports (`2.3000.1035`)",
    ),
    Row(
        "S3_BUCKET S3_ENDPOINT_URL S3_REGION S3_ACCESS_KEY S3_SECRET_KEY",
        "none: files in `DATA_DIR/media`",
        "Media in an S3-compatible store. See 'Files in a bucket'",
    ),
    Row(
        "S3_BROWSER_URL",
        "none: browsers never go to the store",
        "The store's address for browsers, to which they bring large files and from which they "
        "fetch what they show. See 'Files in a bucket'",
    ),
    Row(
        "WEB_BIND WEB_PROCESSES WEB_THREADS",
        "`127.0.0.1:8000`, `1`, `8`",
        "Where production's HTTP listens, and in how many processes of how many threads",
    ),
    Row(
        "DRAIN_SECONDS",
        "none; Compose, systemd and Kubernetes: `10`",
        "For how long a process that serves HTTP or sockets goes on after SIGTERM with those who "
        "are connected; more than nginx keeps an idle connection (5 seconds)",
    ),
    Row(
        "SOCKETS_PER_ADDRESS SOCKETS_UNSIGNED_PER_ADDRESS SOCKET_SIGN_IN_SECONDS",
        "`2048`, `200`, `10`",
        "How many sockets of one address (of IPv6 its /64) a process serves at once, how many of "
        "these may be without a user, and how soon a socket must sign in",
    ),
    Row(
        "WORKER_THREADS",
        "`14`",
        "Threads of a worker; give Celery's `--concurrency` the same number",
    ),
    Row(
        "MEDIA_FREE_MB",
        "`200`",
        "With less room on the disk of the media folder `/health/ready/` answers 503 with `media` "
        "false; uploads go on until it is full. 0 asks only whether a file can be written",
    ),
    Row(
        "WORKER_MEMORY_MB",
        "`1536`",
        "What a worker may take of memory, 0 for no ceiling; a job that needs more fails, and the "
        "worker goes on. See 'Memory'",
    ),
    Row(
        "INBOUND_THREADS MEDIA_THREADS TURN_THREADS WEBHOOK_THREADS DELIVERY_THREADS",
        "`3` (SQLite `2`), `1`, a quarter and a seventh of `WORKER_THREADS`, the rest",
        "How many threads of a worker one kind of work may use, so that a kind that hangs does not "
        "block the others; turns are answers of integrations and models, webhooks posts to "
        "companies' addresses",
    ),
    Row(
        "TURNS_PER_COMPANY WEBHOOKS_PER_COMPANY",
        "half of `TURN_THREADS`, half of `WEBHOOK_THREADS`",
        "How many answers of integrations and models, and of webhooks, one company may wait for "
        "at once; raise them with the number of workers",
    ),
    Row(
        "INBOUND_LEASE_SECONDS DELIVERY_LEASE_SECONDS SCHEDULE_LEASE_SECONDS"
        " MEDIA_LEASE_SECONDS TURN_LEASE_SECONDS PAUSE_LEASE_SECONDS MAIL_LEASE_SECONDS"
        " LIST_LEASE_SECONDS REMOVAL_LEASE_SECONDS RETENTION_LEASE_SECONDS MOVE_LEASE_SECONDS"
        " PIX_LEASE_SECONDS WEBHOOK_LEASE_SECONDS",
        "`60`, `120`, `60`, `600`, `300`, `60`, `600`, `300`, `300`, `300`, `3600`, `300`, `60`",
        "After how long others take over the work of a worker that hangs; the work of a dead one "
        "is free within seconds",
    ),
    Row(
        "DELIVERY_SETTLE_SECONDS",
        "`30`",
        "How long a send with an unknown outcome waits for the provider's status",
    ),
    Row(
        "RETENTION_DAYS",
        "`30`",
        "For how many days the raw events of providers, the finished rows of the outbox, the "
        "product's sent e-mails and the logs of integrations, webhooks, rules and macros are kept; "
        "conversations stay",
    ),
    Row(
        "ALLOW_PRIVATE_TARGETS",
        "none; with the simulator this machine",
        "Private networks (`10.1.0.0/16`), addresses and hosts that integrations and models may "
        "call beside the open internet; `1` for all of them. Companies choose these addresses: "
        "allow only what all companies may call",
    ),
    Row(
        "API_SENDS_PER_MINUTE",
        "`240`",
        "How many calls to the messages API one connection's token may make in a minute",
    ),
    Row(
        "SERVICE_CALLS_PER_MINUTE",
        "`600`",
        "How many calls a company's service token may make in a minute",
    ),
    Row(
        "BOOTSTRAP_EMAIL BOOTSTRAP_PASSWORD",
        "asked for",
        "The operator's login that `manage.py bootstrap` creates",
    ),
    Row(
        "METRICS_TOKEN",
        "none",
        "Opens `/metrics` to `Authorization: Bearer …`; without it only this machine may read",
    ),
    Row(
        "METRICS_BIND",
        "none; Compose: `0.0.0.0:9100`",
        "Where a worker or a sender shows its own figures, to whoever can reach that address; each "
        "on one machine needs a port of its own",
    ),
    Row(
        "PROMETHEUS_MULTIPROC_DIR",
        "none",
        "An empty folder, in which several HTTP processes add up their figures",
    ),
    Row(
        "SENTRY_DSN",
        "none: off",
        "Where errors are reported, without personal data",
    ),
    Row(
        "LOG_FORMAT",
        "`text`",
        "`json`: each line is an object with the ids of the request, the company, the user, the "
        "conversation and the row of work; people's numbers and e-mail addresses are masked",
    ),
    Row(
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        "none: off",
        "An OpenTelemetry collector (OTLP over HTTP, such as `http://collector:4318`) that gets "
        "traces; see 'Watching'",
    ),
    Row(
        "OTEL_EXPORTER_OTLP_HEADERS",
        "none",
        "Headers for it, such as `Authorization=Bearer%20…`",
    ),
    Row(
        "OTEL_TRACES_SAMPLER_ARG",
        "`1`",
        "The share of traces that is sent, 0 to 1",
    ),
    Row(
        "ALIVE_FILE",
        "none",
        "A file that a worker touches every second, for probes that start no program",
    ),
    Row(
        "LOG_LEVEL",
        "`INFO`",
        "Logs go to standard output and standard error",
    ),
)
NAMES = tuple(name for row in ROWS for name in row.names.split())

# Values in Compose's own syntax; other variables are passed on, or unset when empty.
IN_CONTAINERS = {
    "DATABASE_URL": "postgres://balcao:${POSTGRES_PASSWORD:?set POSTGRES_PASSWORD}@postgres/balcao",
    "REDIS_URL": "redis://redis:6379/0",
    # The proxies: Compose's nginx, the one that ends HTTPS on this machine (it appears as the
    # gateway), and the operator's. nginx trusts the same.
    "TRUSTED_PROXIES": "&proxies 127.0.0.1,${SUBNET:-172.30.99.0/24},${TRUSTED_PROXIES:-}",
    "WEB_BIND": "0.0.0.0:8000",
    "DRAIN_SECONDS": '"10"',  # the containers' `stop_grace_period` follows it
    "METRICS_BIND": "0.0.0.0:9100",
    "BALCAO_URL": "http://web:8000",
    **{
        name: f"${{{name}:?set {name}}}"
        for name in ("SECRET_KEY", "PUBLIC_URL", "META_APP_SECRET", "META_VERIFY_TOKEN")
    },
}
NOT_IN_CONTAINERS = {
    *("DATA_DIR", "HOST", "PORT"),  # for the image and its commands
    *("SIMULATOR", "SIMULATE_QR", "DEBUG"),  # for machines without real users
    *("GATEWAY_ADDRESS", "GATEWAY_PORT", "GATEWAY_URL", "GATEWAY_NAME"),  # the gateway sets its own
    *("GATEWAY_MAX_SESSIONS", "WHATSAPP_VERSION"),
    *("BOOTSTRAP_EMAIL", "BOOTSTRAP_PASSWORD"),  # for one command: `run --env`
    "PROMETHEUS_MULTIPROC_DIR",  # must be an empty folder at each start; unset otherwise
    "ALIVE_FILE",  # Compose has no probe of workers
}
# In a cluster these come from a Secret, and the last from the chart.
SECRET = {
    *("SECRET_KEY", "FIELD_ENCRYPTION_KEYS", "DATABASE_URL", "DATABASE_DIRECT_URL", "REDIS_URL"),
    *("META_APP_SECRET", "META_VERIFY_TOKEN", "META_ACCESS_TOKEN", "GATEWAY_SECRET"),
    *("EMAIL_PASSWORD", "S3_ACCESS_KEY", "S3_SECRET_KEY", "METRICS_TOKEN", "SENTRY_DSN"),
    "OTEL_EXPORTER_OTLP_HEADERS",
    *("PIX_WEBHOOK_SECRET", "EFI_CLIENT_ID", "EFI_CLIENT_SECRET", "EFI_CERTIFICATE"),
    "BILLING_ASAAS_TOKEN",
}
SET_BY_CHART = {
    *("TRUSTED_PROXIES", "WEB_BIND", "DRAIN_SECONDS", "METRICS_BIND", "BALCAO_URL"),
    "WORKER_THREADS",
}


def guide_table() -> str:
    lines = ["| Variable | Default | Meaning |", "|---|---|---|"]
    for row in ROWS:
        names = ", ".join(f"`{name}`" for name in row.names.split())
        lines.append(f"| {names} | {row.default} | {row.meaning} |")
    return "\n".join(lines) + "\n"


def compose_environment() -> str:
    """Return the lines of the containers' environment."""
    given = (name for name in NAMES if name not in NOT_IN_CONTAINERS)
    return "".join(f"    {name}: {IN_CONTAINERS.get(name, f'${{{name}:-}}')}\n" for name in given)


def chart_names() -> str:
    """Return the names that the chart's `env` takes."""
    others = NOT_IN_CONTAINERS | SECRET | SET_BY_CHART
    given = [name for name in NAMES if name not in others or name == "WHATSAPP_VERSION"]
    return ",\n".join(f'          "{name}"' for name in given)


PLACES = (
    (
        BASE_DIR / "docs" / "operator-guide.md",
        "<!-- The table is made from config/variables.py by `make variables`. -->\n\n",
        "\n`manage.py check --deploy` says",
        guide_table,
    ),
    (
        BASE_DIR / "docker" / "compose.yaml",
        "  environment: &environment  # made from config/variables.py by `make variables`\n",
        "  volumes:\n",
        compose_environment,
    ),
    (
        BASE_DIR / "deploy" / "helm" / "values.schema.json",
        '"propertyNames": {\n        "enum": [\n',
        "\n        ]",
        chart_names,
    ),
)


def written() -> Iterable[tuple[Path, str, str]]:
    """Yield each file with its present text and its generated text."""
    for path, before, after, make in PLACES:
        text = path.read_text()
        head, mark, rest = text.partition(before)
        _, end, tail = rest.partition(after)
        yield path, text, head + mark + make() + end + tail


def main(*, is_check: bool) -> int:
    """Write the files, or only check that they are up to date."""
    code = 0
    for path, present, wanted in written():
        if present != wanted and is_check:
            print(f"{path.relative_to(BASE_DIR)} is out of date: run make variables.")  # noqa: T201
            code = 1
        elif present != wanted:
            path.write_text(wanted)
    return code


if __name__ == "__main__":
    sys.exit(main(is_check="--check" in sys.argv[1:]))
