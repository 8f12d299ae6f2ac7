"""The names of the roads."""

from typing import Final

from punto.roads.chart import Road
from punto.rules import Label

BEAD_PLATE: Final = Label("Bead plate", "珠盘路")
BIG_ROAD: Final = Label("Big road", "大路")
DERIVED: Final = {
    Road.BIG_EYE_BOY: Label("Big eye boy", "大眼仔"),
    Road.SMALL_ROAD: Label("Small road", "小路"),
    Road.COCKROACH_PIG: Label("Cockroach pig", "曱甴路"),
}
