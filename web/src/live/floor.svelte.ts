// The page's end of the floor: one connection, everything that was told over it, and everything that can be asked.
//
// What is asked carries an id. Should the connection be lost, or the floor not know yet what came of it, what has no answer
// yet is asked again under the same id, which the floor takes for one and the same; so does a page that is loaded anew. A
// stake, and any other act of a round, is asked again only in the round that it was meant for.

import { untrack } from "svelte";
import { toasts } from "../lib/toasts.svelte";
import type {
  Alarm,
  AnyAsk,
  AnyTell,
  Bend,
  Bent,
  Do,
  OwnClaim,
  OwnState,
  Proposed,
  Purse,
  QueuedClaim,
  Role,
  StaffState,
  TableState,
  Ticket,
  Tile,
  Welcome,
} from "../wire";
import { deadline, type Deadline, forgetGaps } from "./clock";
import { lineOf, OF_NOW, Refusal } from "./errors";
import { Pace } from "./pace";
import { PROVE_AGAIN, prover } from "./prover.svelte";
import { unanswered } from "./unanswered";

export type Status = "connecting" | "open" | "lost" | "ended";

/** A table as this page sees it: what everybody does, what is one's own, what is for staff. */
export interface TableView {
  state: TableState;
  own: OwnState | null;
  staff: StaffState | null;
  clock: Deadline | null;
}

/** The claims that wait for an answer, the most urgent first; *told* is when, on this page's clock. */
export interface ClaimQueue {
  claims: QueuedClaim[];
  open: number;
  overdue: number;
  told: number;
}

type Answer = { version: number } | Proposed | Ticket;

interface Pending {
  message: AnyAsk;
  /** The round that it is meant for; 0 where it is meant whenever it comes. */
  round: number;
  /** When it was asked first, by the device's clock. */
  at_ms: number;
  /** Whether it was sent over some connection; and whether more than once, so that the floor may have done it before. */
  sent: boolean;
  again: boolean;
  /** The floor does not know yet whether it was done. */
  inDoubt: boolean;
  answer: Promise<Answer>;
  resolve: (answer: Answer) => void;
  reject: (refusal: Refusal) => void;
}

// Acts that mean the same whenever they come: all others mean the round in which they are given, and no other.
const OF_ANY_ROUND = new Set<Do["act"]["do"]>([
  "open-table",
  "close-table",
  "change-limits",
  "restrict-areas",
  "choose-method",
  "load-shoe",
  "cut-shoe",
  "contribute",
  "close-contributions",
  "reveal-contribution",
  "end-shoe",
  "open-bets",
  "take-device",
  "give-up-device",
  "buy-in",
  "cash-out",
]);
const STOPPING = "stopping";
const ELSEWHERE = "elsewhere";
// What no page keeps for the next: the ticket that is asked for has a memory of its own, and a typed code has none.
const NOT_KEPT = new Set<AnyAsk["t"]>(["collect", "redeem"]);
const FIRST_AGAIN_MS = 2_000;
const LONGEST_AGAIN_MS = 10_000;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;
const PING_MS = 5_000;
const SILENCE_MS = 12_000;

class Floor {
  status = $state<Status>("connecting");
  welcome = $state<Welcome | null>(null);
  /** When that was told, on this page's clock: the floor's time of day goes on from there. */
  welcomedAt = $state(0);
  purse = $state<Purse | null>(null);
  /** When the purse was told, on this page's clock: the time played goes on from there. */
  pursedAt = $state(0);
  /** The patron's own claims, the newest first. */
  claims = $state.raw<OwnClaim[]>([]);
  /** The claims that wait, for staff who answer them; and when that was told, on this page's clock. */
  claimQueue = $state.raw<ClaimQueue>({ claims: [], open: 0, overdue: 0, told: 0 });
  tables = $state<Record<string, TableView>>({});
  tiles = $state<Record<string, Tile>>({});
  /** What needs a person, at no table. */
  alarms = $state.raw<Alarm[]>([]);
  ended = $state<{ code: string; message: string } | null>(null);
  /** The floor has closed, as it does now and then: when it opens, pages come back by themselves. */
  stopped = $state(false);
  /** Another process runs the floor now: pages find it by themselves, if it is at this address. */
  elsewhere = $state(false);
  /** How many of the things that were asked the floor does not know the outcome of yet. */
  inDoubt = $state(0);
  /** The last refusal of something that awaits no answer, such as a seat at a full table. */
  refused = $state.raw<Refusal | null>(null);

