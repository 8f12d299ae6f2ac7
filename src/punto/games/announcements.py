"""What a table says or shows, in both languages."""

from typing import Final

from punto.rules import Label

PLACE_YOUR_BETS: Final = Label("Place your bets, please", "请下注")
BETS_ARE_OPEN: Final = Label("Bets are open", "开始下注")
NO_MORE_BETS: Final = Label("No more bets", "停止下注")
BETS_ARE_CLOSED: Final = Label("Bets are closed", "下注已截止")
