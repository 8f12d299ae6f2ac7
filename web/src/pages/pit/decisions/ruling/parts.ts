// What a decision can consist of at a table as it is, and how the form's entries are written as one decision.
import { parseMoney } from "../../../../lib/money";
import type {
  Method,
  Part,
  Pending,
  Rule,
  SeenCard,
  ShoeRuling,
  StaffState,
  StatedResult,
  TableState,
  Text,
  WagerInfo,
} from "../../../../wire";

/** A card that nobody has named: it lies face down, or was seen and not read. */
export const UNREAD = "?";

const BETWEEN = ["idle", "settled", "void"];
const PLAYING = ["bets-open", "bets-closed", "initial-deal", "drawing", "outcome"];
const PUSH = "push";
const ODDS = /^([\d.]+) to ([\d.]+)$/;
// What puts the contents of a shoe in doubt (interpretation 17).
const OF_CONTENTS = ["extra-cards", "missing-cards", "foreign-cards"];

/** What becomes of the round; that wagers go back is said of each wager. */
export type RoundRuling = "continue" | "order" | "void";
/** What becomes of a card that was seen: unless said otherwise it is burnt before bets close, and comes in its turn after. */
export type CardFate = "burnt" | "played" | "turn";
/** What becomes of a wager; `win 8 to 1` names a line of its pay table. */
export type WagerFate = "stays" | "back" | "part" | "lose" | "push" | `win ${string}`;
export type ShoeChoice = "" | ShoeRuling;

/** What is decided about. */
export interface Matter {
  pending: Pending;
  staff: StaffState;
  seen: TableState;
}

/** The entries of the form. */
export interface Draft {
  round: number;
  ruling: RoundRuling | null;
  /** The cards in the order that is stated. */
  order: string[];
  /** By the place of the card among those that were seen. */
  cards: Record<number, CardFate>;
  burnNext: string;
  /** Cards that are burnt though nobody has seen them. */
  burnNamed: string[];
  wagers: Record<number, { fate: WagerFate; amount: string }>;
  reopen: boolean;
  method: Method | "";
  shoe: ShoeChoice;
  counted: string;
}

/** What can be decided of a round; what cannot is not shown. */
export interface Options {
  /** It has not begun: it has neither cards nor wagers. */
  coming: boolean;
  /** Bets have opened since: it can only be said to stand. */
  earlier: boolean;
  rulings: RoundRuling[];
  wagers: boolean;
  /** Wagers can no longer change: a result can be stated. */
  results: boolean;
  /** Between rounds: a shoe that is replaced takes all cards with it before bets open. */
  between: boolean;
  /** Bets are not closed: a card that was seen decides no wager, unless it is said to be played. */
  beforeClose: boolean;
  /** The cards that were seen and are not in play. */
  seen: SeenCard[];
  /** Any card can be taken out by its name: nobody can do that with a shoe that the floor holds. */
  named: boolean;
  reopen: boolean;
  methods: Method[];
  shoes: ShoeChoice[];
}

/**
 * The rounds that a decision can apply to: between rounds the last one, or the coming one. What no rule covers may also
 * concern the round before (interpretation 43).
 */
export function roundsOf({ pending, seen }: Pick<Matter, "pending" | "seen">): number[] {
  // A matter of the coming round touches no earlier one.
  if (pending.round > seen.round) return [pending.round];
  if (!BETWEEN.includes(seen.phase)) {
    return pending.found === "other" && seen.round > 1 ? [seen.round, seen.round - 1] : [seen.round];
  }
  return seen.round ? [seen.round, seen.round + 1] : [1];
}

/** What can be decided of one of them. */
export function optionsOf(matter: Matter, round: number): Options {
  const { pending, staff, seen } = matter;
  const coming = round > seen.round;
  const earlier = round < seen.round;
  const playing = PLAYING.includes(seen.phase);
  const has = !coming && !earlier && (playing || seen.phase === "settled");
  const orderly = has && seen.cards.length > 0 && !seen.info?.virtual;
  const beforeClose = coming || BETWEEN.includes(seen.phase) || seen.phase === "bets-open" || Boolean(seen.heavier);
  return {
    coming,
    earlier,
    rulings: has ? ["continue", ...(orderly ? (["order"] as const) : []), "void"] : ["continue"],
    wagers: has && staff.wagers.length > 0,
    between: BETWEEN.includes(seen.phase),
    beforeClose,
    results: !seen.heavier && seen.phase !== "bets-open",
    seen: pending.seen,
    named: !seen.info?.virtual,
    reopen: has && playing && seen.phase !== "bets-open",
    methods: seen.method === "C" && !earlier ? (seen.info?.methods ?? []).filter((each) => each !== "C") : [],
    shoes: earlier ? [""] : shoesOf(matter, coming),
  };
}

