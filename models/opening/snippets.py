"""Read the model in a line of code or of a shell, as people copy it from the page of a model."""

from __future__ import annotations

import re

from models.opening.hub_addresses import MAIN, in_a_folder
from models.values.errors import ModelNotFoundError

_QUOTED = r"[rRbfuF]?([\"'“”])(?P<model>[^\"'“”]+)[\"'“”]"
_HUB = r"(?:https?://)?(?:www\.)?(?:huggingface\.co|hf\.co)/"
CODE = tuple(
    re.compile(pattern + _QUOTED)
    for pattern in (
        (
            r"(?:from_pretrained|snapshot_download|hf_hub_download|load|load_model|load_file|SentenceTransformer|join|expanduser|abspath|"
            r"CrossEncoder|\w*Path)\(\s*(?:\w+\s*=\s*)?"
        ),
        (
            r"(?:model|model_id|model_name|model_name_or_path|pretrained_model_name_or_path|repo_id|checkpoint|"
            r"model_path)[\"']?\s*[=:]\s*"
        ),
    )
)
"""A call that opens a model, and a name that is given one; the model stands in quotation marks behind it."""
SHELL = tuple(
    map(
        re.compile,
        (
            r"^\W*(?:uvx\s+)?(?:huggingface-cli|hf)\s+download\s+(?P<model>[^\s-]\S*)",
            r"^\W*(?:[A-Z_]+=\S+\s+)*git\s+(?:lfs\s+)?clone\s+(?:-\S+\s+)*(?P<model>\S+)",
            rf"^\W*(?:wget|curl|ollama\s+(?:run|pull)|docker\s+model\s+(?:run|pull))\s+(?:-\S+\s+)*[\"']?(?P<model>{_HUB}[^\s\"':]+)",
            rf"^\W*\[[^\]]*\]\((?P<model>{_HUB}[^\s)]+)\)",  # a link of Markdown
            rf"^\W*a\s+href=[\"'](?P<model>{_HUB}[^\"']+)[\"']",
            r"(?:^|\s)(?:-hfr?|--(?:model|model[_-]name[_-]or[_-]path|hf-repo|repo-id))[=\s]+[\"']?(?P<model>[^\s\"']+)",
            r"^\W*(?:vllm\s+serve|transformers\s+(?:chat|serve))\s+[\"']?(?P<model>[^\s\"'-][^\s\"']*)",
        ),
    )
)
_PARTS = re.compile(r"\)((?:\s*/\s*[\"'][^\"']+[\"'])+)|((?:\s*,\s*[\"'][^\"']+[\"'])+)\s*\)")
"""Match the parts of a path in code after the first: Path("a") / "b", os.path.join("a", "b")."""
_PATHS = re.compile(r"(?:Path|join)\(")
_REVISION = re.compile(r"revision[\"']?\s*[=:\s]\s*[\"']?(?P<revision>[\w./-]+)")
_SUBFOLDER = re.compile(r"subfolder[\"']?\s*[=:]\s*[\"'](?P<folder>[^\"']+)[\"']")


def read_snippet(text: str) -> str | None:
    """Return what a line of code or of a shell opens, with its revision as "org/name@revision"; None for other text.

    Raises ModelNotFoundError for a model in a folder of a repository.
    """
    match = next((code_match for pattern in (*SHELL, *CODE) if (code_match := pattern.search(text))), None)
    if match is None:
        return None
    model = match["model"].strip() + (_further_parts(text[match.end() :]) if _PATHS.search(match[0]) else "")
    folder, revision = _SUBFOLDER.search(text), _REVISION.search(text)
    if folder is not None:
        raise ModelNotFoundError(model, in_a_folder(model, folder["folder"]))
    if revision is None or revision["revision"] == MAIN or "@" in model:
        return model
    return f"{model}@{revision['revision']}"


def _further_parts(rest: str) -> str:
    """Return what is put behind the first part of a path, in its code."""
    parts = _PARTS.match(rest)
    return "".join(f"/{part}" for part in re.findall(r"[\"']([^\"']+)[\"']", parts[0])) if parts else ""
