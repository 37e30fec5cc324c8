"""A reader inside the container by hand: opens the Attention page and waits for its numbers. Run there, where the tests
are not; says who it is, what may not be written, and how many bytes of the picture have come.
"""

from __future__ import annotations

import json
import os
import sys
import urllib.request
from pathlib import Path

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

ADDRESS = "127.0.0.1:8501"
CANNOT = ("/app/written", "/usr/written", "/written")


def main() -> None:
    """Visit, and write a line of JSON."""
    asked, base = BackMsg(), ""
    asked.rerun_script.page_name = "attention"
    with connect(
        f"ws://{ADDRESS}/_stcore/stream", subprotocols=["streamlit"], max_size=None, origin=f"http://{ADDRESS}"
    ) as socket:
        socket.send(asked.SerializeToString())
        told = ForwardMsg()
        while told.WhichOneof("type") != "script_finished" or not base:
            told.ParseFromString(socket.recv(timeout=300))
            element = told.delta.new_element
            if element.HasField("exception"):
                raise SystemExit(element.exception.message)
            if element.bidi_component.component_name == "headlight_viewer":
                base = json.loads(element.bidi_component.json)["base"]
        with urllib.request.urlopen(f"http://{ADDRESS}{base}/overview") as answer:
            n_bytes = len(answer.read())
    refused = [place for place in CANNOT if not can_write(Path(place))]
    sys.stdout.write(json.dumps({"user": os.getuid(), "refused": refused, "bytes": n_bytes}) + "\n")


def can_write(place: Path) -> bool:
    """Whether a file can be made there."""
    try:
        place.touch()
    except OSError:
        return False
    return True


if __name__ == "__main__":
    main()
