"""The ways by which notices leave the house. A channel delivers, or says why not; when and how often others decide."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from threading import Condition
from typing import Protocol

from service.feed import Told
from store.deliveries import Lane
from store.players import Player

AT_ONCE = 4  # deliveries by one channel in a process: one that hangs keeps no more threads than these


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
            return [name for name, lanes in self._under_way.items() if len(lanes) < AT_ONCE]

    def begin(self, lane: Lane) -> bool:
        """Whether there is room for a delivery, and none of the same lane under way."""
        with self._changed:
            lanes = self._under_way[lane.channel]
            if len(lanes) >= AT_ONCE or lane in lanes:
                return False
            lanes.add(lane)
            return True

    def end(self, lane: Lane) -> None:
        with self._changed:
            self._under_way[lane.channel].discard(lane)
            self._changed.notify_all()

    def wait_for_an_end(self, lanes: Iterable[Lane], seconds: float) -> bool:
        """Waits until one of these lanes is not under way any more; False if that takes too long, or none is."""
        wanted = set(lanes)
        with self._changed:
            before = {lane for lane in wanted if lane in self._under_way[lane.channel]}
            return bool(before) and self._changed.wait_for(
                lambda: any(lane not in self._under_way[lane.channel] for lane in before), seconds
            )
