import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracle import roads as oracle

from punto.roads import LETTERS, Cell, Chart, Colour, Outcome, Road, derived_cells, parse_outcomes
from punto.rules import Side, Winner

# Streaks, singles and ties in all proportions.
shoes = st.lists(st.tuples(st.sampled_from("BPT"), st.sampled_from([1, 1, 1, 2, 2, 3, 5, 8, 14])), max_size=30).map(
    lambda runs: "".join(letter * length for letter, length in runs)
)


def chart(text: str) -> Chart:
    return Chart.of(parse_outcomes(text))


def derived(text: str) -> list[str]:
    """The three derived roads as letters."""
    return ["".join(colour.value for colour in chart(text).derived(road)) for road in Road]


@pytest.mark.parametrize(
    ("text", "big_eye", "small", "cockroach"),
    [
        ("", "", "", ""),
        ("B", "", "", ""),
        ("BBBB", "", "", ""),
        ("BP", "", "", ""),
        ("BPP", "B", "", ""),  # the second column outgrows the first by one
        ("BPPP", "BR", "", ""),  # and by two
        ("BBPP", "R", "", ""),
        ("BPB", "R", "", ""),  # columns of one and one
        ("BPPB", "BB", "", ""),
        ("BPBPBPBP", "RRRRRR", "RRRRR", "RRRR"),  # chop
        ("BBPPBBPPBB", "RRRRRRR", "RRRRR", "RRR"),
    ],
)
def test_derived_roads_of_short_shoes(text: str, big_eye: str, small: str, cockroach: str) -> None:
    assert derived(text) == [big_eye, small, cockroach]


def test_a_worked_example_by_hand() -> None:
    # Streaks of 1, 3, 2, 4, 1, 1 and 3. A cell reads "length, or row and length, compared: colour".
    big_eye = "2~1:B 3~1:R  3=1?B  2~3:R  2=3?B 2~2:R 3~2:B 4~2:R  4=2?B  1=4?B  1=1?R 2~1:B 3~1:R"
    small = "2~1:B  2=1?B 2~3:R 3~3:R 4~3:B  4=3?B  1=2?B  1=4?B 2~1:B 3~1:R"
    cockroach = "2~1:B 3~1:R 4~1:R  4=1?B  1=3?B  1=2?B 2~4:R 3~4:R"
    worked = ["".join(cell[-1] for cell in road.split()) for road in (big_eye, small, cockroach)]
    assert derived("BPPPBBPPPPBPBBB") == worked == ["BRBRBRBRBBRBR", "BBRRBBBBBR", "BRRBBBRR"]


@given(shoes)
def test_derived_roads_equal_those_read_off_a_grid(text: str) -> None:
    assert derived(text) == [oracle.derived(text, back) for back in (1, 2, 3)]


@given(shoes)
def test_the_big_road_equals_one_drawn_cell_by_cell(text: str) -> None:
    cells = [(cell.column, cell.row, LETTERS[mark.outcome.winner], mark.ties) for cell, mark in chart(text).big_road]
    assert cells == oracle.big_road(text)


@given(shoes, st.sampled_from(Side))
def test_asking_the_road_tells_what_the_next_round_would_show(text: str, side: Side) -> None:
    now, then = chart(text), chart(text + side.name[0])
    for road, colour in now.ask(side).items():
        assert then.derived(road) == now.derived(road) + ((colour,) if colour else ())


def test_asking_an_empty_road_tells_nothing() -> None:
    for text in ("", "TT"):
        for side in Side:
            assert chart(text).ask(side) == dict.fromkeys(Road)


def test_the_bead_plate_has_every_outcome_in_columns_of_six() -> None:
    plate = chart("BPTBbPpTBP").bead_plate
    assert [[str(outcome) for outcome in column] for column in plate] == [["B", "P", "T", "Bb", "Pp", "T"], ["B", "P"]]
    assert chart("").bead_plate == ()
    assert [len(column) for column in chart("B" * 13).bead_plate] == [6, 6, 1]


def test_ties_are_counted_on_the_last_win_and_leading_ones_on_the_first() -> None:
    assert [[mark.ties for mark in column] for column in chart("TTBTBPTTTP").columns] == [[3, 0], [3, 0]]
    assert chart("TTT").columns == ()
    assert chart("TTT").big_road == ()


def test_pairs_are_marked_on_the_cell_of_their_own_round() -> None:
    marks = [mark.outcome for _, mark in chart("BbTpPp").big_road]
    assert marks == [Outcome(Winner.BANKER, banker_pair=True), Outcome(Winner.PLAYER, player_pair=True)]


def test_ties_do_not_end_a_streak_nor_show_on_the_derived_roads() -> None:
    assert chart("BTBTTB").lengths == (3,)
    assert derived("BTPPTTBB") == derived("BPPBB")


def test_void_rounds_do_not_appear() -> None:
    rounds = parse_outcomes("BPPB")
    with_voids = [None, rounds[0], None, *rounds[1:], None]
    assert Chart.of(with_voids) == Chart.of(rounds)


def test_a_long_streak_is_compared_by_its_length_and_not_as_drawn() -> None:
    # Eight of Banker are drawn as six down and two along; Player's eighth still compares with eight.
    text = "B" * 8 + "P" * 10
    assert derived(text)[0] == "RRRRRRR" + "B" + "R"


def test_derived_roads_are_drawn_like_the_big_one() -> None:
    red, blue = Colour.RED, Colour.BLUE
    assert derived_cells((red, red, blue)) == ((Cell(1, 1), red), (Cell(1, 2), red), (Cell(2, 1), blue))
    assert derived_cells((blue,) * 7)[-1] == (Cell(2, 6), blue)
    assert derived_cells(()) == ()


def test_roads_look_one_two_and_three_columns_back() -> None:
    assert [(road.name, road.value) for road in Road] == [("BIG_EYE_BOY", 1), ("SMALL_ROAD", 2), ("COCKROACH_PIG", 3)]