  #socket: WebSocket | null = null;
  #subscriptions = new Map<string, AnyAsk>();
  #pace = new Pace<AnyAsk>((message) => this.#send(message));
  #pending = new Map<string, Pending>();
  #wait = FIRST_WAIT_MS;
  #heardAt = 0;
  #pinging: ReturnType<typeof setInterval> | undefined;
  #bends = new Set<(bent: Bent) => void>();
  #serial = 0;
  #againMs = FIRST_AGAIN_MS;
  #askingAgain: ReturnType<typeof setTimeout> | undefined;
  #restored = false;

  /** Connect, and stay connected. */
  connect(): void {
    // Whoever connects does not depend on whether that has ended.
    if (this.#socket || untrack(() => this.ended)) return;
    const address = new URL("/live", location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.#socket = socket;
    this.#heardAt = performance.now();
    socket.onopen = () => this.#opened();
    socket.onmessage = (event) => this.#heard(event.data as string);
    socket.onclose = () => this.#closed(socket);
    if (this.#pinging) return;
    this.#pinging = setInterval(() => this.#ping(), PING_MS);
    addEventListener("offline", () => this.#hangUp());
    addEventListener("online", () => this.connect());
  }

  /** Look on at a table. */
  watch(table: string, role: Role = "display"): void {
    this.#subscribe(`watch ${table} ${role}`, { t: "watch", table, role });
  }

  /** Take a seat, and look on. */
  sit(table: string, position = 0): void {
    this.#subscribe(`sit ${table}`, { t: "sit", table, position });
  }

  /** Look on at the whole floor. */
  watchFloor(): void {
    this.#subscribe("floor", { t: "watch-floor" });
  }

  leave(table: string): void {
    for (const key of [`sit ${table}`, `watch ${table} display`, `watch ${table} staff`])
      this.#subscriptions.delete(key);
    this.#tell({ t: "leave", table });
    delete this.tables[table];
  }

  /** Make the stake on a wager come to so much in all. */
  stake(table: string, wager: string, cents: number): Promise<Answer> {
    const id = this.freshId();
    const round = this.tables[table]?.state.round ?? 0;
    return this.#ask(id, { t: "stake", id, table, wager, cents, round }, round);
  }

  /** Give a command, as patron or as staff. */
  act(table: string, act: Do["act"]): Promise<Answer> {
    const id = this.freshId();
    const round = OF_ANY_ROUND.has(act.do) ? 0 : this.tables[table]?.state.round;
    return this.#ask(id, { t: "do", id, table, act }, round);
  }

  /** Confirm, as the second person, what somebody else has proposed. */
  confirm(table: string, digest: string): Promise<Answer> {
    const id = this.freshId();
    return this.#ask(id, { t: "confirm", id, table, digest });
  }

  /** Withdraw what was proposed, or turn it down. */
  withdraw(table: string, digest: string): Promise<Answer> {
    const id = this.freshId();
    return this.#ask(id, { t: "withdraw", id, table, digest });
  }

  buy(table: string, cents: number): Promise<Answer> {
    const id = this.freshId();
    return this.#ask(id, { t: "buy", id, table, cents });
  }

  /** All credits as a ticket; asked again under its id, that ticket once more, and never another. */
  async collect(table: string, id: string, again = false): Promise<Ticket> {
    return (await this.#ask(id, { t: "collect", id, table, ...(again ? { again } : {}) })) as Ticket;
  }

  redeem(table: string, code: string): Promise<Answer> {
    const id = this.freshId();
    return this.#ask(id, { t: "redeem", id, table, code });
  }

  /** Show others how a card bends. */
  bend(table: string, side: "player" | "banker", card: number, lift: number, edge: Bend["edge"]): void {
    this.#send({ t: "bend", table, side, card, lift, edge });
  }

  takeTable(table: string): void {
    this.#subscribe(`deal ${table}`, { t: "take-table", table }, { t: "take-table", table, again: true });
  }

  handBack(table: string): void {
    this.#subscriptions.delete(`deal ${table}`);
    this.#tell({ t: "hand-back", table });
  }

  /** Be told when a card is bent elsewhere; returns how to stop. */
  onBend(listener: (bent: Bent) => void): () => void {
    this.#bends.add(listener);
    return () => this.#bends.delete(listener);
  }

  /** Ask for something that goes on; should the connection be lost, it is asked *again*. */
  #subscribe(key: string, message: AnyAsk, again = message): void {
    this.#subscriptions.set(key, again);
    this.#tell(message);
  }

  /** Send what awaits no answer, in its order, and no faster than the floor takes it. */
  #tell(message: AnyAsk): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#pace.put(message);
  }

  #ask(id: string, message: AnyAsk, round = 0): Promise<Answer> {
    const asked = this.#pending.get(id);
    if (asked) return asked.answer;
    const pending = this.#await(id, message, round, Date.now());
    this.#sendPending(pending);
    this.#remember();
    return pending.answer;
  }

  #await(id: string, message: AnyAsk, round: number, at_ms: number): Pending {
    let resolve!: (answer: Answer) => void;
    let reject!: (refusal: Refusal) => void;
    const answer = new Promise<Answer>((yes, no) => ([resolve, reject] = [yes, no]));
    const pending = { message, round, at_ms, sent: false, again: false, inDoubt: false, answer, resolve, reject };
    this.#pending.set(id, pending);
    return pending;
  }

  /** The same command is given again once whoever gives it has shown who they are. */
  #proveFirst(id: string, pending: Pending, refusal: Refusal): void {
    prover.need(refusal).then(
      () => this.#sendPending(pending),
      () => this.#answered(id)?.reject(refusal),
    );
  }

