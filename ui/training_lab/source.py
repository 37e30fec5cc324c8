"""The models of the lab for all other pages, registered when the app starts."""

from __future__ import annotations

from lab.data.own_text import body_of, own_texts
from lab.uploads.checkpoints import id_of, register_models, short_name
from ui.state.sources import SampleTexts, register
from ui.training_lab.server import lab_models
from viz.kit.language import to_say, tr


class LabModels:
    """The source of the lab's models; their origin is the id of a run."""

    made: str = to_say("trained here, in the lab")

    def run_of(self, name: str) -> str:
        return id_of(name)

    def list_models(self) -> tuple[str, ...]:
        return lab_models()

    def short_name(self, name: str) -> str:
        return short_name(name)

    def label(self, name: str) -> str:
        return tr("{model}  ·  trained in the lab  ·  {run}", model=short_name(name), run=id_of(name)[:4])

    def knows(self, name: str) -> str:
        body = body_of(id_of(name))
        if not body:
            return tr("It was trained here, and knows only the text of its training.")
        return tr("It was trained further here from {model}, and reads what that one reads.", model=body)

    def texts(self, run: str) -> SampleTexts:
        return tuple((own.text, own.masked, own.second) for own in own_texts(run))


LAB_MODELS = LabModels()


def register_lab() -> None:
    """Let every page offer, name and open the models that were trained or uploaded here."""
    register_models()
    register(LAB_MODELS)
