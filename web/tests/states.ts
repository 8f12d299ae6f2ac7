// A table, a patron's part of it and a console's, as the floor tells them: quiet, until a test says otherwise.
import type {
  OwnState,
  Purse,
  ShoeState,
  StaffState,
  TableInfo,
  TableState,
  Tile,
  Told,
  ToldOwn,
  ToldStaff,
  WagerInfo,
  Welcome,
} from "../src/wire";

export function wager(name: string, said: Partial<WagerInfo> = {}): WagerInfo {
  const group =
    name === "Player" || name === "Banker" || name === "Tie" ? "main" : name.endsWith("Pair") ? "pair" : "side";
  return {
    name,
    label: { en: name, zh: `「${name}」` },
    group,
    clause: "",
    pays: [],
    min_cents: 500,
    max_cents: 100_000,
    ...said,
  };
}

export function info(said: Partial<TableInfo> = {}): TableInfo {
  return {
    game: "baccarat",
    title: { en: "Baccarat", zh: "百家乐" },
    rulebook: "B8",
    version: null,
    terminals: true,
    deck: "standard",
    decks: 8,
    virtual: true,
    demonstration: false,
    beyond_file: false,
    setup_digest: "",
    ranks: ["dealer", "pit-supervisor", "pit-manager", "assistant-casino-manager", "gaming-shift-manager"],
    reads: true,
    permanent_7: false,
    unit_cents: 100,
    layout: "",
    positions: 7,
    bets_ms: 15_000,
    methods: [],
    hlga: false,
    differential_cents: 0,
    wagers: ["Player", "Banker", "Tie", "Player Pair", "Banker Pair"].map((name) => wager(name)),
    ...said,
  };
}

export function table(said: Partial<TableState> = {}): TableState {
  return {
    info: info(),
    phase: "bets-open",
    round: 1,
    shoe: shoe(),
    clock: null,
    said: null,
    cards: [],
    totals: [null, null],
    due: null,
    outcome: null,
    void: "",
    stakes: {},
    patrons: 1,
    roads: {
      bead: [],
      big: [],
      eye: [],
      small: [],
      roach: [],
      ask: { player: [null, null, null], banker: [null, null, null] },
    },
    chances: null,
    hands: {},
    may_turn: [],
    device: 0,
    wait: null,
    method: null,
    heavier: null,
    taken: false,
    automatic: true,
    time_in_doubt: false,
    ...said,
  };
}

export function shoe(said: Partial<ShoeState> = {}): ShoeState {
  return {
    number: 1,
    commitment: "",
    cut: 0,
    may_cut: false,
    cards: 416,
    left: 416,
    last_round: false,
    takes_contributions: false,
    contributors: 0,
    closed: "",
    unrevealed: 0,
    beacon: "",
    beacon_round: 0,
    ...said,
  };
}

export function own(said: Partial<OwnState> = {}): OwnState {
  return {
    seat: 1,
    wagers: [],
    payments: [],
    returned: [],
    holding: {},
    offered: [],
    offer: null,
    device: false,
    down: false,
    may_contribute: false,
    contribution: null,
    ...said,
  };
}

export function staff(said: Partial<StaffState> = {}): StaffState {
  return {
    wagers: [],
    payments: [],
    due: [],
    hands: {},
    device: "",
    dealer: "",
    may_draw: [],
    first: null,
    seats: {},
    pending: null,
    prompts: [],
    next: null,
    unread: 0,
    surplus: [],
    glimpsed: [],
    down: [],
    area_most: 0,
    ahead: null,
    shoe_spent: false,
    shoe_proposed: false,
    shoe_in_doubt: false,
    money: { drop_cents: 0, out_cents: 0, wagered_cents: 0, hold_cents: 0, escrow_cents: 0, rounds: 0, voids: 0 },
    edges: [],
    chances: null,
    alarms: [],
    log: [],
    last: null,
    file: null,
    proposals: [],
    claims: 0,
    ...said,
  };
}

export function tile(said: Partial<Tile> = {}): Tile {
  return {
    key: "T1",
    title: { en: "Baccarat", zh: "百家乐" },
    game: "baccarat",
    terminals: true,
    demonstration: false,
    beyond_file: false,
    phase: "idle",
    round: 1,
    patrons: 0,
    min_cents: 500,
    max_cents: 100_000,
    taken: false,
    dealer: "",
    automatic: false,
    beads: "",
    cards_left: 416,
    held_up: "",
    staked_cents: null,
    balance: null,
    money: null,
    alarms: null,
    ...said,
  };
}

export function purse(said: Partial<Purse> = {}): Purse {
  return {
    credits_cents: 100_000,
    owed_cents: 0,
    bought_cents: 0,
    cashed_cents: 0,
    staked_cents: 0,
    won_cents: 0,
    played_ms: 0,
    tables: [],
    waiting: {},
    stopped: false,
    withheld_cents: 0,
    closed: false,
    ...said,
  };
}

export function welcome(said: Partial<Welcome> = {}): Welcome {
  return {
    t: "welcome",
    floor: "Punto",
    demonstration: true,
    currency: "S$",
    languages: ["en", "zh"],
    patron: "ann",
    staff: "",
    position: "",
    now_ms: 0,
    ...said,
  };
}

let version = 0;

/** All of a table. */
export function whole(key: string, said: Partial<TableState> = {}): Told {
  return { t: "table", table: key, version: (version += 1), set: table(said), whole: true };
}

/** What has changed at a table. */
export function news(key: string, set: Partial<TableState>): Told {
  return { t: "table", table: key, version: (version += 1), set, whole: false };
}

export function toldOwn(key: string, set: Partial<OwnState>): ToldOwn {
  return { t: "own", table: key, version: (version += 1), set };
}

export function toldStaff(key: string, set: Partial<StaffState>): ToldStaff {
  return { t: "staff", table: key, version: (version += 1), set };
}
