"""Short names for the cell of a notebook: only what is a module's own is renamed, and a script says the same."""

from __future__ import annotations

import re

import pytest

from viz.viewer.html import read_source, style
from viz.viewer.joining import join_modules, modules_of, without_comments
from viz.viewer.notebook import ENTRY, ENTRY_OF_SOURCES
from viz.viewer.shortening import short_modules, squeezed_sheet


def short(source: str) -> str:
    return short_modules({"a.js": source}, "a.js")["a.js"].strip()


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("const total = 1;\ntotal + total;\n", "const a=1;a+a;"),
        ("export const total = 1;\n", "export const total=1;"),
        ("function add(first, second = first) { return first + second; }", "function c(a,b=a){return a+b;}"),
        ("const shown = (row) => row.total;\nshown(total);\n", "const a=(b)=>b.total;a(total);"),
        ("const total = 1;\nkeep({ total });\nthis.total = total;\n", "const total=1;keep({total});this.total=total;"),
        ("const key = 1;\nconst table = { key: key };\n", "const key=1;const a={key:key};"),
        ("const [one, two] = pair;\n`${one} and two ${`${two}`}`;\n", "const[a,b]=pair;`${a} and two ${`${b}`}`;"),
        ("class Box { side = 1; size() { return 2; } }\nnew Box();\n", "class a{side=1;size(){return 2;}}\nnew a();"),
        ('const text = "text"; // a text\n/* text */ text;\n', 'const a="text";a;'),
        ("const rule = /rule[/]rule/u;\nrule.test(x) / 2;\n", "const a=/rule[/]rule/u;a.test(x)/2;"),
        ("const one = a - -b;\nconst other = a + ++b;\n", "const c=a- -b;const d=a+ ++b;"),
        ("const one = 1\none\n", "const a=1\na"),
    ],
)
def test_names_and_spaces(written: str, expected: str) -> None:
    assert short(written) == expected


def test_a_name_of_the_browser_in_one_module_stays_in_all() -> None:
    modules = short_modules({"a.js": "const open = 1;\nopen;\n", "b.js": "open();\n"}, "b.js")
    assert "const open=1;" in modules["a.js"]


def test_what_modules_import_from_each_other_has_one_name() -> None:
    modules = {
        "a.js": 'import { doubled, halved } from "./b.js";\nexport const start = () => doubled(halved(1));\n',
        "b.js": "export const doubled = (n) => 2 * n;\nexport const halved = (n) => n / 2;\nlet parts = { halved };\n",
    }
    made = short_modules(modules, "a.js")
    (name,) = re.findall(r"^import \{(\w+),halved\} from", made["a.js"], re.MULTILINE)
    assert name != "doubled"
    assert f"export const {name}=" in made["b.js"]
    assert "start" in join_modules(("a.js",), made.__getitem__)


def test_what_is_no_script_is_not_guessed_at() -> None:
    with pytest.raises(ValueError, match="cannot be read from here"):
        short("const text = `no end;\n")


@pytest.mark.parametrize("entry", [ENTRY, ENTRY_OF_SOURCES])
def test_a_viewer_keeps_its_texts_and_its_properties(entry: str) -> None:
    sources = {name: read_source(name) for name in modules_of((entry,), read_source)}
    made = short_modules(sources, entry)
    for name, source in sources.items():
        code = without_comments(source)
        for kept in (r'"(?:[^"\\\n]|\\.)*"', r"(?<!\.)\.[A-Za-z]\w*\b"):
            assert set(re.findall(kept, code)) <= set(re.findall(kept, made[name])), name
    joined = join_modules((entry,), made.__getitem__)
    assert len(joined) < 0.75 * len(join_modules((entry,), sources.__getitem__))


def test_a_style_sheet_loses_its_spaces_alone() -> None:
    assert squeezed_sheet("a :hover > b,\nc { margin: 0 -1px; }\n/* x */ d { color: red }\n") == (
        "a :hover > b,c{margin:0 -1px}d{color:red}"
    )
    sheet = style(ENTRY)
    assert re.sub(r"[\s;]|/\*.*?\*/", "", squeezed_sheet(sheet), flags=re.DOTALL) == re.sub(
        r"[\s;]|/\*.*?\*/", "", sheet, flags=re.DOTALL
    )
