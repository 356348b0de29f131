"""`python -m tests.walled`: the product's server, which reaches no other machine."""

import socket
from typing import Any

from config.serve import main

HERE = {"127.0.0.1", "localhost"}


def build_wall() -> None:
    """Let this process reach nobody but this machine, whatever address it is told."""
    look_up, connect = socket.getaddrinfo, socket.socket.connect

    def look_up_here(host: Any, *options: Any, **more: Any) -> Any:
        if host not in HERE:
            raise socket.gaierror(socket.EAI_NONAME, "No other machine is known here.")
        return look_up(host, *options, **more)

    def connect_here(self: socket.socket, address: Any) -> None:
        if isinstance(address, tuple) and address[0] not in HERE:
            raise ConnectionRefusedError(address)
        connect(self, address)

    socket.getaddrinfo = look_up_here
    socket.socket.connect = connect_here  # type: ignore[assignment, method-assign]


if __name__ == "__main__":
    build_wall()
    main()
