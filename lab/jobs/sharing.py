"""How clients share the queue, and whose runs are forgotten first."""

from __future__ import annotations

from collections.abc import Sequence

from lab.runs import Run
from models.values.errors import LabError
from models.values.wording import worded_n


def expect_room(waiting: Sequence[Run], client: str, *, most: int) -> None:
    """Raise LabError if the queue is full, or the client, if there is one, has half of its places."""
    n_of_client = sum(run.client == client for run in waiting) if client else 0
    if n_of_client >= max(most // 2, 1):
        raise LabError(
            worded_n(
                "{n} training from your address is already waiting, and the other places are for others. Wait "
                "until it begins.",
                "{n} trainings from your address are already waiting, and the other places are for others. Wait "
                "until one begins.",
                n_of_client,
            )
        )
    n_waiting = len(waiting)
    if n_waiting >= max(most, 1):
        raise LabError(
            worded_n(
                "{n} training is already waiting, the most that this server allows. Try again later.",
                "{n} trainings are already waiting, the most that this server allows. Try again later.",
                n_waiting,
            )
        )


def too_many(over: Sequence[Run], keep: int) -> list[Run]:
    """Return the runs to delete, of those given newest first, so that `keep` remain: each time the oldest run of the
    client who has the most, so that many runs of one client do not displace the few of another."""
    by_client: dict[str, list[Run]] = {}
    for run in over:
        by_client.setdefault(run.client, []).append(run)
    going = []
    for _ in range(len(over) - keep):
        most = max(map(len, by_client.values()))
        of_most = [client for client, theirs in by_client.items() if len(theirs) == most]
        oldest = min(of_most, key=lambda client: _age(by_client[client][-1]))
        going.append(by_client[oldest].pop())
    return going


def _age(run: Run) -> float:
    return max(run.status.queued_at, run.status.since)
