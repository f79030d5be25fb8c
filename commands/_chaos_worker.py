"""The worker of `./waybill chaos`: like any other, but with a post that behaves as a file says."""

import os
import time
from collections.abc import Sequence
from pathlib import Path

from service.channels import Channels
from service.feed import Told
from service.mail_out import MailChannel
from service.players import Player
from service.renderer import Renderer
from workers.main import app as app

MOOD_FILE = Path(os.environ["CHAOS_POST_FILE"])
HANGING_SECONDS = 20.0  # longer than the channel's own limit


class MoodyPost(MailChannel):
    """Delivers, hangs, refuses, or answers with nonsense."""

    limit = 6.0

    def deliver(self, player: Player, told: Sequence[Told]) -> None:
        match MOOD_FILE.read_text() if MOOD_FILE.exists() else "":
            case "hangs":
                time.sleep(HANGING_SECONDS)
            case "refuses":
                raise ConnectionRefusedError("the post is closed")
            case "talks nonsense":
                raise ValueError("500")
        super().deliver(player, told)


app.channels = Channels(MoodyPost(app.database, app.transport, app.config.mail_domain, draw=Renderer()))
