"""Clients take queue, and no more compute at once than may."""

from __future__ import annotations

import threading
from contextlib import suppress

from models.checkpoints.devices import own_name
from ui.desk.queue import DeviceQueues, Queue


def test_a_client_with_many_requests_lets_the_others_through() -> None:
    queue, order, begun = Queue(1), [], threading.Event()
    asked = ["greedy"] * 6 + ["modest", "other", "modest"]

    def compute(client: str) -> None:
        with queue.turn(client):
            order.append(client)

    threads = []
    with queue.turn("first"):
        for n, client in enumerate(asked):
            threads.append(threading.Thread(target=compute, args=(client,)))
            threads[-1].start()
            while queue.n_waiting != n + 1:  # the order in which they ask is that of the list
                begun.wait(0.001)
    for thread in threads:
        thread.join()
    assert order == ["greedy", "modest", "other", "greedy", "modest", "greedy", "greedy", "greedy", "greedy"]
    assert queue.n_waiting == 0


def test_so_many_compute_at_once_and_a_failure_gives_its_turn_back() -> None:
    queue, inside, most, lock = Queue(2), 0, 0, threading.Lock()
    meeting = threading.Barrier(2)

    def compute(number: int) -> None:
        nonlocal inside, most
        with suppress(ZeroDivisionError), queue.turn(str(number % 3)):
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
    with queue.turn("a"), queue.turn("b"):
        assert queue.n_waiting == 0


def test_an_accelerator_computes_one_pass_at_a_time_and_the_processor_as_many_as_it_has_cores() -> None:
    queues, lock, hold = DeviceQueues(3), threading.Lock(), threading.Event()
    inside, most = dict.fromkeys(("cpu", "cuda:0", "cuda:1"), 0), dict.fromkeys(("cpu", "cuda:0", "cuda:1"), 0)
    begun = threading.Semaphore(0)

    def work(device: str) -> None:
        with lock:
            inside[device] += 1
            most[device] = max(most[device], inside[device])
        begun.release()
        hold.wait(timeout=10)
        with lock:
            inside[device] -= 1

    def ask(number: int, asked_as: str) -> None:
        with queues.of(asked_as).turn(str(number)):
            work(own_name(asked_as))

    asked = ["cpu"] * 3 + ["cuda", "cuda:0", "cuda"] + ["cuda:1"] * 2
    threads = [threading.Thread(target=ask, args=each) for each in enumerate(asked)]
    for thread in threads:
        thread.start()
    for _ in range(5):
        assert begun.acquire(timeout=10)
    assert not begun.acquire(timeout=0.05)
    hold.set()
    for thread in threads:
        thread.join(timeout=10)
    assert most == {"cpu": 3, "cuda:0": 1, "cuda:1": 1}
