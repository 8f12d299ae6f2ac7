"""The pages' words: every one in both languages, with the same to fill in; keys that lack one do not compile."""

import re
from pathlib import Path
from typing import Final

import pytest

PAGES: Final = Path(__file__).resolve().parent.parent.parent / "web" / "src"
_ENTRY: Final = re.compile(r'^\s*(?:"([^"]+)"|([\w$]+)):\s*\n?\s*"((?:[^"\\]|\\.)*)",?$', re.MULTILINE)
_CHINESE: Final = re.compile(r"[\u4e00-\u9fff]")
_LATIN: Final = re.compile("[A-Za-z]{2}")
# What is the same in both: the other language's own name, the text of a shoe.
_ALIKE: Final = frozenset({"dealer.language", "lobby.language", "verify.sample"})

Catalogue = dict[str, str]


def catalogues() -> dict[str, tuple[Catalogue, Catalogue]]:
    """Both languages of every catalogue, by its file."""
    found = {"lib/words": (_entries(PAGES / "lib/words/en.ts"), _entries(PAGES / "lib/words/zh.ts"))}
    for path in sorted(PAGES.rglob("*.ts")):
        text = path.read_text(encoding="utf-8")
        if "export const zh" in text and path.name != "zh.ts":
            english, _, chinese = text.partition("\nexport const zh")
            if "ownZh" in text:
                english, _, chinese = text.partition("\nconst ownZh")
            found[str(path.relative_to(PAGES))] = _found(english), _found(chinese)
    return found


def _entries(path: Path) -> Catalogue:
    return _found(path.read_text(encoding="utf-8"))


def _found(text: str) -> Catalogue:
    return {quoted or plain: words for quoted, plain, words in _ENTRY.findall(text)}


@pytest.mark.parametrize(("name", "both"), catalogues().items(), ids=catalogues())
def test_every_word_is_in_both_languages(name: str, both: tuple[Catalogue, Catalogue]) -> None:
    english, chinese = both
    assert english, name
    assert english.keys() == chinese.keys()


@pytest.mark.parametrize("both", catalogues().values(), ids=catalogues())
def test_both_languages_fill_in_the_same(both: tuple[Catalogue, Catalogue]) -> None:
    english, chinese = both
    for key, words in english.items():
        assert set(re.findall(r"\{(\w+)\}", words)) == set(re.findall(r"\{(\w+)\}", chinese[key])), key


@pytest.mark.parametrize("both", catalogues().values(), ids=catalogues())
def test_what_is_said_in_chinese_is_chinese(both: tuple[Catalogue, Catalogue]) -> None:
    for key, words in both[1].items():
        latin = _LATIN.search(re.sub(r"\{\w+\}", "", words))
        assert key in _ALIKE or not latin or _CHINESE.search(words), f"{key}: {words}"
