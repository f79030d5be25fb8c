"""The worker that plays for bots, when nobody else needs the processor: `python -m workers.bots`."""

import os
import sys

from celery.__main__ import main

POLITENESS = 10  # how far it stands back behind everything else on the machine

ARGUMENTS = (
    *("celery", "--quiet", "--app", "workers.main", "worker", "--queues", "bots", "--concurrency", "1"),
    *("--hostname", "bots@%h", "--without-mingle", "--without-gossip", "--without-heartbeat"),
)

if __name__ == "__main__":
    os.nice(POLITENESS)
    sys.argv = list(ARGUMENTS)
    main()
