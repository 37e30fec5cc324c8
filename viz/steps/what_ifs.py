"""The texts about the changes that a reader can try on a layer, and the step from which each has an effect."""

from __future__ import annotations

from dataclasses import dataclass

from models.values.steps import STEP_NAMES, STEP_OF_WHAT_IF, StepName, WhatIf, WhatIfName
from models.values.wording import Message, to_say, worded


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIfText:
    """The text about a what-if: `label` names the switch, `sentence` describes the change and its effect."""

    label: str
    sentence: str


WHAT_IFS: dict[WhatIfName, WhatIfText] = {
    "shuffled_positions": WhatIfText(
        label=to_say("Shuffle the positions"),
        sentence=to_say(
            "Every word keeps its place in the list, but is told the position of another. What changes from here on "
            "depends on word order."
        ),
    ),
    "no_scaling": WhatIfText(
        label=to_say("Leave the scaling out"),
        sentence=to_say(
            "All heads of this layer use the raw scores. They are larger, so the softmax gives nearly everything to "
            "one token. That is why the paper scales them."
        ),
    ),
    "temperature": WhatIfText(
        label=to_say("Divide by a temperature"),
        sentence=to_say(
            "All heads of this layer divide their scores by it before the softmax. Below 1, the weights gather on few "
            "tokens; above 1, they spread over many."
        ),
    ),
    "causal": WhatIfText(
        label=to_say("Hide the future"),
        sentence=to_say(
            "All heads of this layer get a causal mask, as in GPT: a token sees only itself and what comes before it. "
            "What it gave to later tokens goes to earlier ones."
        ),
    ),
    "head_off": WhatIfText(
        label=to_say("Switch this head off"),
        sentence=to_say(
            "The output of this head becomes zeros; the other heads stay. What changes from here on is what this head "
            "contributed."
        ),
    ),
}


def what_if_name(what_if: WhatIf, *, head: int) -> Message:
    """Return a change in a few words: "without scaling", "with head 3 switched off"."""
    names: dict[WhatIfName, Message] = {
        "shuffled_positions": worded("with shuffled positions (shuffle {seed})", seed=what_if.seed),
        "no_scaling": to_say("without scaling"),
        "temperature": worded("with a temperature of {temperature}", temperature=f"{what_if.temperature:g}"),
        "causal": to_say("with a causal mask"),
        "head_off": worded("with head {head} switched off", head=head),
    }
    return names[what_if.name]


def shows_change(name: StepName, what_if: WhatIf | None) -> bool:
    """Return whether a step comes at or after the one that a what-if changes."""
    if what_if is None:
        return False
    return STEP_NAMES.index(name) >= STEP_NAMES.index(STEP_OF_WHAT_IF[what_if.name])
