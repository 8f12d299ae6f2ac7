"""Positions as they are said."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from punto.rules.conduct import Position
from punto.rules.words import Label

POSITIONS: Final[Mapping[Position, Label]] = MappingProxyType(
    {
        Position.SYSTEM: Label("System", "系统"),
        Position.PATRON: Label("Patron", "玩家"),
        Position.DEALER: Label("Dealer", "荷官"),
        Position.PIT_SUPERVISOR: Label("Pit Supervisor", "区域主任"),
        Position.PIT_MANAGER: Label("Pit Manager", "区域经理"),
        Position.ASSISTANT_CASINO_MANAGER: Label("Assistant Casino Manager", "赌场助理经理"),
        Position.GAMING_SHIFT_MANAGER: Label("Gaming Shift Manager", "博彩值班经理"),
        Position.CASINO_MANAGER: Label("Casino Manager", "赌场经理"),
        Position.CASINO_DIRECTOR: Label("Casino Director", "赌场总监"),
    }
)
