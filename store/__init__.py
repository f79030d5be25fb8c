"""Postgres: migrations, the pool and the queries. The only place with SQL."""
