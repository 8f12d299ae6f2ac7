"""The bill of materials: everything that the locks name, in the form that CycloneDX asks for."""

import json
import re
from email import message_from_string
from pathlib import Path
from typing import Any

import pytest
from tests.marks import ROOT
from tools.lock import pinned, pinned_for_pages

from tools import bom

HEX = {"SHA-256": 64, "SHA-384": 96, "SHA-512": 128, "SHA-1": 40}


@pytest.fixture(scope="module")
def bill() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(bom.bill(ROOT, "9.9"))
    return found


def check_component(told: dict[str, Any]) -> None:
    """What the structure of CycloneDX 1.6 says of a component, as far as we use it."""
    known = {"type", "bom-ref", "name", "version", "purl", "scope", "hashes", "licenses", "description"}
    assert told.keys() <= known
    assert told["type"] in {"application", "library"}
    assert told.get("scope", "required") in {"required", "optional", "excluded"}
    assert re.fullmatch(r"pkg:(pypi|npm)/(%40[\w.-]+/)?[\w.-]+@[\w.%+-]+", told["purl"]), told["purl"]
    for each in told.get("hashes", ()):
        assert each.keys() == {"alg", "content"}
        assert re.fullmatch(f"[0-9a-f]{{{HEX[each['alg']]}}}", each["content"])
    licences = told.get("licenses", [])
    assert all(each.keys() in ({"expression"}, {"license"}) for each in licences)
    assert len(licences) <= 1


def test_the_bill_has_the_structure_of_cyclonedx(bill: dict[str, Any]) -> None:
    assert (bill["bomFormat"], bill["specVersion"], bill["version"]) == ("CycloneDX", "1.6", 1)
    assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", bill["serialNumber"])
    check_component(bill["metadata"]["component"])
    for component in bill["components"]:
        check_component(component)
    references = [each["bom-ref"] for each in (bill["metadata"]["component"], *bill["components"])]
    assert len(set(references)) == len(references)
    for each in bill["dependencies"]:
        assert {each["ref"], *each["dependsOn"]} <= set(references)


def test_everything_that_a_lock_names_is_there_with_its_digests(bill: dict[str, Any]) -> None:
    there = {each["purl"] for each in bill["components"]}
    for lock in (ROOT / "requirements").glob("*.txt"):
        assert {f"pkg:pypi/{name}@{version}" for name, version in pinned(lock.read_text()).items()} <= there
    modules = pinned_for_pages((ROOT / "web/package-lock.json").read_text())
    assert {f"pkg:npm/{name.replace('@', '%40')}@{each}" for name in modules for each in modules[name]} <= there
    assert [each["purl"] for each in bill["components"] if "hashes" not in each] == []


def test_what_the_floor_runs_is_told_from_what_only_builds_it(bill: dict[str, Any]) -> None:
    scopes = {each["purl"].rpartition("@")[0]: each["scope"] for each in bill["components"]}
    assert {scopes["pkg:pypi/litestar"], scopes["pkg:npm/svelte"]} == {"required"}
    assert {scopes["pkg:pypi/numba"]} == {"optional"}
    assert {scopes["pkg:pypi/pytest"], scopes["pkg:npm/eslint"]} == {"excluded"}


def test_the_bill_names_no_registry_and_is_the_same_each_time(bill: dict[str, Any]) -> None:
    text = bom.bill(ROOT, "9.9")
    assert b"://" not in text
    assert text == bom.bill(ROOT, "9.9")
    other = json.loads(bom.bill(ROOT, "9.10"))
    assert other["serialNumber"] != bill["serialNumber"]


def test_a_package_that_a_lock_names_in_two_versions_is_there_twice(tmp_path: Path) -> None:
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements/run.txt").write_text(
        "numpy==2.4 ; python_version < '3.12' \\\n    --hash=sha256:00\nnumpy==2.5 ; python_version >= '3.12'\n"
    )
    (tmp_path / "web").mkdir()
    (tmp_path / "web/package-lock.json").write_text('{"packages": {}}')
    assert [(each.name, each.version, each.hashes) for each in bom.components(tmp_path)] == [
        ("numpy", "2.4", (("sha256", "00"),)),
        ("numpy", "2.5", ()),
    ]


def test_a_licence_is_the_expression_the_name_or_the_title_of_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    long = "Permission is hereby granted, free of charge, to any person obtaining a copy\n" * 2
    cases = {
        "License-Expression: BSD-3-Clause\nLicense: BSD": "BSD-3-Clause",
        "License: Apache 2.0": "Apache 2.0",
        "License: MIT License\n        \n        " + long.replace("\n", "\n        "): "MIT License",
        "License: Copyright (c) 2022 Somebody\n        "
        + long.replace("\n", "\n        ")
        + "\nClassifier: License :: OSI Approved :: MIT License": "MIT License",
        "License: " + long.replace("\n", "\n        "): "",
        "Summary: none": "",
    }
    for text, said in cases.items():
        found = message_from_string(f"Metadata-Version: 2.1\nName: x\nVersion: 1\n{text}\n")
        monkeypatch.setattr(bom, "metadata", lambda _, found=found: found)
        assert bom._installed_licence(bom.Component(bom.PYPI, "x", "1", "required", (), "")) == said, text  # noqa: SLF001
