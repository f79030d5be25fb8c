"""The ways by which notices leave the house. A channel delivers, or says why not; when and how often others decide."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from threading import Condition
from typing import Protocol

from service.feed import Told
from service.preferences import PUSH
from store.deliveries import Lane
from store.players import Player

AT_ONCE = 4  # deliveries by one channel in a process: one that hangs keeps no more threads than these
AT_ONCE_TO_STRANGERS = 16  # at addresses that players have given us, some of which hang
AT_ONCE_TO_STRANGERS_OF_A_PLAYER = 2
WEBHOOK = "webhook"
FIRST_PAUSE, LONGEST_PAUSE = timedelta(seconds=10), timedelta(hours=4)


class NotDelivered(Exception):
    """The reason is for the player to read. `for_good`: to try again would not help."""

    def __init__(self, reason: str, for_good: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.for_good = for_good


class Channel(Protocol):
    """`limit` is the number of seconds that a delivery may take."""

    name: str
    limit: float

    def reaches(self, player: Player) -> bool:
        """Whether the player can be reached: has an address, for instance."""
        ...

    def deliver(self, player: Player, told: Sequence[Told]) -> None:
        """Delivers notices, one or several that belong together, in this order.

        The same may come again, when nobody knows what became of it: what is sent carries the notices' numbers.
        Raises NotDelivered; any other error is taken for one that will pass.
        """
        ...


def pause_after(attempts: int) -> timedelta:
    """10 seconds, half a minute, a minute and a half, …, 4 hours."""
    growth: int = 3 ** min(attempts - 1, 10)
    return min(LONGEST_PAUSE, FIRST_PAUSE * growth)


def family(name: str) -> str:
    """`webhook` of `webhook:17`, `push` of `push:3`: a player may have several, each with deliveries of its own."""
    return name.partition(":")[0]


def is_program(name: str) -> bool:
    """Whether it is a program that is told: it neither sleeps nor looks, and wants one thing at a time."""
    return family(name) == WEBHOOK


class Channels:
    """The channels of a process, by name, and the lanes that each is delivering now."""

    def __init__(self, *channels: Channel) -> None:
        self.by_name: Mapping[str, Channel] = {channel.name: channel for channel in channels}
        self._under_way: dict[str, set[Lane]] = {name: set() for name in self.by_name}
        self._changed = Condition()

    def __iter__(self) -> Iterator[Channel]:
        return iter(self.by_name.values())

    def with_room(self) -> list[str]:
        """The names of those that can take another delivery."""
        with self._changed:
            return [name for name, lanes in self._under_way.items() if len(lanes) < _room(name)]

    def begin(self, lane: Lane) -> bool:
        """Whether there is room for a delivery, and none of the same lane under way."""
        with self._changed:
            lanes = self._under_way[family(lane.channel)]
            if len(lanes) >= _room(lane.channel) or lane in lanes:
                return False
            theirs = sum(other.player_id == lane.player_id for other in lanes)
            if _is_strange(lane.channel) and theirs >= AT_ONCE_TO_STRANGERS_OF_A_PLAYER:
                return False
            lanes.add(lane)
            return True

    def end(self, lane: Lane) -> None:
        with self._changed:
            self._under_way[family(lane.channel)].discard(lane)
            self._changed.notify_all()

    def wait_for_an_end(self, lanes: Iterable[Lane], seconds: float) -> bool:
        """Waits until one of these lanes is not under way any more; False if that takes too long, or none is."""
        wanted = set(lanes)
        with self._changed:
            before = {lane for lane in wanted if lane in self._under_way[family(lane.channel)]}
            return bool(before) and self._changed.wait_for(
                lambda: any(lane not in self._under_way[family(lane.channel)] for lane in before), seconds
            )


def _room(name: str) -> int:
    return AT_ONCE_TO_STRANGERS if _is_strange(name) else AT_ONCE


def _is_strange(name: str) -> bool:
    return family(name) in (WEBHOOK, PUSH)
