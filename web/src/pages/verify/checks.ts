// The checks of a shoe, made here: nothing is asked of the floor.
import { cardName, ELEMENT_RANKS, ELEMENT_SUITS, STANDARD_RANKS, STANDARD_SUITS } from "../../lib/cards";
import { say } from "../../lib/words";
import { GAMES, type Game } from "./catalogue";
import { contributions } from "./contributions";
import { asDealt, commitmentOf } from "./order";
import { header, numberOf, orderOf, saying, wordsOf, type Bet, type Coup, type Said, type ShoeText } from "./shoetext";
import { play } from "./tableau";

export type Name = "reads" | "game" | "commitment" | "contributions" | "decks" | "cut" | "dealt" | "coups" | "wagers";
export type Result = "right" | "wrong" | "absent";

export interface Check {
  name: Name;
  result: Result;
  said: Said;
  /** Where it is wrong. */
  line?: number;
}

const USUAL_DECKS = 8;
const FEWEST_DECKS = 4;
const MOST_DECKS = 10;
const CLAUSE = /^\d+(\.\d+)+$/;
/** A time as the floor writes it, always in the one zone: the later text is the later time. */
const MOMENT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\+08:00$/;
const UNIT = /^\d{1,15}$/;

export function check(shoe: ShoeText): Check[] {
  const game = gameOf(shoe);
  return [
    reads(shoe),
    rules(shoe, game),
    sealed(shoe),
    { name: "contributions", ...contributions(shoe) },
    whole(shoe, game),
    cut(shoe),
    dealt(shoe),
    coups(shoe, game),
    wagers(shoe, game),
  ];
}

/** The game of the catalogue, in the edition that the digest says; none for a shoe that brings rules of its own. */
function gameOf(shoe: ShoeText): Game | null {
  if (shoe.declared) return null;
  const [key, digest] = [header(shoe, "game"), header(shoe, "digest")];
  return GAMES.find((game) => game.key === key && (!digest || game.digest === digest)) ?? null;
}

function rules(shoe: ShoeText, game: Game | null): Check {
  const name = "game";
  if (shoe.declared) return { name, result: "absent", said: saying("verify.coups.declared") };
  const key = header(shoe, "game");
  const wrong = (at: string, said: Said): Check => ({ name, result: "wrong", said, line: shoe.headers.get(at)?.line });
  if (!GAMES.some((each) => each.key === key))
    return wrong("game", saying("verify.game.unknown", { game: key.slice(0, 40) }));
  if (!game) return wrong("digest", saying("verify.game.digest", { game: key }));
  const book = wordsOf(header(shoe, "rulebook"))[0] ?? "";
  if (book && book !== game.rulebook)
    return wrong(
      "rulebook",
      saying("verify.game.rulebook", { game: key, rulebook: game.rulebook, found: book.slice(0, 40) }),
    );
  const least = leastUnit(shoe, game);
  const unit = shoe.headers.get("unit")?.value;
  if (unit !== undefined && (!UNIT.test(unit) || !BigInt(unit) || BigInt(unit) % BigInt(least)))
    return wrong("unit", saying("verify.game.unit", { least }));
  const told = { game: key, rulebook: game.rulebook };
  if (header(shoe, "demonstration") && game.virtual) return wrong("demonstration", saying("verify.game.virtual", told));
  // An older text does not say so, and its cards were virtual all the same.
  const virtual = header(shoe, "demonstration") || header(shoe, "commitment");
  const said = virtual && !game.virtual ? saying("verify.game.demonstration", told) : saying("verify.game.right", told);
  return { name, result: "right", said };
}

/** The smallest unit with which no wager of the shoe breaks a cent; of a shoe with none, the game's smallest. */
function leastUnit(shoe: ShoeText, game: Game): number {
  const placed = new Set(shoe.coups.flatMap((coup) => coup.bets.map((bet) => bet.wager)));
  const units = Object.entries(game.wagers).flatMap(([name, unit]) => (placed.has(name) ? [unit] : []));
  return units.length
    ? units.reduce((one, other) => (one * other) / divisor(one, other))
    : Math.min(...Object.values(game.wagers));
}

const divisor = (one: number, other: number): number => (other ? divisor(other, one % other) : one);

function reads(shoe: ShoeText): Check {
  const game = header(shoe, "game");
  const wagers = shoe.coups.reduce((sum, coup) => sum + coup.bets.length, 0);
  return {
    name: "reads",
    result: "right",
    said: saying("verify.reads.right", { game, rounds: shoe.coups.length, wagers }),
  };
}

