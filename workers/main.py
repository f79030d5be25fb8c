"""What the processes run: `celery --app workers.main worker` and `... beat`, configured by the environment."""

from store.config import read_config
from workers.app import configure

app = configure(read_config())
