// What the next right act means at this console: what the button says, what is spoken with it, and what may happen instead.
import { cardName } from "../../lib/cards";
import { say } from "../../lib/words";
import { money } from "../../lib/money";
import { floor } from "../../live";
import type { Do, Pending, Side, StaffState, TableState } from "../../wire";
import { holds, UNSEEN } from "../pit/decisions";

export interface Choice {
  label: string;
  /** None where more must be said: then a sheet asks for it. */
  act: Do["act"] | null;
  opens?: "shoe";
}

export interface Step {
  label: string;
  /** What to say aloud. */
  spoken: string;
  /** What to do first, or to know. */
  hint: string;
  side: Side | null;
  /** None while somebody else must act, or a card must be named first. */
  act: Do["act"] | null;
  /** Where it is done with wagers, the sheet that has them. */
  opens: "wager" | null;
  other: Choice | null;
  /** Both choices are as good: which is the Dealer's to say. */
  equal: boolean;
  /** How many cards must be named: a card that is drawn, or those that a hand shows. */
  needs: number;
  /** The card may also come face down, and be read by nobody. */
  unread: boolean;
}

const NOTHING: Step = {
  label: "",
  spoken: "",
  hint: "",
  side: null,
  act: null,
  opens: null,
  other: null,
  equal: false,
  needs: 0,
  unread: false,
};

/** How many cards are drawn before any third card: where Player begins with a permanent seven, one fewer. */
const initial = (state: TableState): number => (state.info?.permanent_7 ? 3 : 4);

/** The next right act, with the cards that were named for it so far. */
export function nextStep(state: TableState, staff: StaffState, named: readonly string[]): Step {
  const next = staff.next;
  if (!next && staff.pending?.what === "balance") return balance(state, staff.pending);
  if (!next) {
    const closed = state.phase === "closed";
    return {
      ...NOTHING,
      label: closed ? say("dealer.do.closed") : say("dealer.do.wait"),
      hint: closed ? "" : say("dealer.hint.decision"),
    };
  }
  const side = next.side ?? null;
  const patron = next.patron || (side ? handler(staff, side) : "");
  switch (next.do) {
    case "load-shoe":
      return { ...NOTHING, label: say("dealer.do.load-shoe"), act: { do: "load-shoe" } };
    case "end-shoe":
      return replacing(state, staff);
    case "close-contributions":
      return {
        ...NOTHING,
        label: say("dealer.do.close-contributions"),
        hint: say("dealer.hint.contributors", { count: state.shoe.contributors }),
        act: { do: "close-contributions" },
      };
    case "open-bets":
      return {
        ...NOTHING,
        label: say("dealer.do.open-bets"),
        spoken: say("dealer.say.open-bets"),
        act: { do: "open-bets" },
      };
    case "close-bets":
      return {
        ...NOTHING,
        label: say("dealer.do.close-bets"),
        spoken: say("dealer.say.close-bets"),
        act: { do: "close-bets" },
      };
    case "settle":
      return { ...NOTHING, label: say("dealer.do.settle"), act: { do: "settle" } };
    case "call-time":
      return {
        ...NOTHING,
        label: say("dealer.do.call-time"),
        spoken: say("dealer.say.time"),
        act: { do: "call-time" },
      };
    case "announce":
      return announcement(state);
    case "draw-card":
      return drawing(state, staff, named);
    case "choose-first":
      return {
        ...NOTHING,
        label: first("player"),
        hint: say("dealer.hint.which"),
        act: { do: "choose-first", side: "player" },
        other: { label: first("banker"), act: { do: "choose-first", side: "banker" } },
        equal: true,
      };
    case "expose-cards": {
      const shown = exposure(side!, next.needs_cards, named, say("dealer.do.expose", { side: say(side!) }), "");
      // By Method C who has the device has the hands too, and shows them; the Dealer may in the end.
      if (state.method !== "C" || !staff.device || !shown.act) return shown;
      const label = say("dealer.do.shows", { patron: staff.device, side: say(side!) });
      return {
        ...exposure(side!, next.needs_cards, named, label, staff.device),
        other: { label: shown.label, act: shown.act },
      };
    }
    case "report-absence": {
      if (!side) return drawnByPatron(state, staff);
      const needs = staff.unread ? faceDown(state, side) : 0;
      const shown = exposure(side, needs, named, say("dealer.do.shows", { patron, side: say(side) }), patron);
      return {
        ...shown,
        other: { label: say("dealer.do.absent", { patron }), act: { do: "report-absence", side } },
      };
    }
    case "refuse-cards":
      return {
        ...NOTHING,
        label: say("dealer.do.takes", { patron }),
        spoken: say("dealer.say.passed", { side: say(side!), patron }),
        side,
        act: { do: "accept-cards", side: side!, patron },
        other: { label: say("dealer.do.refuses", { patron }), act: { do: "refuse-cards", side: side!, patron } },
      };
    case "refer":
      return {
        ...NOTHING,
        label: say("dealer.do.refer-device"),
        hint: say("dealer.hint.no-device"),
        act: { do: "refer", matter: say("dealer.matter.no-device") },
      };
    default:
      return { ...NOTHING, label: say("dealer.do.wait") };
  }
}

