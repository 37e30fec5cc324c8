"""Clients take turns, and no more compute at once than may."""

from __future__ import annotations

import threading
from contextlib import suppress

from ui.state.turns import Turns


def test_a_client_with_many_requests_lets_the_others_through() -> None:
    turns, order, begun = Turns(1), [], threading.Event()
    asked = ["greedy"] * 6 + ["modest", "other", "modest"]

    def compute(client: str) -> None:
        with turns.one(client):
            order.append(client)

    threads = []
    with turns.one("first"):
        for n, client in enumerate(asked):
            threads.append(threading.Thread(target=compute, args=(client,)))
            threads[-1].start()
            while turns.n_waiting != n + 1:  # the order in which they ask is that of the list
                begun.wait(0.001)
    for thread in threads:
        thread.join()
    assert order == ["greedy", "modest", "other", "greedy", "modest", "greedy", "greedy", "greedy", "greedy"]
    assert turns.n_waiting == 0


def test_so_many_compute_at_once_and_a_failure_gives_its_turn_back() -> None:
    turns, inside, most, lock = Turns(2), 0, 0, threading.Lock()
    meeting = threading.Barrier(2)

    def compute(number: int) -> None:
        nonlocal inside, most
        with suppress(ZeroDivisionError), turns.one(str(number % 3)):
            with lock:
                inside += 1
                most = max(most, inside)
            meeting.wait()  # passes only if two are inside
            with lock:
                inside -= 1
            number /= 0

    threads = [threading.Thread(target=compute, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 2
    with turns.one("a"), turns.one("b"):
        assert turns.n_waiting == 0
