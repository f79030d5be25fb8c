"""Serves the stream: `python -m runtime.serve_stream api.stream:app`. One process carries thousands of connections."""

import multiprocessing
import sys

from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server import Server

from runtime.config import ConfigError, service_config
from runtime.logs import library_logging
from runtime.serve import HEAD_SECONDS, LONGEST_HEAD, SPARE_FILES, allow_files

CONNECTIONS = 12_000
STOP_SECONDS = 5


def main(target: str) -> None:
    try:
        config = service_config()
    except ConfigError as error:
        sys.exit(str(error))
    multiprocessing.set_start_method("fork")
    allow_files(CONNECTIONS + SPARE_FILES)
    Server(
        target,
        interface=Interfaces.ASGI,
        address=config.host,
        port=config.port_of_stream,
        http=HTTPModes.http1,
        websockets=False,
        loop=Loops.asyncio,
        workers=1,
        backpressure=CONNECTIONS,
        http1_settings=HTTP1Settings(header_read_timeout=HEAD_SECONDS * 1000, max_buffer_size=LONGEST_HEAD),
        respawn_failed_workers=True,
        workers_kill_timeout=STOP_SECONDS,
        log_level=LogLevels(config.log_level),
        log_dictconfig=library_logging(config.log_level),
    ).serve()


if __name__ == "__main__":
    main(*sys.argv[1:])
