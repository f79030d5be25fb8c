"""What a process counts for Prometheus, beside its requests: waits for the database, and tasks.

Where PROMETHEUS_MULTIPROC_DIR names a folder, all processes that have it there are added up.
"""

from prometheus_client import Counter, Histogram

POOL_WAIT = Histogram(
    "waybill_pool_wait_seconds",
    "Waits for a database connection when all of a process were in use",
    buckets=(0.001, 0.01, 0.05, 0.1, 0.5, 1, 5),
)
POOL_TIMEOUTS = Counter("waybill_pool_timeouts", "Waits for a database connection that were given up")
STANDBY_READS = Counter(
    "waybill_standby_reads", "Reads tried on the standby: answered, not yet there, or without an answer", ["outcome"]
)
TASKS = Counter("waybill_tasks", "Tasks that workers have done", ["task", "state"])
TASK_SECONDS = Histogram(
    "waybill_task_seconds", "Time that a task took", ["task"], buckets=(0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30)
)
DELIVERIES = Counter(
    "waybill_deliveries", "Notices delivered, dropped as superfluous, failed or given up", ["channel", "outcome"]
)
