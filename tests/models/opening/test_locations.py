"""Where a model is, in the ways in which people write it: each leads to one name, id or folder, or to a sentence."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

import pytest

from models.opening import registry
from models.opening.locations import VARIABLES, read_location, suggesting
from models.opening.registry import ALIASES, REGISTRY, canonical, check_allowed, entry_of, is_on_this_machine, task_of
from models.opening.restriction import CURATED_ONLY
from models.values.errors import ModelNotAllowedError, ModelNotFoundError

BERT = "google-bert/bert-base-uncased"
SHORT = "bert-base-uncased"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a model in it, which is the current folder, too."""
    folder = tmp_path / "my models" / "bert"
    folder.mkdir(parents=True)
    for name in ("config.json", "model.safetensors", "tokenizer.json"):
        (folder / name).write_text("{}", encoding="utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


FOLDER = "my models/bert"


@pytest.mark.parametrize(
    "written",
    [
        "~/my models/bert",
        "~/my models/bert/",
        " ~/my models/bert \n",
        '"~/my models/bert"',
        "'~/my models/bert'",
        "“~/my models/bert”",
        "‘~/my models/bert’",
        "„~/my models/bert“",
        "«~/my models/bert»",
        "`~/my models/bert`",
        "$HOME/my models/bert",
        "${HOME}/my models/bert",
        '"$HOME/my models/bert"',
        "~/my\\ models/bert",
        "\u202a~/my models/bert",
        "\ufeff~/my models/bert\u200b",
        "\u00a0~/my models/bert\u00a0",
        '"~/my models/bert",',
        "~/my models/bert/config.json",
        '"~/my models/bert/model.safetensors"',
        "~/my models/bert/tokenizer.json",
        "~/my models/bert/model-00001-of-00002.safetensors",
        "file://~/my%20models/bert",
        'Path("~/my models/bert")',
        'AutoModel.from_pretrained("~/my models/bert")',
        "PosixPath('~/my models/bert')",
        "~\\my models\\bert",
        "~/my models/./bert",
        "《~/my models/bert》",
        "（~/my models/bert）",
        "〝~/my models/bert〞",
        'Path("~/my models") / "bert"',
        "os.path.join('~/my models', 'bert')",
        "os.path.expanduser('~/my models/bert')",
        'r"~/my models/bert"',
        "~/my models/bert)",
    ],
)
def test_a_path_is_read_as_it_is_copied(home: Path, written: str) -> None:
    found = read_location(written)
    assert Path(found).samefile(home / FOLDER)
    assert "~" not in found
    assert not found.endswith("/")
    assert Path(canonical(written)).samefile(home / FOLDER)
    assert canonical(canonical(written)) == canonical(written)


@pytest.mark.parametrize(
    "written", ["file://{}", "file:{}", "file://localhost{}", "FILE://{}", '"file://{}/"', "file://{}/config.json"]
)
def test_a_file_address_is_a_path(home: Path, written: str) -> None:
    path = str(home / FOLDER)
    for each in (path, path.replace(" ", "%20")):
        assert read_location(written.format(each)) == path


def test_a_path_of_this_linux_as_windows_sees_it(home: Path) -> None:
    for host in ("wsl$", "wsl.localhost", "WSL.localhost"):
        written = f"//{host}/Ubuntu-24.04{home / FOLDER}".replace("/", "\\")
        assert Path(read_location(written)).samefile(home / FOLDER)


def test_an_address_of_a_file_with_a_slash_too_few_is_read(home: Path) -> None:
    assert Path(read_location(f"file:/{home / FOLDER}")).samefile(home / FOLDER)


@pytest.mark.parametrize(
    "written",
    [
        "my models/bert",
        "./my models/bert",
        "my models/bert/",
        ".\\my models\\bert",
        "my models\\bert",
        "my models/bert/config.json",
        "./my models/../my models/bert",
        "my models / bert",
    ],
)
def test_a_relative_path_is_one_of_the_current_folder(home: Path, written: str) -> None:
    assert Path(read_location(written)).samefile(home / FOLDER)


def test_anything_that_is_a_path_for_python_is_one(home: Path) -> None:
    class Own(os.PathLike[str]):
        def __fspath__(self) -> str:
            return str(home / FOLDER)

    for given in (home / FOLDER, PurePosixPath(home / FOLDER), Own(), Path("~") / FOLDER):
        assert read_location(given) == str(home / FOLDER)
    assert canonical(Path(BERT)) == BERT


def test_a_folder_whose_name_has_quotes_or_spaces_is_found_as_it_is(home: Path) -> None:
    for name in ('"quoted"', "ends with a space ", "with, comma,", "has@sign", "100%HOME%"):
        (home / name).mkdir()
        assert Path(read_location(name)).samefile(home / name)
        assert Path(read_location(f"./{name}/")).samefile(home / name)


@pytest.mark.parametrize(
    "written",
    [
        f"https://huggingface.co/{BERT}",
        f"http://huggingface.co/{BERT}/",
        f"https://www.huggingface.co/{BERT}",
        f"huggingface.co/{BERT}",
        f"hf.co/{BERT}",
        f"https://hf.co/{BERT}",
        f"//huggingface.co/{BERT}",
        f"HTTPS://HuggingFace.co/{BERT}",
        f"https://huggingface.co/{BERT}/tree/main",
        f"https://huggingface.co/{BERT}/blob/main/config.json",
        f"https://huggingface.co/{BERT}/resolve/main/config.json",
        f"https://huggingface.co/{BERT}/resolve/main/model.safetensors?download=true",
        f"https://huggingface.co/{BERT}/raw/main/README.md",
        f"https://huggingface.co/{BERT}/commits/main",
        f"https://huggingface.co/{BERT}/discussions/12",
        f"https://huggingface.co/{BERT}/tree/refs%2Fheads%2Fmain",
        f"https://huggingface.co/{BERT}?library=transformers",
        f"https://huggingface.co/{BERT}#model-description",
        f"https://huggingface.co/models/{BERT}",
        f"https://huggingface.co/api/models/{BERT}",
        f"hf://{BERT}",
        f"hf://{BERT}/config.json",
        f"hf://models/{BERT}",
        f"https://hf-mirror.com/{BERT}",
        f"{BERT}.git",
        f"https://huggingface.co/{BERT}.git",
        f"git@hf.co:{BERT}",
        f"git@hf.co:{BERT}.git",
        f"models/{BERT}",
        f"{BERT}/",
        f" {BERT}\n",
        f'"{BERT}"',
        f"“{BERT}”",
        f"{BERT},",
        f"{BERT}@main",
        f"{BERT}/tree/main",
        f"<https://huggingface.co/{BERT}>",
        "google-bert / bert-base-uncased",
        "google-bert\\bert-base-uncased",
        f'AutoModel.from_pretrained("{BERT}")',
        f"AutoModelForMaskedLM.from_pretrained('{BERT}', revision='main')",
        f'tokenizer = AutoTokenizer.from_pretrained("{BERT}") model = AutoModelForMaskedLM.from_pretrained("{BERT}")',
        f'pipe = pipeline("fill-mask", model="{BERT}")',
        f'model = load("{BERT}")',
        f'model_id = "{BERT}"',
        f'snapshot_download(repo_id="{BERT}")',
        f'from_pretrained(pretrained_model_name_or_path="{BERT}")',
        f'"_name_or_path": "{BERT}", "model": "{BERT}"',
        f"AutoModel.from_pretrained(“{BERT}”)",
        f"huggingface-cli download {BERT}",
        f"$ hf download {BERT} --local-dir x",
        f"git clone https://huggingface.co/{BERT}",
        f"GIT_LFS_SKIP_SMUDGE=1 git clone https://huggingface.co/{BERT}",
        f"wget https://huggingface.co/{BERT}/resolve/main/config.json",
        f"curl -L -O https://huggingface.co/{BERT}/resolve/main/config.json",
        f"uvx hf download {BERT}",
        f"ollama run hf.co/{BERT}:Q4_K_M",
        f"hf.co/{BERT}:Q4_K_M",
        f"{BERT}:latest",
        f"https://huggingface.co/{BERT}:Q8_0",
        f"docker model run hf.co/{BERT}:Q4_K_M",
        f"llama-server -hf {BERT}:Q4_K_M --jinja",
        f"https://huggingface.co/{BERT}/commits/main/README.md",
        f"https://huggingface.co/{BERT}/compare/main..v1",
        f"[{BERT}](https://huggingface.co/{BERT})",
        f"「{BERT}」",
        f"›{BERT}‹",
        f"**{BERT}**",
        f"{BERT}。",
        f"models--{BERT.replace('/', '--')}",
        f"git lfs clone git@hf.co:{BERT}",
        f"vllm serve {BERT}",
        f"python run.py --model {BERT} --task mlm",
        f"--model_name_or_path={BERT}",
        f"https://huggingface.co/{SHORT}",
        f"https://huggingface.co/{SHORT}/tree/main",
        SHORT,
        f'AutoModel.from_pretrained("{SHORT}")',
        f"hf://{SHORT}",
    ],
)
def test_whatever_leads_to_a_model_of_the_hub_is_its_id(home: Path, written: str) -> None:
    assert canonical(written) == BERT
    assert entry_of(written) == REGISTRY[BERT]
    assert task_of(written) == "fill-mask"
    assert not is_on_this_machine(written)


@pytest.mark.parametrize(
    ("written", "revision"),
    [
        ("org/name@v1.0", "v1.0"),
        ("https://huggingface.co/org/name/tree/step3000", "step3000"),
        ("https://huggingface.co/org/name/blob/v1.0/config.json", "v1.0"),
        ("hf://org/name@v1.0/config.json", "v1.0"),
        ("https://huggingface.co/org/name/tree/refs%2Fpr%2F3", "refs/pr/3"),
        ("https://huggingface.co/org/name/tree/refs/pr/3", "refs/pr/3"),
        ("https://huggingface.co/org/name/commit/5555555", "5555555"),
        ('AutoModel.from_pretrained("org/name", revision="step3000")', "step3000"),
        ("hf download org/name --revision v1.0", "v1.0"),
        ("org/name?revision=v1.0", "v1.0"),
        ("https://huggingface.co/org/name?library=transformers&revision=refs%2Fpr%2F3", "refs/pr/3"),
    ],
)
def test_a_revision_is_kept(written: str, revision: str) -> None:
    assert canonical(written) == f"org/name@{revision}"
    assert canonical(canonical(written)) == canonical(written)


@pytest.mark.parametrize(
    ("written", "word"),
    [
        ("https://huggingface.co/datasets/squad", "data set"),
        ("hf://datasets/org/name", "data set"),
        ("datasets/squad", "data set"),
        ("spaces/org/name", "Space"),
        ("https://huggingface.co/spaces/org/name", "Space"),
        ("https://huggingface.co/docs/transformers", "page"),
        ("https://huggingface.co/", "page"),
        ("https://huggingface.co", "page"),
        ("huggingface.co/models?search=a", "page"),
        ("https://github.com/google-research/bert", "only models of huggingface.co"),
        ("https://example.org/model.safetensors", "only models of huggingface.co"),
        ("https://huggingface.co.example.org/org/name", "only models of huggingface.co"),
        ("https://huggingface.co/org/name/tree/main/checkpoint-500", "checkpoint-500 is a folder inside org/name"),
        ("https://huggingface.co/org/name/blob/main/onnx/config.json", "onnx is a folder inside org/name"),
        ('from_pretrained("org/name", subfolder="a/b")', "a/b is a folder inside org/name"),
        ("/no/such/folder", "no folder /no/such/folder"),
        ("./no-such", "no folder"),
        ("~/no-such", "no folder"),
        ("~nobody-at-all/x", "no folder"),
        ("C:\\Users\\me\\bert", r"no folder C:\\Users\\me\\bert on"),
        ("runs/bert/checkpoint-500", "no folder"),
        ("file:///no/such/folder", "no folder"),
        ("$SECRET_PLACE/bert", "no folder"),
        ("/" + "long" * 2000, "no folder"),
        ("~/my models/bret", "Did you mean .*my models/bert"),
        ("./my modells", "Did you mean .*my models"),
    ],
)
def test_what_leads_to_no_model_is_said(home: Path, monkeypatch: pytest.MonkeyPatch, written: str, word: str) -> None:
    monkeypatch.setenv("SECRET_PLACE", "/the/secret")
    with pytest.raises(ModelNotFoundError, match=word) as caught:
        canonical(written)
    assert "\n" not in str(caught.value)
    assert "secret" not in str(caught.value)
    assert len(str(caught.value)) < 700


def test_a_path_is_not_proposed_in_its_own_place(tmp_path: Path) -> None:
    (tmp_path / "bert").symlink_to(tmp_path / "gone")
    with pytest.raises(ModelNotFoundError, match="no folder") as caught:
        canonical(str(tmp_path / "bert"))
    assert "Did you mean" not in str(caught.value)


@pytest.mark.parametrize("given", [None, 7, 1.5, ["a"], ("a", "b"), b"bert", {"model": "a"}, object(), Path])
def test_another_kind_of_argument_is_a_sentence(given: object) -> None:
    with pytest.raises(ModelNotFoundError, match="neither text nor a path") as caught:
        registry.load(given)
    assert type(given).__name__ in str(caught.value)


@pytest.mark.parametrize("given", ["", "  ", '""', "“”", "\u200b", "''"])
def test_nothing_is_said_to_be_nothing(given: str) -> None:
    with pytest.raises(ModelNotFoundError, match="empty"):
        canonical(given)


@pytest.mark.parametrize(
    "written",
    ["BERT-base-uncased", "Google-BERT/bert-base-uncased", "https://huggingface.co/google-bert/BERT-Base-Uncased"],
)
def test_capitals_lead_to_the_listed_model_unless_a_folder_has_them(home: Path, written: str) -> None:
    assert canonical(written) == BERT
    (home / "Bert-base-uncased").mkdir()
    assert canonical("Bert-base-uncased") == "Bert-base-uncased"


def test_names_of_the_list_stay_what_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(registry.ROOT)
    for name in REGISTRY:
        assert canonical(name) == name
        assert canonical(f' "{name}" ') in {name, ALIASES.get(name, name)}
    for short, full in ALIASES.items():
        assert canonical(short) == full


# -- a server that opens the list alone -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "written",
    [
        "~/my models/bert",
        "$HOME/my models/bert",
        "file://~/my models/bert",
        '"~/my models/bert"',
        "./my models/bert",
        "my models/bert",
        "my models/bert/config.json",
        "~",
        ".",
        "/",
        "file:///",
        "..",
        "models/pretrained/../secret",
        "./models/pretrained/mini-bert",
        "Path('~')",
        f"{BERT}@v1.0",
        "https://huggingface.co/somebody/something",
        "mini-bert/../../secret",
        "~/no-such",
        "file:///no/such",
        "mini-bert@x",
    ],
)
def test_a_restricted_server_opens_no_folder_however_it_is_written(
    home: Path, monkeypatch: pytest.MonkeyPatch, written: str
) -> None:
    monkeypatch.setenv(CURATED_ONLY, "1")
    with pytest.raises(ModelNotAllowedError) as caught:
        check_allowed(written)
    assert str(home) not in str(caught.value), "the place of a home is not told"


