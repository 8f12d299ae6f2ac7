"""The drawing of the evidence, as SVG that needs no other program."""

from collections.abc import Sequence
from typing import Final

from punto.lab.figures import INK, OTHERS, QUIET

_WIDE: Final = 640
_HIGH: Final = 250
_LEFT: Final = 44
_FOOT: Final = 34


def ordered(chances: Sequence[float]) -> str:
    """Values of p in their order: their share from the left, their size from below."""
    width, height = _WIDE - _LEFT - 10, _HIGH - _FOOT - 10

    def across(share: float) -> float:
        return round(_LEFT + share * width, 2)

    def down(p: float) -> float:
        return round(10 + (1 - p) * height, 2)

    font = f'font-family="DejaVu Sans Mono" font-size="10" fill="{QUIET}"'
    grid = 'stroke="#e4e4ea" stroke-width="0.7"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE} {_HIGH}" {font}>']
    for tick in (0, 0.25, 0.5, 0.75, 1):
        parts += [
            f'<line x1="{_LEFT}" x2="{across(1)}" y1="{down(tick)}" y2="{down(tick)}" {grid}/>',
            f'<text x="{_LEFT - 6}" y="{down(tick) + 3.5}" text-anchor="end">{tick:g}</text>',
            f'<text x="{across(tick)}" y="{down(0) + 15}" text-anchor="middle">{tick:g}</text>',
        ]
    parts.append(
        f'<line x1="{across(0)}" y1="{down(0)}" x2="{across(1)}" y2="{down(1)}" stroke="{INK}" stroke-width="0.8"/>'
    )
    parts += [
        f'<circle cx="{across((place + 0.5) / len(chances))}" cy="{down(p)}" r="2.2" fill="{OTHERS[2]}"/>'
        for place, p in enumerate(sorted(chances))
    ]
    parts.append(f'<text x="{across(0.5)}" y="{_HIGH - 4}" text-anchor="middle">share of the tests</text>')
    return "".join(parts) + "</svg>"
