"""The roads as a page draws them, read off its marks, and the same as the record has them."""

from typing import Any, Final

from playwright.sync_api import Page

from punto.roads import Chart, Outcome, Road, derived_cells
from punto.roads.outcome import LETTERS

Marks = set[tuple[int, int, str]]

# Every drawing of the roads since then, one for each round: the marks of each road by their middle, in cells.
WATCH: Final = """() => {
    const sides = { banker: "B", player: "P", tie: "T", red: "R", blue: "B" };
    const middle = (mark) => {
        if (mark.tagName === "circle") return [Number(mark.getAttribute("cx")), Number(mark.getAttribute("cy"))];
        const [, x, y] = /^M(\\S+) (\\S+)L/.exec(mark.getAttribute("d"));
        return [Number(x) + 6, Number(y) - 6];
    };
    const marks = (svg, chosen) => [...svg.querySelectorAll(chosen)].map((mark) => {
        const [x, y] = middle(mark);
        const named = mark.closest("g") ?? mark;
        const rules = svg.querySelectorAll("path.rule").length;
        const upright = svg.querySelectorAll("path.rule[d$='V120']").length;
        const across = svg.viewBox.baseVal.width / (upright + 1) / (6 / (rules - upright + 1));
        const side = Object.keys(sides).find((name) => named.classList.contains(name));
        return [Math.floor(x / across), Math.floor(y / 20), sides[side]];
    });
    const drawn = () => {
        const [big, eye, small, roach, bead] = [...document.querySelectorAll("article [role=img] > svg")]
            .filter((svg) => svg.querySelector("path.rule"));
        return {
            big: marks(big, "circle[r='7.6']"),
            eye: marks(eye, ".hollow"),
            small: marks(small, ".full"),
            roach: marks(roach, ".struck"),
            bead: marks(bead, "circle[r='8.7']"),
            said: document.querySelector("article table td").textContent,
        };
    };
    window.roads = {};
    new MutationObserver(() => {
        const now = drawn();
        const rounds = Number(/\\d+/.exec(now.said)[0]);
        if (rounds) roads[rounds] = now;
    }).observe(document.querySelector("article"), { subtree: true, childList: true, attributes: true });
}"""


def drawn(page: Page) -> dict[int, dict[str, Any]]:
    """What was drawn after each round, by how many rounds there were."""
    return {int(rounds): roads for rounds, roads in page.evaluate("roads").items()}


def derived(outcomes: list[Outcome]) -> dict[str, Marks]:
    """What must be drawn."""
    chart = Chart.of(outcomes)
    roads: dict[str, Marks] = {
        "big": {(cell.column - 1, cell.row - 1, LETTERS[mark.outcome.winner]) for cell, mark in chart.big_road},
        "bead": {(at // 6, at % 6, LETTERS[each.winner]) for at, each in enumerate(chart.outcomes)},
    }
    for name, road in (("eye", Road.BIG_EYE_BOY), ("small", Road.SMALL_ROAD), ("roach", Road.COCKROACH_PIG)):
        cells = derived_cells(chart.derived(road))
        roads[name] = {(cell.column - 1, cell.row - 1, colour.value) for cell, colour in cells}
    return roads


def in_sight(shown: list[list[Any]], whole: Marks) -> tuple[Marks, Marks]:
    """What is drawn, and what should be: of a road that has run on, whole columns have gone out at the left."""
    marks: Marks = {(column, row, side) for column, row, side in shown}
    if not marks or not whole:
        return marks, whole
    gone = max(column for column, _, _ in whole) - max(column for column, _, _ in marks)
    return marks, {(column - gone, row, side) for column, row, side in whole if column >= gone}
