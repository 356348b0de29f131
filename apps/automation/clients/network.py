"""The network backend of `http.py`: allowed addresses only, within the exchange's deadline."""

import ssl
import time
from collections.abc import Iterable
from typing import Any

import httpcore

from apps.automation.clients.targets import addresses_of


class GuardedNetwork(httpcore.NetworkBackend):
    """Connects only to allowed addresses; TLS and the Host header still use the host's name."""

    def __init__(self, deadline: float) -> None:
        self._deadline = deadline
        self._network = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect to the first address of the host that accepts the connection."""
        fault: Exception = httpcore.ConnectError(host)
        try:
            left = _left(self._deadline, httpcore.ConnectTimeout)
            addresses = addresses_of(host, port, timeout=left)
        except TimeoutError as error:
            raise httpcore.ConnectTimeout(host) from error
        for address in addresses:
            try:
                stream = self._network.connect_tcp(
                    address,
                    port,
                    timeout=_left(self._deadline, httpcore.ConnectTimeout),
                    local_address=local_address,
                    socket_options=socket_options,
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                fault = error
            else:
                return _TimedStream(stream, self._deadline)
        raise fault


class _TimedStream(httpcore.NetworkStream):
    """A stream whose reads and writes time out at the exchange's deadline."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: float) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _left(self._deadline, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, _left(self._deadline, httpcore.WriteTimeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        left = _left(self._deadline, httpcore.ConnectTimeout)
        return _TimedStream(
            self._stream.start_tls(ssl_context, server_hostname, left), self._deadline
        )

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _left(deadline: float, fault: type[httpcore.TimeoutException]) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise fault("the exchange took too long")
    return left