function shoesOf({ pending, staff, seen }: Matter, coming: boolean): ShoeChoice[] {
  if (OF_CONTENTS.includes(pending.found) && coming) return ["keep", "replace"];
  const keeps = !seen.info?.virtual || seen.shoe.last_round || staff.shoe_proposed;
  return ["", "replace", ...(keeps ? (["keep"] as const) : [])];
}

/** A form in which nothing is said yet; what has only one answer is answered. */
export function begun(matter: Matter): Draft {
  const rounds = roundsOf(matter);
  const round = rounds.includes(matter.pending.round) ? matter.pending.round : rounds[0]!;
  const options = optionsOf(matter, round);
  return {
    round,
    ruling: options.rulings.length === 1 ? options.rulings[0]! : null,
    order: [],
    cards: {},
    burnNext: "",
    burnNamed: [],
    wagers: {},
    reopen: false,
    method: "",
    shoe: options.shoes[0]!,
    counted: "",
  };
}

/** The same form for another round: what cannot be decided of that one is forgotten. */
export function moved(draft: Draft, matter: Matter, round: number): Draft {
  const options = optionsOf(matter, round);
  const ruling = draft.ruling && options.rulings.includes(draft.ruling) ? draft.ruling : null;
  return {
    ...draft,
    round,
    ruling: options.rulings.length === 1 ? options.rulings[0]! : ruling,
    shoe: options.shoes.includes(draft.shoe) ? draft.shoe : options.shoes[0]!,
  };
}

/** The cards that can be put in order: those of the round as they were drawn, and those beside it that are not burnt. */
export function orderable(draft: Draft, { staff, seen }: Pick<Matter, "staff" | "seen">, options: Options): string[] {
  const burnt = options.seen.filter((_, at) => draft.cards[at] === "burnt").map(({ card }) => card);
  const beside = staff.surplus.filter((card) => {
    const at = burnt.indexOf(card);
    if (at >= 0) burnt.splice(at, 1);
    return at < 0;
  });
  return [...seen.cards.map(([, card]) => card || UNREAD), ...beside];
}

/** Whether wagers can still be placed after the decision: then a card that was seen must not decide them. */
export function beforeClose(draft: Draft, options: Options): boolean {
  return options.beforeClose || (draft.reopen && saysReopen(draft, options));
}

/** What can become of a card that was seen, the usual first. */
export function cardChoices(card: SeenCard, draft: Draft, options: Options): CardFate[] {
  if (!beforeClose(draft, options)) return card.card === UNREAD ? ["turn"] : ["turn", "burnt"];
  return card.barred ? ["burnt", "played"] : ["played", "burnt"];
}

/** What becomes of the cards that were seen, in their places; one that is put in order is played. */
export function cardFates(draft: Draft, { seen }: Pick<Matter, "seen">, options: Options): CardFate[] {
  const rest = draft.ruling === "order" ? [...draft.order] : [];
  const take = (card: string): boolean => {
    const at = rest.indexOf(card);
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  };
  for (const [, card] of seen.cards) take(card || UNREAD);
  return options.seen.map((card, at) => {
    if (take(card.card)) return "played";
    const choices = cardChoices(card, draft, options);
    const said = draft.cards[at];
    return said && choices.includes(said) ? said : choices[0]!;
  });
}

/** Whether anything is said about cards: a shoe that is replaced before bets open takes them with it. */
export function saysCards(draft: Draft, options: Options): boolean {
  return !options.earlier && !(options.between && draft.shoe === "replace");
}

/** Whether anything is said about wagers: a void returns them all. */
export function saysWagers(draft: Draft, options: Options): boolean {
  return options.wagers && draft.ruling !== "void";
}

/** Whether a wager can be paid or collected at a stated result. */
export function saysResults(draft: Draft, options: Options): boolean {
  return options.results && !(draft.reopen && saysReopen(draft, options));
}

/** Whether bets can reopen: not with a void, nor after cards that are put in order. */
export function saysReopen(draft: Draft, options: Options): boolean {
  return options.reopen && draft.ruling !== "void" && draft.ruling !== "order";
}

/** Whether the cards in the device must have been counted, or may have been. */
export function counting(draft: Draft, { pending, staff, seen }: Matter): "must" | "may" | "" {
  if (draft.shoe === "replace") return "";
  const contents = OF_CONTENTS.includes(pending.found);
  if (staff.shoe_in_doubt && (contents || draft.shoe === "keep")) return "must";
  return draft.shoe === "keep" && !seen.info?.virtual ? "may" : "";
}

/** What is still to be said. */
export type Missing = "ruling" | "order" | "burn" | "part" | "count";

/** Cents that go back, or null where they are not said, or are not a part. */
export function partOf(typed: string, stake_cents: number): number | null {
  const cents = parseMoney(typed);
  return cents !== null && cents > 0 && cents < stake_cents ? cents : null;
}

