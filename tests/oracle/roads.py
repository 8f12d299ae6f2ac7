"""The baccarat roads drawn the traditional way, cell by cell on a grid (no rulebook clause: EB4 6.3 only)."""


def derived(outcomes: str, k: int) -> str:
    """Read the derived road off the logical columns: k is 1 big eye boy, 2 small road, 3 cockroach pig."""
    if k not in (1, 2, 3):
        raise ValueError(f"no such derived road: {k!r}")
    filled: set[tuple[int, int]] = set()

    def depth(column: int) -> int:
        """Count the filled cells of a column from the top down."""
        row = 0
        while (column, row + 1) in filled:
            row += 1
        return row

    road = ""
    column = 0
    row = 0
    last = ""
    for letter in outcomes:
        if letter == "T":
            continue
        if letter not in ("B", "P"):
            raise ValueError(f"no such outcome: {letter!r}")
        if letter == last:
            row += 1
        else:
            column += 1
            row = 1
            last = letter
        filled.add((column, row))

        if row == 1:
            if column - 1 - k < 1:
                continue
            if depth(column - 1) == depth(column - 1 - k):
                road += "R"
            else:
                road += "B"
        else:
            if column - k < 1:
                continue
            beside = (column - k, row) in filled
            above = (column - k, row - 1) in filled
            if beside == above:
                road += "R"
            else:
                road += "B"
    return road


def big_road(outcomes: str) -> list[tuple[int, int, str, int]]:
    """Draw the big road in six rows, each cell with the ties that followed it, in order of entry."""
    letters: dict[tuple[int, int], str] = {}
    ties: dict[tuple[int, int], int] = {}
    early_ties = 0
    first_column = 0
    here = (0, 0)
    last = ""
    turned = False
    for letter in outcomes:
        if letter == "T":
            if last == "":
                early_ties += 1
            else:
                ties[here] += 1
            continue
        if letter not in ("B", "P"):
            raise ValueError(f"no such outcome: {letter!r}")
        if letter != last:
            first_column += 1
            while (first_column, 1) in letters:
                first_column += 1
            here = (first_column, 1)
            turned = False
        else:
            below = (here[0], here[1] + 1)
            if below[1] > 6 or below in letters:
                turned = True
            here = (here[0] + 1, here[1]) if turned else below
        if here in letters:
            raise AssertionError(f"cell {here} is already taken")
        letters[here] = letter
        ties[here] = early_ties if last == "" else 0
        last = letter

    return [(column, row, colour, ties[(column, row)]) for (column, row), colour in letters.items()]
