"""`punto roads`: the roads of a shoe, drawn or as JSON."""

import sys

from punto.cli.wire import encode
from punto.roads import Chart, parse_outcomes, plain
from punto.rules import Language


def show(text: str, language: Language, *, as_json: bool) -> None:
    """The roads of the outcomes that a text names."""
    chart = Chart.of(parse_outcomes(text))
    if as_json:
        sys.stdout.write(encode(plain(chart)) + "\n")
        return
    from punto.cli.ink import console, has_colour
    from punto.cli.roadmap import drawing

    out = console()
    out.print(drawing(chart, out.width, coloured=has_colour(out), language=language))