function sealed(shoe: ShoeText): Check {
  const name = "commitment";
  const shown = shoe.headers.get("commitment");
  if (!header(shoe, "order") || !shown?.value)
    return { name, result: "absent", said: saying("verify.commitment.absent") };
  const found = commitmentOf(shoe);
  if (found === shown.value) return { name, result: "right", said: saying("verify.commitment.right") };
  return {
    name,
    result: "wrong",
    said: saying("verify.commitment.wrong", { found: found.slice(0, 16) }),
    line: shown.line,
  };
}

/** Every card of one deck: the game's; where that is not known, of the elements if one of theirs is there. */
function deckOf(game: Game | null, cards: string[]): string[] {
  const elements = game ? game.deck === "elements" : cards.some((card) => ELEMENT_SUITS.includes(card[1] ?? " "));
  const [ranks, suits] = elements ? [ELEMENT_RANKS, ELEMENT_SUITS] : [STANDARD_RANKS, STANDARD_SUITS];
  return [...suits].flatMap((suit) => [...ranks].map((rank) => rank + suit));
}

function whole(shoe: ShoeText, game: Game | null): Check {
  const name = "decks";
  const order = orderOf(shoe);
  const line = shoe.headers.get("order")?.line;
  const decks = numberOf(shoe, "decks", USUAL_DECKS);
  if (decks < FEWEST_DECKS || decks > MOST_DECKS) {
    return {
      name,
      result: "wrong",
      said: saying("verify.decks.count", { decks }),
      line: shoe.headers.get("decks")?.line,
    };
  }
  if (!order.length) return { name, result: "absent", said: saying("verify.commitment.absent") };
  const deck = deckOf(game, order);
  const found = new Map(deck.map((card) => [card, 0]));
  for (const card of order) {
    const count = found.get(card);
    if (count === undefined) return { name, result: "wrong", said: saying("verify.decks.foreign", { card }), line };
    found.set(card, count + 1);
  }
  for (const [card, count] of found) {
    if (count !== decks)
      return {
        name,
        result: "wrong",
        said: saying("verify.decks.wrong", { card, found: count, expected: decks }),
        line,
      };
  }
  return {
    name,
    result: "right",
    said: saying("verify.decks.right", { cards: order.length, decks, size: deck.length }),
  };
}

function cut(shoe: ShoeText): Check {
  const name = "cut";
  for (const key of ["cut-at", "contributions-closed", "first-bets"]) {
    const found = shoe.headers.get(key);
    if (found && !MOMENT.test(found.value))
      return {
        name,
        result: "wrong",
        said: saying("verify.cut.no-time", { key, value: found.value.slice(0, 40) }),
        line: found.line,
      };
  }
  const [at, bets] = [header(shoe, "cut-at"), header(shoe, "first-bets")];
  if (at && bets && at > bets)
    return {
      name,
      result: "wrong",
      said: saying("verify.cut.late", { at, bets }),
      line: shoe.headers.get("cut-at")?.line,
    };
  const cards = orderOf(shoe).length;
  if (!cards) return { name, result: "absent", said: saying("verify.commitment.absent") };
  const [cut, behind] = [numberOf(shoe, "cut", 0), numberOf(shoe, "behind", 0)];
  if (cut > cards || behind > cards) {
    const line = shoe.headers.get(cut > cards ? "cut" : "behind")?.line;
    return { name, result: "wrong", said: saying("verify.cut.wrong", { cut, behind, cards }), line };
  }
  if (!cut) return { name, result: "right", said: saying("verify.cut.none", { behind }) };
  const when = !at
    ? saying("verify.cut.untimed")
    : bets
      ? saying("verify.cut.before", { at: moment(at), bets: moment(bets) })
      : saying("verify.cut.at", { at: moment(at) });
  const where = saying("verify.cut.right", { cut, behind });
  return { name, result: "right", said: () => say("verify.cut.both", { where: where(), when: when() }) };
}

/** A time without its zone, which is the floor's. */
const moment = (text: string): string => text.slice(0, text.indexOf("+"));

export const dealtCards = (shoe: ShoeText): { card: string; coup: Coup }[] =>
  shoe.coups.flatMap((coup) => coup.cards.map((card) => ({ card, coup })));

