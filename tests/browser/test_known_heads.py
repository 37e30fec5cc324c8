"""What a head is known to do stands beside it: in the viewer, in its file, and in the list to pick heads from."""

from __future__ import annotations

import dataclasses

from playwright.sync_api import Page, expect

from models.values.record import Recording
from tests.browser.reader import Open, OpenFile, in_address, viewer_shows
from tests.browser.waiting import becomes, box_of
from tests.loaded import load
from tests.models.checkpoints.test_heads_file import ROLE
from viz.heads.words import role_choice, role_in_words, role_name, role_numbers
from viz.kit.demos.records import random_recording

NEAREST = dataclasses.replace(ROLE, layer=2, head=3, share=0.31)
HOSTILE = dataclasses.replace(ROLE, layer=0, head=2, title="<img src=x onerror='window.pwned=1'>")


def recording_with_roles() -> Recording:
    recording = random_recording(n_tokens=8, n_layers=3, n_heads=4)
    roles = (HOSTILE, dataclasses.replace(ROLE, layer=1, head=2))
    told = dataclasses.replace(recording.info, head_roles=roles, nearest_roles=(NEAREST,))
    return dataclasses.replace(recording, info=told)


def test_the_file_says_what_the_chosen_head_and_the_pointed_head_do(open_file: OpenFile) -> None:
    page = open_file(recording_with_roles(), layer=1, head=2)
    said = page.locator(".viewer .head-roles li")
    expect(said).to_have_text([f"{role_name(ROLE)}: {role_numbers(ROLE)}"])
    canvas = page.locator(".viewer .overview canvas").first
    canvas.press("ArrowRight")
    expect(page.locator(".viewer .title")).to_have_text("Layer 1 · Head 3")
    expect(page.locator(".viewer .head-roles")).to_be_hidden()
    canvas.press("ArrowDown")
    nearest = f"no known role: nearest is “{role_name(NEAREST)}”, {role_numbers(NEAREST)}"
    expect(said).to_have_text([nearest])
    canvas.press("ArrowUp")
    canvas.press("ArrowLeft")
    canvas.press("ArrowUp")
    expect(said).to_have_text([f"{role_name(HOSTILE)}: {role_numbers(HOSTILE)}"])
    box = box_of(page.locator(".viewer .overview .chosen"))
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".viewer .preview")).to_contain_text(role_name(HOSTILE))


def veiled(page: Page) -> list[bool]:
    """Which heads of three layers of four are under the veil, row by row."""
    return page.evaluate(
        """() => {
          const veil = document.querySelector(".viewer .overview .veil");
          const context = veil.getContext("2d");
          const density = veil.width / parseFloat(veil.style.width);
          const boxes = document.querySelector(".viewer .overview .chosen").style;
          const size = [boxes.width, boxes.height].map(parseFloat);
          const [left, top] = [parseFloat(boxes.left), parseFloat(boxes.top)]; // of Layer 0, Head 0
          const step = size.map((each) => each + Math.max(1, Math.min(5, each / 9)));
          return Array.from({ length: 12 }, (_, at) => {
            const [x, y] = [left + step[0] * (at % 4), top + step[1] * Math.floor(at / 4)];
            const [px, py] = [x + size[0] / 2, y + size[1] / 2].map((each) => Math.round(each * density));
            return !veil.hidden && context.getImageData(px, py, 1, 1).data[3] > 100;
          });
        }"""
    )


def test_all_heads_but_those_known_for_a_thing_are_veiled(open_file: OpenFile) -> None:
    page = open_file(recording_with_roles(), layer=0, head=0)
    box = page.get_by_role("combobox", name="Heads known for")
    becomes(page, lambda: veiled(page), [False] * 12)
    box.select_option(role_in_words(HOSTILE)["name"])
    becomes(page, lambda: veiled(page), [at != 2 for at in range(12)])
    box.select_option(role_in_words(ROLE)["name"])
    becomes(page, lambda: veiled(page), [at != 6 for at in range(12)])
    box.select_option("")
    becomes(page, lambda: veiled(page), [False] * 12)
    assert page.evaluate("window.pwned") is None


def test_a_known_head_is_picked_from_the_list_of_the_page(visit: Open) -> None:
    role = load("mini-bert").info.head_roles[-1]
    page = visit(model="mini-bert", layer=0, head=0)
    viewer_shows(page, "Layer 0 · Head 0")
    page.get_by_role("combobox", name="Known heads").click()
    page.get_by_role("option", name=role_choice(role), exact=True).click()
    viewer_shows(page, f"Layer {role.layer} · Head {role.head}")
    expect(page.locator(".viewer .head-roles li").first).to_contain_text(role_name(role))
    in_address(page, layer=str(role.layer), head=str(role.head))
