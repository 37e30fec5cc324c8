"""Who computes next: as many at once as there are cores, and the clients that wait take turns, however many requests
each of them has."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

LOOKS = 0.1
"""Seconds between two looks at whether one who waits still wants to."""
Brought = TypeVar("Brought")


@dataclass(eq=False, slots=True, kw_only=True)
class PlaceInQueue(Generic[Brought]):
    """One who waits or has a turn, and what he `brings`, if somebody else could do it along with his own."""

    client: str
    brings: Brought | None
    has_turn: bool = False
    woken: threading.Event = field(default_factory=threading.Event)


class Turns(Generic[Brought]):
    """At most `n` turns at once. Safe for many threads."""

    def __init__(self, n: int) -> None:
        self._free = n
        self._lock = threading.Lock()
        self._waiting: OrderedDict[str, deque[PlaceInQueue[Brought]]] = OrderedDict()
        """Those who wait, by client; the client that is first is next."""

    @contextmanager
    def one(
        self, client: str, *, brings: Brought | None = None, look: Callable[[], None] | None = None
    ) -> Iterator[PlaceInQueue[Brought]]:
        """Wait for a turn of this client, and have it inside; or until somebody has done what is brought, and woken the
        place, which then `has_turn` not. `look` is called now and then meanwhile: what it raises frees the place."""
        place = self._enter(client, brings)
        try:
            while not place.woken.wait(None if look is None else LOOKS):
                if look is not None:
                    look()
            yield place
        finally:
            self._leave(place)

    def company(
        self, place: PlaceInQueue[Brought], fits: Callable[[Sequence[Brought], Brought], bool]
    ) -> tuple[PlaceInQueue[Brought], ...]:
        """Who of those that wait is served along with this one: taken out of the queue, and to be woken.

        `fits` says whether something may be done along with others. One of each client is taken, and more only while no
        other client is left waiting. Clients that are served so are last from now on.
        """
        company, served = [place], {place.client}
        with self._lock:
            self._take_round([client for client in self._waiting if client != place.client], company, fits)
            served |= {each.client for each in company}
            n_before = 0
            while n_before != len(company) and served.issuperset(self._waiting):
                n_before = len(company)
                self._take_round(list(self._waiting), company, fits)
        return tuple(company[1:])

    @property
    def n_waiting(self) -> int:
        """The number of clients that wait for a turn."""
        with self._lock:
            return sum(map(len, self._waiting.values()))

    def _enter(self, client: str, brings: Brought | None) -> PlaceInQueue[Brought]:
        place = PlaceInQueue(client=client, brings=brings)
        with self._lock:
            if self._free:
                self._free -= 1
                self._call(place)
            else:
                self._waiting.setdefault(client, deque()).append(place)
        return place

    def _leave(self, place: PlaceInQueue[Brought]) -> None:
        with self._lock:
            if place.has_turn:
                self._give_on()
            elif place in self._waiting.get(place.client, ()):
                self._remove(place)

    def _give_on(self) -> None:
        """The turn goes to the client that is next, who is last from now on; to nobody, if nobody waits."""
        if not self._waiting:
            self._free += 1
            return
        place = next(iter(self._waiting.values()))[0]
        self._remove(place)
        self._put_last(place.client)
        self._call(place)

    def _call(self, place: PlaceInQueue[Brought]) -> None:
        place.has_turn = True
        place.woken.set()

    def _take_round(
        self,
        clients: Sequence[str],
        company: list[PlaceInQueue[Brought]],
        fits: Callable[[Sequence[Brought], Brought], bool],
    ) -> None:
        """Take at most one of each of these clients."""
        for client in clients:
            brought = [each.brings for each in company if each.brings is not None]
            places = (each for each in self._waiting[client] if each.brings is not None and fits(brought, each.brings))
            if (place := next(places, None)) is not None:
                self._remove(place)
                self._put_last(client)
                company.append(place)

    def _remove(self, place: PlaceInQueue[Brought]) -> None:
        waiting = self._waiting[place.client]
        waiting.remove(place)
        if not waiting:
            del self._waiting[place.client]

    def _put_last(self, client: str) -> None:
        if client in self._waiting:
            self._waiting.move_to_end(client)