function dealt(shoe: ShoeText): Check {
  const name = "dealt";
  const order = asDealt(shoe);
  if (!order.length) return { name, result: "absent", said: saying("verify.commitment.absent") };
  const came = dealtCards(shoe);
  for (const [at, { card, coup }] of came.entries()) {
    const expected = order[at];
    if (expected === card) continue;
    const place = at + 1;
    const said: Said =
      expected === undefined
        ? saying("verify.dealt.over", { place, cards: order.length })
        : () => saying("verify.dealt.wrong", { place, expected: cardName(expected), card: cardName(card) })();
    return { name, result: "wrong", said, line: coup.line };
  }
  return { name, result: "right", said: saying("verify.dealt.right", { dealt: came.length }) };
}

function coups(shoe: ShoeText, game: Game | null): Check {
  const name = "coups";
  if (!game)
    return { name, result: "absent", said: saying(shoe.declared ? "verify.coups.declared" : "verify.coups.unknown") };
  const decks = numberOf(shoe, "decks", USUAL_DECKS);
  const left = new Map(deckOf(game, []).map((card) => [card, decks]));
  let [before, discarded] = [0, false];
  for (const coup of shoe.coups) {
    const wrong = (said: Said): Check => ({ name, result: "wrong", said, line: coup.line });
    const round = coup.number;
    // Cards that were discarded have a line of their own before their round's.
    if (round < before || (round === before && !discarded))
      return wrong(saying("verify.coups.sequence", { round, before }));
    [before, discarded] = [round, coup.void !== null && !coup.bets.length];
    for (const card of coup.cards) {
      const more = left.get(card);
      if (more === undefined) return wrong(saying("verify.decks.foreign", { card }));
      if (!more) return wrong(saying("verify.coups.often", { card, decks }));
      left.set(card, more - 1);
    }
    const said = faultOf(coup, game);
    if (said) return wrong(said);
  }
  return { name, result: "right", said: saying("verify.coups.right", { rounds: shoe.coups.length }) };
}

function faultOf(coup: Coup, game: Game): Said | null {
  const played = play(coup.cards, game.opening === "permanent-7");
  const { number: round, void: clause } = coup;
  if (played === "many") return saying("verify.coups.many", { round });
  if (clause !== null) {
    // Void: whatever had come by then, but by a clause.
    const named = clause.startsWith(`${game.rulebook} `) ? clause.slice(game.rulebook.length + 1) : clause;
    const right = CLAUSE.test(named) || (!clause && !game.refers);
    return right ? null : saying("verify.coups.clause", { round, rulebook: game.rulebook });
  }
  if (played === "more") return saying("verify.coups.more", { round });
  if (played.player !== coup.totals?.[0] || played.banker !== coup.totals[1]) {
    return saying("verify.coups.totals", { round, player: played.player, banker: played.banker });
  }
  // Pairs may be left out, but not be told wrongly.
  const right = coup.outcome === played.outcome || coup.outcome === played.outcome[0];
  return right ? null : saying("verify.coups.outcome", { round, outcome: played.outcome });
}

/** Whatever can be said of wagers without the odds. */
function wagers(shoe: ShoeText, game: Game | null): Check {
  const name = "wagers";
  if (!game)
    return { name, result: "absent", said: saying(shoe.declared ? "verify.coups.declared" : "verify.coups.unknown") };
  const unit = UNIT.test(header(shoe, "unit")) ? BigInt(header(shoe, "unit")) : 0n;
  for (const coup of shoe.coups) {
    for (const bet of coup.bets) {
      const said = faultOfBet(bet, coup, game, unit);
      if (said) return { name, result: "wrong", said, line: coup.line };
    }
  }
  return { name, result: "right", said: saying("verify.wagers.right") };
}

function faultOfBet(bet: Bet, coup: Coup, game: Game, unit: bigint): Said | null {
  const { stake_cents: stake, counted_cents: counted } = bet;
  const about = { round: coup.number, patron: bet.patron.slice(0, 40), wager: bet.wager.slice(0, 40) };
  if (!Object.hasOwn(game.wagers, bet.wager)) return saying("verify.wagers.unknown", { ...about, game: game.key });
  if (!stake || counted > stake) return saying("verify.wagers.stake", about);
  if (unit && (stake % unit || counted % unit)) return saying("verify.wagers.unit", about);
  if (coup.void === null && counted && counted < stake && !game.parts)
    return saying("verify.wagers.part", { ...about, rulebook: game.rulebook });
  const back = coup.void !== null || !counted;
  const result = counted ? "void" : "returned";
  const inFull = bet.paid_cents === stake && bet.result === result && (!counted || counted === stake);
  return back && !inFull ? saying("verify.wagers.back", about) : null;
}
