"""The page on which models read in the browser: a server only hands out files, and after the first visit none is
needed."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from deploy.site.lessons import why_not_live
from deploy.site.live_lessons import described, described_kinds, known_roles, known_words, live_lessons
from lessons.values import Lesson
from models import load
from models.checkpoints import eight_bits
from models.model import Model
from models.values.record.portable import PortableModel
from ui.lessons.library import own_lessons
from ui.state.portable import portable_model
from ui.widgets.asking.showcases import KOREAN_SHOWCASES, SHOWCASES, Showcase, Side, query_of
from viz.kit.language import language, read_in, said, tr
from viz.viewer.engine import ANSWERING, engine_script
from viz.viewer.html import ENTRY_OF_LESSONS, ENTRY_OF_SITE, OF_A_SITE, document
from viz.viewer.live import live_contents

ICONS = Path(__file__).resolve().parents[2] / "ui" / "serving" / "icons"
OFFLINE = Path(__file__).with_name("offline.js")
LESSONS = "lessons.html"
"""The page of the lessons beside it."""
MODELS = "models"
"""The folder beside the page in English in which the weights lie, for every language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveWords:
    """The sentences of the page in the documentation, and the models of its language with what is said of each."""

    title: str
    about: str
    alone: str
    lessons: str
    models: dict[str, str]


WORDS = {
    "en": LiveWords(
        title="Try it",
        about="The model reads in your browser: type a sentence, hide a word, switch a head off. Nothing is sent "
        "anywhere. It is fetched once, and opens without a network from then on.",
        alone="Open it in a page of its own",
        lessons="Lessons: predict first, then the model answers",
        models={
            "headlight-bert": "headlight-bert: English, 6 layers",
            "mini-bert": "mini-bert: English, the smallest",
            "mini-llama": "mini-llama: English, writes on",
            "translator-es": "translator-es: English into Spanish",
            "translator-ko": "translator-ko: English into Korean",
            "headlight-ko": "headlight-ko: Korean, 6 layers",
        },
    ),
    "ko": LiveWords(
        title="직접 해 보기",
        about="모델이 브라우저 안에서 글을 읽습니다. 문장을 쓰고, 단어를 가리고, 헤드를 꺼 보세요. "
        "쓴 글은 어디로도 보내지 않습니다. 모델은 한 번만 내려받으며, 그다음부터는 인터넷 없이도 열립니다.",
        alone="이 페이지만 열기",
        lessons="레슨: 먼저 예측하고, 그다음 모델이 답합니다",
        models={
            "headlight-ko": "headlight-ko: 한국어, 6개 층",
            "headlight-bert": "headlight-bert: 영어, 6개 층",
            "mini-bert": "mini-bert: 영어, 가장 작은 모델",
            "mini-llama": "mini-llama: 영어, 이어 쓰는 모델",
            "translator-ko": "translator-ko: 영어를 한국어로 옮기는 모델",
            "translator-es": "translator-es: 영어를 스페인어로 옮기는 모델",
        },
    ),
}
FIRST = {
    "mini-bert": "The cat sat on the [MASK] and watched the birds.",
    "mini-llama": "Once upon a time there was a little",
    "translator-es": "My brother has a black dog.",
}
"""The first text of a model for which Home has no chip."""
BEGINS = {"translator-es": {"kind": "cross", "layer": 2, "head": 7, "locked": [4]}}
"""With which head and held token it is shown."""


def write_live(folder: Path, shared: Path, language: str) -> str:
    """Write the page of a language into a folder, the weights into `shared`, and return the Markdown of the page in the
    documentation that frames it."""
    folder.mkdir(parents=True, exist_ok=True)
    words = WORDS[language]
    with read_in(language):
        models = [_write_model(name, title, folder, shared) for name, title in words.models.items()]
        page = document(
            f"{words.title} · Headlight",
            {"models": models, "engine": engine_script()},
            entry=ENTRY_OF_SITE,
            may=OF_A_SITE,
        )
        snapshots = [_write_model(name, name, folder, shared) for name in asked_snapshots()]
        lessons = _lessons_page([*models, *snapshots], served_lessons(language))
    (folder / "index.html").write_text(page, encoding="utf-8")
    (folder / LESSONS).write_text(lessons, encoding="utf-8")
    (folder / "app.webmanifest").write_text(_manifest(words.title), encoding="utf-8")
    for file in (OFFLINE, *(ICONS / f"icon-{side}.png" for side in (192, 512))):
        shutil.copyfile(file, folder / file.name)
    return (
        f"# {words.title}\n\n{words.about}\n\n[{words.alone}]({folder.name}/index.html) · "
        f"[{words.lessons}]({folder.name}/{LESSONS})\n\n"
        f'<iframe class="live" src="{folder.name}/index.html?embed=1" title="{words.title}"></iframe>\n'
    )


