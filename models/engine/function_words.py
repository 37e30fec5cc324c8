"""The words of English grammar: whatever is none of them, and is spelled with letters alone, is a content word here."""

from __future__ import annotations

_WORDS = """
    a an the this that these those each every either neither both all any some no none another other such same own
    i you he she it we they me him her us them my your his its our their mine yours hers ours theirs myself yourself
    himself herself itself ourselves yourselves themselves who whom whose which what whatever whoever one ones
    somebody someone something anybody anyone anything nobody nothing everybody everyone everything
    be am is are was were been being have has had having do does did doing done will would shall should can could may
    might must ought need dare let
    of in to for with on at by from up about into over after beneath under above below between among through during
    before behind beside besides beyond against along around across near off onto out outside inside toward towards
    upon within without till until since than as like per via amid despite except down
    and or but nor so yet if because although though while whereas unless whether lest once that
    not never ever also too very quite rather just only even still already almost again then there here now when where
    why how however thus therefore hence indeed perhaps more most less least much many few little enough else
    s t d ll m re ve don didn doesn isn wasn weren aren won wouldn couldn shouldn hadn hasn haven
    yes oh o mr mrs st
"""
FUNCTION_WORDS = frozenset(_WORDS.split())
