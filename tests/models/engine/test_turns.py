"""Clients take turns, and no more compute at once than may."""

from __future__ import annotations

import threading
from contextlib import suppress

from models.engine.turns import Turns


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


def test_company_is_one_of_each_client_and_those_who_were_served_are_last() -> None:
    turns: Turns[str] = Turns(1)
    order, begun = [], threading.Event()

    def compute(client: str, brings: str) -> None:
        with turns.one(client, brings=brings) as place:
            if place.has_turn:
                company = turns.company(place, lambda brought, more: len(brought) < 3 and more[0] == brought[0][0])
                order.append([place.brings, *(each.brings for each in company)])
                for each in company:
                    each.woken.set()

    asked = [("a", "x1"), ("a", "x2"), ("b", "x3"), ("c", "y1"), ("d", "x4"), ("c", "x5"), ("b", "x6")]
    threads = [threading.Thread(target=compute, args=each) for each in asked]
    with turns.one("first"):
        for n, thread in enumerate(threads):
            thread.start()
            while turns.n_waiting != n + 1:
                begun.wait(0.001)
    for thread in threads:
        thread.join()
    assert order == [["x1", "x3", "x5"], ["x4", "x2", "x6"], ["y1"]]
    assert turns.n_waiting == 0
