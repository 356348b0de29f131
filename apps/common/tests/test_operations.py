import errno
import time
from pathlib import Path
from unittest.mock import patch

import pytest
from celery import Celery, current_app
from celery.signals import beat_init
from django.conf import LazySettings
from django.conf import settings as project
from django.db import DatabaseError
from django.test import Client
from kombu.exceptions import OperationalError

from apps.common.content_policy import content_security_policy, signup_sources
from apps.common.tasks import report_alive
from config.reports import without_queries
from tests.services import free_port


def test_live_asks_nobody_else(client: Client) -> None:
    answer = client.get("/health/")
    assert answer.status_code == 200
    assert answer.json()["status"] == "ok"


def workers_are_alive() -> None:
    for queue in project.WORK_QUEUES:
        report_alive(queue)


def test_ready_waits_for_a_worker_of_each_queue(client: Client, db: None) -> None:
    report_alive("celery")
    answer = client.get("/health/ready/")
    assert answer.status_code == 503
    assert answer.json() == {
        "status": "unavailable",
        "process": True,
        "database": True,
        "redis": True,
        "worker": False,
        "media": True,
    }
    report_alive("sending")
    assert client.get("/health/ready").status_code == 200


def test_beat_asks_for_reports_when_it_starts() -> None:
    with (
        patch("apps.common.presence.take_part"),
        patch("apps.common.checks.refuse_misconfiguration"),
        patch.object(current_app, "send_task") as sent,
    ):
        beat_init.send(sender=None)
        sent.side_effect = OperationalError  # a broker that is down
        beat_init.send(sender=None)
    reports = [(each.args, each.kwargs) for each in sent.call_args_list[: len(project.WORK_QUEUES)]]
    assert reports == [
        ((report_alive.name, [queue]), {"expires": 15, "queue": queue})
        for queue in project.WORK_QUEUES
    ]


def test_what_leaves_has_a_queue_of_its_own() -> None:
    current_app.loader.import_default_modules()
    leaves = {"tickets.deliver", "campaigns.send", "campaigns.import_lists"}
    assert leaves <= set(current_app.tasks)
    for name in (*leaves, "inbound.process", "apps.common.tasks.report_alive"):
        queue = current_app.amqp.router.route({}, name)["queue"].name
        assert queue == ("sending" if name in leaves else "celery")
    # Of a worker that is told of no queue.
    assert set(current_app.amqp.queues) == set(project.WORK_QUEUES)


def test_ready_names_a_database_that_is_down(client: Client, db: None) -> None:
    workers_are_alive()
    with patch("apps.common.health.connection.cursor", side_effect=DatabaseError):
        answer = client.get("/health/ready/")
    assert answer.status_code == 503
    assert answer.json()["database"] is False


def test_ready_names_media_that_cannot_be_written(
    client: Client, db: None, settings: LazySettings, tmp_path: Path
) -> None:
    workers_are_alive()
    (tmp_path / "file").touch()
    settings.MEDIA_ROOT = tmp_path / "file" / "media"  # root may write everywhere but here
    answer = client.get("/health/ready/")
    assert answer.status_code == 503
    assert answer.json()["media"] is False
    settings.MEDIA_ROOT = tmp_path / "media"
    assert client.get("/health/ready/").status_code == 200
    assert not list((tmp_path / "media").iterdir())


def test_ready_names_a_disk_that_is_full(client: Client, db: None) -> None:
    workers_are_alive()
    with patch("tempfile.TemporaryFile", side_effect=OSError(errno.ENOSPC, "full")):
        answer = client.get("/health/ready/")
    assert (answer.status_code, answer.json()["media"]) == (503, False)


def test_ready_names_a_disk_that_is_nearly_full(
    client: Client, db: None, settings: LazySettings
) -> None:
    workers_are_alive()
    settings.MEDIA_FREE_MB = 10**12
    answer = client.get("/health/ready/")
    assert (answer.status_code, answer.json()["media"]) == (503, False)
    settings.MEDIA_FREE_MB = 0
    assert client.get("/health/ready/").status_code == 200


def test_metrics_count_requests_and_waiting_work(client: Client, db: None) -> None:
    client.get("/health/")
    text = client.get("/metrics").content.decode()
    assert 'balcao_http_requests_total{method="GET",status="200",view="health"}' in text
    assert 'balcao_waiting_rows{work="inbound"} 0.0' in text
    assert 'balcao_waiting_rows{work="deliveries"} 0.0' in text


def test_an_invented_method_makes_no_figure_of_its_own(client: Client, db: None) -> None:
    for number in range(20):
        client.generic(f"MADEUP{number}", "/health/")
    text = client.get("/metrics").content.decode()
    assert "MADEUP" not in text
    assert 'balcao_http_requests_total{method="other"' in text


