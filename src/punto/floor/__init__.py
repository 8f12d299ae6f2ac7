"""Running tables: the command handler, the shuffle, recovery, scenarios.

A `Floor` takes commands, lets tables judge them, and makes events, transfers and a signed head durable together.
"""

from punto.floor.answers import Answer
from punto.floor.handler import Floor
from punto.floor.keys import Keys
from punto.floor.scenario import Runner, Scenario, read_scenario
from punto.floor.wire import read_command
from punto.floor.work import Sent

__all__ = ["Answer", "Floor", "Keys", "Runner", "Scenario", "Sent", "read_command", "read_scenario"]
