"""Write what a page must know of the games to check a shoe: `python tools/catalogue.py > …/verify/catalogue.ts`."""

import json

from punto.games import EDITIONS, GAMES, RULEBOOKS, digest
from punto.games.eb4 import EB4
from punto.rules import Game
from punto.rules.money import unit_of

HEAD = """\
// Made by tools/catalogue.py from the games themselves: change those, not this file.

export interface Game {
  key: string;
  digest: string;
  deck: string;
  opening: string;
  rulebook: string;
  /** Whether the rulebook has a clause for whatever it does not name: then nothing is void without one. */
  refers: boolean;
  /** Whether a stake beyond the limits is settled in part. */
  parts: boolean;
  /** Whether the cards may be virtual by the rulebook: else virtual ones are demonstration rules. */
  virtual: boolean;
  /** Each wager with the smallest stake, in cents, that it pays without breaking one. */
  wagers: Record<string, number>;
}
"""


def told(game: Game) -> dict[str, object]:
    """A game as the page knows it."""
    book = RULEBOOKS[game.rulebook or EB4.code]
    return {
        "key": game.key,
        "digest": digest(game),
        "deck": game.deck.key,
        "opening": game.opening.key,
        "rulebook": book.code,
        "refers": bool(book.conduct.other_clause),
        "parts": bool(book.conduct.limits and book.conduct.limits.over),
        "virtual": book.conduct.virtual,
        "wagers": {wager.name: unit_of([wager]) for wager in game.wagers},
    }


def main() -> None:
    """Print all games in force, and then those that no longer are."""
    games = [*GAMES.values(), *(game for editions in EDITIONS.values() for game in editions)]
    lines = (f"  {json.dumps(told(game))}," for game in games)
    print(HEAD, "export const GAMES: Game[] = [", *lines, "];", sep="\n")


if __name__ == "__main__":
    main()