def test_behind_a_proxy_metrics_want_a_token(
    client: Client, db: None, settings: LazySettings
) -> None:
    assert client.get("/metrics").status_code == 200
    settings.METRICS_ON_LOOPBACK = False
    assert client.get("/metrics").status_code == 404
    settings.METRICS_TOKEN = "figures"
    assert client.get("/metrics", headers={"Authorization": "Bearer figures"}).status_code == 200


@pytest.mark.parametrize(
    "origin",
    [
        {"REMOTE_ADDR": "192.0.2.7"},
        {"HTTP_X_FORWARDED_FOR": "192.0.2.7"},
        {"HTTP_X_REAL_IP": "192.0.2.7"},
        {"HTTP_FORWARDED": "for=192.0.2.7"},
        {"HTTP_VIA": "1.1 proxy"},
    ],
)
def test_metrics_are_hidden_from_other_machines(client: Client, origin: dict[str, str]) -> None:
    assert client.get("/metrics", headers=None, **origin).status_code == 404  # type: ignore[arg-type]


def test_a_metrics_token_is_asked_for_when_set(
    client: Client, db: None, settings: LazySettings
) -> None:
    settings.METRICS_TOKEN = "figures"
    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", headers={"Authorization": "Bearer figures"}).status_code == 200


def test_pages_carry_a_content_policy_and_the_interface_none(client: Client, db: None) -> None:
    policy = client.get("/admin/login/").headers["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "unsafe-inline" not in policy.partition("script-src")[2].partition(";")[0]
    assert "Content-Security-Policy" not in client.get("/health/").headers


def test_the_policy_lets_the_page_reach_the_public_address() -> None:
    policy = content_security_policy("https://balcao.example")
    assert "connect-src 'self' blob: https://balcao.example wss://balcao.example" in policy


def test_the_policy_lets_films_play_without_cookies_and_nowhere_else() -> None:
    policy = content_security_policy("https://balcao.example")
    assert policy.partition("frame-src ")[2].partition(";")[0].split() == [
        "'self'",
        "blob:",
        "https://balcao.example",
        "https://www.youtube-nocookie.com",
        "https://player.vimeo.com",
    ]


def test_the_policy_lets_metas_signup_in_once_it_is_set_up(settings: LazySettings) -> None:
    settings.META_APP_ID, settings.META_CONFIG_ID, settings.META_APP_SECRET = "1", "", "s"
    assert signup_sources() == ()
    settings.META_CONFIG_ID = "2"
    settings.FACEBOOK_URL = "https://www.facebook.com"
    settings.FACEBOOK_SDK_URL = "https://connect.facebook.net/en_US/sdk.js"
    policy = content_security_policy("https://balcao.example", signup_sources())
    assert "script-src 'self' https://connect.facebook.net;" in policy
    assert "frame-src 'self' blob: https://balcao.example https://www.facebook.com " in policy
    assert "facebook" not in content_security_policy("https://balcao.example")


def test_only_the_browser_application_lets_metas_signup_in(
    client: Client, db: None, settings: LazySettings, tmp_path: Path
) -> None:
    (tmp_path / "index.html").write_text("<!doctype html>")
    settings.FRONTEND_DIST = tmp_path
    settings.META_APP_ID, settings.META_CONFIG_ID, settings.META_APP_SECRET = "1", "2", "s"
    settings.FACEBOOK_SDK_URL = "https://connect.facebook.net/en_US/sdk.js"
    page, admin = client.get("/connections").headers, client.get("/admin/login/").headers
    assert "connect.facebook.net" in page["Content-Security-Policy"]
    assert page["Cross-Origin-Opener-Policy"] == "same-origin-allow-popups"
    assert "facebook" not in admin["Content-Security-Policy"]
    assert admin["Cross-Origin-Opener-Policy"] == "same-origin"


def test_a_report_names_no_query_of_the_calls_before_it() -> None:
    data = {"url": "https://graph/oauth", "http.query": "client_secret=s", "http.fragment": ""}
    assert without_queries({"category": "httplib", "data": data}, {}) == {
        "category": "httplib",
        "data": {"url": "https://graph/oauth"},
    }
    assert without_queries({"category": "log"}, {}) == {"category": "log"}


def test_a_wake_up_does_not_wait_for_a_broker_that_is_down(settings: LazySettings) -> None:
    app = Celery(broker=f"redis://127.0.0.1:{free_port()}/0", set_as_current=False)
    app.conf.broker_transport_options = settings.CELERY_BROKER_TRANSPORT_OPTIONS

    @app.task(name="anything")  # type: ignore[untyped-decorator]
    def task() -> None: ...

    started_at = time.monotonic()
    for _ in range(3):
        with pytest.raises(OperationalError):
            task.apply_async(retry=False)
    assert time.monotonic() - started_at < 2
