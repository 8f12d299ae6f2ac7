"""What eslint looks at: whatever changed since it was found clean, and all that depends on it."""

from pathlib import Path
from typing import Any

import pytest
from tests.children import run
from tools.weblint import imported, keys, linted, remember, unclean, uncommitted

from tools import pages, weblint

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def web(tmp_path: Path) -> Path:
    """Pages of a few sources, all of them clean."""
    for name, text in {
        "src/App.svelte": '<script lang="ts">\n  import { say } from "./words";\n  import Page from "./Page.svelte";\n',
        "src/Page.svelte": 'const later = () => import("./late");\nimport "./style.css";\n',
        "src/late.ts": 'import type { A } from "./wire";\nexport { b } from "./lib";\n',
        "src/lib/index.ts": 'export * from "./b.svelte";\nimport { late } from "../late";\n',
        "src/lib/b.svelte.ts": "export const b = 1;\n",
        "src/words.ts": 'import svelte from "svelte";\n',
        "src/wire.ts": "export type A = 1;\n",
        "src/style.css": "p {}\n",
        "tests/states.ts": 'import {\n  say,\n} from "../src/words";\n',
        "vite.config.ts": "",
        **dict.fromkeys(weblint.RULES, "{}"),
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    remember(keys(tmp_path), tmp_path / "memory")
    return tmp_path


def changed(web: Path, *names: str) -> set[str]:
    for name in names:
        (web / name).write_text((web / name).read_text() + "\n")
    return set(unclean(keys(web), web / "memory"))


def test_what_is_clean_is_not_looked_at_again(web: Path) -> None:
    assert changed(web) == set()


@pytest.mark.parametrize(
    ("name", "again"),
    [
        ("src/App.svelte", {"src/App.svelte"}),
        ("vite.config.ts", {"vite.config.ts"}),
        ("src/words.ts", {"src/words.ts", "src/App.svelte", "tests/states.ts"}),
        (
            "src/lib/b.svelte.ts",
            {"src/lib/b.svelte.ts", "src/lib/index.ts", "src/late.ts", "src/Page.svelte", "src/App.svelte"},
        ),
        ("src/wire.ts", {"src/late.ts", "src/lib/index.ts", "src/Page.svelte", "src/App.svelte"}),
    ],
)
def test_what_changed_is_looked_at_with_all_that_imports_it(web: Path, name: str, again: set[str]) -> None:
    assert changed(web, name) == again


@pytest.mark.parametrize("rule", weblint.RULES)
def test_other_rules_are_for_every_source(web: Path, rule: str) -> None:
    every = {path.relative_to(web).as_posix() for path in linted(web)}
    assert changed(web, rule) == every
    assert "src/wire.ts" not in every


def test_a_memory_that_does_not_read_is_none(web: Path) -> None:
    (web / "memory").write_text("{")
    assert set(unclean(keys(web), web / "memory")) == keys(web).keys()


def test_a_first_quick_look_is_for_what_is_not_committed(web: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    every = keys(web, alone=True)
    assert uncommitted(every, web) == list(every), "there is no commit"
    identity = ["-c", "user.name=punto", "-c", "user.email=punto@localhost"]
    for command in (["init", "-q"], ["add", "-A"], [*identity, "commit", "-qm", "first", "--no-verify"]):
        run(["git", *command], cwd=web, check=True)
    assert uncommitted(every, web) == []
    changed(web, "src/words.ts")
    (web / "src/new.ts").write_text("export const fresh = 1;\n")
    assert uncommitted(keys(web, alone=True), web) == ["src/new.ts", "src/words.ts"]
    changed(web, weblint.RULES[0])
    assert set(uncommitted(every, web)) == set(every)


def test_every_import_of_the_pages_is_found() -> None:
    found = {each for path in linted(ROOT / "web") for each in imported(path)}
    assert (ROOT / "web" / "src" / "wire.ts") in found
    lonely = {path.name for path in linted(ROOT / "web") if path not in found and "src" in path.parts}
    assert {name for name in lonely if not name.endswith(".test.ts")} <= {"main.ts"}


def test_what_was_found_wrong_is_looked_at_until_it_is_mended(web: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[tuple[str, ...]] = []
    wrong = True

    def npm(_: Any, *arguments: str) -> str:  # noqa: ANN401 (an environment)
        ran.append(arguments)
        if wrong and "lint" in arguments:
            raise pages.Failed("npm run lint ended with status 1")
        return ""

    for name, stand_in in (
        ("write_types", lambda: None),
        ("with_node", dict),
        ("install", lambda _: None),
        ("npm", npm),
    ):
        monkeypatch.setattr(pages, name, stand_in)
    monkeypatch.setattr(pages, "WEB", web)
    monkeypatch.setattr(pages, "MODULES", web / "node_modules")
    (web / "package.json").write_text("{}")
    changed(web, "src/App.svelte")
    for _ in range(2):
        assert pages.main("lint") == 1
    wrong = False
    assert pages.main("lint") == 0
    # Components come last: each makes eslint look up all types anew.
    every = tuple(sorted(keys(web), key=lambda name: (name.endswith(".svelte"), name)))
    assert ran == [("run", "--silent", "prettier", "--", "--check"), ("run", "--silent", "lint", "--", *every)] * 3
    assert pages.main("lint") == 0
    assert ran[6:] == [("run", "--silent", "prettier", "--", "--check")]
    changed(web, "src/App.svelte")
    assert pages.main("lint") == 0
    assert ran[7:] == [
        ("run", "--silent", "prettier", "--", "--check"),
        ("run", "--silent", "lint", "--", "src/App.svelte"),
    ]
    # Whoever is in a hurry leaves out what imports what has changed; the next whole look does not.
    changed(web, "src/words.ts")
    ran.clear()
    for task in ("quick-lint", "quick-lint", "lint", "quick-lint"):
        assert pages.main(task) == 0
    assert [arguments[4:] for arguments in ran if "lint" in arguments] == [
        ("src/words.ts",),
        ("src/words.ts", "tests/states.ts", "src/App.svelte"),
    ]
