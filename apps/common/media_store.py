"""The bucket of stored files, and the folder beside it that they come from.

An installation that gets a bucket goes on with the files of its folder: what the bucket lacks is
read there, until `manage.py move_media` has moved it. Nothing moves back, so a file that is in
neither when it is sought was in the bucket or is there now.
"""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import IO, Any, TypeVar

from boto3.session import Session
from botocore.config import Config
from botocore.exceptions import ClientError
from django.core.files.base import File
from django.core.files.storage import FileSystemStorage, Storage
from storages.backends.s3 import S3Storage

# Seconds. A call that waits for the store holds a thread.
CONNECT_SECONDS, READ_SECONDS = 5, 30
# Several stores that speak the protocol know no checksums but the signature's.
_CHECKSUMS = "when_required"
Found = TypeVar("Found")


@dataclass(frozen=True)
class Head:
    """What the bucket says of a file."""

    size: int
    mime: str
    tag: str


def client_config() -> Config:
    """Return how every client of the bucket speaks to it."""
    return Config(
        signature_version="s3v4",
        connect_timeout=CONNECT_SECONDS,
        read_timeout=READ_SECONDS,
        retries={"max_attempts": 3},
        request_checksum_calculation=_CHECKSUMS,
        response_checksum_validation=_CHECKSUMS,
    )


def _is(error: ClientError, *statuses: int) -> bool:
    return error.response.get("ResponseMetadata", {}).get("HTTPStatusCode") in statuses


class BucketStorage(Storage):
    """Django's storage for a bucket of an S3-compatible store.

    `browser_url` is the store's address for browsers; without it they never go there.
    """

    def __init__(self, *, browser_url: str = "", **options: Any) -> None:
        self.bucket = S3Storage(client_config=client_config(), file_overwrite=False, **options)
        self.folder = FileSystemStorage()
        self.browser_url = browser_url
        self._options = options
        self._signer: Any = None
        self._lock = threading.Lock()

    def save(self, name: str | None, content: Any, max_length: int | None = None) -> str:
        saved: str = self.bucket.save(name, content, max_length)
        return saved

    def open(self, name: str, mode: str = "rb") -> "File[Any]":
        return self._found(lambda store: store.open(name, mode))

    def size(self, name: str) -> int:
        size: int = self._found(lambda store: store.size(name))
        return size

    def exists(self, name: str) -> bool:
        # In this order a file that moves meanwhile is found.
        return self.folder.exists(name) or bool(self.bucket.exists(name))

    def delete(self, name: str) -> None:
        """Remove a file from both: the mover looks into the folder once more after its copy."""
        self.folder.delete(name)
        self.bucket.delete(name)

    def listdir(self, path: str) -> tuple[list[str], list[str]]:
        folders, files = self.bucket.listdir(path)
        with suppress(FileNotFoundError, NotADirectoryError):
            more_folders, more_files = self.folder.listdir(path)
            folders = sorted({*folders, *more_folders})
            files = sorted({*files, *more_files})
        return folders, files

    def _found(self, ask: Callable[[Any], Found]) -> Found:
        for store in (self.bucket, self.folder):
            with suppress(FileNotFoundError):
                return ask(store)
        return ask(self.bucket)  # it moved in between

    # What only a bucket can.

    def head(self, name: str) -> Head | None:
        """Return what the bucket says of a file; None if it lacks it."""
        try:
            said = self._client.head_object(Bucket=self._name, Key=name)
        except ClientError as error:
            if _is(error, 404):
                return None
            raise
        return Head(said["ContentLength"], said.get("ContentType", ""), said["ETag"])

    def open_range(self, name: str, first: int, last: int, *, tag: str = "") -> "IO[bytes] | None":
        """Return a stream of the bytes from `first` to `last`.

        None if the bucket lacks the file or, with a `tag`, has another one than `head` saw.
        """
        also = {"IfMatch": tag} if tag else {}
        try:
            said = self._client.get_object(
                Bucket=self._name, Key=name, Range=f"bytes={first}-{last}", **also
            )
        except ClientError as error:
            if _is(error, 404, 412):
                return None
            raise
        stream: IO[bytes] = said["Body"]
        return stream

    def copy(self, name: str, to: str, *, tag: str, mime: str) -> None:
        """Copy a file inside the bucket, if it is still the one that `head` saw.

        Raises FileNotFoundError.
        """
        try:
            self._client.copy_object(
                Bucket=self._name,
                Key=to,
                CopySource={"Bucket": self._name, "Key": name},
                CopySourceIfMatch=tag,
                MetadataDirective="REPLACE",
                ContentType=mime,
            )
        except ClientError as error:
            if _is(error, 404, 412):
                raise FileNotFoundError(name) from error
            raise

    def put_new(self, name: str, content: "IO[bytes]", *, mime: str) -> str:
        """Store a file unless there is one of the name; return its tag, "" if there is one.

        Whole in one call: a process that ends in the middle leaves nothing of it.
        """
        try:
            said = self._client.put_object(
                Bucket=self._name, Key=name, Body=content, ContentType=mime, IfNoneMatch="*"
            )
        except ClientError as error:
            if _is(error, 409, 412):
                return ""
            raise
        tag: str = said["ETag"]
        return tag

    def drop(self, name: str) -> None:
        """Remove a file from the bucket alone."""
        self._client.delete_object(Bucket=self._name, Key=name)

    def names(self, prefix: str) -> "Iterator[tuple[str, datetime]]":
        """Yield name and time of each file of the bucket below a prefix."""
        pages = self._client.get_paginator("list_objects_v2")
        for page in pages.paginate(Bucket=self._name, Prefix=prefix):
            for each in page.get("Contents", ()):
                yield each["Key"], each["LastModified"]

    def signed_url(self, call: str, name: str, seconds: int, **parameters: Any) -> str:
        """Return an address at which a browser may make one call about one file.

        `parameters` are the call's own; headers among them are part of the signature, so that a
        request with others is refused.
        """
        asked: Mapping[str, Any] = {"Bucket": self._name, "Key": name, **parameters}
        signed: str = self._browser_client.generate_presigned_url(
            call, Params=asked, ExpiresIn=seconds
        )
        return signed

    @property
    def _name(self) -> str:
        name: str = self._options["bucket_name"]
        return name

    @property
    def _client(self) -> Any:
        return self.bucket.connection.meta.client

    @property
    def _browser_client(self) -> Any:
        with self._lock:  # clients may be shared by threads, but not their making
            if self._signer is None:
                self._signer = Session().client(
                    "s3",
                    endpoint_url=self.browser_url,
                    region_name=self._options.get("region_name") or "us-east-1",
                    aws_access_key_id=self._options.get("access_key"),
                    aws_secret_access_key=self._options.get("secret_key"),
                    config=client_config(),
                )
            return self._signer
