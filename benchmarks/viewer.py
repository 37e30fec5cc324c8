"""Our viewer beside bertviz's views, in one run: each in a page of Streamlit, in headless Chromium, BERT-base shape.

    python -m benchmarks.viewer --tokens 64 128 512 4096 --rounds 3

A new sentence takes from the begin of the script's rerun, by the server's clock, to the frame after the one in which
its picture was drawn, by the browser's; its forward pass was made before. Another layer or head takes from the key or
click to that frame. The tab is the process that draws the page, with the libraries that it shares; an empty page of
Streamlit takes about 175 MB. Every peer and length has a server and a browser of its own. The first sentence warms up
and counts for bytes and memory only. Needs Linux, Chromium,
bertviz (pip install bertviz==1.4.1), and npm for the scripts that bertviz loads.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median

from benchmarks.viewer_apps.peers import HEAD_VIEW, HEADLIGHT, MODEL_VIEW, Peer
from benchmarks.viewer_apps.processes import MEGABYTE, GivenUpError, Guard, resident, restart_highest
from benchmarks.viewer_apps.visit import Drawn, Visit, visit

BERTVIZ = {"head": HEAD_VIEW, "model": MODEL_VIEW}
SENTENCE = "a new sentence: from the rerun to the first picture"
EXACT = "a new sentence: to the exact picture and every small map"
SCRIPT = "a new sentence: of it, the script on the server"
TURNS = {"layer": "another layer", "head": "another head"}
TO_FIRST, TO_EXACT = "{}: to the first picture", "{}: to the exact picture"
FIRST_BYTES = "sent to the browser: the first sentence"
BYTES = "sent to the browser: a further sentence"
TURN_BYTES = "sent to the browser: {} times another layer and head"
SAME_BYTES = "sent to the browser: a rerun, nothing changed"
UPLOAD = "sent to the server, altogether"
EMPTY_TAB = "the tab: an empty page"
FIRST_TAB = "the tab: with the first picture"
TAB = "the tab: at the end"
HIGHEST_TAB = "the tab: at its highest"
SERVER = "the server: grown by the first picture"
HIGHEST_SERVER = "the server: grown by it, at its highest"


@dataclass(slots=True, kw_only=True)
class Case:
    """What was measured of a peer at one length, seconds and bytes by row, and why nothing more was."""

    peer: Peer
    n_tokens: int
    seconds: dict[str, float] = field(default_factory=dict)
    bytes: dict[str, float] = field(default_factory=dict)
    failure: str = ""


def main() -> None:
    options = _options()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that servers and browsers are ended, too
    peers = [HEADLIGHT, *([] if options.skip_bertviz else [BERTVIZ[view] for view in options.views])]
    gave_up: dict[str, int] = {}
    for n_tokens in sorted(options.tokens):
        say(table([measured_or_not(peer, n_tokens, options, gave_up) for peer in peers]))
    if options.server_tokens:
        cases = [measured(HEADLIGHT, n_tokens, options, only_first=True) for n_tokens in options.server_tokens]
        say(server_table(cases))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tokens", type=int, nargs="+", default=[64, 128, 512, 4096], help="lengths of the texts")
    parser.add_argument("--server-tokens", type=int, nargs="*", default=[1024, 2048, 4096], help="for the server alone")
    parser.add_argument("--rounds", type=int, default=3, help="sentences, of which the median is taken (3)")
    parser.add_argument("--turns", type=int, default=9, help="turns of layer and head, of which it is taken (9)")
    parser.add_argument("--timeout", type=float, default=120, help="seconds after which a picture is given up (120)")
    parser.add_argument("--memory", type=float, default=8, help="gigabytes that a tab or a server may take (8)")
    parser.add_argument("--views", nargs="+", choices=BERTVIZ, default=list(BERTVIZ), help="which views of bertviz")
    parser.add_argument("--skip-bertviz", action="store_true", help="measure our viewer only")
    return parser.parse_args()


# -- measuring --------------------------------------------------------------------------------------------------------


def measured_or_not(peer: Peer, n_tokens: int, options: argparse.Namespace, gave_up: dict[str, int]) -> Case:
    """A peer at one length; one that was given up at a length is not tried at greater ones."""
    if peer.name in gave_up:
        return Case(peer=peer, n_tokens=n_tokens, failure=f"not tried after {gave_up[peer.name]:,} tokens")
    case = measured(peer, n_tokens, options)
    if case.failure:
        gave_up[peer.name] = n_tokens
    return case


def measured(peer: Peer, n_tokens: int, options: argparse.Namespace, *, only_first: bool = False) -> Case:
    """All rows of one peer at one length, or those before it was given up."""
    case = Case(peer=peer, n_tokens=n_tokens)
    n_sentences = 1 if only_first else 1 + options.rounds
    try:
        with visit(peer, n_tokens, n_sentences, Guard(options.memory), options.timeout) as page:
            first_sentence(page, case)
            if not only_first:
                further_sentences(page, case, options.rounds)
                turns(page, case, options.turns)
                case.bytes[SAME_BYTES] = received(page, page.run_again)
            case.bytes |= {UPLOAD: page.traffic()[1], TAB: resident(page.tab_pid)}
            case.bytes[HIGHEST_TAB] = resident(page.tab_pid, highest=True)
    except GivenUpError as error:
        case.failure = str(error)
    progress(case)
    return case


def first_sentence(page: Visit, case: Case) -> None:
    """What a page weighs that shows nothing, and what the first picture adds."""
    restart_highest(page.server_pid)
    server = resident(page.server_pid)
    case.bytes[EMPTY_TAB] = resident(page.tab_pid)
    case.bytes[FIRST_BYTES] = received(page, lambda: page.new_sentence(0))
    case.bytes[FIRST_TAB] = resident(page.tab_pid)
    case.bytes[SERVER] = resident(page.server_pid) - server
    case.bytes[HIGHEST_SERVER] = resident(page.server_pid, highest=True) - server


def further_sentences(page: Visit, case: Case, rounds: int) -> None:
    """Medians over sentences that follow the first."""
    drawn: list[Drawn] = []

    def draw_all() -> None:
        drawn.extend(page.new_sentence(number) for number in range(1, rounds + 1))

    case.bytes[BYTES] = received(page, draw_all) / rounds
    case.seconds[SENTENCE] = median(times.first for times in drawn)
    case.seconds[EXACT] = median(times.exact for times in drawn)
    case.seconds[SCRIPT] = median(times.script for times in drawn)


def turns(page: Visit, case: Case, n_turns: int) -> None:
    """Medians over turns of the layer, then of the head."""

    def turn_all() -> None:
        for name in case.peer.turns:
            drawn = [page.turn(case.peer, name, number) for number in range(n_turns)]
            case.seconds[TO_FIRST.format(TURNS[name])] = median(times.first for times in drawn)
            case.seconds[TO_EXACT.format(TURNS[name])] = median(times.exact for times in drawn)

    case.bytes[TURN_BYTES.format(n_turns)] = received(page, turn_all)


def received(page: Visit, action: Callable[[], object]) -> float:
    """Bytes that the browser receives through an action."""
    before = page.traffic()[0]
    action()
    return page.traffic()[0] - before


# -- report -----------------------------------------------------------------------------------------------------------


def table(cases: Sequence[Case]) -> str:
    """The peers side by side at one length; a ratio is theirs to ours, which is the first."""
    ours, *others = cases
    head = [f"{ours.n_tokens:,} tokens", ours.peer.name]
    for other in others:
        head += [other.peer.name, "ratio"]
    rows = dict.fromkeys(row for case in cases for row in (*case.seconds, *case.bytes))
    lines = [head, ["---"] * len(head), *([row, *cells(row, ours, others)] for row in rows)]
    lines += [["given up", ours.failure, *(cell for other in others for cell in (other.failure, ""))]]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def cells(row: str, ours: Case, others: Sequence[Case]) -> list[str]:
    """A row of the table, without its name."""
    found = [written(ours, row)]
    for other in others:
        here, there = value(ours, row), value(other, row)
        ratio = there / here if here and there else 0.0
        found += [written(other, row), f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.1f}" if ratio else ""]
    return found


def value(case: Case, row: str) -> float | None:
    """A figure, if it was measured."""
    return case.seconds.get(row, case.bytes.get(row))


def written(case: Case, row: str) -> str:
    """A figure with its unit."""
    if row in case.seconds:
        seconds = case.seconds[row]
        return f"{seconds:.2f} s" if seconds >= 1 else f"{1000 * seconds:.0f} ms"
    if row not in case.bytes:
        return ""
    size = case.bytes[row]
    return f"{size / MEGABYTE:,.1f} MB" if size >= MEGABYTE else f"{size / 1000:.1f} kB"


def server_table(cases: Sequence[Case]) -> str:
    """By how much our server grows with the tokens; linear growth gives the same number of bytes a token."""
    lines = ["| tokens | the server's growth | at its highest | at its highest, a token |", "| --- | --- | --- | --- |"]
    for case in cases:
        highest = f"{case.bytes[HIGHEST_SERVER] / case.n_tokens / 1000:.1f} kB" if HIGHEST_SERVER in case.bytes else ""
        grown = f"{written(case, SERVER)} | {written(case, HIGHEST_SERVER)} | {highest or case.failure}"
        lines.append(f"| {case.n_tokens:,} | {grown} |")
    return "\n".join(lines) + "\n"


def progress(case: Case) -> None:
    """Say at once what was measured: the whole run takes long."""
    rows = [f"  {row:<60} {written(case, row)}" for row in (*case.seconds, *case.bytes)]
    failure = [f"  given up: {case.failure}"] if case.failure else []
    sys.stderr.write("\n".join([f"{case.peer.name}, {case.n_tokens:,} tokens", *rows, *failure]) + "\n")
    sys.stderr.flush()


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
