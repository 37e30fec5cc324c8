"""The texts of a corpus: read from files of every kind, and what cannot be read is said."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from models.analysis.grammar.dependencies import ParsedSentence
from models.analysis.over_texts.corpus import columns_of, texts_of
from models.analysis.over_texts.delimited import names_columns
from models.values.errors import TextError


def row(number: int, form: str, head: int | None = None, relation: str = "_") -> str:
    """A line of a treebank."""
    return f"{number}\t{form}\t_\t_\t_\t_\t{'_' if head is None else head}\t{relation}\t_\t_\n"


def test_texts_are_read_from_lines_columns_and_treebanks(tmp_path: Path) -> None:
    lines, table, bank = tmp_path / "a.txt", tmp_path / "a.csv", tmp_path / "a.conllu"
    lines.write_text("one\n\n  two \n", encoding="utf-8")
    table.write_text('name,text\n1,"one, and"\n2,\n3,two\n', encoding="utf-8")
    bank.write_text(f"# sent_id = 1\n# text = One.\n{row(1, 'One')}{row(2, '.')}\n# text = two\n", encoding="utf-8")
    assert list(texts_of(lines)) == ["one", "two"]
    assert list(texts_of(table, column="text")) == ["one, and", "two"]
    assert list(texts_of(bank)) == ["One.", "two"]
    bank.write_text(f"{row(1, 'It', 2, 'nsubj:pass')}{row(2, 'ended', 0, 'root')}", encoding="utf-8")
    parsed = ParsedSentence(words=("It", "ended"), heads=(1, -1), relations=("nsubj", "root"))
    assert list(texts_of(bank)) == [parsed]
    (tmp_path / "a.conll").write_text(bank.read_text(encoding="utf-8"), encoding="utf-8")
    assert list(texts_of(tmp_path / "a.conll")) == [parsed]
    assert list(texts_of(tmp_path, column="text")) == [parsed, "one, and", "two", "one", "two"]


@pytest.mark.parametrize(
    ("content", "column", "texts"),
    [
        ('"It rained, then."\n"It stopped."\n', 1, ["It rained, then.", "It stopped."]),
        ('"It rained, then."\n"It stopped."\n', "1", ["It rained, then.", "It stopped."]),
        ("name;said\n1;It rained, then.\n2;It stopped.\n3\n", "said", ["It rained, then.", "It stopped."]),
        ("\ufeffsaid\tby\r\nIt rained.\tAnna\r\n\r\n", "said", ["It rained."]),
        ("1,2\nIt rained.,x\n", "1", ["It rained."]),
        ("2,1\nIt rained.,x\n", 1, ["2", "It rained."]),
        ("sep=;\r\nn;said\r\n1,5;It rained.\r\n2,5;It stopped.\r\n", "said", ["It rained.", "It stopped."]),
        ("1,5;It rained.\n2,5;It stopped.\n", 2, ["It rained.", "It stopped."]),
        ("\n\u00a0\nn;said;\n1;It rained.;;\n", "said", ["It rained."]),
        ('n;said\n1;"It rained;\nthen"\n', "said", ["It rained;\nthen"]),
        ("Diary of May\n\nn;said\n1;It rained.\n2;It stopped.\n", "said", ["It rained.", "It stopped."]),
        ("Diary;;\nof May\nn;said;by\n1;It rained.;A\n2;It stopped.;B\n", "said", ["It rained.", "It stopped."]),
        ('said\n"It rained, then."\nIt stopped.\n', "said", ["It rained, then.", "It stopped."]),
        ("# of 2024, all\nn\tsaid\r1\tIt rained.\r", "said", ["It rained."]),
        ("n,said\n1,It rained.\nTotal,1\n", "said", ["It rained."]),
        ("said,n\nIt rained.,1\n합계,1\n", "said", ["It rained."]),
        ("said,n\nTotal,1\nIt rained.,1\n", "said", ["Total", "It rained."]),
        ("said,by\nstring,(name)\nIt rained.,x\nsaid,by\nIt ended.,y\n", "said", ["It rained.", "It ended."]),
        ("said,by\nIt rained.,x\n\ufeffIt ended.,y\n", "said", ["It rained.", "It ended."]),
        ("sep=\\t\nn\tsaid\n1,5\tIt rained.\n", "said", ["It rained."]),
        ('"n"\t"said"\n"1"\t"It rained,\nthen"\n', "said", ["It rained,\nthen"]),
    ],
)
def test_a_table_is_read_with_and_without_names(
    tmp_path: Path, content: str, column: str | int, texts: list[str]
) -> None:
    (tmp_path / "a.csv").write_text(content, encoding="utf-8", newline="")
    assert list(texts_of(tmp_path / "a.csv", column=column)) == texts


def test_a_table_with_tabs_is_read_by_its_ending_and_a_quote_in_it_is_a_letter(tmp_path: Path) -> None:
    (tmp_path / "a.TSV").write_text('n\tsaid\n1\t"It rained.\n2\tIt "stopped"\n', encoding="utf-8")
    assert list(texts_of(tmp_path / "a.TSV", column="said")) == ['"It rained.', 'It "stopped"']


def test_endings_count_in_any_letter_case_and_lines_end_at_line_feeds_alone(tmp_path: Path) -> None:
    (tmp_path / "A.TXT").write_text("one\u2028two\x85three\x0cfour\rfive\n", encoding="utf-8", newline="")
    empty = "\t".join(["0.1", "e", *"_" * 8]) + "\n"
    bank = empty + row(1, "a\u2028b", 0, "root") + empty.replace("0.", "1.") + row(2, "c\x85d", 1, "dep")
    (tmp_path / "B.CoNLLU").write_text(bank, encoding="utf-8")
    assert list(texts_of(tmp_path)) == [
        "one\u2028two\x85three\x0cfour",
        "five",
        ParsedSentence(words=("a\u2028b", "c\x85d"), heads=(-1, 0), relations=("root", "dep")),
    ]


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.csv", b" <!DOCTYPE HTML><html>", "a.csv is a web page (HTML), and not text"),
        (
            "a.csv",
            b'text,by\n"It rained.,x\nIt ended.,y\n',
            "a.csv, row 2, cannot be read as a table: a cell has more than",
        ),
        ("a.txt", b'{"text": "It rained."}\n{"text": "It ended."}\n', "a.txt is JSON. Save its texts one a line"),
        ("a.tsv", b"n\tsaid\n1\tx\n", "a.tsv has no column 'text'. Its first row says: n, said"),
        ("a.txt", b"", "a.txt holds no text. Expected a sentence a line"),
        ("a.txt", b" \n\t\n", "a.txt holds no text"),
        ("a.txt", b"It rained.\n\x00\x01", "a.txt: line 2 holds characters that no text has"),
        ("a.txt", "Café".encode("latin-1"), "a.txt is not text in UTF-8. Save it"),
        ("a.csv", b"PK\x03\x04\x00", "a.csv is an Excel workbook or a packed file, and not text. Save what it holds"),
        ("a.jsonl", b'{"text": "It rained."}\n', "a.jsonl is JSON. Save its texts one a line as .txt"),
        ("a.csv", b"", "a.csv is empty. Expected a table"),
        ("a.csv", b"name,said\n1,It rained.\n", "no column 'text'. Its first row says: name, said. Choose one"),
        ("a.csv", b"text,by\n,x\n", "a.csv: the column holds no text"),
        ("a.csv", b"text,by\nx,y\nIt rained, then, it stopped.,x\n", "a.csv, row 3, has 4 cells, the first row has 2"),
        (
            "a.csv",
            b"text\n" + b"x" * 140_000,
            "a.csv, row 2, cannot be read as a table: a cell has more than 131,072 characters",
        ),
        ("a.conllu", b"\n", "a.conllu holds no sentence. Expected ten columns"),
        ("a.conllu", b"It rained.\n", "line 1 has 1 column, expected a number first and 10 with tabs"),
        ("a.conllu", f"{row(1, 'It')}{row(2, 'ended', 7)}".encode(), "words 1 to 2, but the head of “ended” is word 7"),
        ("a.conllu", f"{row(1, 'It')}{row(2, 'ended', 2)}".encode(), "words 1 to 2, but the head of “ended” is word 2"),
        ("a.conllu", f"{row(1, 'It')}{row(2, 'ended', -1)}".encode(), "but the head of “ended” is word -1"),
        (
            "a.conllu",
            f"{row(1, 'It')}{'9' * 5000}{row(1, 'ended')}".encode(),
            "line 2 has 10 columns, expected a number",
        ),
        ("a.conllu", f"{row(1, ' ')}".encode(), "has no word in row 1"),
        ("a.conllu", f"2-9{row(1, 'an')[1:]}{row(1, 'a')}".encode(), "words 1 to 1, but “an” is written for 2 to 9"),
    ],
)
def test_what_cannot_be_read_is_said(tmp_path: Path, name: str, content: bytes, says: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(TextError, match=re.escape(says)):
        list(texts_of(tmp_path / name, column="text"))


def test_a_folder_without_texts_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TextError, match=re.escape("no file that ends in .txt, .csv, .tsv, .tab, .conllu")):
        list(texts_of(tmp_path))


def test_names_of_columns_are_told_from_texts() -> None:
    assert columns_of(["name, text\n", "1,x\n"], "a.csv") == ("name", "text")
    assert names_columns(("name", "text"))
    for first in (("It rained.",), ("the cat saw the dog",), ("x", "x"), ("", "text")):
        assert not names_columns(first)


@pytest.mark.parametrize(
    ("name", "content", "texts"),
    [
        ("A.TXT", "one\ntwo\n", ["one", "two"]),
        ("Notes.Text.Txt", "one\n", ["one"]),
        ("A.CSV", "name;text\n1;one, and\n", ["one, and"]),
        ("A.ConLLU", f"# text = One.\n{row(1, 'One')}{row(2, '.')}", ["One."]),
        ("a.tsv", 'name\ttext\n1\t"So," he said\n2\t5" wide, ok\n', ['"So," he said', '5" wide, ok']),
        ("A.TSV", 'text\tname\n"one ""and"" two"\t1\nthree, four; five\t2\n', ['one "and" two', "three, four; five"]),
        ("a.Tab", "text\r\none\r\n\r\ntwo\r\n", ["one", "two"]),
        ("a.csv", "sep=;\nname;text\n1;one, and\n2;two\n", ["one, and", "two"]),
        ("a.csv", '"sep=,"\r\nname,text\r\n1,one\r\n', ["one"]),
    ],
)
def test_how_a_file_is_written_is_told_by_its_ending_in_any_letter_case(
    tmp_path: Path, name: str, content: str, texts: list[str]
) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8", newline="")
    assert list(texts_of(tmp_path / name, column="text")) == texts
    assert list(texts_of(tmp_path, column="text")) == texts


def test_files_that_a_system_hides_are_no_texts(tmp_path: Path) -> None:
    (tmp_path / "A.TXT").write_text("one\n", encoding="utf-8")
    (tmp_path / "._A.TXT").write_bytes(b"\x00\x05\x16\x07")
    (tmp_path / "old.txt").mkdir()
    assert list(texts_of(tmp_path)) == ["one"]


def test_the_row_of_a_fault_is_counted_from_the_line_that_names_the_separator(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("sep=;\ntext;by\none;x\ntwo;y;z\n", encoding="utf-8")
    with pytest.raises(TextError, match=re.escape("a.csv, row 4, has 3 cells, the first row has 2")):
        list(texts_of(tmp_path / "a.csv", column="text"))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp949"])
@pytest.mark.parametrize("name", ["a.txt", "a.csv"])
def test_an_encoding_that_bytes_tell_is_read(tmp_path: Path, encoding: str, name: str) -> None:
    texts = ["It rained."] * 20 + ([] if encoding in {"utf-16-le", "utf-16-be"} else ["어제는 비가 왔다."])
    (tmp_path / name).write_bytes("\r\n".join(["said", *texts]).encode(encoding))
    assert list(texts_of(tmp_path / name, column="said"))[-len(texts) :] == texts


@pytest.mark.parametrize(
    ("text", "encoding"),
    [("Le café était bon.", "latin-1"), ("雨が降りました。", "shift_jis"), ("昨天下雨了。", "gb18030")],
)
def test_another_encoding_is_not_taken_for_korean(tmp_path: Path, text: str, encoding: str) -> None:
    (tmp_path / "a.txt").write_bytes(text.encode(encoding))
    with pytest.raises(TextError, match="is not text in UTF-8"):
        list(texts_of(tmp_path / "a.txt"))


def test_a_path_may_begin_at_home_and_is_not_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.txt").write_text("It rained.", encoding="utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert list(texts_of("~/a.txt")) == ["It rained."]
    with pytest.raises(TextError, match="The path of the texts is empty"):
        list(texts_of(" "))
