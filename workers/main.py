"""What the processes run: `celery --app workers.main worker` and `... beat`, configured by the environment."""

import sys

from runtime.config import ConfigError, service_config
from workers.app import configure
from workers.observability import log_our_way
from workers.presence import announce

try:
    app = configure(service_config())
except ConfigError as error:
    sys.exit(str(error))
log_our_way()
announce()