def served_lessons(language: str) -> dict[str, tuple[Lesson, str]]:
    """Return the lessons of a language that its page serves, each with the model that answers."""
    with read_in(language):
        return live_lessons({name: _opened(name) for name in (*WORDS[language].models, *asked_snapshots())})


def asked_snapshots() -> list[str]:
    """Return the snapshots of a training that lessons of the current language ask about."""
    lessons = [named.lesson for named in own_lessons().values()]
    steps = [(lesson, step) for lesson in lessons for step in lesson.steps]
    asked = {ask.model or lesson.models[0] for lesson, step in steps for ask in step.asks.values()}
    return sorted(name for name in asked if Path(name).is_dir())


def _lessons_page(models: Sequence[dict[str, Any]], live: Mapping[str, tuple[Lesson, str]]) -> str:
    """Return the page of lessons that these models answer in a browser, in the current language."""
    names = {model["name"] for model in models}
    others = [
        (named.lesson.title, why_not_live(named.lesson, language(), names))
        for name, named in own_lessons().items()
        if name not in live
    ]
    known = [model | {"known": {"roles": known_roles(_opened(model["name"])), **known_words()}} for model in models]
    contents = {
        "models": known,
        "engine": engine_script(ANSWERING),
        "lessons": {name: described(lesson, answers, _opened(answers)) for name, (lesson, answers) in live.items()},
        "kinds": described_kinds(),
        "elsewhere": others,
    }
    return document(f"{tr('Lessons')} · Headlight", contents, entry=ENTRY_OF_LESSONS, may=OF_A_SITE)


def _write_model(name: str, title: str, folder: Path, shared: Path) -> dict[str, Any]:
    """Write what the page needs of a model, under names that tell one version from another; return where it is."""
    portable, examples = _portable(name), _examples(name)
    first: dict[str, Any] = (
        examples[0]["sides"][0]
        if examples
        else {"text": FIRST.get(name, FIRST["mini-bert"]), "choices": BEGINS.get(name, {})}
    )
    contents = live_contents(_opened(name).record(first["text"]), portable, first["choices"])
    settings = json.dumps(contents | {"text": first["text"], "examples": examples}, ensure_ascii=False).encode()
    settings_file = folder / _named(portable.name, settings, "json")
    settings_file.write_bytes(settings)
    weights_file, size = _write_weights(portable, shared)
    return {
        "name": name,
        "title": title,
        "languages": list(portable.languages),
        "settings": settings_file.name,
        "weights": f"../{shared.parent.name}/{shared.name}/{weights_file}",
        "size": size,
    }


def _write_weights(portable: PortableModel, shared: Path) -> tuple[str, int]:
    """Write the weights unless they are there; return the name of their file and its size in bytes."""
    shared.mkdir(parents=True, exist_ok=True)
    path = shared / _named(portable.name, portable.weights, "bin")
    if not path.exists():
        path.write_bytes(portable.weights)
    return path.name, len(portable.weights)


def _named(name: str, content: bytes, suffix: str) -> str:
    return f"{name.replace('/', '-')}-{hashlib.sha256(content).hexdigest()[:12]}.{suffix}"


@cache
def _portable(name: str) -> PortableModel:
    folder = Path(name)  # of a snapshot
    return (
        eight_bits.portable_model(folder, f"{folder.parent.name}/{folder.name}")
        if folder.is_dir()
        else portable_model(name)
    )


@cache
def _opened(name: str) -> Model:
    return load(name, device="cpu")


def _examples(name: str) -> list[dict[str, Any]]:
    """Return the chips of Home whose sentences a model reads by itself, with the head and the word that each is
    about."""
    return [
        {"label": said(one.label), "sees": said(one.sees), "sides": [_side(name, one, side) for side in one.sides]}
        for one in (*SHOWCASES, *KOREAN_SHOWCASES)
        if one.model == name and not any(side.text_b for side in one.sides)
    ]


def _side(name: str, showcase: Showcase, side: Side) -> dict[str, Any]:
    row = query_of(_opened(name).record(side.text), showcase, side)
    return {
        "text": side.text,
        "choices": {
            "kind": showcase.kind,
            "layer": side.layer,
            "head": side.head,
            "locked": [] if row is None else [row],
        },
    }


def _manifest(title: str) -> str:
    """Return what a browser reads that installs the page as an app."""
    icons: Sequence[dict[str, str]] = [
        {"src": f"icon-{side}.png", "sizes": f"{side}x{side}", "type": "image/png"} for side in (192, 512)
    ]
    return json.dumps(
        {
            "name": f"Headlight · {title}",
            "short_name": "Headlight",
            "start_url": "./index.html",
            "display": "standalone",
            "icons": icons,
        },
        ensure_ascii=False,
    )
