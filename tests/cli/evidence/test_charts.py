"""The drawing of all p."""

from xml.etree import ElementTree as ET

from punto.cli.evidence.charts import ordered

SVG = "{http://www.w3.org/2000/svg}"


def test_dots_rise_from_left_to_right() -> None:
    drawn = ET.fromstring(ordered([0.9, 0.1, 0.5]))  # noqa: S314
    dots = [(float(dot.attrib["cx"]), float(dot.attrib["cy"])) for dot in drawn.iter(f"{SVG}circle")]
    assert dots == sorted(dots)
    assert [y for _, y in dots] == sorted((y for _, y in dots), reverse=True)  # a larger p stands higher
    assert len(dots) == 3
