"""Every answer says what a browser may not do; other names than the server's are not answered; metrics are closed."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from ui.serving.guarded import FRAMES, HOSTS, METRICS, POLICY, TOKEN, Guarded, allowed_hosts


def answer(request: Request) -> Response:
    if request.url.path == "/own":
        return PlainTextResponse("a file", headers={POLICY: "sandbox"})
    return PlainTextResponse("here") if request.url.path != "/broken" else PlainTextResponse("no", status_code=500)


def served(**environment: str) -> TestClient:
    paths = ("/", "/own", "/broken", METRICS, f"/class{METRICS}")
    hosts = Middleware(TrustedHostMiddleware, allowed_hosts=allowed_hosts(environment), www_redirect=False)
    guard = Middleware(Guarded, environment=environment)
    return TestClient(Starlette(routes=[Route(path, answer) for path in paths], middleware=[hosts, guard]))


@pytest.mark.parametrize("path", ["/", "/broken", "/nowhere", METRICS])
def test_every_answer_has_the_headers(path: str) -> None:
    headers = served().get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers[POLICY.lower()].startswith("frame-ancestors 'self'; ")


def test_scripts_are_files_of_this_server_or_known_by_their_hash() -> None:
    policy = dict(each.split(maxsplit=1) for each in served().get("/").headers[POLICY.lower()].split("; "))
    allowed = policy["script-src"].split()
    assert allowed[:2] == ["'self'", "blob:"]
    assert len(allowed) > 6
    assert all(each.startswith("'sha256-") for each in allowed[2:])
    assert policy["default-src"] == policy["base-uri"] == policy["form-action"] == "'self'"
    assert policy["object-src"] == "'none'"
    assert "http" not in " ".join(policy.values())


def test_an_answer_with_a_policy_of_its_own_keeps_it() -> None:
    assert served().get("/own").headers[POLICY.lower()] == "sandbox"


def test_a_site_that_is_named_may_show_the_app_in_a_frame() -> None:
    headers = served(**{FRAMES: "https://moodle.example.edu, https://b.example"}).get("/").headers
    assert headers[POLICY.lower()].startswith("frame-ancestors 'self' https://moodle.example.edu https://b.example; ")


def test_only_the_names_of_the_server_are_answered_where_they_are_set() -> None:
    client = served(**{HOSTS: "hall.example.edu,*.local"})
    found = {
        name: client.get("/", headers={"host": name}).status_code
        for name in (
            "hall.example.edu",
            "hall.example.edu:8501",
            "a.local",
            "evil.example",
            "hall.example.edu.evil.example",
        )
    }
    assert list(found.values()) == [200, 200, 200, 400, 400]
    assert served().get("/", headers={"host": "anything"}).status_code == 200


@pytest.mark.parametrize("path", [METRICS, f"/class{METRICS}"])
def test_metrics_are_for_whoever_knows_the_token(path: str) -> None:
    for client, given, status in (
        (served(), "", 404),
        (served(), "Bearer ", 404),
        (served(**{TOKEN: "word"}), "Bearer other", 404),
        (served(**{TOKEN: "word"}), "Bearer 한", 404),
        (served(**{TOKEN: "word"}), "Bearer word", 200),
    ):
        assert client.get(path, headers={"authorization": given.encode()}).status_code == status