/** The shoe comes out: because it must, or because that is proposed and a Pit Manager has not decided otherwise. */
function replacing(state: TableState, staff: StaffState): Step {
  const { closed, unrevealed } = state.shoe;
  if (closed && !staff.shoe_proposed && !staff.shoe_spent)
    return {
      ...NOTHING,
      label: say("dealer.do.replace"),
      hint: say(unrevealed ? "dealer.hint.unrevealed" : "dealer.hint.beacon", { count: unrevealed }),
      act: { do: "end-shoe" },
    };
  if (!staff.shoe_proposed || staff.shoe_spent)
    return { ...NOTHING, label: say("dealer.do.end-shoe"), act: { do: "end-shoe" } };
  const may = holds(floor.welcome?.position ?? "", "pit-manager", state.info?.ranks);
  return {
    ...NOTHING,
    label: say("dealer.do.replace"),
    hint: say(staff.shoe_in_doubt ? "dealer.hint.in-doubt" : "dealer.hint.proposed"),
    act: { do: "end-shoe" },
    other: may ? { label: say("dealer.do.keep"), act: null, opens: "shoe" } : null,
  };
}

/** By Method C who has the device draws; who is not there does not, and the Dealer does for the rest of the round. */
function drawnByPatron(state: TableState, staff: StaffState): Step {
  const patron = staff.device;
  return {
    ...NOTHING,
    label: say("dealer.do.draws", { patron }),
    side: state.due,
    other: { label: say("dealer.do.absent", { patron }), act: { do: "report-absence" } },
  };
}

/** One hand is too heavy: before anything is removed, patrons are asked. */
function balance(state: TableState, pending: Pending): Step {
  const amount = money(pending.excess_cents, floor.welcome?.currency);
  const [decrease = ""] = pending.clauses;
  const side = state.heavier;
  return {
    ...NOTHING,
    label: say("dealer.do.decrease"),
    spoken: side ? say("dealer.event.differential-exceeded", { side: say(side), amount }) : "",
    hint: decrease,
    opens: "wager",
  };
}

const first = (side: Side): string => say("dealer.do.first", { side: say(side) });

/** Who turns a hand's cards: who is named in the patron's place, else the patron. */
export function handler(staff: StaffState, side: Side): string {
  const hand = staff.hands[side];
  return hand ? hand.designee || hand.holder : "";
}

function faceDown(state: TableState, side: Side): number {
  return state.cards.filter(([of, card]) => of === side && !card).length;
}

function announcement(state: TableState): Step {
  const [player, banker] = state.totals;
  const label = state.cards.length > initial(state) ? say("dealer.do.outcome") : say("dealer.do.announce");
  const step: Step = { ...NOTHING, label, act: { do: "announce" } };
  if (player === null || banker === null) return step;
  if (state.cards.length <= initial(state)) return { ...step, spoken: say("dealer.say.totals", { player, banker }) };
  const winner = player === banker ? "tie" : player > banker ? "player" : "banker";
  return { ...step, spoken: say(`dealer.say.${winner}` as "dealer.say.player", { player, banker }) };
}

function drawing(state: TableState, staff: StaffState, named: readonly string[]): Step {
  const side = state.due;
  const place = side ? say(side) : "";
  const third = state.cards.length >= initial(state);
  const step: Step = {
    ...NOTHING,
    label: say(third ? "dealer.do.third" : "dealer.do.card", { side: place }),
    spoken: third ? say("dealer.say.third", { side: place }) : "",
    side,
  };
  const unread = side !== null && comesFaceDown(state, staff, side);
  const surplus = staff.surplus[0];
  // A card that was drawn too many, and that neither anybody nor the device has read, is named when it lies open.
  const unnamed = surplus === UNSEEN && !state.info?.reads && !unread;
  if (state.info?.virtual || (surplus && !unnamed)) {
    return { ...step, hint: surplus ? comesNow(surplus) : "", act: { do: "draw-card" } };
  }
  const card = named[0];
  if (!card) return { ...step, hint: say("dealer.hint.enter"), needs: 1, unread };
  return {
    ...step,
    label: say("dealer.do.this", { card: cardName(card), side: place }),
    act: { do: "draw-card", card },
    needs: 1,
    unread,
  };
}

function comesNow(surplus: string): string {
  return surplus === UNSEEN
    ? say("dealer.hint.surplus-unseen")
    : say("dealer.hint.surplus", { card: cardName(surplus) });
}

/** Whether the next card of a hand may lie face down: then a device that does not read leaves it without a name. */
function comesFaceDown(state: TableState, staff: StaffState, side: Side): boolean {
  return state.method === "A" || state.method === "C" || handler(staff, side) !== "";
}

function exposure(side: Side, needs: number, named: readonly string[], label: string, patron: string): Step {
  const missing = needs - named.length;
  const cards = needs ? named.slice(0, needs).join(" ") : "";
  return {
    ...NOTHING,
    label,
    side,
    hint: missing > 0 ? say("dealer.hint.name", { count: missing }) : "",
    act: missing > 0 ? null : { do: "expose-cards", side, patron, cards },
    needs,
  };
}
