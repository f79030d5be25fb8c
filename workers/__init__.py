"""Celery: what happens after the answer has gone out. Tasks take ids, look again, then act; twice does no harm."""
