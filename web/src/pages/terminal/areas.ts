// Where the wagers of a game lie on the layout: the hands below, pairs and the tie above them, all others beside,
// each on its own hand's side where its name says whose it is.
import type { WagerInfo } from "../../wire";

export type Hue = "player" | "banker" | "tie" | "plain";

export interface Placed {
  wager: WagerInfo;
  hue: Hue;
  /** How many of the six columns it takes. */
  span: number;
}

export interface Arrangement {
  mains: Placed[];
  sides: Placed[];
  pairs: boolean;
}

const COLUMNS = 6;

export function hueOf(name: string): Hue {
  if (name === "Tie") return "tie";
  if (name.startsWith("Player")) return "player";
  if (name.startsWith("Banker")) return "banker";
  return "plain";
}

/** Rows of three and of two, so that every row is full: 5 are 3 and 2. */
function spans(count: number): number[] {
  if (count === 1) return [COLUMNS];
  const threes = count % 3 === 0 ? count : count % 3 === 2 ? count - 2 : count - 4;
  return Array.from({ length: count }, (_, at) => (at < threes ? 2 : 3));
}

function placed(wagers: WagerInfo[], widths: number[]): Placed[] {
  return wagers.map((wager, at) => ({ wager, hue: hueOf(wager.name), span: widths[at] ?? COLUMNS }));
}

export function arrange(wagers: readonly WagerInfo[]): Arrangement {
  const named = (name: string): WagerInfo[] => wagers.filter((wager) => wager.name === name);
  const above = [...named("Player Pair"), ...named("Tie"), ...named("Banker Pair")];
  const hands = [...named("Player"), ...named("Banker")];
  const pairs = above.length > 1;
  const mains = pairs
    ? [...placed(above, spans(above.length)), ...placed(hands, spans(hands.length))]
    : placed([...named("Player"), ...named("Tie"), ...named("Banker")], spans(hands.length + above.length));

  const others = wagers.filter((wager) => !mains.some((each) => each.wager === wager));
  const free = others.filter((wager) => hueOf(wager.name) === "plain");
  const players = others.filter((wager) => hueOf(wager.name) === "player");
  const bankers = others.filter((wager) => hueOf(wager.name) === "banker");
  // Player's at the left, Banker's at the right, in twos: the same wager on either hand side by side.
  const twos =
    players.length === bankers.length
      ? players.flatMap((each, at) => [each, bankers[at] as WagerInfo])
      : [...players, ...bankers];
  return {
    mains,
    sides: [
      ...placed(free, spans(free.length)),
      ...placed(
        twos,
        twos.map(() => COLUMNS / 2),
      ),
    ],
    pairs,
  };
}