def test_a_restricted_server_looks_at_no_disk(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CURATED_ONLY, "1")
    there = {type(_answer(f"~/{name}")) for name in (FOLDER, "no-such")}
    assert len(there) == 1, "it tells whether a folder is there"


def _answer(written: str) -> object:
    try:
        return canonical(written)
    except ModelNotFoundError as error:
        return error


@pytest.mark.parametrize("written", [f"https://huggingface.co/{BERT}", f'"{SHORT}"', f"hf://{BERT}", " mini-bert "])
def test_a_restricted_server_opens_its_list_however_it_is_written(
    monkeypatch: pytest.MonkeyPatch, written: str
) -> None:
    monkeypatch.setenv(CURATED_ONLY, "1")
    check_allowed(written)


def test_no_variable_but_those_of_places_is_read(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", str(home))
    assert "HF_TOKEN" not in VARIABLES
    for written in ("$HF_TOKEN/my models/bert", "${HF_TOKEN}/my models/bert", "%HF_TOKEN%/my models/bert"):
        with pytest.raises(ModelNotFoundError, match="no folder"):
            read_location(written)


@pytest.mark.parametrize(
    "written",
    [
        f"see https://huggingface.co/{BERT}",
        f"https://huggingface.co/{BERT}.",
        f"https://huggingface.co/{BERT}, thanks!",
        f"https://huggingface.co/{BERT}입니다",
        f"(모델은 huggingface.co/{BERT}입니다.)",
        f"https:/huggingface.co/{BERT}",
        f"https//huggingface.co/{BERT}",
        f"https://huggingface.com/{BERT}",
        f"https://m.huggingface.co/{BERT}",
        f"https://huggingface.co/{BERT}%20",
        "huggingface.co\\google-bert\\bert-base-uncased",
        f"model: {BERT}",
        f"모델: {BERT}",
        f"MODEL={BERT}",
        f"- {BERT}",
        f"1. {BERT}",
        f"🤗 {BERT}",
        f"{BERT} 🤗",
        f"{BERT} (110M)",
        f"{BERT}입니다.",
        f"{BERT}.",
        f"@{BERT}",
        f"{BERT}@",
        BERT.replace("/", "//"),
        BERT.replace("-", "–"),
        BERT.replace("g", "ｇ"),
        f"{BERT}/model.safetensors",
        f"{BERT}/pytorch_model.bin",
    ],
)
def test_a_model_is_found_among_words_and_signs(home: Path, written: str) -> None:
    for may_look in (True, False):
        assert read_location(written, may_look=may_look) == BERT


@pytest.mark.parametrize("written", [f"{BERT} and gpt2", "google-bert/bert base uncased", "my modles/bert"])
def test_words_that_may_belong_to_a_name_are_not_left_out(home: Path, written: str) -> None:
    assert read_location(written) == written


@pytest.mark.parametrize("written", [f"{BERT}, openai-community/gpt2", f"https://hf.co/{BERT} https://hf.co/gpt2"])
def test_several_models_are_told_apart(written: str) -> None:
    with pytest.raises(ModelNotFoundError, match=r"names 2 models, expected one: .*Give one of them"):
        read_location(written)


@pytest.mark.parametrize("page", ["models", "datasets", "spaces", "collections", "activity"])
def test_the_page_of_an_owner_is_no_model(page: str) -> None:
    with pytest.raises(ModelNotFoundError, match=r"the address of a person or an organisation, not of a model"):
        read_location(f"https://huggingface.co/google-bert/{page}")


def test_an_owner_alone_is_followed_by_one_of_its_models_and_a_listed_name_not_by_itself() -> None:
    with pytest.raises(ModelNotFoundError, match="google-bert/bert-base-uncased"), suggesting(tuple(REGISTRY)):
        raise ModelNotFoundError("google-bert", "It is not there.")
    with pytest.raises(ModelNotFoundError) as refused, suggesting(tuple(REGISTRY)):
        raise ModelNotFoundError(BERT, "It is not there.")
    assert str(refused.value) == "It is not there."
