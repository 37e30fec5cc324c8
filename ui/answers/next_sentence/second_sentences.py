"""Second sentences that are offered to a reader who has typed one: one that follows, one in between, one that does not.

Which is which is the model's answer: of the sentences written here, those with the highest probability of being next,
the one nearest to one half, and the lowest.
"""

from __future__ import annotations

from models.opening.registry import Model
from models.values.wording import to_say
from ui.desk.ask import taking_turns
from ui.desk.long_answers import long_question
from ui.desk.long_work import WorkProgress

SENTENCES = (
    "It is always like that.",
    "They had been there since the morning.",
    "You should try it, too.",
    "It lay down and slept until the evening.",
    "She was very happy about it.",
    "It took a long time.",
    "But nobody was there.",
    "I asked my mother about it.",
    "My brother laughed.",
    "He had never seen that before.",
    "The train leaves at nine.",
    "Seven times eight is fifty-six.",
)
EVEN = 0.5


@long_question(to_say("Looking for second sentences"))
def offer_sentences(model: Model, progress: WorkProgress, text: str) -> tuple[str, str, str]:
    """Return the sentence that follows most surely, one in between, and one that follows least."""
    asked = taking_turns(model)
    chances: dict[str, float] = {}
    for done, sentence in enumerate(SENTENCES):
        progress.tell(done, len(SENTENCES))
        chances[sentence] = asked.next_sentence(text, sentence)
    *rest, follows = sorted(SENTENCES, key=chances.__getitem__)
    does_not, *others = rest
    between = min(others, key=lambda sentence: abs(chances[sentence] - EVEN))
    return follows, between, does_not
