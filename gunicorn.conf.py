"""How the API is served: gunicorn reads this in the folder in which it is started, `gunicorn "app:create_app()"`."""

import sys
from typing import Any

from gunicorn.glogging import Logger

from runtime.config import ConfigError, service_config
from runtime.logs import library_logging


class Errors(Logger):
    """Gunicorn's log without its line for each request: the application tells of them itself."""

    def access(self, *_: Any) -> None:
        pass


try:
    chosen = service_config()
except ConfigError as error:
    sys.exit(str(error))

bind = f"[{chosen.host}]:{chosen.port}" if ":" in chosen.host else f"{chosen.host}:{chosen.port}"
worker_class = "gthread"
workers = chosen.api_processes
threads = chosen.api_threads
graceful_timeout = 15  # seconds for running requests at the end; less than `./waybill up` and compose.yaml wait
control_socket_disable = True
loglevel = chosen.log_level
logger_class = Errors
logconfig_dict = library_logging(chosen.log_level)