  #sendPending(pending: Pending): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    pending.again ||= pending.sent;
    pending.sent = true;
    this.#send(pending.message);
  }

  /** The floor does not know yet: ask again before long, until it does. */
  #doubt(pending: Pending): void {
    pending.inDoubt = true;
    this.#count();
    if (this.#askingAgain !== undefined) return;
    this.#askingAgain = setTimeout(() => this.#askAgain(), this.#againMs);
    this.#againMs = Math.min(LONGEST_AGAIN_MS, this.#againMs * 2);
  }

  #askAgain(): void {
    this.#askingAgain = undefined;
    for (const pending of this.#pending.values()) if (pending.inDoubt) this.#sendPending(pending);
  }

  #count(): void {
    this.inDoubt = [...this.#pending.values()].filter((each) => each.inDoubt).length;
    if (!this.inDoubt) this.#againMs = FIRST_AGAIN_MS;
  }

  /** Who is behind this page. */
  get #who(): string {
    return this.welcome ? `${this.welcome.patron}\n${this.welcome.staff}` : "";
  }

  /** Keep what has no answer yet for a page that is loaded anew. */
  #remember(): void {
    const who = untrack(() => this.#who);
    if (!who) return;
    const asked = [...this.#pending.values()].filter(({ message }) => !NOT_KEPT.has(message.t));
    unanswered.keep(asked.map(({ message, round, at_ms }) => ({ message, round, who, at_ms })));
  }

  /** Ask again what an earlier page of this tab has asked; nobody waits for the answer any more but the person. */
  #restore(): void {
    if (this.#restored) return;
    this.#restored = true;
    for (const { message, round, at_ms } of unanswered.of(this.#who)) {
      if (!("id" in message) || !message.id || this.#pending.has(message.id)) continue;
      const pending = this.#await(message.id, message, round, at_ms);
      pending.sent = true;
      pending.answer.catch((refusal: unknown) => toasts.show(() => lineOf(refusal), "refused"));
      if (!round) this.#sendPending(pending);
    }
    this.#remember();
  }

  #send(message: AnyAsk): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** An id begins with the time, whatever the device thinks that is, so that the store keeps them in order. */
  freshId(): string {
    const random = crypto.getRandomValues(new Uint32Array(2));
    this.#serial += 1;
    return `${Date.now().toString(16).padStart(12, "0")}-${this.#serial}-${random[0]!.toString(36)}${random[1]!.toString(36)}`;
  }

  #opened(): void {
    this.status = "open";
    this.stopped = false;
    this.elsewhere = false;
    // However long it took to open, it has not been silent yet.
    this.#heardAt = performance.now();
    forgetGaps();
    this.#wait = FIRST_WAIT_MS;
    this.#pace.clear();
    for (const message of this.#subscriptions.values()) this.#tell(message);
    for (const pending of this.#pending.values()) if (!pending.round) this.#sendPending(pending);
  }

  /** A table is seen again: what was asked for its round is asked again, unless that round is over. */
  #seen(table: string, round: number): void {
    for (const [id, pending] of this.#pending) {
      if (!pending.round || !("table" in pending.message) || pending.message.table !== table) continue;
      if (pending.round === round || isOfOneRound(pending)) this.#sendPending(pending);
      else this.#answered(id)?.reject(new Refusal("round-over", ""));
    }
  }

  #closed(socket: WebSocket): void {
    if (socket !== this.#socket) return;
    this.#socket = null;
    if (this.ended) {
      this.status = "ended";
      return;
    }
    this.status = "lost";
    setTimeout(() => this.connect(), this.#wait * (0.75 + Math.random() / 2));
    this.#wait = Math.min(LONGEST_WAIT_MS, this.#wait * 2);
  }

  #ping(): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    if (performance.now() - this.#heardAt > SILENCE_MS) this.#hangUp();
    else this.#send({ t: "ping", n: 0 });
  }

  /** Nothing comes through any more: the connection is as good as lost, though nobody has closed it. */
  #hangUp(): void {
    const socket = this.#socket;
    if (!socket) return;
    socket.close();
    this.#closed(socket);
  }

  #heard(text: string): void {
    this.#heardAt = performance.now();
    for (const message of JSON.parse(text) as AnyTell[]) this.#told(message);
  }

  #told(message: AnyTell): void {
    switch (message.t) {
      case "welcome":
        this.welcome = message;
        this.welcomedAt = performance.now();
        this.#restore();
        break;
      case "purse":
        this.purse = message.purse;
        this.pursedAt = performance.now();
        break;
      case "table": {
        const view = this.tables[message.table];
        if (message.whole) {
          const state = message.set;
          this.tables[message.table] = {
            state,
            own: view?.own ?? null,
            staff: view?.staff ?? null,
            clock: deadline(state.clock),
          };
          this.#seen(message.table, state.round);
        } else if (view) {
          const changed = message.set;
          Object.assign(view.state, changed);
          if ("clock" in changed) view.clock = deadline(changed.clock ?? null);
        }
        break;
      }
      case "own": {
        const view = this.tables[message.table];
        // The first is whole, and later ones say what changed.
        if (view) view.own = { ...view.own, ...message.set } as OwnState;
        break;
      }
      case "staff": {
        const view = this.tables[message.table];
        if (view) view.staff = { ...view.staff, ...message.set } as StaffState;
        break;
      }
      case "claims":
        this.claims = message.claims;
        break;
      case "claim-queue": {
        const { claims, open, overdue } = message;
        this.claimQueue = { claims, open, overdue, told: performance.now() };
        break;
      }
      case "floor":
        for (const tile of message.tiles) this.tiles[tile.key] = tile;
        break;
      case "alarms":
        this.alarms = message.alarms;
        break;
      case "accepted":
      case "proposed":
      case "ticket":
        this.#answered(message.id)?.resolve(message);
        break;
      case "refused": {
        const refusal = new Refusal(message.code, message.message, message.clause);
        const pending = this.#pending.get(message.id);
        if (!message.id) this.refused = refusal;
        else if (pending && message.code === PROVE_AGAIN) this.#proveFirst(message.id, pending, refusal);
        else if (pending && (pending.again || pending.inDoubt) && OF_NOW.has(message.code)) this.#doubt(pending);
        else this.#answered(message.id)?.reject(refusal);
        break;
      }
      case "unknown": {
        const pending = this.#pending.get(message.id);
        if (pending) this.#doubt(pending);
        break;
      }
      case "bent":
        for (const listener of this.#bends) listener(message);
        break;
      case "ended":
        if (message.code === STOPPING) this.stopped = true;
        else if (message.code === ELSEWHERE) this.elsewhere = true;
        else this.ended = { code: message.code, message: message.message };
        break;
      case "pong":
        break;
    }
  }

  #answered(id: string): Pending | undefined {
    const pending = this.#pending.get(id);
    if (this.#pending.delete(id)) {
      this.#count();
      this.#remember();
    }
    return pending;
  }
}

/** Whether something that is in doubt says itself for which round it is: whenever it comes, it counts in no other. */
function isOfOneRound({ inDoubt, message }: Pending): boolean {
  return inDoubt && message.t === "stake" && Boolean(message.round);
}

export const floor = new Floor();
