"""A typed client for Waybill, a referee for games played by post.

from waybill_client import Client

with Client("http://127.0.0.1:8000") as me:
    me.sign_up("My first bot")
    game = me.open_game("airlines-europe", ["me", "bot"]).game
    print(me.play(game.id, lambda options: options.sample()).ending)
"""

from waybill_client.aio import AsyncClient as AsyncClient
from waybill_client.errors import BadRecord as BadRecord
from waybill_client.errors import BadSignature as BadSignature
from waybill_client.errors import NotAMove as NotAMove
from waybill_client.errors import NotFound as NotFound
from waybill_client.errors import Problem as Problem
from waybill_client.errors import RefusedOrder as RefusedOrder
from waybill_client.errors import Stale as Stale
from waybill_client.errors import Unauthorized as Unauthorized
from waybill_client.errors import Unreachable as Unreachable
from waybill_client.errors import WaybillError as WaybillError
from waybill_client.models import Event as Event
from waybill_client.models import Game as Game
from waybill_client.models import GameState as GameState
from waybill_client.models import Notice as Notice
from waybill_client.models import Opened as Opened
from waybill_client.models import Outcome as Outcome
from waybill_client.models import Played as Played
from waybill_client.models import Player as Player
from waybill_client.models import Position as Position
from waybill_client.models import Receipt as Receipt
from waybill_client.models import Row as Row
from waybill_client.models import Ruleset as Ruleset
from waybill_client.models import Sealed as Sealed
from waybill_client.models import Standing as Standing
from waybill_client.models import Webhook as Webhook
from waybill_client.options import Bag as Bag
from waybill_client.options import Move as Move
from waybill_client.options import Offer as Offer
from waybill_client.options import OneOf as OneOf
from waybill_client.options import Options as Options
from waybill_client.options import Pick as Pick
from waybill_client.options import Range as Range
from waybill_client.options import Way as Way
from waybill_client.records import Verified as Verified
from waybill_client.records import verify as verify
from waybill_client.sync import Client as Client
from waybill_client.webhooks import Told as Told
from waybill_client.webhooks import verified as verified