const whole = (typed: string): number | null => (/^\d{1,4}$/.test(typed.trim()) ? Number(typed) : null);

/** What must be said before there is a decision, the first thing first. */
export function missing(draft: Draft, matter: Matter, options: Options): Missing | null {
  if (!draft.ruling) return "ruling";
  if (draft.ruling === "order" && draft.order.length < matter.seen.cards.length) return "order";
  if (saysCards(draft, options) && draft.burnNext && whole(draft.burnNext) === null) return "burn";
  if (saysWagers(draft, options)) {
    for (const { number, cents } of matter.staff.wagers) {
      const said = draft.wagers[number];
      if (said?.fate === "part" && partOf(said.amount, cents) === null) return "part";
    }
  }
  const counts = counting(draft, matter);
  if (counts && (draft.counted || counts === "must") && whole(draft.counted) === null) return "count";
  return null;
}

/** A decision without its reason: the parts that are said, and nothing else. */
export type Decided = Omit<Rule, "reason">;

/** The entries as one decision, or null while something is missing. */
export function decided(draft: Draft, matter: Matter, options: Options): Decided | null {
  if (missing(draft, matter, options)) return null;
  const wagers = saysWagers(draft, options) ? wagersSaid(draft, matter, saysResults(draft, options)) : NO_WAGERS;
  const back = wagers.wagers.length + wagers.parts.length > 0;
  const ruling = draft.ruling === "continue" && back ? "return" : draft.ruling!;
  return {
    do: "rule",
    matter: matter.pending.number,
    round: draft.round,
    ruling,
    ...(ruling === "order" && { order: draft.order.join(" ") }),
    ...(back && { wagers: wagers.wagers, parts: wagers.parts }),
    ...(wagers.results.length && { results: wagers.results }),
    ...(saysCards(draft, options) && cardsSaid(draft, matter, options)),
    ...(draft.reopen && saysReopen(draft, options) && { reopen: true }),
    ...(draft.method && options.methods.includes(draft.method) && { method: draft.method }),
    ...(draft.shoe && { shoe: draft.shoe }),
    ...(counting(draft, matter) && draft.counted && { counted: Number(draft.counted) }),
  };
}

function cardsSaid(draft: Draft, matter: Matter, options: Options): Pick<Rule, "burn" | "play" | "burn_next"> {
  const fates = cardFates(draft, matter, options);
  const of = (fate: CardFate): string[] => options.seen.map(({ card }) => card).filter((_, at) => fates[at] === fate);
  // One that nobody has named is burnt by the table itself.
  const burn = of("burnt").filter((card) => card !== UNREAD);
  if (options.named) burn.push(...draft.burnNamed);
  const play = beforeClose(draft, options) ? of("played") : [];
  return {
    ...(burn.length && { burn: burn.join(" ") }),
    ...(play.length && { play: play.join(" ") }),
    ...(Number(draft.burnNext) && { burn_next: Number(draft.burnNext) }),
  };
}

/** The lines of a wager's own pay table at which it can be paid, each with when it pays otherwise. */
export function linesOf(wager: WagerInfo): { odds: string; when: Text[] }[] {
  const lines: { odds: string; when: Text[] }[] = [];
  for (const { odds, when } of wager.pays) {
    const same = lines.find((line) => line.odds === odds);
    if (same) same.when.push(when);
    else if (ODDS.test(odds)) lines.push({ odds, when: [when] });
  }
  return lines;
}

/** Whether a wager has a line that pushes. */
export const canPush = (wager: WagerInfo): boolean => wager.pays.some(({ odds }) => odds === PUSH);

/** `8 to 1` as its two figures. */
export const figuresOf = (odds: string): { wins: string; per: string } => {
  const match = ODDS.exec(odds);
  return { wins: match?.[1] ?? "", per: match?.[2] ?? "" };
};

interface WagersSaid {
  wagers: number[];
  parts: Part[];
  results: StatedResult[];
}

const NO_WAGERS: WagersSaid = { wagers: [], parts: [], results: [] };

function wagersSaid(draft: Draft, { staff }: Matter, results: boolean): WagersSaid {
  const said: WagersSaid = { wagers: [], parts: [], results: [] };
  for (const { number, cents } of staff.wagers) {
    const { fate, amount } = draft.wagers[number] ?? { fate: "stays", amount: "" };
    if (fate === "back") said.wagers.push(number);
    else if (fate === "part") said.parts.push({ number, cents: partOf(amount, cents)! });
    else if (!results) continue;
    else if (fate === "lose" || fate === "push") said.results.push({ number, result: fate });
    else if (fate !== "stays") said.results.push({ number, result: "win", pays: fate.slice("win ".length) });
  }
  return said;
}
