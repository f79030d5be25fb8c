"""The door for mail: SMTP or LMTP on loopback, meant to stand behind a mail server. A mail is kept before it is taken.

What was kept is read here, too, by a thread of its own: answers to players' orders then wait neither in the queue nor
beside what a worker tells others of. Whatever is left over the workers find with their next look.

`python -m workers.mail_door` serves it, configured by the environment.
"""

import asyncio
import contextlib
import signal
import sys
import threading
from collections.abc import Callable
from functools import partial

import structlog
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from mail.reading import MOST_BYTES
from referee.structs import preload_decoders
from runtime.config import Config, ConfigError, service_config
from service import mail_in
from service.errors import Unavailable
from workers import app as worker_app
from workers import tasks
from workers.app import app
from workers.observability import log_our_way

log = structlog.get_logger("waybill.mail")

MOST_RECIPIENTS = 20
MOST_CONNECTIONS = 200
SECONDS = 60  # that a connection may say nothing
AGAIN = "451 4.3.0 The service cannot keep mail now; try again later"


class Door:
    """What aiosmtpd asks at each step."""

    def __init__(self, domain: str, wake: Callable[[], object] = tasks.enqueue_post) -> None:
        self.domain, self.wake = domain.lower(), wake

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address.lower().rpartition("@")[2] != self.domain:
            return "550 5.7.1 This is not a relay"
        if not mail_in.is_ours(address, self.domain):
            return "550 5.1.1 Nobody has this address"
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return "452 4.5.3 Too many recipients"
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 2.1.5 Good"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd's name
        raw = envelope.content if isinstance(envelope.content, bytes) else (envelope.content or "").encode()
        loop = asyncio.get_running_loop()
        try:
            for recipient in envelope.rcpt_tos:
                keep = partial(mail_in.keep, app.database, raw, envelope.mail_from or mail_in.NULL_SENDER, recipient)
                await loop.run_in_executor(None, keep)
        except Unavailable:
            return AGAIN
        await loop.run_in_executor(None, self.wake)
        return "250 2.0.0 Kept"


class Reader:
    """Reads mail whenever there is some, one after the other."""

    def __init__(self) -> None:
        preload_decoders()
        self._has_come = threading.Event()
        threading.Thread(target=self._read, name="read-mail", daemon=True).start()

    def wake(self) -> None:
        self._has_come.set()

    def _read(self) -> None:
        while self._has_come.wait():
            self._has_come.clear()
            try:
                tasks.post()
            except Unavailable as error:
                log.warning("mail waits for the database", reason=error.message)
            except Exception:
                log.exception("mail not read")
                tasks.enqueue_post()


async def serve(config: Config) -> None:
    """Until SIGTERM. LMTP or SMTP, by the greeting: a client that says LHLO speaks LMTP."""
    door = Door(config.mail_domain, Reader().wake)

    def factory() -> SMTP:
        kind = LMTP if config.mail_protocol == "lmtp" else SMTP
        found: SMTP = kind(
            door, data_size_limit=MOST_BYTES, enable_SMTPUTF8=True, timeout=SECONDS, hostname=config.mail_domain
        )
        return found

    loop = asyncio.get_running_loop()
    server = await loop.create_server(factory, config.host, config.port_of_mail, backlog=MOST_CONNECTIONS)
    stopped = asyncio.Event()
    for ending in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(ending, stopped.set)
    log.info("mail door", port=config.port_of_mail)
    async with server:
        await stopped.wait()


def main() -> None:
    try:
        config = service_config()
    except ConfigError as error:
        sys.exit(str(error))
    worker_app.configure(config)
    log_our_way()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(config))


if __name__ == "__main__":
    main()
